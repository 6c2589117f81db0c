"""The lines of a passage: those of a brief, and those in which a list stands in its source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from veritas.claims.brief import BlockKind, BriefBlock, BriefPassage
from veritas.text.lists import begins_item
from veritas.text.visible import one_line, visible

_WORD = re.compile(r"\S+")
_LINE = re.compile(r"[^\n]+")

LineKind = Literal["prose", "item", "row", "head", "code", "heading", "admonition"]
_PLAIN: dict[BlockKind, LineKind] = {
    "prose": "prose", "item": "item", "heading": "heading", "admonition": "admonition", "row": "row", "head": "head",
}  # fmt: skip


class Run(NamedTuple):
    """Words of a line, made visible, and whether they are among those that answer."""

    text: str
    marked: bool


class Line(NamedTuple):
    """A line of a passage. Program text is one run with its line breaks, in its `language` if that is known. `level`
    counts the lists and boxes around the line. `cells` are the runs of each cell of a row."""

    kind: LineKind
    runs: tuple[Run, ...]
    level: int = 0
    language: str = ""
    cells: tuple[tuple[Run, ...], ...] = ()

    @property
    def text(self) -> str:
        """The whole line."""
        return " ".join(run.text for run in self.runs)


def tables(lines: Iterable[Line]) -> Iterator[Line | list[Line]]:
    """Yield the lines, those of a table together."""
    for in_table, group in groupby(lines, key=lambda line: line.kind in ("row", "head")):
        if in_table:
            yield list(group)
        else:
            yield from group


def brief_lines(passage: BriefPassage) -> Iterator[Line]:
    """Yield the lines of a passage in order, with nothing of it left out; before rows of a table the names of its
    columns."""
    if passage.columns:
        cells = tuple((Run(one_line(cell), False),) for cell in passage.columns.split("\t"))
        yield Line("head", tuple(run for cell in cells for run in cell), cells=cells)
    for block in passage.blocks:
        if block.kind == "code":
            said = visible(passage.text[block.start : block.end])
            yield Line("code", (Run(_dedented(said), False),), block.level, one_line(block.language))
        elif block.kind in ("list", "table"):
            yield from _rows(passage, block)
        elif block.kind in ("row", "head"):
            yield _table_row(passage, _PLAIN[block.kind], block.start, block.end)
        else:
            yield Line(_PLAIN[block.kind], tuple(_runs(passage, block.start, block.end)), block.level)


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
    if block.kind == "table":
        return _table_row(passage, "row", start, end)
    return Line("item", tuple(_runs(passage, start, end)))


def _table_row(passage: BriefPassage, kind: LineKind, start: int, end: int) -> Line:
    """Return a row, with a cell for each stretch between tabs."""
    cells: list[tuple[Run, ...]] = []
    at = start
    for cell in passage.text[start:end].split("\t"):
        cells.append(tuple(_runs(passage, at, at + len(cell))))
        at += len(cell) + 1
    return Line(kind, tuple(_runs(passage, start, end)), cells=tuple(cells))


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


_SOURCE_LINE = re.compile(r"[^\n]+")


def lines_of(sentence: str, passages: Iterable[str]) -> tuple[str, ...]:
    """Return the sentence, its white space folded, in the lines that a list has in a passage that holds it: the line
    before it, and one for each item. One line where no passage holds it, or it is no list there."""
    words = sentence.split()
    pattern = r"\s+".join(map(re.escape, words)) if words else r"\Z\A"
    for passage in passages:
        found = re.search(pattern, passage)
        if found is None:
            continue
        lines: list[str] = []
        for match in _SOURCE_LINE.finditer(found[0]):
            line = " ".join(match[0].split())
            if not lines or begins_item(match[0]):
                lines.append(line)
            elif line:
                lines[-1] = f"{lines[-1]} {line}"
        if len(lines) > 2:
            return tuple(lines)
    return (" ".join(words),)


def item_of(line: str) -> tuple[str, str]:
    """Return the bullet or number of a line of a list, and the text behind it; no bullet for any other line."""
    if not begins_item(line):
        return "", line
    mark, _, said = line.partition(" ")
    return mark, said
