"""Units of a passage: what may answer a question, a sentence, a list, a row or program text, and what is shown of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from veritas.answering.pieces import MOST, Piece, PieceKind, pieces
from veritas.text.instructions import is_instruction
from veritas.text.lists import announces
from veritas.text.sentences import split_sentences

PARAGRAPH, WINDOW = 900, 500
"""Characters above which a paragraph is not shown whole, and those from which on the sentences around a unit of it are
enough."""
SHORTEST = 12
"""Characters; a shorter unit says too little to answer anything."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a text, `text[start:end]`, and what is shown with it, `text[shown_start:shown_end]`: its paragraph, and
    the list, table or program that this one announces. `place` counts the units of its piece from 0; `attached` is the
    kind of what is shown beside its own piece, or ""."""

    kind: PieceKind
    start: int
    end: int
    shown_start: int
    shown_end: int
    heading: str
    place: int
    attached: str = ""


@lru_cache(maxsize=4096)
def units(text: str) -> tuple[Unit, ...]:
    """Return the units of a text in order. None holds a sentence that gives orders to a language model."""
    found = pieces(text)
    made: list[Unit] = []
    for at, piece in enumerate(found):
        if piece.kind == "heading":
            continue
        start, end, attached = _shown(text, found, at)
        parts = _parts(text, piece)
        for place, (first, last) in enumerate(parts):
            if last - first < SHORTEST or is_instruction(text[first:last]):
                continue
            shown = (start, end)
            if piece.kind == "prose" and piece.end - piece.start > PARAGRAPH:
                shown = _window(parts, place)
            if is_instruction(text[slice(*shown)]):
                shown = (first, last)
            made.append(Unit(piece.kind, first, last, *shown, piece.heading, place, attached))
    return tuple(made)


def _parts(text: str, piece: Piece) -> list[tuple[int, int]]:
    """Return the sentences of prose, the items and the whole of a list, the rows of a table, and a program as one."""
    if piece.kind == "code":
        return [(piece.start, piece.end)]
    spans = [(piece.start + a, piece.start + b) for a, b in split_sentences(text[piece.start : piece.end])]
    if piece.kind == "list" and len(spans) > 1:
        spans.append((piece.start, piece.end))
    return spans


def _shown(text: str, found: tuple[Piece, ...], at: int) -> tuple[int, int, str]:
    """Return what is shown with a piece, and the kind of what it was joined with: a list, table or program with the
    paragraph before it, and a paragraph with the one of these behind it, all under one heading."""
    piece = found[at]
    start, end, attached = piece.start, piece.end, ""
    if piece.kind != "prose":
        lead = _neighbour(found, at, -1)
        if lead is not None and lead.kind == "prose" and end - lead.start <= MOST:
            if piece.kind == "code" or announces(text[lead.start : lead.end]):
                return lead.start, end, lead.kind
        return start, end, attached
    behind = _neighbour(found, at, 1)
    if behind is not None and behind.kind != "prose" and behind.end - start <= MOST:
        if behind.kind == "code" or announces(text[start:end]):
            end, attached = behind.end, behind.kind
    return start, end, attached


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


def _neighbour(found: tuple[Piece, ...], at: int, step: int) -> Piece | None:
    """Return the next piece in that direction, if no heading lies between."""
    to = at + step
    return found[to] if 0 <= to < len(found) and found[to].kind != "heading" else None

