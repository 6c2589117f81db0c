"""A document as it was read: its text, content-addressed, with its identity taken from the source itself (I2)."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from veritas.frozen import Frozen, text_hash
from veritas.text.structure import Structure


class Document(Frozen):
    """A document as read. `document_id` is the SHA-256 of `text`; all offsets in the claim graph count its characters.

    `page_starts[i]` is the offset at which page i+1 begins (empty if the format has no pages). `references` are the
    URLs that an encyclopedia page cites. `note` is the corpus owner's, shown only to people. `abstract_only` is True if
    only the abstract was available. `blocks` is the structure of `text`, if its format has one; without it, the
    structure is guessed.
    """

    document_id: str
    url: str
    title: str
    text: str
    media_type: str = "text/plain"
    fetched_at: date
    published_at: date | None = None
    authors: tuple[str, ...] = ()
    doi: str | None = None
    arxiv_id: str | None = None
    page_starts: tuple[int, ...] = ()
    references: tuple[str, ...] = ()
    note: str | None = None
    abstract_only: bool = False
    blocks: Structure = Field(default=(), exclude_if=lambda value: not value)


def document_id(text: str) -> str:
    """Return the SHA-256 of the text, 64 hex digits."""
    return text_hash(text)
