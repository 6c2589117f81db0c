"""An offer to a corpus: the papers found in one root, read but not yet extracted from, and the unreadable ones."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from veritas.documents.document import Document
from veritas.frozen import Frozen
from veritas.reviews.drafts import ClaimDraft
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi
from veritas.works.names import parse_name
from veritas.works.records import BibRecord


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
