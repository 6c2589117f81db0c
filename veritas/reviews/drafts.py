"""An offer to a corpus: the papers found in one root, read but not yet extracted from, and the unreadable ones.

The drafts that an extractor makes of a document, and its seam. Identity and place are set by code, not by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Protocol, runtime_checkable

from pydantic import Field

from veritas.claims.graph import Call
from veritas.documents.document import Document
from veritas.documents.paper_sections import Kinds, kinds_of_sections
from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi
from veritas.works.names import parse_name
from veritas.works.records import BibRecord

NESTED = frozenset({"application/jats+xml"})
"""Media types of files that nest their sections (JATS, TEI)."""


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
    """An extractor of claims. `name` is kept with every claim: `embedded.v3`, or model and prompt."""

    @property
    def name(self) -> str: ...

    async def extract(self, document: Document) -> Extraction:
        """Return the claims of a document. Raises `Unavailable` if they cannot be had now."""
        ...


class Problem(Frozen):
    """A problem with a paper: it was left out, or, with `kept`, read with a doubt (I7). `reason` is read after
    `source`: "is encrypted"."""

    source: str
    reason: str
    kept: bool = False
    waiting: bool = False
    """True if something did not answer, so that the paper may be had another time."""
    claims: int = 0
    """Number of claims it cost; 0 if it concerns the whole paper."""

    def __str__(self) -> str:
        many = f" ({self.claims} ×)" if self.claims > 1 else ""
        return f"{self.source} {self.reason}{many}"


class Candidate(Frozen):
    """A paper with its document. `source` names it within its root and is the same at the next addition; `given_key` is
    the key its owner cites it by. `drafts` are the claims of one that brings its own (a research run)."""

    source: str
    document: Document
    record: BibRecord
    given_key: str | None = None
    item_type: str = ""
    tags: tuple[str, ...] = ()
    drafts: tuple[ClaimDraft, ...] | None = None
    extractor: str | None = None


class Offer(Frozen):
    """The present contents of a root. The corpus drops papers of the root that the offer lacks, unless a problem names
    them: a file that cannot be read today may be readable tomorrow."""

    root: str = Field(min_length=1)
    candidates: tuple[Candidate, ...] = ()
    problems: tuple[Problem, ...] = ()
    partial: bool = False
    """True if it is a part of the root's contents, chosen by a query; nothing is then dropped."""


def sections_of(document: Document) -> Kinds:
    """Return the kinds of a document's sections, by the headings of its file where that nests its sections."""
    return kinds_of_sections(document.text, document.blocks if document.media_type in NESTED else ())


def record_of(document: Document) -> BibRecord:
    """Return a document's own statements about itself as a bibliographic record."""
    year = document.published_at.year if document.published_at else None
    return BibRecord(
        source="bibtex",
        title=document.title or None,
        authors=tuple(name for said in document.authors if (name := parse_name(said)) is not None),
        year=year,
        years=(year,) if year else (),
        doi=normalise_doi(document.doi),
        arxiv_id=normalise_arxiv_id(document.arxiv_id),
    )


def identified(document: Document, record: BibRecord) -> Document:
    """Return the document with the identity that its record gives it."""
    year = record.year if record.year and 1 <= record.year <= 9999 else None
    published = document.published_at
    if year is not None and (published is None or published.year != year):
        published = date(year, 1, 1)
    return document.model_copy(
        update={
            "title": record.full_title or document.title,
            "authors": tuple(str(name) for name in record.authors) or document.authors,
            "published_at": published,
            "doi": record.doi or document.doi,
            "arxiv_id": record.arxiv_id or document.arxiv_id,
        }
    )
