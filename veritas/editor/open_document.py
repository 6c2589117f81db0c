"""A document that is open in an editor: its text, its project, and what was found in it last."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from veritas.editor.positions import Lines
from veritas.use_cases.writing import Diagnostic, citations_in, diagnose_text

if TYPE_CHECKING:
    from veritas.use_cases.writing import Kind, Project, Resolved

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
        self.lines = Lines(text.replace("\r\n", "\n").replace("\r", "\n"), encoding)
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
