"""A paper's own tables as witnesses: whether the figure that a statement gives stands where the table has another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.papers.audit_parts import Figure
from veritas.verifying.embedded import lexicon
from veritas.verifying.embedded.tables import Cell, Table
from veritas.verifying.embedded.words import tokens

NEAR = 200
"""Characters that may lie between a table and its caption."""
SHOWN = 1_200
"""Characters of a table that are shown as evidence."""

_FIGURE = re.compile(r"(?<![\w.])[-−+]?\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
_ASIDE = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b(?:Table|Fig(?:ure|\.)|Section|Eq(?:uation|\.)?)\s*\d+\w*", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[;:]\s|,\s|\b(?:and|while|but|whereas|although|though|versus|vs\.?|than|compared (?:with|to)|against)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|over|under|above|below|more|less|fewer|least|most"
    r"|up to|by|difference|reduction|increase|decrease|change|gain|drop)\b|[~≈<>≤≥±]",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OwnTable:
    """A table of the paper at `[start, end)`; `label` is its caption's (`Table 1`), '' where it has none."""

    label: str
    start: int
    end: int
    table: Table


@dataclass(frozen=True)
class Conflict:
    """A figure of a statement where the table has another; `why` names both."""

    table: OwnTable
    cell: Cell
    said: str
    why: str


def own_tables(text: str, figures: Sequence[Figure] = ()) -> tuple[OwnTable, ...]:
    """The tables of a paper's stored text, with the labels of its captions. A picture of a table, or cells that run
    together, are none."""
    found = []
    captions = [f for f in figures if f.kind == "table"]
    for start, end in _blocks(text):
        table = Table(text[start:end])
        if not table.cells:
            continue
        label = next(
            (f.label for f in captions if 0 <= start - f.place.end <= NEAR or 0 <= f.place.start - end <= NEAR), ""
        )
        found.append(OwnTable(label, start, end, table))
    return tuple(found)


def conflict(statement: str, tables: Sequence[OwnTable]) -> Conflict | None:
    """The first figure that stands in no table although a table has another one in its place, or None.

    An accusation, so only on plain grounds: a clause of one exact figure names one row; the column is sure, because
    another figure of the statement stands in it, or because the statement refers to the table and names the column
    best; and the figure is no cell of any table, nor what two cells of the column differ by or make together.
    """
    everywhere = [cell for each in tables for cell in each.table.cells]
    clauses = list(_clauses(statement))
    whole = _stems(statement)
    for each in tables:
        rows = [(_row(each.table, stems), *figure) for stems, figure in clauses]
        placed = [(row, value, text) for row, value, text in rows if row is not None]
        column = _column(each, placed, whole, statement)
        if column is None:
            continue
        for row, value, text in placed:
            cell = each.table.by_place.get((row, column))
            if cell is None or any(_is_cell(value, text, other) for other in everywhere):
                continue
            if _derived(value, text, [c.value for c in each.table.cells if c.column == column]):
                continue
            name = each.label or "a table"
            return Conflict(each, cell, text, f"{name} has {each.table.named(cell)}, the statement {text}")
    return None


def stands_in(statement: str, table: OwnTable) -> bool:
    """Whether one of the statement's figures is a cell of the table; True for a statement that gives none."""
    figures = [(_number(m.group()), m.group()) for m in _FIGURE.finditer(_bare(statement))]
    return not figures or any(_is_cell(*figure, cell) for figure in figures for cell in table.table.cells)


def figures_in(text: str) -> frozenset[str]:
    """The numbers of a text as written, without the commas between thousands."""
    return frozenset(figure.replace(",", "") for figure in _FIGURE.findall(text))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where at least two lines stand together whose cells are kept apart."""
    start, end, rows, at = 0, 0, 0, 0
    for line in [*text.splitlines(keepends=True), ""]:
        if "\t" in line.strip():
            start = at if not rows else start
            end, rows = at + len(line.rstrip()), rows + 1
        else:
            if rows > 1:
                yield start, end
            rows = 0
        at += len(line)


def _bare(statement: str) -> str:
    return _ASIDE.sub(" ", statement)


def _stems(text: str) -> frozenset[str]:
    return frozenset(t.stem for t in tokens(text[:600]) if t.stem not in lexicon.STOP)


def _clauses(statement: str) -> Iterator[tuple[frozenset[str], tuple[float, str]]]:
    """Clauses that give one exact figure, of two digits or more."""
    for clause in _CLAUSE.split(_bare(statement)):
        figures = _FIGURE.findall(clause)
        if len(figures) == 1 and sum(c.isdigit() for c in figures[0]) > 1 and not _LOOSE.search(clause):
            yield _stems(clause), (_number(figures[0]), figures[0])


def _row(table: Table, stems: frozenset[str]) -> int | None:
    """The one row whose whole name stands in the clause."""
    named = [r for r in table.rows if table.row_labels[r].stems and table.row_labels[r].stems <= stems]
    return named[0] if len(named) == 1 else None


def _column(
    each: OwnTable, placed: Sequence[tuple[int, float, str]], whole: frozenset[str], statement: str
) -> int | None:
    table = each.table
    anchors = {
        cell.column
        for row, value, text in placed
        for cell in table.cells
        if cell.row == row and _is_cell(value, text, cell)
    }
    if len(anchors) == 1:
        return anchors.pop()
    if anchors or not each.label or not re.search(rf"\b{re.escape(each.label)}\b", statement, re.IGNORECASE):
        return None
    met = sorted(((len(table.column_labels[c].stems & whole), c) for c in table.columns), reverse=True)
    sure = met and met[0][0] > 1 and (len(met) == 1 or met[0][0] > met[1][0])
    return met[0][1] if sure else None


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _is_cell(value: float, text: str, cell: Cell) -> bool:
    """Whether a figure as written may be that cell: the coarser of the two is rounded; or its share as a percentage."""
    places = min(len(text.partition(".")[2]), cell.places)
    return (
        abs(abs(value) - abs(cell.value)) <= _room(places)
        or abs(abs(value) - abs(100 * cell.value)) <= _room(min(len(text.partition(".")[2]), max(0, cell.places - 2)))
        or abs(abs(100 * value) - abs(cell.value)) <= _room(cell.places)
    )


def _room(places: int) -> float:
    return 0.5 * 10.0**-places + 1e-9


def _derived(value: float, text: str, cells: Sequence[float]) -> bool:
    """Whether a figure is a sum, a difference, a mean or a ratio of two cells, or all of them together."""
    some = cells[:40]
    made = [sum(cells), sum(cells) / max(1, len(cells))]
    for i, a in enumerate(some):
        for b in some[i + 1 :]:
            made += [a + b, a - b, (a + b) / 2]
            made += [a / b, (a - b) / b] if b else []
            made += [b / a, (b - a) / a] if a else []
    room = _room(len(text.partition(".")[2]))
    return any(abs(abs(value) - abs(scale * each)) <= room for each in made for scale in (1, 100))
