"""Removal of headers, footers and page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from veritas.reading.formats.pdf._segments import Segment, ShownPage

_TOP, _FOOT = 0.09, 0.12
"""Shares of the page's height for headers and footers: running text often begins below the first tenth."""
_MARGIN = 0.085
_NUMBER_ZONE = 0.15
"""Share of the page's height for a number that stands alone above or below all else."""
_NUMBER = re.compile(
    r"(?:page|p\.|seite)?\s*[-–—|]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|]?(?:\s*(?:of|/|von)\s*\d{1,4})?", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b")


def without_running_heads(pages: Sequence[ShownPage]) -> list[list[Segment]]:
    """Remove lone page numbers at the edges, and text that recurs at one height of the edge, numbers aside: on two
    pages of a short document, on three of one of six pages or more."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, page in enumerate(pages):
        for segment in page.segments:
            if _in_zone(segment, page.height):
                for mark in _marks(segment):
                    seen[mark].add(number)
    enough = 3 if len(pages) >= 6 else 2

    def runs(segment: Segment, page: ShownPage) -> bool:
        recurs = _in_zone(segment, page.height) and any(len(seen[mark]) >= enough for mark in _marks(segment))
        return recurs or _is_page_number(segment, page)

    return [[segment for segment in page.segments if not runs(segment, page)] for page in pages]


def _in_zone(segment: Segment, height: float) -> bool:
    # Figures alone may be the last row of a table, so they must stand in the margin.
    foot = _FOOT if sum(map(str.isalpha, segment.text)) > 2 else _MARGIN
    return segment.top < foot * height or segment.bottom > (1 - _TOP) * height


def _marks(segment: Segment) -> tuple[tuple[str, int], ...]:
    """Return the marks of a running head: its words without numbers, at its height to within two points."""
    words = _DIGITS.sub("#", segment.text.casefold()).strip()
    at = int(segment.bottom // 2)
    return (words, at), (words, at + 1)


def _is_page_number(segment: Segment, page: ShownPage) -> bool:
    if not _NUMBER.fullmatch(segment.text):
        return False
    # Nothing may stand further out or beside it: the last row of a table is no page number.
    others = [other for other in page.segments if other is not segment]
    if segment.top < _NUMBER_ZONE * page.height:
        return all(other.bottom >= segment.top for other in others)
    if segment.bottom > (1 - _NUMBER_ZONE) * page.height:
        return all(other.top <= segment.bottom for other in others)
    return False
