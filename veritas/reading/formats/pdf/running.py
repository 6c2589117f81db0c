"""What runs along the pages without being text: headers, footers and page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from veritas.reading.formats.pdf.segments import Segment

_TOP, _FOOT = 0.09, 0.12
"""Shares of the page's height in which headers and footers stand: running text often begins below the first tenth."""
_NUMBER = re.compile(
    r"(?:page|p\.|seite)?\s*[-–—|]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|]?(?:\s*(?:of|/|von)\s*\d{1,4})?", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b")


def without_running_heads(pages: Sequence[Sequence[Segment]], heights: Sequence[float]) -> list[list[Segment]]:
    """The pages without lone page numbers at their edges, and without what recurs at one height of the edge, numbers
    aside: on two pages of a short document, on three of one of six pages or more."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, (page, height) in enumerate(zip(pages, heights, strict=True)):
        for segment in page:
            if _in_zone(segment, height):
                for mark in _marks(segment):
                    seen[mark].add(number)
    enough = 3 if len(pages) >= 6 else 2
    kept = []
    for page, height in zip(pages, heights, strict=True):
        edge = [segment for segment in page if _in_zone(segment, height)]
        drop = {
            id(segment)
            for segment in edge
            if any(len(seen[mark]) >= enough for mark in _marks(segment))
            or (_NUMBER.fullmatch(segment.text) and _is_outermost(segment, page))
        }
        kept.append([segment for segment in page if id(segment) not in drop])
    return kept


def _in_zone(segment: Segment, height: float) -> bool:
    return segment.top < _FOOT * height or segment.bottom > (1 - _TOP) * height


def _marks(segment: Segment) -> tuple[tuple[str, int], ...]:
    """What a running head is known by: its words without numbers, at its height to within two points."""
    words = _DIGITS.sub("#", segment.text.casefold()).strip()
    at = int(segment.bottom // 2)
    return (words, at), (words, at + 1)


def _is_outermost(segment: Segment, page: Sequence[Segment]) -> bool:
    return not any(other.bottom > segment.top for other in page) or not any(
        other.top < segment.bottom for other in page
    )
