"""Captions of figures and tables, and the tables beside their captions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.documents.paper_parts import Figure, Place, Section
from veritas.documents.paper_sections import page_of, section_at
from veritas.text.blocks import blocks

_CAPTION = re.compile(
    r"(?:Refer to caption[ \t\n]+)?"  # LaTeXML's remainder of a picture
    r"(?P<kind>Figure|Fig\.|FIGURE|FIG\.|Table|TABLE|Algorithm|Listing)[ \t]+"
    r"(?P<number>(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?|[IVX]{1,5})"
    r"(?P<mark>[.:—|]|[ \t]+[-–—]|[ \t]+(?=[A-Z]))[ \t]*(?=\S)"
)
_LABEL = re.compile(
    r"\s*(?P<kind>Figure|Fig\.|FIGURE|FIG\.|Table|TABLE)[ \t]+(?P<number>(?:[A-Z]\.?)?\d{1,3}|[IVX]{1,5})\.?\s*"
)
"""A label that is a paragraph of its own, as in JATS: its caption is the next one."""
MAX_CAPTION = 1500
NEAR = 200
"""Most characters between a caption and its table."""
LONE = 80
"""Most characters of a line without cells that may stand between two rows: a heading over those below."""
_LINE = re.compile(r"^[^\n]*", re.MULTILINE)
_BARRED = re.compile(r"\|[^\n]*\||\+[-=+]{3,}\+")


def find_figures(text: str, sections: Sequence[Section], page_starts: Sequence[int] = ()) -> tuple[Figure, ...]:
    """Return the captions in order: paragraphs that begin with `Figure 1:`, `Table II.` and
    the like, or that are such a label alone and stand before the caption."""
    found: list[Figure] = []
    tables = list(find_tables(text))
    captions = []
    parts = list(blocks(text))
    for i, block in enumerate(parts):
        if block.kind in ("code", "table"):
            continue
        alone = _LABEL.fullmatch(text, block.start, block.end)
        if alone is not None:
            follows = parts[i + 1] if i + 1 < len(parts) else None
            told = follows is not None and follows.kind == "prose" and "\t" not in text[follows.start : follows.end]
            captions.append((block.start, follows.end if told and follows is not None else block.end, alone))
            continue
        match = _CAPTION.match(text, block.start)
        if match is not None and match["kind"] not in ("Algorithm", "Listing"):
            captions.append((block.start, block.end, match))
    taken: set[tuple[int, int]] = set()
    starts = [start for start, _, _ in captions]
    for begin, last, match in captions:
        end = min(last, begin + MAX_CAPTION)
        kind = "table" if match["kind"].lower().startswith("tab") else "figure"
        section = section_at(sections, begin)
        near = [
            t for t in tables
            if t not in taken and (0 <= t[0] - end < NEAR or 0 <= begin - t[1] < NEAR)
            and not any(min(t[1], end) <= s < max(t[0], begin) for s in starts)
        ]  # fmt: skip
        body = min(near, key=lambda t: max(t[0] - end, begin - t[1]), default=None) if kind == "table" else None
        if body is not None:
            taken.add(body)
        if body is None and kind == "table" and match.re is _LABEL:
            continue  # a label alone, without a table beside it, may be anything
        inside = section.id if section else None
        found.append(
            Figure(
                kind="table" if kind == "table" else "figure",
                label=f"{'Table' if kind == 'table' else 'Figure'} {match['number']}",
                text=" ".join(text[begin:end].split()),
                place=Place(start=begin, end=end, page=page_of(page_starts, begin), section=inside),
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
    lone = False  # True if the line before has no cells
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
