"""Figures of a table: a figure belongs to its row's first cell and to its column's head, and to nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from veritas.factcheck.paraphrases import forms
from veritas.factcheck.rounding import as_much
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.text.quantities import Quantity, quantities
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, tokens

_RULE = re.compile(r"[|\s:+=-]+")
_PREFIX = 6
"""Letters that a shortened word of a head has in common with the whole one: "Decompress." for "decompression"."""
_COMPARES = re.compile(
    r"(?i)\b(more|less|fewer|better|worse|(?!(?:rather|other|over|after|under)\b)\w{3,}er)(?:\s+\w+)? than\b"
)
_TELLING = frozenset(
    "take took taken need needed reach reached get got give gave given have had has show shown list listed run ran "
    "achieve achieved measure measured record recorded stand stood table come came".split()
)
"""Verbs by which a statement gives a figure and says nothing more."""


@dataclass(frozen=True)
class Row:
    """A row of a table: the heads of its columns, its cells, and the first cells of the table's other rows."""

    heads: tuple[str, ...]
    cells: tuple[str, ...]
    others: tuple[str, ...]


def row_at(text: str, at: int) -> Row | None:
    """Return the row of a table that stands at an offset of a text; None where no table with a head stands there."""
    every, starts = _lines(text)
    lines = bisect_right(starts, at) - 1
    cells = _cells(every[lines])
    if not cells:
        return None
    first = last = lines
    while first > 0 and _cells(every[first - 1]):
        first -= 1
    while last + 1 < len(every) and _cells(every[last + 1]):
        last += 1
    heads = _cells(every[first])
    ruled = first < lines and _RULE.fullmatch(every[first + 1]) is not None
    if first == lines or len(heads) != len(cells) or not (ruled or not any(quantities(head) for head in heads)):
        return None
    rows = [_cells(line) for i, line in enumerate(every[first + 1 : last + 1], first + 1) if i != lines]
    return Row(heads, cells, tuple(row[0] for row in rows if row and not _RULE.fullmatch(row[0] or "-")))


@lru_cache(maxsize=16)
def _lines(text: str) -> tuple[list[str], list[int]]:
    """Return the lines of a text, and where each begins."""
    every = text.split("\n")
    return every, list(accumulate((len(line) + 1 for line in every[:-1]), initial=0))


def _cells(line: str) -> tuple[str, ...]:
    bare = line.strip()
    if "\t" in line.strip("\n"):
        return tuple(cell.strip() for cell in line.split("\t"))
    if bare.count("|") < 2:
        return ()
    return tuple(cell.strip(" *_`") for cell in bare.strip("|").split("|"))


def misplaced(claim: Statement, row: Row) -> str:
    """Return why a row does not say a claim that has its figures: one is another column's, or the claim compares two
    things, and a row tells of one. "" if every figure may be its column's, or no column is named."""
    figures = list(_figures(claim, row))
    named = list(_named(claim, row))
    compared = _COMPARES.search(claim.text)
    if figures and compared and not any(compared[1].casefold() in cell.casefold() for cell in (*row.heads, *row.cells)):
        return f"a row of figures does not say “{compared[0]}”"
    if not figures or not named or _holds(figures, named):
        return ""
    in_order = len(named) == len(figures) and all(
        column in columns for (_, column), (_, columns) in zip(named, figures, strict=True)
    )
    if in_order:
        return ""
    wrong = [(figure, columns) for figure, columns in figures if not _beside(claim, figure, columns, named)]
    if not wrong:
        return ""
    figure, columns = wrong[0]
    return f"“{figure.text}” stands under “{row.heads[columns[0]]}” there"


def misnamed(claim: Statement, rows: Sequence[Row]) -> str:
    """Return why none of some rows with a claim's figures is the row that the claim names: each time the table has
    another one whose first cell has more of the claim's words, options and versions. "" if one may be it."""
    said = frozenset(claim.text.casefold().strip(" .").split())
    holding = [row for row in rows if any(_figures(claim, row))]
    found = [next((each for each in row.others if _of_cell(row.cells[0]) & said < _of_cell(each) & said), "")
             for row in holding]  # fmt: skip
    if not found or "" in found:
        return ""
    return f"the figure is of “{holding[0].cells[0]}” there, not of “{found[0]}”"


def _of_cell(cell: str) -> frozenset[str]:
    return frozenset(cell.casefold().strip(" *_`").split())


