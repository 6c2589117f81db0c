"""Tables: tab-separated rows, as cells with the words that name their row and column."""

from __future__ import annotations

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
