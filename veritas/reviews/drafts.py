"""The drafts that an extractor makes of a document, and its seam. Identity and place are set by code, not by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from pydantic import Field

from veritas.claims.graph import Call
from veritas.documents.document import Document
from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind


class ClaimDraft(Frozen):
    """A claim in an extractor's words and the quote it rests on. `within` is the span `[start, end)` of the document
    where the quote was seen, which tells apart words that occur twice."""

    text: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    within: tuple[int, int]
    claim_type: ClaimKind
    evidence_type: EvidenceKind


class Extraction(Frozen):
    """The result of one document. `left_out` counts by reason what was not drafted (I7); `calls` are models'."""

    drafts: tuple[ClaimDraft, ...]
    left_out: Mapping[str, int] = Field(default_factory=dict)
    calls: tuple[Call, ...] = ()


@runtime_checkable
class ClaimExtractor(Protocol):
    """An extractor of claims. `name` is kept with every claim: `embedded.v1`, or model and prompt."""

    @property
    def name(self) -> str: ...

    async def extract(self, document: Document) -> Extraction:
        """Return the claims of a document. Raises `Unavailable` if they cannot be had now."""
        ...
