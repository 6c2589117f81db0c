"""Tables: totals against their rows and columns, and counts with percentages against the column's N."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veritas.papers.referee.finding import Check, Draft

_TOTAL = re.compile(
    r"^\W*(?:(?:grand |sub-?)?totals?|all|overall|sum)\W*(?:\(?\s*[nN%]?\s*(?:=\s*\d+)?\s*\)?)?\W*$", re.I
)
_COUNT = re.compile(r"^\d{1,3}(?:,\d{3})+$|^\d{1,7}$")
_COUNT_SHARE = re.compile(r"^(?P<count>\d{1,3}(?:,\d{3})+|\d{1,7})\s?\(\s?(?P<share>\d{1,3}(?:\.\d{1,2})?)\s?%?\s?\)$")
_HEAD_N = re.compile(r"\b[nN]\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,7})\b")
_MEANS = re.compile(
    r"\b(?:mean|median|SD|IQR|range|year|rate|ratio|score|index|average|p[- ]?value|rank|id|age)\b|\bno\.?$", re.I
)
_KINDS = re.compile(
    r"\b(?:species|genera|genus|famil(?:y|ies)|taxa|haplotypes?|alleles?|genes?|unique|distinct|different|kinds?|types?"
    r"|shared|richness|diversity)\b",
    re.IGNORECASE,
)
"""Words of numbers of kinds. Groups may share a kind, so the number of all is not the sum."""
_LABEL_MEANS = re.compile(r"\b(?:mean|median|SD|IQR|range|±)\b|\[", re.I)


@dataclass(frozen=True)
class Grid:
    """A table as rows of cells, each (text, start, end) in the paper's text."""

    name: str
    start: int
    end: int
    rows: tuple[tuple[tuple[str, int, int], ...], ...]


def grid_of(text: str, start: int, end: int, name: str) -> Grid | None:
    """Return the cells of a table of the text whose cells tabs separate; None if its rows differ in length."""
    rows = []
    at = start
    for line in text[start:end].splitlines(keepends=True):
        if "\t" in line:
            cells, begin = [], at
            for cell in line.rstrip("\r\n").split("\t"):
                bare = cell.strip()
                lead = len(cell) - len(cell.lstrip())
                cells.append((bare, begin + lead, begin + lead + len(bare)))
                begin += len(cell) + 1
            rows.append(tuple(cells))
        at += len(line)
    if len(rows) < 3 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return None
    return Grid(name or "the table", start, end, tuple(rows))


def table_sums(grid: Grid) -> Iterator[Draft | Check]:
    """Yield totals that are not the sum of their column or row. A total is sure only if the table itself shows the
    rule: two or more other totals of the same rows (or columns) add up, and no other one fails."""
    turned = tuple(zip(*grid.rows, strict=True))
    made = [*_sums(grid, grid.rows, by_column=True), *_sums(grid, turned, by_column=False)]
    yield from (each for each in made if not isinstance(each, Draft))
    yield from _of_one_cell([each for each in made if isinstance(each, Draft)])


def _of_one_cell(drafts: list[Draft]) -> list[Draft]:
    """Return the drafts of a column and a row, as one if both hold once the cell that they share is mended."""
    if len(drafts) != 2:
        return drafts
    (first, off), (second, other) = ((draft, _off(draft)) for draft in drafts)
    for cell in {span[1:] for span in first.inputs} & {span[1:] for span in second.inputs}:
        if cell in (first.inputs[0][1:], second.inputs[0][1:]):
            if off == -other:
                return [first if cell == first.inputs[0][1:] else second]
        elif off == other:
            right = f"the two totals were both off by {off:+d}"
            return [replace(first, start=cell[0], end=cell[1], calculation=f"{first.calculation}; {second.calculation}",
                            recomputed=f"{first.recomputed} and {second.recomputed}, unless the cell that they share"
                            f" were {off:+d}", right_if=right)]  # fmt: skip
    return drafts


def _off(draft: Draft) -> int:
    """Return by how much a total is more than its parts."""
    return (_number(draft.says.rpartition(": ")[2]) or 0) - int(draft.recomputed)


ROWS = 5
"""Rows whose percentages make up 100 before another row is odd."""
CAPTION = 200
"""Characters before a table's cells in which its sign of per cent stands."""
_PER_CENT = re.compile(r"^(?:\d{1,7}\s?\(\s?)?(?P<share>\d{1,3}(?:\.\d{1,2})?)\s?%?\s?\)?$")


def share_rows(text: str, grid: Grid) -> Iterator[Draft | Check]:
    """Yield rows of percentages that do not make up 100, in a table all of whose other rows do."""
    if "%" not in text[max(0, grid.start - CAPTION) : grid.end]:
        return
    held, odd = 0, []
    for row in grid.rows[1:]:
        found = [_PER_CENT.match(cell[0]) for cell in row[1:]]
        shares = [float(match["share"]) for match in found if match]
        if len(shares) < max(2, len(row) - 1):
            continue
        unit = max(10.0 ** -len(match["share"].partition(".")[2]) for match in found if match)
        total = sum(shares)
        if abs(total - 100) <= unit * (1 + len(shares) / 2):
            held += 1
        else:
            odd.append((row, shares, total))
    if held < ROWS or len(odd) > 1:
        return
    for _ in range(held + len(odd)):
        yield "table-sum"
    for row, shares, total in odd:
        yield Draft(
            "table-sum", "error", row[1][1], row[-1][2],
            f"{grid.name}, {row[0][0]}: " + ", ".join(cell[0] for cell in row[1:]), f"{total:.1f} % in all",
            f"{' + '.join(f'{share:g}' for share in shares)} = {total:.1f} %",
            f"the rounding of each; {held} other rows make up 100 %",
            "what is counted in this row was in no column, or in several",
            tuple((f"part {i}", cell[1], cell[2]) for i, cell in enumerate(row[1:], 1)),
        )  # fmt: skip


