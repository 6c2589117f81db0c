"""A document that is open in an editor, and its positions as the protocol counts them."""

from __future__ import annotations

import os
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from veritas.use_cases.writing import Diagnostic, citations_in, diagnose_text

if TYPE_CHECKING:
    from veritas.use_cases.writing import Kind, Project, Resolved


def with_plain_ends(text: str) -> str:
    """Return a text whose lines all end with `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Lines:
    """The lines of a text whose only line end is `\\n`.

    A language server's line ends with `\\n`, `\\r\\n` or `\\r`, and with nothing else that Python takes for a line end.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self._encoding = encoding
        self._starts = list(accumulate(map((1).__add__, map(len, text.split("\n")[:-1])), initial=0))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, from 0, of a character."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return line, self._units(self.text[self._starts[line] : offset])

    def holds(self, line: int) -> bool:
        """Return whether the text has a line of this number, from 0."""
        return 0 <= line < len(self._starts)

    def offset(self, line: int, column: int) -> int:
        """Return the character at a line and column; a place outside the text is its nearest end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        row = self.text[start:end]
        if row.isascii() or self._encoding == "utf-32":
            return start + max(0, min(column, len(row)))
        passed = 0
        for number, sign in enumerate(row):
            if passed >= column:
                return start + number
            passed += self._units(sign)
        return end

    def _units(self, part: str) -> int:
        if part.isascii() or self._encoding == "utf-32":
            return len(part)
        if self._encoding == "utf-8":
            return len(part.encode("utf-8", "surrogatepass"))
        return len(part) + sum(sign > "\uffff" for sign in part)


_KINDS: dict[str, Kind] = {
    "markdown": "markdown", "quarto": "markdown", "rmd": "markdown", "mdx": "markdown", "pandoc": "markdown",
    "latex": "latex", "tex": "latex", "restructuredtext": "rst", "rst": "rst", "bibtex": "bibtex", "bib": "bibtex",
}  # fmt: skip
"""What editors call the languages that are checked."""


LONGEST = 5_000_000
"""Most characters of a text that is looked through while it is typed."""


class OpenDocument:
    """A document under edit. A place of it is in characters of `lines.text`."""

    def __init__(self, uri: str, path: str, language: str | None, project: Project) -> None:
        self.uri, self.path, self.project = uri, os.path.abspath(path), project
        self.kind = _KINDS.get((language or "").lower())
        self.version: int | None = None
        self.lines = Lines("")
        self.found: list[Diagnostic] = []

    @property
    def is_bibliography(self) -> bool:
        """Whether the document is a .bib file."""
        return self.kind == "bibtex" or self.path.lower().endswith(".bib")

    def change(self, text: str, version: int | None, encoding: str) -> None:
        """Take the text as it is now."""
        self.lines = Lines(with_plain_ends(text), encoding)
        self.version = version
        if self.is_bibliography:
            self.project.bibliographies.open_texts[self.path] = self.lines.text

    def close(self) -> None:
        """Leave the file to what is on the disk."""
        self.project.bibliographies.open_texts.pop(self.path, None)

    def look_through(self) -> tuple[int | None, Lines, list[Diagnostic]]:
        """Return what is found in the text as it is now, with its version and its lines. May run in a thread while the
        text is changed."""
        version, lines = self.version, self.lines
        if len(lines.text) > LONGEST:
            said = f"not checked: the text is longer than {LONGEST:,} characters. Check it with veritas check"
            return version, lines, [Diagnostic(0, 0, "not-checked", "information", said, self.path)]
        return version, lines, diagnose_text(lines.text, self.path, self.project, kind=self.kind)

    def diagnose(self) -> list[Diagnostic]:
        """Look the text through, and keep what is found."""
        _, _, self.found = self.look_through()
        return self.found

    def citation_at(self, at: int) -> Resolved | None:
        """Return the citation at a place."""
        if len(self.lines.text) > LONGEST:
            return None
        cited = citations_in(self.lines.text, self.path, self.project, kind=self.kind)
        return next((each for each in cited if each.place.start <= at <= each.place.end), None)

    def found_between(self, start: int, end: int) -> list[Diagnostic]:
        """Return what was found last that touches a part of the text."""
        return [each for each in self.found if each.start <= end and start <= each.end]
