"""Captions of figures and tables, and the tables beside their captions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.documents.paper_parts import Figure, Place, Section
from veritas.documents.paper_sections import page_of, section_at
from veritas.text.blocks import blocks

_CAPTION = re.compile(
    r"(?:Refer to caption[ \t\n]+)?"  # what LaTeXML leaves of a picture
    r"(?P<kind>Figure|Fig\.|FIGURE|FIG\.|Table|TABLE|Algorithm|Listing)[ \t]+"
    r"(?P<number>(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?|[IVX]{1,5})"
    r"(?P<mark>[.:—|]|[ \t]+[-–—]|[ \t]+(?=[A-Z]))[ \t]*(?=\S)"
)
MAX_CAPTION = 1500
NEAR = 200
"""Most characters between a caption and its table."""
LONE = 80
"""Most characters of a line without cells that may stand between two rows: a heading over those below."""
_LINE = re.compile(r"^[^\n]*", re.MULTILINE)
_BARRED = re.compile(r"\|[^\n]*\||\+[-=+]{3,}\+")


def find_figures(text: str, sections: Sequence[Section], page_starts: Sequence[int] = ()) -> tuple[Figure, ...]:
    """Return the captions in order: paragraphs that begin with `Figure 1:`, `Table II.` and the like."""
    found: list[Figure] = []
    tables = list(find_tables(text))
    captions = []
    for block in blocks(text):
        match = _CAPTION.match(text, block.start) if block.kind not in ("code", "table") else None
        if match is not None and match["kind"] not in ("Algorithm", "Listing"):
            captions.append((block, match))
    taken: set[tuple[int, int]] = set()
    starts = [block.start for block, _ in captions]
    for block, match in captions:
        end = min(block.end, block.start + MAX_CAPTION)
        kind = "table" if match["kind"].lower().startswith("tab") else "figure"
        section = section_at(sections, block.start)
        near = [
            t for t in tables
            if t not in taken and (0 <= t[0] - end < NEAR or 0 <= block.start - t[1] < NEAR)
            and not any(min(t[1], end) <= s < max(t[0], block.start) for s in starts)
        ]  # fmt: skip
        body = min(near, key=lambda t: max(t[0] - end, block.start - t[1]), default=None) if kind == "table" else None
        if body is not None:
            taken.add(body)
        inside = section.id if section else None
        found.append(
            Figure(
                kind="table" if kind == "table" else "figure",
                label=f"{'Table' if kind == 'table' else 'Figure'} {match['number']}",
                text=" ".join(text[block.start : end].split()),
                place=Place(start=block.start, end=end, page=page_of(page_starts, block.start), section=inside),
                body=None
                if body is None
                else Place(start=body[0], end=body[1], page=page_of(page_starts, body[0]), section=inside),
            )
        )
    return tuple(found)


def find_tables(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of rows whose cells a tab or a bar separates: `[start, end)` from the first row to the last, whole
    lines. A single line is a table only if it has three cells."""
    rows: list[tuple[int, int]] = []
    lone = False  # the line before has no cells
    for line in _LINE.finditer(text):
        (start, end), bare = line.span(), line[0].strip()
        if "\t" in bare or _BARRED.fullmatch(bare):
            rows.append((start, end))
            lone = False
        elif rows and (lone or not 0 < len(bare) <= LONE or _CAPTION.match(text, start, end)):
            yield from _table(text, rows)
            rows, lone = [], False
        else:
            lone = bool(rows)
    yield from _table(text, rows)


def _table(text: str, rows: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    if len(rows) > 1 or any(text.count("\t", *row) > 1 or "|" in text[slice(*row)] for row in rows):
        yield rows[0][0], rows[-1][1]
