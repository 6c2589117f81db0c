"""Compare figures in a text with cells of a table: the same number, rounded, or derived from several cells."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veritas.papers.verification._tables import Cell
from veritas.text.numerals import value_of


def number(text: str) -> float:
    """Return the value of a figure as written, with commas and minus sign; `nan` for no number."""
    found = value_of(text)
    return math.nan if found is None else found


def is_cell(value: float, text: str, cell: Cell) -> bool:
    """Return whether a figure may be that cell, as it is or as a percentage; the coarser of the two is rounded."""
    places = min(len(text.partition(".")[2]), cell.places)
    return (
        abs(abs(value) - abs(cell.value)) <= _room(places)
        or abs(abs(value) - abs(100 * cell.value)) <= _room(min(len(text.partition(".")[2]), max(0, cell.places - 2)))
        or abs(abs(100 * value) - abs(cell.value)) <= _room(cell.places)
    )


def is_exactly(figure: str, cells: Sequence[Cell]) -> bool:
    """Return whether a figure is one of the cells to the last digit."""
    return any(number(figure) == cell.value for cell in cells)


def _room(places: int) -> float:
    return 0.5 * 10.0**-places + 1e-9


def derived(value: float, text: str, cells: Sequence[float], one: float | None = None) -> bool:
    """Return whether a figure is a sum, a difference, a mean or a ratio of two cells, or a sum or mean of all; with
    `one`, of that cell and another."""
    some = cells[:40]
    made = [sum(cells), sum(cells) / max(1, len(cells))]
    for i, a in enumerate(some if one is None else [one]):
        for b in some[i + 1 :] if one is None else some:
            made += [a + b, a - b, (a + b) / 2]
            made += [a / b, (a - b) / b] if b else []
            made += [b / a, (b - a) / a] if a else []
    room = _room(len(text.partition(".")[2]))
    return any(abs(abs(value) - abs(scale * each)) <= room for each in made for scale in (1, 100))
