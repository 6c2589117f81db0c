"""A paper of a corpus: its authors, its citation key, and the document its claims were extracted from."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from veritas.frozen import Frozen
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
