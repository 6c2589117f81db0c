"""Captions of figures and tables, and the table that stands beside its caption."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.papers.audit_parts import Figure, Place, Section
from veritas.papers.reading.sections import page_of, section_at
from veritas.text.blocks import blocks

_CAPTION = re.compile(
    r"(?:Refer to caption[ \t\n]+)?"  # what LaTeXML leaves of a picture
    r"(?P<kind>Figure|Fig\.|FIGURE|FIG\.|Table|TABLE|Algorithm|Listing)[ \t]+(?P<number>(?:S|A)?\d{1,3}|[IVX]{1,5})"
    r"(?P<mark>[.:—|]|[ \t]+[-–—]|[ \t]+(?=[A-Z]))[ \t]*(?=\S)"
)
MAX_CAPTION = 1500
NEAR = 200
"""Characters between a caption and the table it is of."""


def find_figures(text: str, sections: Sequence[Section], page_starts: Sequence[int] = ()) -> tuple[Figure, ...]:
    """The captions in order: paragraphs that begin with `Figure 1:`, `Table II.` and the like."""
    found: list[Figure] = []
    whole = list(blocks(text))
    tables = [b for b in whole if b.kind == "table"]
    for block in whole:
        if block.kind in ("code", "table"):
            continue
        match = _CAPTION.match(text, block.start)
        if match is None or match["kind"] in ("Algorithm", "Listing"):
            continue
        end = min(block.end, block.start + MAX_CAPTION)
        kind = "table" if match["kind"].lower().startswith("tab") else "figure"
        section = section_at(sections, block.start)
        near = [t for t in tables if 0 <= t.start - block.end < NEAR or 0 <= block.start - t.end < NEAR]
        body = min(near, key=lambda t: abs(t.start - block.end), default=None) if kind == "table" else None
        inside = section.id if section else None
        found.append(
            Figure(
                kind="table" if kind == "table" else "figure",
                label=f"{'Table' if kind == 'table' else 'Figure'} {match['number']}",
                text=" ".join(text[block.start : end].split()),
                place=Place(start=block.start, end=end, page=page_of(page_starts, block.start), section=inside),
                body=None
                if body is None
                else Place(start=body.start, end=body.end, page=page_of(page_starts, body.start), section=inside),
            )
        )
    return tuple(found)
