"""The claims and papers of a corpus, and the filters of a query (spec, section 4.1)."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field, model_validator

from veritas.documents.paper_parts import SectionName
from veritas.frozen import Frozen, content_id
from veritas.works.records import BibRecord


class CorpusPaper(Frozen):
    """A paper of a corpus. `paper_key` is its key in the `.bib`, the same for as long as the corpus lives. `record` is
    its whole record, as `veritas.citations.record_exports` writes it into a bibliography.

    `root` names what it was added from (a folder, a `.bib`, a Zotero collection, a run), `source` the part of that: a
    file's path within the folder, a Zotero item. `claims` is how many claims were extracted from it.
    """

    paper_key: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    record: BibRecord
    item_type: str = ""
    tags: tuple[str, ...] = ()
    root: str
    source: str
    url: str
    document_id: str
    media_type: str = "text/plain"
    pages: int = Field(default=0, ge=0)
    """Number of pages; 0 if the format has none."""
    characters: int = Field(default=0, ge=0)
    claims: int = Field(default=0, ge=0)
    extractor: str
    read_on: date


ClaimKind = Literal["finding", "method", "background", "limitation"]
EvidenceKind = Literal["experimental", "computational", "review", "theoretical"]
CLAIM_KINDS: tuple[ClaimKind, ...] = ("finding", "method", "background", "limitation")
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = ("experimental", "computational", "review", "theoretical")


class CorpusClaim(Frozen):
    """A claim of a corpus. `verbatim` is `document[start:end]` with whitespace folded (I1); `text` says the same
    without its context.

    Paper, authors, year, DOI, section and page are set by code, never by a model (I2). `page` counts from 1 and is None
    if the format has no pages; `section` is the canonical name; `extractor` names the claim's origin: `embedded.v3`, or
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
    also_on: tuple[int, ...] = ()
    """Other pages on which the paper says the same, as the retrieval found them."""
    first_hand: str | None = None
    """Of older reviews: the paper of the corpus that a quote reports from."""

    @model_validator(mode="after")
    def _ordered(self) -> CorpusClaim:
        if self.end <= self.start:
            raise ValueError("a span ends after it starts")
        return self


def corpus_claim_id(document_id: str, start: int, end: int, text: str) -> str:
    """Return the id of a claim, from its text and the span of the document it rests on."""
    return content_id("q", document_id, start, end, text)


class Filters(Frozen):
    """Filters of claims; an empty field filters nothing. Years are inclusive, and exclude undated papers."""

    claim_types: frozenset[ClaimKind] = frozenset()
    evidence_types: frozenset[EvidenceKind] = frozenset()
    sections: frozenset[SectionName] = frozenset()
    papers: frozenset[str] = frozenset()
    """Citation keys of the papers."""
    year_from: int | None = None
    year_to: int | None = None

    def admits(self, claim: CorpusClaim) -> bool:
        """Return whether a claim passes all of them."""
        return (
            (not self.claim_types or claim.claim_type in self.claim_types)
            and (not self.evidence_types or claim.evidence_type in self.evidence_types)
            and (not self.sections or claim.section in self.sections)
            and (not self.papers or claim.paper_key in self.papers)
            and (self.year_from is None or (claim.year is not None and claim.year >= self.year_from))
            and (self.year_to is None or (claim.year is not None and claim.year <= self.year_to))
        )

    def __bool__(self) -> bool:
        """Return whether they filter anything."""
        return self != Filters()
