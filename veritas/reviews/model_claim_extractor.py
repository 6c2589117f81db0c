"""The model's extractor: a language model extracts claims from stretches of a document, and code checks its quotes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from veritas.claims.sources import Passage
from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.model_table import facts
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed
from veritas.documents.document import Document
from veritas.documents.paper_sections import UNREAD
from veritas.documents.passages import cut_passages
from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind
from veritas.reviews.drafts import ClaimDraft, Extraction, sections_of
from veritas.store.call_record import Spent, spending

STRETCH = 6_000
"""Characters of a document that a model is shown at once: about ten claims, and ten stretches a paper."""


class ExtractedClaim(Frozen):
    """A claim as a model answers it. There is no field for paper, page or section (I2)."""

    text: str = Field(min_length=1)
    claim_type: ClaimKind
    evidence_type: EvidenceKind
    passage_id: str
    quote: str


class ExtractedClaims(Frozen):
    """The claims of one stretch; none is an answer."""

    claims: tuple[ExtractedClaim, ...]


class ModelExtractor:
    """A `ClaimExtractor` behind a prompt. Stretches are asked for concurrently, as the provider's rates allow."""

    def __init__(self, model: Connected) -> None:
        self._model = model
        self._prompt = prompt("extract")
        self.name = f"{model.policy.model} {self._prompt.id}"

    async def extract(self, document: Document) -> Extraction:
        """See `ClaimExtractor`. Raises `Unavailable` if a stretch has no answer; the answers of the others are in the
        ledger, and the next try does not pay for them again."""
        left_out: Counter[str] = Counter()
        with spending(Spent()) as spent:
            tasks = [asyncio.ensure_future(self._stretch(document, part)) for part in self._stretches(document)]
            try:
                answers = await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        left_out.update(spent.unfit)
        drafts: list[ClaimDraft] = []
        for passages, said, cut in answers:
            if cut:
                left_out["it is from a passage that was shortened to fit the model's window"] += cut
            drafts += _drafts(passages, said, left_out)
        return Extraction(drafts=tuple(drafts), left_out=dict(left_out), calls=tuple(spent.calls))

    def _stretches(self, document: Document) -> Iterator[tuple[Passage, ...]]:
        """Yield runs of passages that fit the model's window well, without the sections that hold no claims."""
        names = sections_of(document)
        most = max(1_500, min(STRETCH, facts(self._model.policy).input_room))
        part: list[Passage] = []
        for passage in cut_passages(document):
            # A passage may begin above a heading, so the section at its end counts too.
            if names.at(passage.start) in UNREAD and names.at(passage.end - 1) in UNREAD:
                continue
            if part and passage.end - part[0].start > most:
                yield tuple(part)
                part = []
            part.append(passage)
        if part:
            yield tuple(part)

    async def _stretch(
        self, document: Document, passages: tuple[Passage, ...]
    ) -> tuple[tuple[Passage, ...], ExtractedClaims, int]:
        title = Block("title of the document", document.title)
        cut = 0

        async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> ExtractedClaims:
            nonlocal cut
            cut = len(cuts)
            blocks = [Block(s.name, s.text) for s in shown["passages"]]
            return await ask(
                self._model,
                self._prompt.fill({"document": title, "passages": blocks}),
                ExtractedClaims,
                who="extractor",
                turn="extract",
                stage="extract",
                prompt_id=self._prompt.id,
                cuts=cuts,
                parts="claims",
            )

        texts = {"passages": [(f"passage {p.passage_id}", p.text) for p in passages]}
        said = await windowed(
            self._model.policy, self._prompt.bare, [document.title], texts, document.title, ExtractedClaims, once
        )
        return passages, said, cut


def _drafts(
    passages: tuple[Passage, ...], said: ExtractedClaims, left_out: Counter[str]
) -> Iterator[ClaimDraft]:
    places = {p.passage_id: (p.start, p.end) for p in passages}
    for claim in said.claims:
        if claim.passage_id not in places:
            left_out["it names a passage that was not shown"] += 1
            continue
        if not claim.quote.strip():
            left_out["it quotes nothing"] += 1
            continue
        yield ClaimDraft(
            text=claim.text,
            quote=claim.quote,
            within=places[claim.passage_id],
            claim_type=claim.claim_type,
            evidence_type=claim.evidence_type,
        )
