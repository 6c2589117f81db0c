"""The text of a manual page as it is put together: paragraphs, headings, items, terms, and lines that are kept."""

from __future__ import annotations

import re

from veritas.reading.formats.manual._characters import JOINED


class Blocks:
    """The blocks of a page. Words are filled into paragraphs unless lines are kept."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._lines: list[str] = []
        self._words: list[str] = []
        self._lead = ""
        self._term: list[str] | None = None
        self._held = False
        self.kept = False
        """Whether lines stay as they are."""

    def say(self, text: str) -> None:
        """Add a line of text, or the text of one call."""
        if self._term is not None:
            self._term.append(text)
            if not self._held:
                self.end_term()
            return
        if self.kept:
            self._lines.append(text.replace(JOINED, ""))
        elif not text.strip():
            self.paragraph()
        else:
            if text[0].isspace():
                self.line()
            self._words.append(text.strip())

    def glue(self) -> None:
        """Let the next text follow the last without a space."""
        if self._words:
            self._words[-1] += JOINED

    def unglue(self) -> None:
        """Let the next text stand apart from the last."""
        for words in (self._words, self._term or []):
            if words:
                words[-1] = words[-1].rstrip(JOINED)

    def end_term(self) -> None:
        """End a term: what comes next explains it."""
        if self._term is not None:
            self._lines, self._term, self._held = [_joined(self._term)] if self._term else [], None, False

    def line(self) -> None:
        """End the line."""
        if self._words:
            self._lines.append(_joined(self._words))
            self._words = []

    def paragraph(self) -> None:
        """End the paragraph."""
        self.end_term()
        self.line()
        while self._lines and not self._lines[-1].strip():
            self._lines.pop()
        while self._lines and not self._lines[0].strip():
            self._lines.pop(0)
        if self._lines:
            self._done.append(f"{self._lead}{chr(10).join(self._lines)}")
            self._lead = ""
        self._lines = []

    def keep(self, kept: bool) -> None:
        """Begin or end lines that stay as they are."""
        if kept != self.kept:
            # The term of a list stands above its program text.
            self.paragraph()
            self.kept = kept

    def heading(self, text: str) -> None:
        """Add a heading."""
        self.keep(False)
        self.paragraph()
        self._lead = ""
        if text.strip():
            self._done.append(text.strip())

    def item(self, lead: str) -> None:
        """Begin an item with its bullet or number."""
        self.paragraph()
        self._lead = lead

    def term(self, *, further: bool = False, held: bool = False) -> None:
        """Take the next text as a term, which stands above what explains it; with `further` it is one more of these,
        with `held` it goes on until it is ended."""
        above: list[str] = []
        if further and self._lines and not self._words:
            above = [*self._lines[:-1], f"{self._lines[-1]},"]
            self._lines = []
        self.paragraph()
        self._term, self._held = above, held

    def block(self, lines: list[str]) -> None:
        """Add lines that stay as they are, such as the rows of a table."""
        self.paragraph()
        self._lines = lines
        self.paragraph()

    def text(self) -> str:
        """Return the whole text, a blank line between blocks."""
        self.paragraph()
        return "\n\n".join(self._done)


def _joined(words: list[str]) -> str:
    said = " ".join(words).replace(f"{JOINED} ", "").replace(JOINED, "")
    return re.sub(r"[ \t]+", " ", said).strip()
