"""Bibliographic records of any source in one form, to be compared, cited and written into artifacts."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from veritas.frozen import Frozen
from veritas.works.names import PersonName

Source = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""The name of a source: one of `SOURCES`, or a plug-in's."""
SOURCES: tuple[Source, ...] = (
    "semantic_scholar", "openalex", "crossref", "arxiv", "datacite", "dblp", "europepmc", "bibtex",
)  # fmt: skip
"""`bibtex` is a person's citation; the others are registries and indexes that say what exists."""


class Kind(StrEnum):
    """The manifestation of a work that a record describes."""

    PREPRINT = "preprint"
    PROCEEDINGS = "proceedings"
    JOURNAL = "journal"
    CHAPTER = "chapter"
    BOOK = "book"
    THESIS = "thesis"
    DATASET = "dataset"
    OTHER = "other"
    UNKNOWN = "unknown"


class UpdateKind(StrEnum):
    """A change to a paper after its publication; `STANDS_NO_MORE` names the kinds that invalidate it."""

    RETRACTION = "retraction"
    PARTIAL_RETRACTION = "partial_retraction"
    WITHDRAWAL = "withdrawal"
    CONCERN = "expression_of_concern"
    CORRECTION = "correction"
    NEW_VERSION = "new_version"
    REPLICATION = "replication"
    OTHER = "other"


class Update(Frozen):
    """An update notice. `of_this`: the notice `doi` updated this record; otherwise this record is a notice about `doi`.
    """

    kind: UpdateKind
    of_this: bool
    doi: str | None = None
    date: str | None = None
    asserted_by: str = ""


class Related(Frozen):
    """Another manifestation of the same work that a record names by DOI or arXiv id."""

    relation: str
    doi: str | None = None
    arxiv_id: str | None = None


class BibRecord(Frozen):
    """A normalised record. Text is plain (markup resolved) but not folded, so it can be displayed.

    `year` is the year that the source states; `years` are all years of the work's dates (online, print, event, posted).
    `problems` names the unreadable fields; an unreadable record has no title, and reading it never raises.
    """

    source: Source
    title: str | None = None
    subtitle: str | None = None
    other_titles: tuple[str, ...] = ()
    authors: tuple[PersonName, ...] = ()
    authors_complete: bool = True
    year: int | None = None
    years: tuple[int, ...] = ()
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    dblp_key: str | None = None
    venue: str | None = None
    venue_names: tuple[str, ...] = ()
    """Other names of the venue that the source gives."""
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """First and last page as the source writes them, or the number of the article."""
    kind: Kind = Kind.UNKNOWN
    related: tuple[Related, ...] = ()
    updates: tuple[Update, ...] = ()
    problems: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = Field(default=(), exclude_if=lambda value: not value)
    """The fields of the entry of a bibliography that a person gave, in LaTeX, so that it can be written without loss.
    """

    @property
    def is_citation(self) -> bool:
        """True for an entry of a bibliography, which is to be checked; False for a record of a registry or index."""
        return self.source == "bibtex"

    @property
    def full_title(self) -> str | None:
        """Title and subtitle, joined by a colon."""
        if self.title and self.subtitle and self.subtitle.casefold() not in self.title.casefold():
            return f"{self.title}: {self.subtitle}"
        return self.title

    @property
    def retracted(self) -> bool:
        """True if the source says that this paper was retracted, withdrawn or removed; corrections do not count."""
        return any(update.of_this and update.kind in STANDS_NO_MORE for update in self.updates)


STANDS_NO_MORE = frozenset({UpdateKind.RETRACTION, UpdateKind.WITHDRAWAL})
