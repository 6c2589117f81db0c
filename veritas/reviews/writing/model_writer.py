"""The writer that is a language model: claims in marked blocks in, sentences with the ids of their claims out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, Field

from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.prompt import Block, Prompt, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed
from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.manuscript import ReviewDraft
from veritas.reviews.writing.retrieve_claims import Task

A = TypeVar("A", bound=BaseModel)


class WrittenSection(Frozen):
    """A section as a model answers it. There is no field for a key, a page or an author (I2)."""

    sentences: tuple[ReviewDraft, ...] = Field(min_length=1)


class RevisedSentence(Frozen):
    """The corrected sentence."""

    sentence: ReviewDraft


class ModelWriter:
    """A `ReviewWriter` behind two prompts; its sentences are checked like those of any writer."""

    def __init__(self, name: str, family: str, model: Connected) -> None:
        self.name, self.family, self._model = name, family, model
        self._write, self._revise = prompt("reviewwriter"), prompt("reviewreviser")

    async def write(self, topic: str, task: Task) -> Sequence[ReviewDraft]:
        """See `ReviewWriter`."""
        section = f"{task.section.title}\n{task.section.intent}"
        fixed = {"topic": Block("topic", topic), "section": Block("section", section)}
        said = await self._ask(self._write, "write", fixed, task.claims, topic, WrittenSection)
        # A model cannot mark a quotation: its sentences are prose, and are checked as prose.
        return [d.model_copy(update={"kind": "claim"}) if d.kind == "quotation" else d for d in said.sentences]

    async def revise(self, draft: ReviewDraft, fault: str, claims: Sequence[CorpusClaim]) -> ReviewDraft | None:
        """See `ReviewWriter`."""
        cites = f"\n(cites {', '.join(draft.claim_ids)})" if draft.claim_ids else ""
        fixed = {"sentence": Block("sentence", draft.text + cites), "fault": Block("what is wrong with it", fault)}
        said = await self._ask(self._revise, "revise", fixed, claims, draft.text, RevisedSentence)
        kind = "claim" if said.sentence.kind == "quotation" else said.sentence.kind
        return said.sentence.model_copy(update={"paragraph": draft.paragraph, "kind": kind})

    async def _ask(
        self,
        used: Prompt,
        turn: str,
        fixed: Mapping[str, Block],
        claims: Sequence[CorpusClaim],
        about: str,
        shape: type[A],
    ) -> A:
        async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> A:
            blocks = {"claims": [Block(s.name, s.text) for s in shown["claims"]]}
            return await ask(
                self._model,
                used.fill({**fixed, **blocks}),
                shape,
                who=self.name,
                turn=turn,
                stage="synthesize",
                prompt_id=used.id,
                cuts=cuts,
            )

        texts = {"claims": [(f"claim {c.claim_id}", _told(c)) for c in claims]}
        bare = [block.text for block in fixed.values()]
        return await windowed(self._model.policy, used.bare, bare, texts, about, shape, once)


def _told(claim: CorpusClaim) -> str:
    kind = f"{claim.claim_type}, {claim.evidence_type}"
    if claim.text == claim.verbatim:
        return f"({kind}) quote: {claim.verbatim}"
    return f"({kind}) {claim.text}\nquote: {claim.verbatim}"
