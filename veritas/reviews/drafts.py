"""What an extractor may say of a document, and the seam it says it through; identity and place are not its to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from pydantic import Field

from veritas.claims.graph import Call
from veritas.documents.document import Document
from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind


class ClaimDraft(Frozen):
    """A claim in an extractor's words and the quote it rests on. `within` is where in the document the quote was seen,
    as `[start, end)`: of words that stand there twice, it is these."""

    text: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    within: tuple[int, int]
    claim_type: ClaimKind
    evidence_type: EvidenceKind


class Extraction(Frozen):
    """What came of one document. `left_out` counts by reason what was not drafted (I7); `calls` are those of models."""

    drafts: tuple[ClaimDraft, ...]
    left_out: Mapping[str, int] = Field(default_factory=dict)
    calls: tuple[Call, ...] = ()


@runtime_checkable
class ClaimExtractor(Protocol):
    """`name` is kept with every claim: `embedded.v1`, or model and prompt."""

    @property
    def name(self) -> str: ...

    async def extract(self, document: Document) -> Extraction:
        """The claims of a document. Raises `Unavailable` when they cannot be had now."""
        ...
