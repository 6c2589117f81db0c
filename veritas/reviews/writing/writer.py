"""The writer seam of a review, and the writer without a language model, which composes the text from quotes.

Choose the part of a claim's quote that is set between quotation marks: all of it, or its end, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.council.embedded.alignment import repeats
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.manuscript import ReviewDraft
from veritas.reviews.writing.retrieve_claims import Task

_OPENER = re.compile(
    r"(?:However|Furthermore|Moreover|Additionally|In addition|Besides|Also|Thus|Therefore|Hence|Consequently|"
    r"Accordingly|Interestingly|Unexpectedly|Surprisingly|Notably|Importantly|Finally|Lastly|Overall|In conclusion|"
    r"In summary|To conclude|To summari[sz]e|Taken together|Together|In contrast|By contrast|Conversely|Nevertheless|"
    r"Nonetheless|On the other hand|As a result|Similarly|Likewise|In particular|Specifically),\s+"
)
_LABEL = re.compile(r"(?=[A-Z ]{12})(?:[A-Z]{3,}|OF|IN)(?: (?:[A-Z]{3,}|OF|IN))+:? (?=[A-Z][a-z]|[A-Z] )")
LEAST = 40
"""Characters that must be left."""


def quotable(verbatim: str) -> str:
    """Return the quote without the label of an abstract's part ("MAIN OUTCOMES AND MEASURES") and without an opening
    word that refers to the sentence before ("However,"). The result stands verbatim in the document."""
    bare = _LABEL.sub("", verbatim, count=1) if _LABEL.match(verbatim) else verbatim
    opener = _OPENER.match(bare)
    bare = bare[opener.end() :] if opener else bare
    return bare if len(bare) >= LEAST else verbatim


EMBEDDED_WRITER = "embedded-writer"
A_PARAGRAPH = 4
"""Quotations in a paragraph, at most."""


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
    """A writer that arranges claims in their own words, as quotations. A repetition of an earlier one is left out."""

    name = EMBEDDED_WRITER
    family = "embedded:writer"

    async def write(self, topic: str, task: Task) -> Sequence[ReviewDraft]:
        """Return paragraphs of quotations, those of one paper together, the most relevant paper first."""
        if not task.claims:
            return [ReviewDraft(kind="gap", text="the corpus holds no claim for this section")]
        by_paper: dict[str, list[CorpusClaim]] = {}
        said: list[str] = []
        for claim in task.claims:
            if any(claim.verbatim in other.verbatim for other in task.claims if other.verbatim != claim.verbatim):
                continue
            if not any(repeats(claim.verbatim, other) for other in said):
                by_paper.setdefault(claim.paper_key, []).append(claim)
                said.append(claim.verbatim)
        ordered = [c for claims in by_paper.values() for c in sorted(claims, key=lambda c: c.start)]
        return [
            ReviewDraft(
                kind="quotation", text=quotable(c.verbatim), claim_ids=(c.claim_id,), paragraph=at // A_PARAGRAPH
            )
            for at, c in enumerate(ordered)
        ]

    async def revise(self, draft: ReviewDraft, fault: str, claims: Sequence[CorpusClaim]) -> ReviewDraft | None:
        """Return the quotation restored to the words of the claim it cites; None if that changes nothing."""
        claim = next((c for c in claims if c.claim_id in draft.claim_ids), None)
        if claim is None:
            return None
        mended = draft.model_copy(
            update={"text": quotable(claim.verbatim), "claim_ids": (claim.claim_id,), "kind": "quotation"}
        )
        return None if mended == draft else mended
