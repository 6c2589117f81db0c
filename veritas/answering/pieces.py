"""Pieces of a passage as a reader sees them: paragraphs, lists, tables and program text, each under its heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from veritas.text.blocks import Block, blocks, code_like
from veritas.text.structure import Structure, TextBlock, TextBlockKind

PieceKind = Literal["prose", "heading", "list", "table", "code", "markup"]

MOST = 1000
"""Most characters of what is shown together; a piece that is longer by itself is shown alone."""

_KINDS: dict[TextBlockKind, PieceKind] = {
    "heading": "heading", "prose": "prose", "item": "list", "head": "table", "row": "table", "code": "code",
    "admonition": "markup",
}  # fmt: skip
_LINE = re.compile(r"[^\n]+")
_INDENTED = re.compile(r"(?m)^(?:\t| {2,})\S")
_NAMES = re.compile(r"(?!\s*(?://|[#$>%-]))(?=[^a-zA-Z]*[a-zA-Z])[^={}\[\];<>$|\t\\]*\Z")
"""A heading that names something, and no line of a program or row of a table."""
_OPENS = re.compile(r"(?:def|class|async def|for|while|if|with|try|@)\b.*[:({\[]\s*$|@\w")
_CALLS = re.compile(r"[(=\[]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, `text[start:end]`. `heading` is the nearest heading above it in the text, or "". `blocks` are
    what it consists of, if that is known."""

    kind: PieceKind
    start: int
    end: int
    heading: str = ""
    blocks: Structure = ()


@lru_cache(maxsize=4096)
def pieces(text: str, structure: Structure = ()) -> tuple[Piece, ...]:
    """Return the pieces of a text in order. Items in a row are one list with all that belongs to them, rows of a table
    one table, and lines of a program one piece of code, its comments and its blank lines included. Without a structure
    it is guessed."""
    return _of_structure(text, structure) if structure else _guessed(text)


def _of_structure(text: str, structure: Structure) -> tuple[Piece, ...]:
    made: list[Piece] = []
    heading = ""
    for block in structure:
        kind = _KINDS[block.kind]
        before = made[-1] if made else None
        if kind == "heading":
            heading = " ".join(text[block.start : block.end].split())
            made.append(Piece(kind, block.start, block.end, "", (block,)))
        elif before is not None and _goes_on(before, block):
            made[-1] = Piece(before.kind, before.start, block.end, heading, (*before.blocks, block))
        else:
            made.append(Piece(kind, block.start, block.end, heading, (block,)))
    return tuple(made)


def _goes_on(before: Piece, block: TextBlock) -> bool:
    """Return whether a block belongs to the list or the table before it."""
    if before.kind == "table":
        return block.kind == "row"
    first = before.blocks[0]
    if before.kind != "list" or first.kind != "item":
        return False
    return block.level > first.level or (block.kind == "item" and block.level == first.level)


def _guessed(text: str) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for block in blocks(text):
        kind = _kind(text, block, found[-1] if found else None)
        start = text.rfind("\n", 0, block.start) + 1 if kind in ("code", "list") else block.start
        start = max(start, found[-1].end if found else 0)
        start = next((i for i in range(start, block.end) if not text[i].isspace()), start)
        if kind == "code" and start < block.start:
            start = block.start if text[start : block.start].strip() else text.rfind("\n", 0, block.start) + 1
            start = max(start, found[-1].end if found else 0)
        if found and _one(text, found[-1], kind, start, block.end):
            before = found.pop()
            # A comment of a program looks like a heading with a hash mark.
            joined: PieceKind = "code" if kind == "code" else before.kind
            begin = before.start
            if joined != before.kind:  # with its mark
                line = text.rfind("\n", 0, begin) + 1
                begin = line + len(text[line:begin]) - len(text[line:begin].lstrip())
            found.append(Piece(joined, begin, block.end))
        else:
            found.append(Piece(kind, start, block.end))
    made: list[Piece] = []
    heading = ""
    for piece in found:
        if piece.kind == "heading":
            heading = " ".join(text[piece.start : piece.end].lstrip("# ").split())
        made.append(Piece(piece.kind, piece.start, piece.end, "" if piece.kind == "heading" else heading))
    return tuple(made)


def _kind(text: str, block: Block, before: Piece | None) -> PieceKind:
    if block.kind == "item":
        return "list"
    said = text[block.start : block.end]
    if block.kind == "markup":
        return "code" if said.lstrip().startswith("@") else "markup"
    if block.kind == "heading" and "\t" in said:
        return "table"
    if block.kind == "heading":
        # A short line of a program, or of what it prints, is no heading.
        indented = text[text.rfind("\n", 0, block.start) + 1 : block.start].isspace()
        return "heading" if _NAMES.match(said) and not (indented and before and before.kind == "code") else "code"
    if block.kind == "prose":
        lines = [match[0] for match in _LINE.finditer(text, block.start, block.end)]
        program = len(lines) > 1 and (code_like(lines[0]) or _OPENS.match(lines[0].strip()))
        if len(lines) == 1 and _OPENS.match(lines[0].strip()) and _CALLS.search(lines[0]):
            return "code"
        if program and (_INDENTED.search(text, block.start, block.end) or 2 * sum(map(code_like, lines)) > len(lines)):
            return "code"
    return block.kind


def _one(text: str, before: Piece, kind: PieceKind, start: int, end: int) -> bool:
    """Return whether a block goes on with the piece before it."""
    between = text[before.end : start]
    if before.kind == "heading" and kind == "code":
        # "# Using a client:" right above its program is a comment.
        return "\n\n" not in between and text[:before.start].endswith("# ")
    if before.kind != kind or kind in ("prose", "heading"):
        return False
    if kind == "code":
        return between.count("\n") <= 3
    return "\n\n" not in between or kind == "list"
