"""Tables: a caption and tab-separated rows, as cells with the words that name their row and column."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from veritas.verifying.embedded import lexicon
from veritas.verifying.embedded.words import tokens

MAX_ROWS = 80
MAX_COLUMNS = 24

_CELL_NUMBER = re.compile(r"[-−–+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d{1,12})?|\d{1,15}(?:\.\d{1,12})?|\.\d{1,12})")
_LOWER_IS_BETTER = frozenset(
    "error err loss perplexity perp ppl wer cer ser ter mae mse rmse nll bpc bpb latency time seconds sec turns turn "
    "distance eer fpr fnr deletion deletions insertions substitutions missed wrong added disc bias hallucinated".split()  # noqa: SIM905
)


class Cell(NamedTuple):
    """A number in the table: `row` and `column` count from 0 among data rows and columns; `places` are its decimals."""

    row: int
    column: int
    value: float
    places: int
    text: str


class Label(NamedTuple):
    """What a row or column is called: the stems of its words (stop words aside), and the text."""

    stems: frozenset[str]
    text: str


class Table:
    """A passage read as a table. `cells` may be empty: then there are no numbers in it to reason about."""

    def __init__(self, passage: str) -> None:
        lines = [line for line in passage.splitlines() if line.strip()]
        grid = [line.split("\t")[:MAX_COLUMNS] for line in lines if "\t" in line][:MAX_ROWS]
        self.caption = " ".join(line for line in lines if "\t" not in line)[:4000]
        width = max((len(row) for row in grid), default=0)
        heads = 0
        while heads < len(grid) - 1 and heads < 3 and not any(_value(cell) for cell in grid[heads][1:]):
            heads += 1
        heads = max(1, heads)
        self.headers = grid[:heads]
        body = grid[heads:]
        self.cells: list[Cell] = []
        self.row_labels: list[Label] = []
        section = ""
        for row in body:
            filled = [c.strip() for c in row if c.strip()]
            if filled and len(set(filled)) == 1 and not _value(filled[0]):
                section = filled[0]
                continue
            named = [c.strip() for c in row if c.strip() and not _value(c)]
            numbered = [(i, v) for i, v in ((i, _value(c)) for i, c in enumerate(row)) if v and (i > 0 or len(row) == 1)]
            first = row[0].strip()
            label = " ".join([*([first] if first and first not in named else []), *named])
            index = len(self.row_labels)
            self.row_labels.append(Label(_label_stems(label), label))
            self.cells += [Cell(index, i, value, places, text) for i, (value, places, text) in numbered]
            del section
            section = ""
        self.column_labels = [self._column(i) for i in range(width)]

    def _column(self, index: int) -> Label:
        parts = [row[index].strip() for row in self.headers if index < len(row)]
        text = " ".join(dict.fromkeys(p for p in parts if p))
        return Label(_label_stems(text), text)

    @cached_property
    def by_place(self) -> dict[tuple[int, int], Cell]:
        """(row, column) -> cell."""
        return {(c.row, c.column): c for c in self.cells}

    @cached_property
    def columns(self) -> list[int]:
        """Columns that hold numbers."""
        return sorted({c.column for c in self.cells})

    @cached_property
    def rows(self) -> list[int]:
        """Rows that hold numbers."""
        return sorted({c.row for c in self.cells})

    @cached_property
    def words(self) -> frozenset[str]:
        """All stems of caption and labels."""
        found = {t.stem for t in tokens(self.caption)}
        for label in (*self.row_labels, *self.column_labels):
            found |= label.stems
        return frozenset(found)

    def lower_is_better(self, label: Label) -> bool:
        """Whether smaller numbers are the better ones under this label, by its words or an arrow."""
        if "↓" in label.text:
            return True
        return "↑" not in label.text and any(t.lower in _LOWER_IS_BETTER for t in tokens(label.text))


def is_table(passage: str) -> bool:
    """True if at least two lines have tab-separated cells."""
    first = passage.find("\t")
    if first < 0:
        return False
    end = passage.find("\n", first)
    return end >= 0 and passage.find("\t", end) >= 0


def _value(cell: str) -> tuple[float, int, str] | None:
    """The leading number of a cell with its decimals and text; None if the cell is words."""
    text = cell.strip().lstrip("([{*†‡ ")
    match = _CELL_NUMBER.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    letters = sum(c.isalpha() for c in rest)
    if letters > 4 and letters > len(match.group()):
        return None
    digits = match.group().replace(",", "").replace("−", "-").replace("–", "-")
    try:
        return float(digits), len(digits.partition(".")[2]), match.group()
    except ValueError:
        return None


def _label_stems(text: str) -> frozenset[str]:
    return frozenset(t.stem for t in tokens(text[:300]) if t.stem not in lexicon.STOP or len(t.text) == 1)
