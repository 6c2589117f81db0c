"""Where claims come from: searches fired, sources admitted or not, and passages cut from what was read."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from veritas.frozen import Frozen, content_id

Tier = Literal[1, 2, 3, 4, "wikipedia"]
SourceStatus = Literal["read", "rejected", "orientation", "unavailable", "unread"]


class HitRecord(Frozen):
    """One hit of a search, as the provider ranked it (rank from 1). Its text is not kept: nobody may cite a snippet."""

    rank: int = Field(ge=1)
    url: str
    title: str
    source_id: str


class Search(Frozen):
    """One search fired by one member for one sub-query at one provider."""

    search_id: str
    member: str
    sub_query_id: str
    provider: str
    query: str
    hits: tuple[HitRecord, ...] = ()
    unavailable: str | None = None
    """Why the provider gave no answer; None when it answered, be it with no hits."""


class Source(Frozen):
    """A URL that a search brought up, with the policy's verdict and, if it was read, the document behind it (I2, I3).

    `unread` is admitted but beyond the number of sources a member reads for one search.
    `document_id` is None unless the text was read. `note` is what the corpus' owner wrote about the document; it is
    shown to people and never to a member.
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
    """Registrable domain, or the corpus document: what counts as one voice when independence is asked for."""
    note: str | None = None
    problem: str | None = None
    """Why a source that was admitted could not be read."""

    @property
    def year(self) -> int | None:
        """Year of publication, from the source's own metadata."""
        return self.published_at.year if self.published_at else None


class Passage(Frozen):
    """`text` is `document.text[start:end]`, character for character. `page` is set for paged documents, from 1.

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


def source_id(url: str) -> str:
    """The id of a source: of its URL alone."""
    return content_id("s", url)


def passage_id(document_id: str, start: int, end: int) -> str:
    """The id of a passage: the document it is cut from and where."""
    return content_id("p", document_id, start, end)
