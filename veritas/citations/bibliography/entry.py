"""An entry of a bibliography: its fields as written, and their place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pydantic import Field

from veritas.frozen import Frozen
from veritas.registries.records import normalise
from veritas.works.records import BibRecord


class Entry(Frozen):
    """An entry of a bibliography. `fields` has BibTeX's names in every format; `span` is its `[start, end)` in the
    file.

    `guessed` is True if the fields were taken out of running text (`text`), so they may be cut wrongly. `problem` is
    the reason why an entry could not be read; it then has no fields.
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

    @cached_property
    def subject(self) -> str:
        """What the entry says, as the same text wherever it stands and whatever its key is."""
        fields = "|".join(f"{name}={' '.join(value.split())}" for name, value in sorted(self.fields.items()))
        return f"{self.type}|{fields}|{self.text if self.guessed else ''}"
