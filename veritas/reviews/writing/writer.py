"""The writer seam of a review, and the writer without a language model, which composes the text from quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.manuscript import ReviewDraft
from veritas.reviews.writing.retrieve_claims import Task

EMBEDDED_WRITER = "embedded-writer"


@runtime_checkable
class ReviewWriter(Protocol):
    """A writer that words the sections of a review from claims alone. `family` decides who may review it (I4)."""

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str: ...

    async def write(self, topic: str, task: Task) -> Sequence[ReviewDraft]:
        """Return the sentences of a section. Raises `Unavailable` if there is no answer."""
        ...

    async def revise(self, draft: ReviewDraft, fault: str, claims: Sequence[CorpusClaim]) -> ReviewDraft | None:
        """Return a corrected sentence for one that code or the reviewer found at fault; None gives it up."""
        ...


class EmbeddedWriter:
    """A writer that arranges claims in their own words, as quotations."""

    name = EMBEDDED_WRITER
    family = "embedded:writer"

    async def write(self, topic: str, task: Task) -> Sequence[ReviewDraft]:
        """Return quotations, those of one paper together, the most relevant paper first."""
        if not task.claims:
            return [ReviewDraft(kind="gap", text="the corpus holds no claim for this section")]
        by_paper: dict[str, list[CorpusClaim]] = {}
        for claim in task.claims:
            by_paper.setdefault(claim.paper_key, []).append(claim)
        ordered = [c for claims in by_paper.values() for c in sorted(claims, key=lambda c: c.start)]
        return [ReviewDraft(kind="quotation", text=c.verbatim, claim_ids=(c.claim_id,)) for c in ordered]

    async def revise(self, draft: ReviewDraft, fault: str, claims: Sequence[CorpusClaim]) -> ReviewDraft | None:
        """Return the quotation restored to the words of the claim it cites; None if that changes nothing."""
        claim = next((c for c in claims if c.claim_id in draft.claim_ids), None)
        if claim is None:
            return None
        mended = draft.model_copy(
            update={"text": claim.verbatim, "claim_ids": (claim.claim_id,), "kind": "quotation"}
        )
        return None if mended == draft else mended
