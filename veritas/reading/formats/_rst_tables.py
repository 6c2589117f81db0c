"""Tables of reStructuredText: ruled ones, lists of lists, and comma-separated values."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*")
GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*")
_HEAD_RULE = re.compile(r"\+(?:=+\+)+\s*")
_INNER_RULE = re.compile(r"\s*-+(?: +-+)*\s*")
_LISTED = re.compile(r"(?P<row>\* +)?- ?(?P<cell>.*)")

Row = tuple[list[str], bool]
"""The cells of a row, and whether they name the columns."""


def ruled(lines: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table ruled with `===== =====` or `+----+----+`."""
    return _grid(lines) if lines[0].lstrip().startswith("+") else _simple(lines)


def _simple(lines: Sequence[str]) -> Iterator[Row]:
    """Yield rows; a line with an empty first cell continues the row above."""
    columns = [match.span() for match in re.finditer("=+", lines[0])]
    spans = [(start, columns[i + 1][0] if i + 1 < len(columns) else None) for i, (start, _) in enumerate(columns)]
    rules = [at for at, line in enumerate(lines) if SIMPLE_RULE.fullmatch(line.strip())]
    body = rules[1] if len(rules) > 2 else 0
    rows: list[Row] = []
    for at, line in enumerate(lines[1:], 1):
        if at in rules or _INNER_RULE.fullmatch(line):
            continue
        cells = [line[start:end].strip() for start, end in spans]
        if rows and not cells[0] and rows[-1][1] == (at < body):
            rows[-1] = ([f"{above} {cell}".strip() for above, cell in zip(rows[-1][0], cells, strict=True)], at < body)
        else:
            rows.append((cells, at < body))
    return iter(rows)


def _grid(lines: Sequence[str]) -> Iterator[Row]:
    ends = next((at for at, line in enumerate(lines) if _HEAD_RULE.fullmatch(line.strip())), 0)
    row: list[str] = []
    for at, line in enumerate(map(str.strip, lines)):
        if line.startswith("+"):
            if row:
                yield row, at <= ends
            row = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(row) == len(cells):
            row = [f"{above} {cell}".strip() for above, cell in zip(row, cells, strict=True)]
        elif row:
            row[-1] = f"{row[-1]} {' '.join(cells)}"
        else:
            row = cells
    if row:
        yield row, False


def listed(lines: Sequence[str], heads: int) -> Iterator[Row]:
    """Yield the rows of a table that is a list of lists; the first `heads` of them name the columns."""
    rows: list[list[str]] = []
    for line in lines:
        found = _LISTED.match(line) if line.startswith("*") else _LISTED.match(line.strip())
        if found and (found["row"] or (rows and line.startswith("  -"))):
            if found["row"]:
                rows.append([])
            rows[-1].append(found["cell"].strip())
        elif rows and rows[-1]:
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return ((row, at < heads) for at, row in enumerate(rows))


def separated(lines: Sequence[str], header: str, heads: int) -> Iterator[Row]:
    """Yield the rows of comma-separated values; `header` is a row that names the columns, in the same form."""
    for at, row in enumerate(csv.reader([*([header] if header else []), *lines], skipinitialspace=True)):
        if row:
            yield [" ".join(cell.split()) for cell in row], at < heads + bool(header)