def told(claim: Statement, row: Row) -> bool:
    """Return whether a row says a claim: each figure stands in the column that the claim names, the claim names the
    row's first cell and no other row's, and has no other words."""
    figures = list(_figures(claim, row))
    named = list(_named(claim, row))
    wanted = [q for q in claim.quantities if not _within(q, row.cells[0])]
    if not figures or not named or {f for f, _ in figures} != set(wanted) or not _holds(figures, named):
        return False
    if not all(_of_unit(figure, row, columns) for figure, columns in figures):
        return False
    heads = frozenset(t.start for t, _ in named)
    own = frozenset(form for token in tokens(row.cells[0]) for form in forms(token.text))
    subject: list[Token] = []
    rest: list[Token] = []
    for token in claim.tokens:
        if token.start in heads or token.lower in FUNCTION_WORDS - _TURNING or forms(token.text) & _TELLING:
            continue
        if any(q.start <= token.start < q.end for q, _ in figures):
            continue
        (subject if forms(token.text) & own else rest).append(token)
    if rest or not subject:
        return False
    each = [forms(token.text) for token in subject]
    return not any(all(_in(form, other) for form in each) for other in row.others)


_TURNING = frozenset("not no never without less more than over under only all every most least".split())
"""Words of grammar that no row says."""


def _of_unit(figure: Quantity, row: Row, columns: tuple[int, ...]) -> bool:
    """Return whether a figure with a unit has it in its cell, or in its column's head."""
    if not figure.measured:
        return True
    unit = re.sub(r"[\d\s.,+-]+", "", figure.text).casefold()
    return any(
        unit in re.findall(r"[^\W\d_]+(?:/[^\W\d_]+)?|%", row.heads[i].casefold())
        or any(
            (each.unit, each.factor) == (figure.unit, figure.factor)
            for each in _amounts(row.cells[i], row.heads[i])
        )
        for i in columns
    )


def _in(words: frozenset[str], cell: str) -> bool:
    return any(words & forms(token.text) for token in tokens(cell))


def _within(quantity: Quantity, cell: str) -> bool:
    return quantity.text in cell


def _figures(claim: Statement, row: Row) -> Iterator[tuple[Quantity, tuple[int, ...]]]:
    """Yield each figure of the claim that stands in cells of the row, with their columns."""
    for mine in claim.quantities:
        if _within(mine, row.cells[0]):
            continue
        columns = tuple(
            i for i, cell in enumerate(row.cells)
            if i and any(as_much(mine, other, claim.text) for other in _amounts(cell, row.heads[i]))
        )
        if columns:
            yield mine, columns


@lru_cache(maxsize=4096)
def _amounts(cell: str, head: str) -> tuple[Quantity, ...]:
    """Return the amounts of a cell, as it stands and with the units that its head has in brackets: "Delay (min)"."""
    return (*quantities(cell), *(q for unit in _UNIT.findall(head) for q in quantities(f"{cell} {unit}")))


_UNIT = re.compile(r"[(\[]([^()\[\]\d]{1,12})[)\]]")


def _named(claim: Statement, row: Row) -> Iterator[tuple[Token, int]]:
    """Yield each word of the claim that names one column, and no other."""
    heads = [frozenset(form for t in tokens(head) for form in forms(t.text)) for head in row.heads]
    for token in claim.tokens:
        if token.lower in FUNCTION_WORDS or token.is_number:
            continue
        own = forms(token.text)
        found = [i for i, head in enumerate(heads) if i and (own & head or _shortened(own, head))]
        if len(found) == 1:
            yield token, found[0]


def _shortened(own: frozenset[str], head: frozenset[str]) -> bool:
    return any(len(h) >= _PREFIX and o.startswith(h) for o in own for h in head)


_CLAUSE = re.compile(r"[,;:]\s|\b(?:and|but|while|whereas|against|versus)\b")


def _beside(claim: Statement, figure: Quantity, columns: tuple[int, ...], named: list[tuple[Token, int]]) -> bool:
    """Return whether the columns that are named in a figure's own clause are its columns, or none is."""
    start = max((m.end() for m in _CLAUSE.finditer(claim.text, 0, figure.start)), default=0)
    following = _CLAUSE.search(claim.text, figure.end)
    end = following.start() if following else len(claim.text)
    own = {column for token, column in named if start <= token.start < end}
    return not own or bool(own & set(columns))


def _holds(figures: list[tuple[Quantity, tuple[int, ...]]], named: list[tuple[Token, int]]) -> bool:
    """Return whether each figure stands in the column that is named in front of it, or each in the one behind it."""
    for before in (True, False):
        fits = True
        for figure, columns in figures:
            near = [c for t, c in named if (t.end <= figure.start if before else t.start >= figure.end)]
            if not near or (near[-1] if before else near[0]) not in columns:
                fits = False
        if fits:
            return True
    return False
