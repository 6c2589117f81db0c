"""The claim of a corpus: an atomic statement with the words it rests on and their place (spec, section 4.1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from veritas.documents.paper_parts import SectionName
from veritas.frozen import Frozen, content_id

ClaimKind = Literal["finding", "method", "background", "limitation"]
EvidenceKind = Literal["experimental", "computational", "review", "theoretical"]
CLAIM_KINDS: tuple[ClaimKind, ...] = ("finding", "method", "background", "limitation")
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = ("experimental", "computational", "review", "theoretical")


class CorpusClaim(Frozen):
    """A claim of a corpus. `verbatim` is `document[start:end]` with whitespace folded (I1); `text` says the same
    without its context.

    Paper, authors, year, DOI, section and page are set by code, never by a model (I2). `page` counts from 1 and is None
    if the format has no pages; `section` is the canonical name; `extractor` names the claim's origin: `embedded.v1`, or
    a model and its prompt.
    """

    claim_id: str
    text: str = Field(min_length=1)
    verbatim: str = Field(min_length=1)
    paper_key: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    section: SectionName = "other"
    page: int | None = None
    claim_type: ClaimKind
    evidence_type: EvidenceKind
    document_id: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    extractor: str

    @model_validator(mode="after")
    def _ordered(self) -> CorpusClaim:
        if self.end <= self.start:
            raise ValueError("a span ends after it starts")
        return self


def corpus_claim_id(document_id: str, start: int, end: int, text: str) -> str:
    """Return the id of a claim, from its text and the span of the document it rests on."""
    return content_id("q", document_id, start, end, text)
