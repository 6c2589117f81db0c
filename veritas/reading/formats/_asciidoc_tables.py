"""Tables of AsciiDoc: cells that a sign begins, or rows of comma- and colon-separated values."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

_CELL = re.compile(
    r"(?:(?:^|(?<=\s))(?:(?:(\d{1,3})?(?:\.\d{1,3})?\+|(\d{1,3})\*)?[<^>]?(?:\.[<^>])?[aehlmsdv]?))?(?<!\\)\|",
    re.MULTILINE,
)
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s,\]]+))")
_MOST_COPIES = 100


def table_rows(lines: list[str], sign: str, style: str, shown: Callable[[str], str]) -> list[str]:
    """Return the rows of a table, a tab between the cells."""
    if sign in ",:" or re.search(r"format\s*=\s*\"?(?:csv|dsv)", style):
        parted_by = ":" if sign == ":" or "dsv" in style else ","
        return _separated([line for line in lines if line.strip()], parted_by, shown)
    if sign == "!":
        lines = [line.replace("!", "|") for line in lines]
    if given := re.search(r"separator\s*=\s*\"?([^\s\",\]])", style):
        lines = [line.replace(given[1], "|") for line in lines]
    width = _width(style) or _first_line(lines)
    cells = _cells("\n".join(lines))
    rows: list[str] = []
    row: list[str] = []
    taken = 0
    for text, span in cells:
        row.append(" ".join(shown(text.replace("\\|", "|").strip()).split()))
        taken += span
        if taken >= width:
            rows.append("\t".join(row).rstrip("\t"))
            row, taken = [], 0
    if row:
        rows.append("\t".join(row).rstrip("\t"))
    return [row for row in rows if row]


def _cells(text: str) -> list[tuple[str, int]]:
    """Return the text of each cell and the columns it takes."""
    found = list(_CELL.finditer(text))
    before = text[: found[0].start()].strip() if found else text.strip()
    cells = [(before, 1)] if before else []
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        said = text[match.end() : end]
        copies = min(int(match[2]), _MOST_COPIES) if match[2] else 1
        cells += [(said, int(match[1]) if match[1] else 1)] * copies
    return cells


def _width(style: str) -> int:
    given = _COLUMNS.search(style)
    if given is None:
        return 0
    count = 0
    for part in re.split(r"[,;]", next(each for each in given.groups() if each is not None)):
        many = re.match(r"\s*(\d{1,3})\*", part)
        count += int(many[1]) if many else 1
    return count


def _first_line(lines: list[str]) -> int:
    """Return the number of cells in the first line, which makes the columns where nothing else does."""
    first = next((line for line in lines if line.strip()), "")
    return max(1, sum(span for _, span in _cells(first)))


def _separated(lines: list[str], sign: str, shown: Callable[[str], str]) -> list[str]:
    try:
        rows = list(csv.reader(lines, delimiter=sign))
    except csv.Error:
        return lines
    return ["\t".join(shown(cell.strip()) for cell in row).rstrip("\t") for row in rows]
