"""What is read off a paper before its argument is: identity, sections, figures, references, citation markers."""

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
"""Canonical names of sections, whatever the paper's own headings say."""


class Place(Frozen):
    """Where something stands: `[start, end)` in the characters of the stored document."""

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    page: int | None = None
    section: str | None = None
    """Id of the section it stands in."""


class Section(Frozen):
    """From a heading to the next; `heading` in the paper's words, `name` in ours. Level 1 is the highest."""

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
    """Where the table itself stands, where it was found beside its caption."""


class Marker(Frozen):
    """A citation in the text, and the keys of the references it stands for; `unresolved` is what of it fits none."""

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
"""The verdicts of `veritas bib`; `in_corpus`: the work lies in the corpus; `not_checked`: nobody was asked."""


class Reference(Frozen):
    """An entry of the reference list. `fields` are BibTeX's names; `raw` are its words."""

    key: str
    number: int = Field(ge=1)
    raw: str
    place: Place
    fields: dict[str, str] = Field(default_factory=dict)
    guessed: bool = True
    """Whether the fields were taken out of running text, and so may be cut wrongly; not so in a .bib file."""
    verdict: ReferenceVerdict = "not_checked"
    reason: str = ""
    matched: str | None = None
    """What the registries (or the corpus) call the work: title, authors, year."""
    matched_doi: str | None = None
    url: str | None = None
    """Where its text can be or was read."""
    standing: str | None = None
    """`current`, `corrected`, `expression_of_concern`, `retracted` or `withdrawn`; None where nobody was asked."""
    cited: int = 0
    """How often the text cites it."""

    @property
    def title(self) -> str:
        """Its title as far as it could be told apart, else its words."""
        return self.fields.get("title") or self.raw


class Candidate(Frozen):
    """A paper that may be the one that was asked for."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    url: str | None = None
    source: str = ""
    likeness: float = Field(ge=0, le=1)
    """How much of what was asked its title and authors answer."""


class Match(Frozen):
    """How words became a paper: what was found for them, which was taken, and who said so."""

    query: str
    chosen: Candidate
    others: tuple[Candidate, ...] = ()
    decisive: bool
    confirmed_by: Literal["exact", "person", "--yes", "decisive"]


class Identity(Frozen):
    """The paper, from the paper itself and from registries, never from a model (I2)."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    url: str
    document_id: str
    """SHA-256 of the stored text; all offsets count its characters."""
    sha256: str | None = None
    """Of the file's bytes, where there was a file."""
    media_type: str = ""
    pages: int | None = None
    characters: int = 0
    asked: str = ""
    how_found: Literal["file", "url", "arxiv", "doi", "search"] = "file"
    match: Match | None = None
    standing: str | None = None
