"""A whole table of a paper, with its head, the headings between its rows, and its columns of counts and percentages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.documents.paper_parts import Figure

Cell = tuple[str, int, int]
"""Text, start and end in the paper's text."""
_COUNT = re.compile(r"^(?:\d{1,3}(?:,\d{3})+|\d{1,7})$")
_SHARE = re.compile(r"^(?P<share>\d{1,3}(?:\.\d{1,2})?)\s?%?$")
_BOTH = re.compile(
    r"^(?P<count>\d{1,3}(?:,\d{3})+|\d{1,7})\s?[(\[]\s?(?P<share>\d{1,3}(?:\.\d{1,2})?)\s?%?\s?[)\]]$"
)
_NUMERIC = re.compile(r"^[<>≤≥−–-]?\s?\d")
_N = re.compile(r"\b[nN]\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,7})\b(?!\.\d)")
_OF_COUNTS = re.compile(r"^(?:n|no\.?|number|frequency|freq\.?|count|cases)(?:\s?\(\s?n\s?\))?$", re.IGNORECASE)
_OF_SHARES = re.compile(
    r"^(?:\(?%\)?|(?:\w+ )?per ?cent(?:age)?s?(?:\s?\(%\))?|\w{0,8}\.? ?(?:row|col(?:umn)?)? ?%)$", re.IGNORECASE
)
_OF_ALL = re.compile(r"\s*\(?(?:[nN]\s?=\s?)?\d[\d,]*\s?%?\)?$")
"""The number of all behind the name of a column, "Frequency 3,740"."""
_WEIGHTED = re.compile(
    r"\bw(?:eigh)?td?\b|\bweighted|\bimput|\badjusted (?:percent|prevalence|%)|\bstandardi[sz]ed", re.I
)
_NO_SHARE = re.compile(r"\b(?:mean|median|SD|SE|IQR|range)\b|±", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """A count and its percentage, with the decimals of the latter, at `[start, end)`."""

    count: int
    share: float
    places: int
    start: int
    end: int
    text: str

    @property
    def unit(self) -> float:
        """One unit of the last digit of the percentage."""
        return float(10.0**-self.places)

    def fits(self, whole: float) -> bool:
        """Return whether the percentage is the count's of `whole`, rounded or cut off."""
        return whole > 0 and abs(100 * self.count / whole - self.share) <= 1.001 * self.unit


@dataclass(frozen=True)
class Row:
    """A row: the heading above it, its label, and its counts with percentages by group."""

    block: int
    heading: str
    label: str
    pairs: tuple[Pair | None, ...]


@dataclass(frozen=True)
class WholeTable:
    """A captioned table. `sizes` are the N of its groups (None if the head does not give them), in the order of
    `Row.pairs`. Rows of the same `block` stand under one heading."""

    name: str
    rows: tuple[Row, ...]
    sizes: tuple[int | None, ...]
    weighted: bool

    def blocks(self) -> Iterator[list[Row]]:
        """Yield the rows under each heading, or all rows of a table without headings."""
        whole = len({row.block for row in self.rows}) == 1
        for block in dict.fromkeys(row.block for row in self.rows if row.heading or whole):
            yield [row for row in self.rows if row.block == block]


def whole_tables(text: str, figures: Sequence[Figure]) -> Iterator[WholeTable]:
    """Yield the captioned tables of a text whose cells tabs separate."""
    for figure in figures:
        if figure.kind == "table" and figure.body is not None:
            read = _read(text, figure.body.start, figure.body.end, figure)
            if read is not None:
                yield read


def number(text: str) -> int | None:
    """Return the count that a cell holds alone or before its percentage."""
    both = _BOTH.match(text)
    bare = both["count"] if both else text
    return int(bare.replace(",", "")) if _COUNT.match(bare) else None


def _read(text: str, start: int, end: int, figure: Figure) -> WholeTable | None:
    lines = list(_lines(text, start, end))
    first = next((i for i, cells in enumerate(lines) if len(cells) > 1 and _is_data(cells)), None)
    if first is None:
        return None
    head = lines[:first]
    said = " ".join([figure.text, *(cell[0] for row in head for cell in row)])
    widths = [len(cells) for cells in lines[first:] if len(cells) > 1 and _is_data(cells)]
    columns = _columns(head, lines[first:], max(widths) - 1)
    if not columns:
        return None
    heading, block, rows = "", 0, []
    if head and len(head[-1]) == 1:
        heading = head[-1][0][0]
    for cells in lines[first:]:
        if len(cells) == 1 or not _is_data(cells):
            block += 1
            heading = cells[0][0]
            continue
        pairs = () if _NO_SHARE.search(cells[0][0]) else tuple(_pair(cells, column) for column in columns)
        rows.append(Row(block, heading, cells[0][0], pairs or (None,) * len(columns)))
    sizes = _sizes(head, columns, figure.text)
    return WholeTable(figure.label or "the table", tuple(rows), sizes,
                      bool(_WEIGHTED.search(said)))  # fmt: skip


def _lines(text: str, start: int, end: int) -> Iterator[list[Cell]]:
    at = start
    for line in text[start:end].splitlines(keepends=True):
        begin, cells = at, []
        for cell in line.rstrip("\r\n").split("\t"):
            bare = cell.strip()
            lead = len(cell) - len(cell.lstrip())
            cells.append((bare, begin + lead, begin + lead + len(bare)))
            begin += len(cell) + 1
        if any(cell[0] for cell in cells):
            yield cells
        at += len(line)


def _is_data(cells: Sequence[Cell]) -> bool:
    """Return whether a line is a row of counts: a label and a count behind it. A p-value alone is none."""
    return bool(cells[0][0]) and any(number(cell[0]) is not None for cell in cells[1:])


def _columns(
    head: Sequence[Sequence[Cell]], lines: Sequence[Sequence[Cell]], width: int
) -> tuple[tuple[int, int | None], ...]:
    """Return the places of counts with percentages behind the label: (cell, None) of "23 (45.1)", or (cell of the
    count, cell of the percentage)."""
    rows = [cells[1:] for cells in lines if len(cells) > 1]
    whole = [c for c in range(width) if sum(c < len(r) and bool(_BOTH.match(r[c][0])) for r in rows) >= 2]
    if whole:
        return tuple((c, None) for c in whole)
    for cells in reversed(head):
        names = [_OF_ALL.sub("", cell[0]) for cell in cells]
        if names and not _OF_COUNTS.match(names[0]):
            names = names[1:]
        found = [
            i for i in range(min(len(names) - 1, width - 1))
            if _OF_COUNTS.match(names[i]) and _OF_SHARES.match(names[i + 1])
        ]  # fmt: skip
        if found:
            return tuple((i, i + 1) for i in found)
    return ()


def _pair(cells: Sequence[Cell], column: tuple[int, int | None]) -> Pair | None:
    """Return the count and the percentage of a row, None if the cells hold something else."""
    first, second = column[0] + 1, column[1]
    if first >= len(cells):
        return None
    if second is None:
        both = _BOTH.match(cells[first][0])
        if both is None:
            return None
        count, share, end = both["count"], both["share"], cells[first][2]
    else:
        if second + 1 >= len(cells):
            return None
        told = _SHARE.match(cells[second + 1][0])
        if told is None or not _COUNT.match(cells[first][0]):
            return None
        count, share, end = cells[first][0], told["share"], cells[second + 1][2]
    places = len(share.partition(".")[2])
    return Pair(int(count.replace(",", "")), float(share), places, cells[first][1], end, f"{count} ({share} %)")


def _sizes(
    head: Sequence[Sequence[Cell]], columns: Sequence[tuple[int, int | None]], caption: str
) -> tuple[int | None, ...]:
    for cells in head:
        told = [(i, m) for i, cell in enumerate(cells) for m in [_N.search(cell[0])] if m]
        if not told:
            continue
        if len(told) == len(columns):
            return tuple(int(m["n"].replace(",", "")) for _, m in told)
        by_place = {i - 1: int(m["n"].replace(",", "")) for i, m in told}
        if all(second is None for _, second in columns) and len(cells) > columns[-1][0] + 1:
            return tuple(by_place.get(first) for first, _ in columns)
        return (None,) * len(columns)
    told_once = {m["n"] for m in _N.finditer(caption)}
    if len(told_once) == 1 and len(columns) == 1:
        return (int(told_once.pop().replace(",", "")),)
    return (None,) * len(columns)
