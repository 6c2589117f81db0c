"""Tables of tbl: options, formats, and rows whose cells a tab or another sign parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


def table_rows(lines: list[str], plain: Callable[[str], str]) -> list[str]:
    """Return the rows of the lines between `.TS` and `.TE`, with tabs between the cells."""
    sign = "\t"
    if lines and lines[0].rstrip().endswith(";"):
        if given := re.search(r"tab\s*\(?\s*(\S)\s*\)", lines[0]):
            sign = given[1]
        lines = lines[1:]
    rows = []
    for row in _rows(_without_formats(lines), sign):
        cells = ["" if cell.strip() in ("\\^", "_", "=", "\\_") else " ".join(plain(cell).split()) for cell in row]
        if any(cells):
            rows.append("\t".join(cells).rstrip("\t"))
    return rows


def _without_formats(lines: list[str]) -> Iterator[str]:
    formats = True
    for line in lines:
        if formats:
            formats = not line.rstrip().endswith(".")
        elif line.startswith(".T&"):
            formats = True
        elif re.match(r"\.(?:sp|br|PP|P|ft|nf|fi|\\\")\b", line):
            continue
        elif line.strip() not in ("_", "="):
            yield re.sub(r"^\.(?:B|I|BR|R)\s+", "", line)


def _rows(lines: Iterator[str], sign: str) -> Iterator[list[str]]:
    """Yield the cells of each row; a cell between `T{` and `T}` goes over lines."""
    cells: list[str] = []
    inside: list[str] | None = None
    for line in lines:
        if inside is not None:
            if not line.startswith("T}"):
                inside.append(line)
                continue
            cells.append(" ".join(inside))
            inside, rest = None, line[2:].removeprefix(sign)
            parts = rest.split(sign) if line[2:].startswith(sign) else []
        else:
            parts = line.split(sign)
        for part in parts:
            if part.strip() == "T{":
                inside = []
            else:
                cells.append(part)
        if inside is None:
            yield cells
            cells = []
    if cells or inside:
        yield [*cells, " ".join(inside or [])]
