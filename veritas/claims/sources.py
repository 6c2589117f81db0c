"""Origins of claims: searches made, sources admitted or not, and passages cut from documents."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from veritas.frozen import Frozen, content_id
from veritas.text.structure import Heading, Structure

Tier = Literal[1, 2, 3, 4, "wikipedia"]
SourceStatus = Literal["read", "rejected", "orientation", "unavailable", "unread"]


class HitRecord(Frozen):
    """A hit of a search, with the provider's rank (from 1). Its text is not stored, because a snippet may not be cited.
    """

    rank: int = Field(ge=1)
    url: str
    title: str
    source_id: str


class Search(Frozen):
    """A search by one member for one sub-query at one provider."""

    search_id: str
    member: str
    sub_query_id: str
    provider: str
    query: str
    hits: tuple[HitRecord, ...] = ()
    unavailable: str | None = None
    """Reason why the provider gave no answer; None if it answered, even without hits."""


class Source(Frozen):
    """A URL found by a search, with the policy's verdict and, if it was read, its document (I2, I3).

    `unread` is admitted but exceeds the number of sources that a member reads for one search. `document_id` is None
    unless the text was read. `note` is the corpus owner's note on the document; it is shown to people and never to a
    member.
    """

    source_id: str
    url: str
    status: SourceStatus
    tier: Tier
    paywalled: bool = False
    admitted: bool
    justification: str
    rule: str
    title: str = ""
    authors: tuple[str, ...] = ()
    published_at: date | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    fetch: date | None = None
    document_id: str | None = None
    publisher: str = ""
    """Registrable domain, or the corpus document: sources with the same one are not independent."""
    note: str | None = None
    problem: str | None = None
    """Reason why an admitted source could not be read."""

    @property
    def year(self) -> int | None:
        """Year of publication, from the source's own metadata."""
        return self.published_at.year if self.published_at else None


class Passage(Frozen):
    """A passage. `text` is `document.text[start:end]`, character for character. `page` is set for paged documents, from
    1.

    `before` and `after` are the neighbouring characters (up to 300), for showing the passage in its context.
    """

    passage_id: str
    document_id: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    text: str
    page: int | None = None
    before: str = ""
    after: str = ""
    heading: str = Field(default="", exclude_if=lambda value: not value)
    """The nearest heading above the passage; "" if there is none, or the passage begins with one."""
    title: str = Field(default="", exclude_if=lambda value: not value)
    """The title of its document; "" where that has none."""
    path: tuple[Heading, ...] = Field(default=(), exclude_if=lambda value: not value)
    """The headings above the passage, the outermost first, if the document's structure is known."""
    columns: str = Field(default="", exclude_if=lambda value: not value)
    """The row that names the columns of the table that the passage begins in; "" if it does not, or has that row."""
    blocks: Structure = Field(default=(), exclude_if=lambda value: not value)
    """The structure of `text`, with offsets in it; none if the document's is not known."""


def source_id(url: str) -> str:
    """Return the id of a source: made of its URL alone."""
    return content_id("s", url)


def passage_id(document_id: str, start: int, end: int) -> str:
    """Return the id of a passage: made of its document and its place there."""
    return content_id("p", document_id, start, end)
