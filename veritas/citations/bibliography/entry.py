"""One entry of a bibliography: its fields as somebody wrote them, and where they stand in the file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pydantic import Field

from veritas.frozen import Frozen
from veritas.registries.records import normalise
from veritas.works.records import BibRecord


class Entry(Frozen):
    """`fields` are BibTeX's names whatever the format; `span` is `[start, end)` of the entry in the file's text.

    `guessed` says that the fields were taken out of running text, so they may be cut wrongly; `text` is that text.
    `problem` says why an entry could not be read; it then has no fields.
    """

    file: str
    key: str
    line: int = Field(ge=1)
    type: str = "misc"
    fields: Mapping[str, str] = Field(default_factory=dict)
    span: tuple[int, int] | None = None
    text: str = ""
    guessed: bool = False
    problem: str | None = None

    @cached_property
    def record(self) -> BibRecord:
        """The entry as a citation to be compared."""
        return normalise("bibtex", {**self.fields, "entrytype": self.type})
