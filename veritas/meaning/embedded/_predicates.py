"""Predicates: the truth in a table of what a claim compares, ranks or says to rise."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.tables import Cell, Table
from veritas.text.stems import stem


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_BETTER = _stems(
    "outperform outperforms outperforming outperformed better superior improve improves improved improvement improving "
    "surpass surpasses beat beats gain gains best boost benefit benefits effective advantage exceed exceeds increase "
    "increases"
)
_WORSE = _stems(
    "worse inferior underperform underperforms degrade degrades worst hurt hurts drop drops poor poorly decrease "
    "decreases decreased reduces reduce lose loses deteriorate"
)
_MORE = _stems("higher highest larger largest greater greatest more most maximum longest")
_LESS = _stems("lower lowest smaller smallest less fewer fewest least minimum shortest")
_RANK = _stems("best worst highest lowest largest smallest most least greatest fewest top maximum minimum all")
_OTHER = stem("other")

Places = Mapping[int, int]
"""Places of the words that name a row or column in the claim, by its index."""


class Outcome(NamedTuple):
    """The truth of a predicate from -1 (false) to 1 (true), 0 where nothing could be decided; `against` says what
    speaks against it."""

    truth: float
    against: str = ""


UNDECIDED = Outcome(0.0)


class _Direction(NamedTuple):
    """A word of direction: `sign` 1 for more, -1 for less; `worth` if it means better or worse, not larger or smaller;
    `at` its place."""

    sign: int
    worth: bool
    at: int


def _direction(stems: Sequence[str]) -> _Direction | None:
    for i, s in enumerate(stems):
        if s in _MORE:
            return _Direction(1, s == "more" and not _BETTER.isdisjoint(stems[i + 1 : i + 4]), i)
        if s in _LESS:
            return _Direction(-1, False, i)
        if s in _BETTER:
            return _Direction(1, True, i)
        if s in _WORSE:
            return _Direction(-1, True, i)
    return None


def comparison(clause: Statement, table: Table, rows: Places, columns: Places, own: Sequence[int]) -> Outcome:
    """Return the truth of "A is better (higher) than B" over the columns the clause names, or all; else the same across
    columns. `own` are the rows that "we" and "our model" mean, empty if the claim does not speak so."""
    direction = _direction(clause.stems)
    if direction is None or not table.cells:
        return UNDECIDED
    subjects = [i for i, place in rows.items() if place <= direction.at]
    objects = [i for i, place in rows.items() if place > direction.at]
    if own:
        if subjects and not objects and not set(subjects) & set(own):
            subjects, objects = list(own), subjects
        subjects = subjects or list(own)
    if own or _OTHER in clause.stems:
        objects = objects or [i for i in table.rows if i not in subjects]
    lines = [i for i in columns if i in table.columns] or table.columns
    if subjects and objects:
        pairs = [
            (direction.sign * table.sense(line, direction.worth), _held(table, subjects, [line]),
             _held(table, objects, [line]))
            for line in lines
        ]
        return _compared(table, pairs)
    subjects = [i for i, place in columns.items() if place <= direction.at]
    objects = [i for i, place in columns.items() if place > direction.at]
    if not subjects or not objects:
        return UNDECIDED
    sign = direction.sign * table.sense(subjects[0], direction.worth)
    lines = [i for i in rows if i in table.rows] or table.rows
    return _compared(table, [(sign, _held(table, [row], subjects), _held(table, [row], objects)) for row in lines])


def _held(table: Table, rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
    return [table.by_place[r, c] for r in rows for c in columns if (r, c) in table.by_place]


def _compared(table: Table, pairs: Sequence[tuple[int, list[Cell], list[Cell]]]) -> Outcome:
    agree = total = 0
    against = ""
    for sign, mine, theirs in pairs:
        if not mine or not theirs:
            continue
        total += 1
        a = max(mine, key=lambda c: c.value * sign)
        b = max(theirs, key=lambda c: c.value * sign)
        if a.value * sign > b.value * sign:
            agree += 1
        elif not against:
            against = f"the table has {table.named(a)} and {table.named(b)}"
    return Outcome(2 * agree / total - 1, against) if total else UNDECIDED


def ranking(clause: Statement, table: Table, rows: Places, columns: Places, own: Sequence[int]) -> Outcome:
    """Return the truth of "A is the best (highest) in C": the share of the named columns in which a named row is
    extreme, scaled to -1 to 1."""
    if not table.cells or _RANK.isdisjoint(clause.stems):
        return UNDECIDED
    direction = _direction([s for s in clause.stems if s in _RANK or s in _BETTER or s in _WORSE])
    subjects = list(rows) or list(own)
    if direction is None or not subjects or len(table.rows) < 2:
        return UNDECIDED
    agree = total = 0
    against = ""
    for column in [c for c in columns if c in table.columns] or table.columns:
        held = _held(table, table.rows, [column])
        mine = [c for c in held if c.row in subjects]
        if not mine or len(held) < 2:
            continue
        sign = direction.sign * table.sense(column, direction.worth)
        top = max(held, key=lambda c: c.value * sign)
        best = max(mine, key=lambda c: c.value * sign)
        total += 1
        if best.value * sign >= top.value * sign:
            agree += 1
        elif not against:
            against = f"the table has {table.named(top)}, ahead of {table.named(best)}"
    return Outcome(2 * agree / total - 1, against) if total else UNDECIDED


def trend(clause: Statement, table: Table, columns: Places) -> Outcome:
    """Return the truth of "it rises (falls)": the share of steps down the named columns, or all, that go that way,
    scaled to -1 to 1."""
    direction = _direction(clause.stems)
    if direction is None or not table.cells:
        return UNDECIDED
    steps = same = 0
    for column in list(columns) or table.columns:
        held = _held(table, table.rows, [column])
        sign = direction.sign * table.sense(column, direction.worth)
        for a, b in itertools.pairwise(held):
            steps += 1
            same += (b.value - a.value) * sign > 0
    return Outcome(2 * same / steps - 1) if steps else UNDECIDED
