"""A member that is a language model: each turn is a prompt, a schema, and the texts that fit the model's window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from veritas.claims.graph import StageName, SubQuery
from veritas.claims.sources import Passage
from veritas.council import answer_schemas
from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.turns import (
    AdmittedClaim,
    ContestedClaim,
    Draft,
    DraftSentence,
    Objection,
    PeerClaim,
    Response,
    SubQueryDraft,
)
from veritas.council.window_requests import Texts, windowed

A = TypeVar("A", bound=BaseModel)

SHOWN = 8
"""Most passages that a model is shown for a sub-question. Of the documentation questions whose answer was among the 14
that a member reads on average, 96 % have it among the first 8."""

MOST = 8
"""Most claims of a turn, where no cost tier says how many."""


class ModelMember:
    """A language model with prompts."""

    description = "A language model behind prompts; what it says is checked like anybody's."

    def __init__(self, name: str, family: str, model: Connected, most: int = MOST) -> None:
        """`most` is the number of claims that are kept of a turn, and so the number that is asked for."""
        self.name, self.family, self.most = name, family, most
        self.connected = model
        self.model = model.policy.model
        self.prompt = prompt("assert").id

    async def decompose(self, question: str) -> Sequence[SubQueryDraft]:
        """See `Member`."""
        said = await self._take(
            "decompose",
            "decompose",
            answer_schemas.SubQueries,
            {"question": Block("question", question)},
            {},
            question,
            check=answer_schemas.SubQueries.fault,
        )
        return said.sub_queries

    async def assert_claims(self, sub_query: SubQuery, passages: Sequence[Passage]) -> Sequence[Draft]:
        """See `Member`. The model is shown the first `SHOWN` passages, which are given best first."""
        passages = passages[:SHOWN]
        asked = sub_query.text if not sub_query.facet else f"{sub_query.text}\n(after: {sub_query.facet})"
        said = await self._take(
            "assert",
            "extract",
            answer_schemas.Claims,
            {"sub_query": Block("sub-question", asked), "limit": self.most},
            {"passages": _passages(passages)},
            sub_query.text,
            parts="claims",
        )
        return said.claims

    async def contest(self, peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        """See `Member`."""
        said = await self._take(
            "contest",
            "debate",
            answer_schemas.Objections,
            {},
            {"claims": [(f"claim {c.claim_id}", c.claim) for c in peer_claims], "passages": _passages(passages)},
            "\n".join(c.claim for c in peer_claims),
            parts="objections",
        )
        return said.objections

    async def respond(self, contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        """See `Member`."""
        said = await self._take(
            "respond",
            "debate",
            answer_schemas.Reply,
            {
                "claim": Block("your claim", contested.claim),
                "objection": Block("objection", contested.objection),
                "counter_claim": Block("contesting position", contested.counter_claim),
                "own_tier": contested.own_tier,
                "counter_tier": contested.counter_tier,
            },
            {
                "own_passages": [(f"own source {i}", t) for i, t in enumerate(contested.own_passages, 1)],
                "counter_passages": [(f"counter-source {i}", t) for i, t in enumerate(contested.counter_passages, 1)],
                "passages": _passages(passages),
            },
            f"{contested.claim}\n{contested.counter_claim}",
            check=answer_schemas.Reply.fault,
            decides=True,
        )
        return said.response()

    async def synthesize(self, question: str, claims: Sequence[AdmittedClaim]) -> Sequence[DraftSentence]:
        """See `Member`."""
        said = await self._take(
            "synthesize",
            "synthesize",
            answer_schemas.Sentences,
            {"question": Block("question", question)},
            {"claims": [_admitted(c) for c in claims]},
            question,
        )
        return said.sentences

    async def repair(
        self, sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str
    ) -> DraftSentence | None:
        """See `Member`."""
        said = await self._take(
            "repair",
            "synthesize",
            answer_schemas.Repaired,
            {"sentence": _sentence(sentence), "fault": Block("what is wrong with it", fault)},
            {"claims": [_admitted(c) for c in claims]},
            sentence.text,
        )
        return said.sentence

    async def _take(
        self,
        turn: str,
        stage: StageName,
        shape: type[A],
        fixed: Mapping[str, Sequence[Block] | Block | int],
        texts: Mapping[str, Texts],
        about: str,
        check: Callable[[A], str | None] = lambda _: None,
        parts: str | None = None,
        decides: bool = False,
    ) -> A:
        """Take one turn: fill the prompt of that name with the texts that fit, and ask. `parts` and `decides`: see
        `Wanted`."""
        filled = prompt(turn)

        async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> A:
            blocks = {name: [_block(s) for s in parts] for name, parts in shown.items()}
            return await ask(
                self.connected,
                filled.fill({**fixed, **blocks}),
                shape,
                who=self.name,
                turn=turn,
                stage=stage,
                prompt_id=filled.id,
                cuts=cuts,
                check=check,
                parts=parts,
                decides=decides,
            )

        given = [b.text for f in fixed.values() if not isinstance(f, int) for b in ([f] if isinstance(f, Block) else f)]
        return await windowed(self.connected.policy, filled.bare, given, texts, about, shape, once)


def _passages(passages: Sequence[Passage]) -> Texts:
    return [(f"passage {p.passage_id}", p.text) for p in {p.passage_id: p for p in passages}.values()]


def _block(shown: Shown) -> Block:
    if shown.cut is None:
        return Block(shown.name, shown.text)
    return Block(f"{shown.name}, characters {shown.start:,} to {shown.end:,} of {shown.length:,}", shown.text)


def _sentence(sentence: DraftSentence) -> Block:
    cited = ", ".join(c for c in sentence.claim_ids if c.isascii() and c.isprintable()) or "none"
    return Block(f"sentence, kind {sentence.kind}, paragraph {sentence.paragraph}, claim_ids {cited}", sentence.text)


def _admitted(claim: AdmittedClaim) -> tuple[str, str]:
    label = f"claim {claim.claim_id}, {claim.claim_type}, tier {claim.tier}, asserted by {claim.members}"
    dissent = f"\nStanding objection: {claim.dissent}" if claim.dissent else ""
    return label, claim.claim + dissent
