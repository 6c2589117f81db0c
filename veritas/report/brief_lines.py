"""The lines of a brief's passage: paragraphs and items folded, program text as it stands, the answering words apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from veritas.claims.brief import BriefBlock, BriefPassage
from veritas.text.lists import begins_item
from veritas.text.visible import one_line, visible

_WORD = re.compile(r"\S+")
_LINE = re.compile(r"[^\n]+")

LineKind = Literal["prose", "item", "row", "code"]


class Run(NamedTuple):
    """Words of a line, made visible, and whether they are among those that answer."""

    text: str
    marked: bool


class Line(NamedTuple):
    """A line of a passage. Program text is one run with its line breaks."""

    kind: LineKind
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        """The whole line."""
        return " ".join(run.text for run in self.runs)


def brief_lines(passage: BriefPassage) -> Iterator[Line]:
    """Yield the lines of a passage in order, with nothing of it left out."""
    for block in passage.blocks:
        if block.kind == "code":
            yield Line("code", (Run(_dedented(visible(passage.text[block.start : block.end])), False),))
        elif block.kind in ("list", "table"):
            yield from _rows(passage, block)
        else:
            yield Line("prose", tuple(_runs(passage, block.start, block.end)))


def _rows(passage: BriefPassage, block: BriefBlock) -> Iterator[Line]:
    """Yield an item, or a row of a table, a line; a line that begins no item goes on with the one before it."""
    start = last = -1
    for match in _LINE.finditer(passage.text, block.start, block.end):
        if start >= 0 and (block.kind == "table" or begins_item(match[0])):
            yield _row(passage, block, start, last)
            start = -1
        start = match.start() if start < 0 else start
        last = match.end()
    if start >= 0:
        yield _row(passage, block, start, last)


def _row(passage: BriefPassage, block: BriefBlock, start: int, end: int) -> Line:
    return Line("item" if block.kind == "list" else "row", tuple(_runs(passage, start, end)))


def _runs(passage: BriefPassage, start: int, end: int) -> Iterator[Run]:
    """Yield the words of a stretch, white space folded, in runs that are marked or not."""
    words: list[str] = []
    marked = False
    for match in _WORD.finditer(passage.text, start, end):
        answers = any(match.start() < stop and begin < match.end() for begin, stop in passage.marks)
        if words and answers != marked:
            yield Run(one_line(" ".join(words)), marked)
            words = []
        marked = answers
        words.append(match[0])
    if words:
        yield Run(one_line(" ".join(words)), marked)


def _dedented(code: str) -> str:
    """Return program text without the indentation that all of its lines but the first share, if that begins unlike
    them: the white space before a quote is not part of it."""
    first, *rest = code.split("\n")
    shared = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip()), default=0)
    # A first line that opens a block is less indented than its body.
    if not shared or first.startswith((" ", "\t")) or first.rstrip().endswith((":", "{", "(", "[")):
        return code
    return "\n".join((first, *(line[shared:] for line in rest)))
