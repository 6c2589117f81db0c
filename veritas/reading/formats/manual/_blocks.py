"""The text of a manual page as it is put together: paragraphs, headings, items, terms, and lines that are kept."""

from __future__ import annotations

import re

from veritas.reading.formats._parts import Part, laid_out
from veritas.reading.formats.manual._characters import JOINED
from veritas.text.structure import Structure, TextBlockKind, heads


class Blocks:
    """The blocks of a page. Words are filled into paragraphs unless lines are kept."""

    def __init__(self) -> None:
        self._done: list[Part] = []
        self._lines: list[str] = []
        self._words: list[str] = []
        self._lead = ""
        self._term: list[str] | None = None
        self._held = self._explained = False
        self._level, self._open = 0, False
        self._around: list[tuple[int, bool]] = []
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
            self._lines, self._explained = [_joined(self._term)] if self._term else [], bool(self._term)
            self._term, self._held = None, False

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
        self._add(self._lines, "code" if self.kept else "prose")
        self._lines, self._explained = [], False

    def _add(self, lines: list[str], kind: TextBlockKind) -> None:
        """Add the lines of a paragraph: an item with its bullet, a term with what explains it, or what they are."""
        inside = self._level + self._open
        if not lines:
            return
        if self._lead:
            self._done.append(Part("item", f"{self._lead}{chr(10).join(lines)}", self._level))
            self._lead = ""
        elif self._explained:
            self._done.append(Part("item", lines[0], self._level))
            self._done.append(Part(kind, "\n".join(lines[1:]), inside, tight=True))
        else:
            self._done.append(Part(kind, "\n".join(lines), inside))

    def close(self) -> None:
        """End the item or the explanation that is open: what comes next stands outside of it."""
        self.paragraph()
        self._open = False

    def indent(self, *, explains: bool = False) -> None:
        """Begin what belongs to the open item. With `explains`, a short line right above, which is no sentence, is
        such an item."""
        self.paragraph()
        self._around.append((self._level, self._open))
        above = self._done[-1] if self._done else None
        if explains and not self._open and above is not None and above.kind == "prose" and heads(above.text):
            self._done[-1] = above._replace(kind="item")
            self._open = True
        self._level, self._open = self._level + self._open, False

    def outdent(self) -> None:
        """End what belongs to an item, as far as it was begun."""
        self.paragraph()
        if self._around:
            self._level, self._open = self._around.pop()

    def keep(self, kept: bool) -> None:
        """Begin or end lines that stay as they are."""
        if kept != self.kept:
            # The term of a list stands above its program text.
            self.paragraph()
            self.kept = kept

    def heading(self, text: str, level: int) -> None:
        """Add a heading of a level from 1."""
        self.keep(False)
        self.paragraph()
        self._lead = ""
        self._level, self._open, self._around = 0, False, []
        if text.strip():
            self._done.append(Part("heading", text, level))

    def item(self, lead: str) -> None:
        """Begin an item with its bullet or number."""
        self.paragraph()
        self._lead, self._open = lead, True

    def term(self, *, further: bool = False, held: bool = False) -> None:
        """Take the next text as a term, which stands above what explains it; with `further` it is one more of these,
        with `held` it goes on until it is ended."""
        above: list[str] = []
        if further and self._lines and not self._words:
            above = [*self._lines[:-1], f"{self._lines[-1]},"]
            self._lines = []
        self.paragraph()
        self._term, self._held, self._open = above, held, True

    def block(self, lines: list[str], kind: TextBlockKind) -> None:
        """Add lines that stay as they are, such as the rows of a table, each a block of a kind."""
        self.paragraph()
        for line in lines:
            self._done.append(Part(kind, line, self._level + self._open))

    def laid_out(self) -> tuple[str, Structure]:
        """Return the whole text, a blank line between blocks, and its structure."""
        self.paragraph()
        return laid_out(self._done)


def _joined(words: list[str]) -> str:
    said = " ".join(words).replace(f"{JOINED} ", "").replace(JOINED, "")
    return re.sub(r"[ \t]+", " ", said).strip()
