"""A bibliographic record, whichever source it came from: what is compared, cited and written into artifacts."""

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
"""`bibtex` is what somebody cited; the others are registries and indexes that say what exists."""


class Kind(StrEnum):
    """Which manifestation of a work a record describes."""

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
    """What happened to a paper after it appeared; `STANDS_NO_MORE` names the kinds after which it no longer counts."""

    RETRACTION = "retraction"
    PARTIAL_RETRACTION = "partial_retraction"
    WITHDRAWAL = "withdrawal"
    CONCERN = "expression_of_concern"
    CORRECTION = "correction"
    NEW_VERSION = "new_version"
    OTHER = "other"


class Update(Frozen):
    """One update. `of_this`: the notice `doi` updated this record; otherwise this record is a notice about `doi`."""

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
    """One record, normalised. Text is plain (markup resolved) but not folded: it is what a person would be shown.

    `year` is the year the source states; `years` are all years it dates the work by (online, print, event, posted).
    `problems` says which fields could not be read; an unreadable record has no title, and never raises.
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
    kind: Kind = Kind.UNKNOWN
    related: tuple[Related, ...] = ()
    updates: tuple[Update, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def is_citation(self) -> bool:
        """Whether this is what somebody wrote in a bibliography, to be checked, and not what a source says."""
        return self.source == "bibtex"

    @property
    def full_title(self) -> str | None:
        """Title and subtitle with a colon between."""
        if self.title and self.subtitle and self.subtitle.casefold() not in self.title.casefold():
            return f"{self.title}: {self.subtitle}"
        return self.title

    @property
    def retracted(self) -> bool:
        """Whether the source says that this paper was retracted, withdrawn or removed; corrections do not count."""
        return any(update.of_this and update.kind in STANDS_NO_MORE for update in self.updates)


STANDS_NO_MORE = frozenset({UpdateKind.RETRACTION, UpdateKind.WITHDRAWAL})
