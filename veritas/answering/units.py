"""Units of a passage: a sentence, a list, a row or a program that may answer, and what is shown with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.answering.pieces import MOST, Piece, PieceKind, pieces
from veritas.text.instructions import is_instruction
from veritas.text.languages import by_language, spoken
from veritas.text.lists import announces
from veritas.text.sentences import sentences, split_sentences
from veritas.text.structure import Structure, heads

PARAGRAPH, WINDOW = 900, 500
"""Characters above which a paragraph is not shown whole, and those from which on the sentences around a unit of it are
enough."""
SECTION, SHORT_SECTION = 1200, 800
"""Most characters of a section that is shown around a unit where a way to do something is asked for, and of one that is
shown whole for any other question. A section is written to be read from its beginning: the way often stands in a
paragraph above the one that meets the question's words best, or in its program. A value, a name or a reason stands in a
sentence, which drowns in a long section."""
SHORTEST = 12
"""Characters; a shorter unit says too little to answer anything."""
_POINTS = re.compile(r"(?:It|Its|They|Their|He|She|His|Her|This|These|Those|Such)\b")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a text, `text[start:end]`, and what is shown with it, `text[shown_start:shown_end]`: its paragraph, and
    the list, table or program that this one announces. `place` counts the units of its piece from 0; `attached` is the
    kind of what is shown beside its own piece, or "". `whole`: it is all items of a list together.
    `said_from` is where the sentence begins that a pronoun at the beginning stands for, or the paragraph that
    introduces a whole list or a program, or the term that the unit explains; the unit's own start if there is none.
    `said_to` is the end of its item, or of its piece and of what that one introduces."""

    kind: PieceKind
    start: int
    end: int
    shown_start: int
    shown_end: int
    heading: str
    place: int
    attached: str = ""
    whole: bool = False
    said_from: int = -1
    said_to: int = -1


@by_language(maxsize=4096)
def units(text: str, structure: Structure = ()) -> tuple[Unit, ...]:
    """Return the units of a text in order. None holds a sentence that gives orders to a language model. Without a
    structure it is guessed."""
    found = pieces(text, structure)
    made: list[Unit] = []
    for at, piece in enumerate(found):
        if piece.kind in ("heading", "markup"):
            continue
        start, end, attached, both = _shown(text, found, at)
        parts = _parts(text, piece)
        for place, (first, last) in enumerate(parts):
            if is_instruction(text[first:last]):
                break  # what follows in the same breath is of the same hand
            if last - first < SHORTEST:
                continue
            shown = (start, end)
            whole = piece.kind == "list" and (first, last) == (piece.start, piece.end)
            if piece.end - piece.start > PARAGRAPH and not whole:
                if piece.kind == "prose":
                    shown = _window(parts, place)
                elif rows := _entries(piece):
                    at_row = next(i for i, row in enumerate(rows) if row[0] <= first and last <= row[1])
                    shown = _window(rows, at_row)
            if is_instruction(text[slice(*shown)]):
                shown = (first, last)
            leans = _POINTS.match(text, first) or spoken().points.match(text, first)
            before = parts[place - 1][0] if place and leans else first
            before = both[0] if whole or piece.kind == "code" else before
            until = both[1]
            if piece.kind == "list" and not whole and (entry := _entry(piece, first)) is not None:
                before, until = (_term(text, piece, entry[0], first) if before == first else before), entry[1]
            made.append(Unit(piece.kind, first, last, *shown, piece.heading, place, attached, whole, before, until))
    return tuple(made)


def section_around(text: str, structure: Structure, unit: Unit, *, way: bool) -> tuple[int, int]:
    """Return the offsets of what is shown with a unit and of its section around it.

    For a `way` to do something, these are as many pieces of it as `SECTION` characters hold, those before the unit,
    then those behind; else the whole section, if it has no more than `SHORT_SECTION`. What announces something is not
    shown without that, and nothing is added where it would hold orders to a language model.
    """
    most = SECTION if way else SHORT_SECTION
    found = [piece for piece in pieces(text, structure) if piece.kind != "markup"]
    start, end = unit.shown_start, unit.shown_end
    inside = [at for at, piece in enumerate(found) if piece.start < end and piece.end > start]
    if not inside or any(found[at].kind == "heading" for at in inside):
        return start, end
    first, last = inside[0], inside[-1]
    while (above := _neighbour(found, first, -1)) is not None and end - above.start <= most:
        first, start = first - 1, above.start
    behind = [end]
    while (below := _neighbour(found, last, 1)) is not None and below.end - start <= most:
        last, behind = last + 1, [*behind, below.end]
    while len(behind) > 1 and announces(text[found[last].start : found[last].end]):
        last, behind = last - 1, behind[:-1]  # what it announces is too long to be shown
    cut = not way and (above or _neighbour(found, last, 1)) is not None
    if cut or is_instruction(text[start : behind[-1]]):
        return unit.shown_start, unit.shown_end
    return start, behind[-1]