def _sums(grid: Grid, rows: Sequence[Sequence[tuple[str, int, int]]], *, by_column: bool) -> Iterator[Draft | Check]:
    """Read `rows` as lines with a label first; a line labelled "Total" holds the sums of the lines beside it."""
    lines = [i for i, row in enumerate(rows) if i and _TOTAL.match(row[0][0])]
    if len(lines) != 1:
        return
    total = lines[0]
    others = [i for i in range(1, len(rows)) if i != total and any(_number(c[0]) is not None for c in rows[i][1:])]
    if total not in (1, len(rows) - 1) or len(others) < 2:
        return
    if any(_MEANS.search(rows[i][0][0]) for i in others):
        return
    fits, breaks = 0, []
    for column in range(1, len(rows[0])):
        head = rows[0][column][0]
        cells = [rows[i][column] for i in others]
        numbers, said = [_number(c[0]) for c in cells], _number(rows[total][column][0])
        if said is None or any(n is None for n in numbers) or _MEANS.search(head) or _KINDS.search(head):
            continue
        yield "table-sum"
        made = sum(n for n in numbers if n is not None)
        if made == said:
            fits += 1 if made else 0
        else:
            breaks.append((column, cells, said, made))
    if len(breaks) != 1 or fits < 2:
        return
    column, cells, said, made = breaks[0]
    of = rows[total][column]
    if abs(made - said) > 0.5 * max(made, said):
        return  # another kind of column
    name = rows[0][column][0] or f"{'column' if by_column else 'row'} {column}"
    yield Draft(
        "table-sum", "error", of[1], of[2], f"{grid.name}, {name}: {of[0]}", f"{made}",
        f"{' + '.join(c[0] for c in cells)} = {made}", f"none: these are counts, and {fits} other totals add up",
        f"the others held {said - made:+g}",
        (("total", of[1], of[2]), *((f"part {i}", c[1], c[2]) for i, c in enumerate(cells, 1))),
    )  # fmt: skip


def table_shares(grid: Grid) -> Iterator[Draft | Check]:
    """Yield cells "23 (45.1)" whose share is not that of the column's N. A column is sure only if at least four cells
    and four in five of them agree with its N, so a row with missing values accuses nobody of more than itself."""
    for column in range(1, len(grid.rows[0])):
        heads = [row[column] for row in grid.rows[:3]]
        named = next(((h, m) for h in heads for m in [_HEAD_N.search(h[0])] if m), None)
        if named is None:
            continue
        n = int(named[1]["n"].replace(",", ""))
        if n < 2:
            continue
        agree, odd = 0, []
        for row in grid.rows[1:]:
            match = _COUNT_SHARE.match(row[column][0])
            if match is None or _LABEL_MEANS.search(row[0][0]):
                continue
            count, share = int(match["count"].replace(",", "")), float(match["share"])
            yield "share"
            places = len(match["share"].partition(".")[2])
            if abs(100 * count / n - share) <= 1.001 * 10.0**-places:
                agree += 1
            else:
                odd.append((row, match, count, share, places))
        if len(odd) != 1 or agree < 4:
            continue
        row, match, count, share, places = odd[0]
        of = row[column]
        if share and count / (share / 100) < n * 0.999 and not _whole_group(grid, column, row, n):
            continue  # values may be missing in this row
        made = 100 * count / n
        head = named[0]
        yield Draft(
            "share", "error", of[1], of[2], f"{grid.name}, {row[0][0]}: {of[0]}",
            f"{count} ({made:.{max(places, 1)}f})", f"100 × {count} / {n} = {made:.{places + 2}f}",
            f"one unit of the last digit; {agree} other cells agree with N = {n}",
            f"N were about {count * 100 / share:.0f} in this row" if share else f"the share were {made:.1f} %",
            (("cell", of[1], of[2]), ("N", head[1] + named[1].start("n"), head[1] + named[1].end("n"))),
        )  # fmt: skip


def _whole_group(grid: Grid, column: int, row: Sequence[tuple[str, int, int]], n: int) -> bool:
    """Return whether the row stands among neighbours whose counts make up N: then no value is missing."""
    at = next(i for i, each in enumerate(grid.rows) if each is row)
    counts: list[int | None] = []
    for each in grid.rows:
        match = _COUNT_SHARE.match(each[column][0])
        counts.append(int(match["count"].replace(",", "")) if match else None)
    for first in range(max(0, at - 6), at + 1):
        total = 0
        for last in range(first, min(len(counts), first + 8)):
            number = counts[last]
            if number is None:
                break
            total += number
            if total == n and first <= at <= last and last > first:
                return True
    return False


def _number(text: str) -> int | None:
    bare = text.strip()
    match = _COUNT_SHARE.match(bare)
    if match is not None:
        bare = match["count"]
    return int(bare.replace(",", "")) if _COUNT.match(bare) else None
