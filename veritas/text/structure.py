"""The structure of a document's text as its converter read it: headings, paragraphs, items, rows and program text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, get_args

TextBlockKind = Literal["heading", "prose", "item", "head", "row", "code", "admonition"]


CAPTION = "caption"
"""In place of a language: the paragraph is the caption, the legend or the notes of a figure or a table."""
LOWEST = 6
"""Level of a heading that is a bold line, below all others of a page."""
_LONGEST = 90


class TextBlock(NamedTuple):
    """A block of a text, `text[start:end]`, without white space at its ends.

    Kinds: a heading with its `level` from 1; a paragraph; an item of a list, or a term that is defined, with its bullet
    or number; the row of a table that names its columns, and any other row; program text in its `language` ("" if the
    document does not say); the title of a box such as a note or a warning. The `level` of all but headings counts the
    lists and boxes around the block: what stands at a higher one behind an item belongs to it.
    """

    kind: TextBlockKind
    start: int
    end: int
    level: int = 0
    language: str = ""


class Heading(NamedTuple):
    """A heading above a text, with its level from 1."""

    level: int
    text: str


Structure = tuple[TextBlock, ...]
"""Blocks in order, which do not overlap; empty for a text whose structure nobody read."""


def heads(line: str) -> bool:
    """Return whether a line that stands out by itself is a heading by its words: short, and no sentence."""
    return 0 < len(line) <= _LONGEST and line[-1] not in ".!?:;," and "\n" not in line


def clipped(blocks: Structure, start: int, end: int) -> Structure:
    """Return the blocks of `text[start:end]`, with offsets in it; one that lies in it in part is cut."""
    first = bisect_right(blocks, start, key=lambda block: block.end)
    found: list[TextBlock] = []
    for block in blocks[first:]:
        if block.start >= end:
            break
        found.append(block._replace(start=max(block.start, start) - start, end=min(block.end, end) - start))
    return tuple(found)


def is_sound(blocks: object, length: int) -> bool:
    """Return whether blocks from elsewhere are those of a text of that many characters: in order and within it."""
    if not isinstance(blocks, tuple) or not all(isinstance(block, TextBlock) for block in blocks):
        return False
    at = 0
    for block in blocks:
        numbers = all(isinstance(number, int) for number in block[1:4]) and isinstance(block.language, str)
        if block.kind not in get_args(TextBlockKind) or not numbers or block.level < 0:
            return False
        if not at <= block.start < block.end <= length:
            return False
        at = block.end
    return True


def shifted(blocks: Iterable[TextBlock], by: int) -> Structure:
    """Return the blocks of a text that stands `by` characters further on in another."""
    return tuple(block._replace(start=block.start + by, end=block.end + by) for block in blocks)


def moved(blocks: Structure, places: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Structure:
    """Return the blocks of a changed text; `places` gives the new places of offsets. One that has become empty is
    gone."""
    starts, ends = places(tuple(b.start for b in blocks)), places(tuple(b.end for b in blocks))
    return tuple(b._replace(start=s, end=e) for b, s, e in zip(blocks, starts, ends, strict=True) if s < e)


def columns_at(text: str, blocks: Structure, at: int) -> str:
    """Return the row that names the columns of the table whose rows go on at a place of a text; "" if none does."""
    place = bisect_right(blocks, at, key=lambda block: block.end)
    if place == len(blocks) or blocks[place].kind != "row":
        return ""
    while place and blocks[place].kind == "row":
        place -= 1
    return text[blocks[place].start : blocks[place].end] if blocks[place].kind == "head" else ""


def path_at(text: str, blocks: Structure, at: int, above: Sequence[Heading] = ()) -> tuple[Heading, ...]:
    """Return the headings over a place of a text, the outermost first; `above` are those over the text itself."""
    path = list(above)
    for block in blocks:
        if block.start >= at:
            break
        if block.kind == "heading":
            path = [one for one in path if one.level < block.level]
            path.append(Heading(block.level, " ".join(text[block.start : block.end].split())))
    return tuple(path)
