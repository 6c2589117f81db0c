"""Claims about tables: the places of the claim's numbers, and the truth of each of its clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from veritas.meaning.embedded._predicates import Places, comparison, ranking, trend
from veritas.meaning.embedded._table_labels import named, spelled_out
from veritas.meaning.embedded.claim_evidence import FULL_READ, Alignment, Statement, weight
from veritas.meaning.embedded.tables import Cell, Table
from veritas.text.quantities import Quantity
from veritas.text.stems import stem

_OWN = frozenset(map(stem, ("our", "ours", "we", "proposed", "approach", "this", "full", "final")))
_CLAUSE = re.compile(r"[;,]\s|\b(?:while|but|whereas|although|though|and also)\b|\.\s", re.IGNORECASE)
_PAIRED = 60
"""Most cells whose differences are looked at for a number that is in no cell."""


class Numbers(NamedTuple):
    """Shares of the claim's numbers, 0 to 1: found in a cell or the caption; found where the claim points; found, but
    in another row or column; derived from two cells; lost. `shown` is the first lost or misplaced one."""

    total: int = 0
    found: float = 0.0
    located: float = 0.0
    misplaced: float = 0.0
    derived: float = 0.0
    lost: float = 0.0
    shown: str = ""


class Reading(NamedTuple):
    """A table's evidence on a claim. Truths run from -1 (false) to 1 (true), 0 where nothing was decided;
    `words_known`, `names_unknown` and `caption` are shares of the claim's words. `why` says what speaks against it, or
    is empty."""

    numbers: Numbers
    truth: float
    worst: float
    rank: float
    trend: float
    rows_named: int
    columns_named: int
    words_known: float
    names_unknown: float
    caption: float
    why: str


@lru_cache(maxsize=1)  # the features, the objections and the rationale of one judgment all ask for it
def read_aligned(alignment: Alignment) -> Reading:
    """Return the reading of the claim by the passage, which is a table."""
    return read(alignment.claim, Table(alignment.passage.text[:FULL_READ]))


def read(claim: Statement, table: Table) -> Reading:
    """Return the table's reading of the claim."""
    spelled = spelled_out(table.caption)
    rows = named(claim, table.row_labels, table.rows, spelled)
    columns = named(claim, table.column_labels, table.columns, spelled)
    own: list[int] = []
    if _OWN & set(claim.stems):
        own = [i for i in table.rows if table.row_labels[i].stems & _OWN] or table.rows[-1:]
    numbers = _numbers(claim, table, rows, columns)
    truths: list[float] = []
    ranks: list[float] = []
    trends: list[float] = []
    why = ""
    for clause in filter(lambda c: c.tokens, map(Statement, _CLAUSE.split(claim.text))):
        here = named(clause, table.row_labels, table.rows, spelled) or dict.fromkeys(rows, 0)
        there = named(clause, table.column_labels, table.columns, spelled) or dict.fromkeys(columns, 0)
        turned = -1 if len(clause.negations) % 2 else 1
        for kept, outcome in (
            (ranks, ranking(clause, table, here, there, own)),
            (truths, comparison(clause, table, here, there, own)),
            (trends, trend(clause, table, there)),
        ):
            if outcome.truth:
                kept.append(outcome.truth * turned)
                if outcome.truth * turned < 0:
                    why = why or outcome.against
    if numbers.shown and not why:
        why = f"the table does not have {numbers.shown!r} where the claim puts it"
    words = [t for t in claim.content if not t.is_number]
    total = sum(weight(t.stem) for t in words) or 1.0
    caption = frozenset(Statement(table.caption).stems)
    unknown = sum(1 for t in words if t.is_name and t.start > 0 and t.stem not in table.words)
    return Reading(
        numbers, _mean(truths), min([*truths, *ranks], default=0.0), _mean(ranks), _mean(trends),
        len(rows), len(columns),
        sum(weight(t.stem) for t in words if t.stem in table.words) / total, unknown / (1 + len(words)),
        sum(weight(t.stem) for t in words if t.stem in caption) / total, why,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _numbers(claim: Statement, table: Table, rows: Places, columns: Places) -> Numbers:
    wanted = [q for q in claim.quantities if q.kind not in ("year", "statistic")]
    wanted = [q for q in wanted if q.kind != "count" or q.places or q.written > 3]
    if not wanted:
        return Numbers()
    found = located = misplaced = derived = lost = 0
    shown = ""
    captioned = Statement(table.caption).quantities
    for quantity in wanted:
        cells = [c for c in table.cells if _holds(c, quantity)]
        right = [c for c in cells if (not rows or c.row in rows) and (not columns or c.column in columns)]
        if cells:
            found += 1
            located += bool(right and (rows or columns))
            misplaced += not right
        elif any(quantity.written == q.written for q in captioned):
            found += 1
        elif _derivable(quantity, table, rows, columns):
            derived += 1
        else:
            lost += 1
        if not shown and (not cells or not right):
            shown = quantity.text
    n = len(wanted)
    shown = shown if misplaced or lost else ""
    return Numbers(n, found / n, located / n, misplaced / n, derived / n, lost / n, shown)


def _holds(cell: Cell, quantity: Quantity) -> bool:
    """Return whether the cell, rounded as the claim writes it, is the quantity; a percentage may stand as a
    fraction."""
    scales = ((1.0, 0), (100.0, 2)) if quantity.kind == "percent" or abs(cell.value) <= 1 else ((1.0, 0),)
    for scale, shift in scales:
        apart = abs(abs(cell.value) * scale - abs(quantity.written))
        places = max(0, cell.places - shift)
        if apart <= 1e-9 or (quantity.places <= places and apart <= 0.5 * 10.0**-quantity.places + 1e-9):
            return True
    return False


def _derivable(quantity: Quantity, table: Table, rows: Places, columns: Places) -> bool:
    """Return whether it is the difference of two cells that share a row or column, absolute or in percent of one of
    them."""
    half = 0.5 * 10.0**-quantity.places + 1e-6
    wanted = abs(quantity.written)
    near = [c for c in table.cells if not rows or c.row in rows or c.column in columns]
    if len(near) > _PAIRED:
        near = [c for c in near if c.row in rows and (not columns or c.column in columns)][:_PAIRED]
    for i, a in enumerate(near):
        for b in near[i + 1 :]:
            if a.row != b.row and a.column != b.column:
                continue
            gap = abs(a.value - b.value)
            if abs(gap - wanted) <= half or (max(abs(a.value), abs(b.value)) <= 1 and abs(100 * gap - wanted) <= half):
                return True
            if quantity.kind == "percent" and any(
                base and abs(100 * gap / base - wanted) <= max(half, 0.051) for base in (abs(a.value), abs(b.value))
            ):
                return True
    return False
