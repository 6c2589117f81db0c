"""The parts of a paper that are read before its argument: identity, sections, figures, references, citation markers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veritas.frozen import Frozen

SectionName = Literal[
    "title",
    "abstract",
    "introduction",
    "background",
    "theory",
    "methods",
    "data",
    "results",
    "discussion",
    "limitations",
    "conclusion",
    "disclosures",
    "acknowledgements",
    "references",
    "appendix",
    "other",
]
"""Canonical section names, independent of the paper's own headings."""


class Place(Frozen):
    """A place in a paper: `[start, end)` in the characters of the stored document."""

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    page: int | None = None
    section: str | None = None
    """Id of the section that holds the place."""


class Section(Frozen):
    """A section, up to the next heading; `heading` is the paper's wording, `name` ours. Level 1 is the highest."""

    id: str
    heading: str
    name: SectionName
    level: int = Field(ge=1)
    place: Place


class Figure(Frozen):
    """A figure's or table's caption; `label` is `Figure 2` or `Table 1`."""

    kind: Literal["figure", "table"]
    label: str
    text: str
    place: Place
    body: Place | None = None
    """Place of the table itself, if it was found beside its caption."""


Main = Literal["aim", "test", "result", "conclusion"]
"""The main statements of a paper, in the order of its argument."""


class MainStatement(Frozen):
    """A main statement of the paper, verbatim with its place; without `text` and `place` if none was found: `why` then
    says where it was looked for."""

    kind: Main
    text: str = ""
    place: Place | None = None
    why: str = ""

    @property
    def found(self) -> bool:
        """True if the paper states it, as far as its words show."""
        return self.place is not None


class Marker(Frozen):
    """A citation in the text, with the keys of the references it stands for; `unresolved` parts fit no reference."""

    text: str
    place: Place
    references: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()


ReferenceVerdict = Literal[
    "verified",
    "minor",
    "misattributed",
    "retracted",
    "withdrawn",
    "fabricated",
    "cannot_confirm",
    "unavailable",
    "in_corpus",
    "not_checked",
]
"""The verdicts of `veritas bib`; `in_corpus`: the work lies in the corpus; `not_checked`: no registry was asked."""


class Reference(Frozen):
    """An entry of the reference list. `fields` have BibTeX's names; `raw` is the printed text."""

    key: str
    number: int = Field(ge=1)
    raw: str
    place: Place
    fields: dict[str, str] = Field(default_factory=dict)
    guessed: bool = True
    """True if the fields were taken out of running text, and so may be cut wrongly; False for a .bib file."""
    verdict: ReferenceVerdict = "not_checked"
    reason: str = ""
    matched: str | None = None
    """The work's title, authors and year according to the registries (or the corpus)."""
    matched_doi: str | None = None
    url: str | None = None
    """URL at which its text can be read, or was."""
    standing: str | None = None
    """`current`, `corrected`, `expression_of_concern`, `retracted` or `withdrawn`; None if no registry was asked."""
    cited: int = 0
    """Number of times the text cites it."""

    @property
    def title(self) -> str:
        """The title, if it was recognised, else the raw entry."""
        return self.fields.get("title") or self.raw


class Candidate(Frozen):
    """A paper that may be the requested one."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    url: str | None = None
    source: str = ""
    likeness: float = Field(ge=0, le=1)
    """Share of the request, 0 to 1, that its title and authors answer."""


class Match(Frozen):
    """The search for a requested paper: the query, the candidates, the chosen one, and who chose it."""

    query: str
    chosen: Candidate
    others: tuple[Candidate, ...] = ()
    decisive: bool
    confirmed_by: Literal["exact", "person", "--yes", "decisive"]


class Identity(Frozen):
    """The paper's identity, from the paper itself and from registries, never from a model (I2)."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    url: str
    document_id: str
    """SHA-256 of the stored text; all offsets count its characters."""
    sha256: str | None = None
    """SHA-256 of the file's bytes, if there was a file."""
    media_type: str = ""
    pages: int | None = None
    characters: int = 0
    asked: str = ""
    how_found: Literal["file", "url", "arxiv", "doi", "search"] = "file"
    match: Match | None = None
    standing: str | None = None
