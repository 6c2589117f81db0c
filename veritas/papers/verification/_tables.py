"""Tables: tab-separated rows, as cells with the words that name their row and column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from veritas.text import lexicon
from veritas.text.numerals import in_digits
from veritas.text.tokens import tokens

MAX_ROWS = 80
MAX_COLUMNS = 24


class Cell(NamedTuple):
    """A number in the table: `row` and `column` count from 0 among data rows and columns; `places` are its decimals."""

    row: int
    column: int
    value: float
    places: int
    text: str


class Label(NamedTuple):
    """The name of a row or column: the stems of its words (stop words aside), and the text."""

    stems: frozenset[str]
    text: str


class Table:
    """A passage read as a table. `cells` may be empty: then there are no numbers in it to reason about."""

    def __init__(self, passage: str) -> None:
        lines = [line for line in passage.splitlines() if line.strip()]
        grid = [line.split("\t")[:MAX_COLUMNS] for line in lines if "\t" in line][:MAX_ROWS]
        width = max((len(row) for row in grid), default=0)
        heads = 0
        while heads < len(grid) - 1 and heads < 3 and not any(_value(cell) for cell in grid[heads][1:]):
            heads += 1
        heads = max(1, heads)
        self.headers = grid[:heads]
        body = grid[heads:]
        self.cells: list[Cell] = []
        self.row_labels: list[Label] = []
        for row in body:
            filled = [c.strip() for c in row if c.strip()]
            if len(set(filled)) == 1 and len(filled) > 1 and not _value(filled[0]):
                continue  # the heading of a section, repeated in every column
            values = [_value(cell) for cell in row]
            named = [cell.strip() for cell, value in zip(row, values, strict=True) if cell.strip() and not value]
            first = row[0].strip()
            label = " ".join([first, *named] if first and first not in named else named)
            index = len(self.row_labels)
            self.row_labels.append(Label(_label_stems(label), label))
            self.cells += [Cell(index, i, *value) for i, value in enumerate(values) if value and i > 0]
        self.column_labels = [self._column(i) for i in range(width)]

    def _column(self, index: int) -> Label:
        parts = [row[index].strip() for row in self.headers if index < len(row)]
        text = " ".join(dict.fromkeys(p for p in parts if p))
        return Label(_label_stems(text), text)

    @cached_property
    def by_place(self) -> dict[tuple[int, int], Cell]:
        """The cells by (row, column)."""
        return {(c.row, c.column): c for c in self.cells}

    @cached_property
    def columns(self) -> list[int]:
        """Columns that hold numbers."""
        return sorted({c.column for c in self.cells})

    @cached_property
    def rows(self) -> list[int]:
        """Rows that hold numbers."""
        return sorted({c.row for c in self.cells})

    def named(self, cell: Cell) -> str:
        """Return the cell with its row and column, for a person: "95.55 for POS (Word2Tag)"."""
        row, column = self.row_labels[cell.row].text, self.column_labels[cell.column].text
        return f"{cell.text} for {row or 'a row without a name'}" + (f" ({column})" if column else "")


def _value(cell: str) -> tuple[float, int, str] | None:
    """Return the leading number of a cell with its decimals and text; None if the cell is words."""
    text = cell.strip().lstrip("([{*†‡ ")
    signed = text[:1] in ("-", "−", "–", "+")
    number = in_digits(text, int(signed)) if text else None
    if number is None:
        return None
    rest = text[number.end :]
    letters = sum(c.isalpha() for c in rest)
    if letters > 4 and letters > number.end:
        return None
    return -number.value if text[0] in "-−–" else number.value, number.places, text[: number.end]


def _label_stems(text: str) -> frozenset[str]:
    return frozenset(t.stem for t in tokens(text[:300]) if t.stem not in lexicon.STOP or len(t.text) == 1)


def number(text: str) -> float:
    """Return the value of a figure as written, with commas and minus sign; `nan` for no number."""
    found = in_digits(text, int(text[:1] in ("-", "−", "–", "+")))
    if found is None:
        return math.nan
    return -found.value if text[0] in "-−–" else found.value


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