def _entries(piece: Piece) -> list[tuple[int, int]]:
    """Return the items of a list, each with all that belongs to it, or the rows of a table; none if nobody read the
    structure."""
    first = piece.blocks[0].level if piece.blocks and piece.kind in ("list", "table") else 0
    found: list[tuple[int, int]] = []
    for block in piece.blocks if piece.kind in ("list", "table") else ():
        if found and block.level > first:
            found[-1] = found[-1][0], block.end
        else:
            found.append((block.start, block.end))
    return found


def _entry(piece: Piece, at: int) -> tuple[int, int] | None:
    """Return the item of a list that a place is in, with all that belongs to it; None if nobody read the structure."""
    return next(((start, end) for start, end in _entries(piece) if start <= at < end), None)


def _term(text: str, piece: Piece, entry: int, at: int) -> int:
    """Return where the term begins that a sentence of an entry explains, or the sentence itself: what stands below a
    term says nothing without it."""
    named = next(block for block in piece.blocks if block.start == entry)
    return entry if named.end <= at and heads(text[named.start : named.end]) else at


def _parts(text: str, piece: Piece) -> list[tuple[int, int]]:
    """Return the sentences of prose, the items and the whole of a list, the rows of a table, and a program as one."""
    if piece.kind == "code":
        return [(piece.start, piece.end)]
    if piece.blocks:
        spans = [(found.start, found.end) for found in sentences(text, piece.blocks)]
    else:
        spans = [(piece.start + a, piece.start + b) for a, b in split_sentences(text[piece.start : piece.end])]
    if piece.kind == "list" and len(spans) > 1:
        spans.append((piece.start, piece.end))
    return spans


def _shown(text: str, found: tuple[Piece, ...], at: int) -> tuple[int, int, str, tuple[int, int]]:
    """Return what is shown with a piece, the kind of what belongs to it, and the offsets of both together.

    A list, table or program goes with the paragraph before it, a paragraph with the one of these behind it. Further
    pieces under the same heading are shown too, as many as `MOST` characters hold: what follows, then what precedes as
    far back as a program.
    """
    piece = found[at]
    first = last = at
    attached, both = "", (piece.start, piece.end)
    step = 1 if piece.kind == "prose" else -1
    beside = _neighbour(found, at, step)
    if beside is not None and (piece.kind == "prose") != (beside.kind == "prose"):
        lead, other = (piece, beside) if step > 0 else (beside, piece)
        joined = other.kind == "code" or announces(text[lead.start : lead.end])
        if joined and other.end - lead.start <= MOST:
            first, last, attached = min(at, at + step), max(at, at + step), beside.kind
            both = lead.start, other.end
    ends = last
    for step in (1, -1):
        while (beside := _neighbour(found, last if step > 0 else first, step)) is not None:
            start, end = min(found[first].start, beside.start), max(found[last].end, beside.end)
            if end - start > MOST or (step < 0 and beside.kind == "code"):
                break
            first, last = (first, last + 1) if step > 0 else (first - 1, last)
        while step > 0 and last > ends and announces(text[found[last].start : found[last].end]):
            last -= 1  # what it announces is too long to be shown
    return found[first].start, found[last].end, attached, both


def _window(parts: list[tuple[int, int]], at: int) -> tuple[int, int]:
    """Return the offsets of a sentence with those around it, up to `WINDOW` characters or little more."""
    first = last = at
    while parts[last][1] - parts[first][0] < WINDOW:
        before, after = first > 0, last + 1 < len(parts)
        if not before and not after:
            break
        if before and (at - first <= last - at or not after):
            first -= 1
        else:
            last += 1
    return parts[first][0], parts[last][1]


def _neighbour(found: Sequence[Piece], at: int, step: int) -> Piece | None:
    """Return the next piece in that direction, if no heading lies between."""
    to = at + step
    return found[to] if 0 <= to < len(found) and found[to].kind != "heading" else None

