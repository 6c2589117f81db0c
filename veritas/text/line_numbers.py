"""Line numbers at the margin of a manuscript under review: detect and remove them."""

from __future__ import annotations

import re
from functools import lru_cache

_NUMBERED = re.compile(r"^[ \t]*(?:[-*•][ \t]+)?(\d{1,4})(?:[ \t]+(?=\S)|[ \t]*$)", re.MULTILINE)
LEAST = 30
"""Numbered lines below which the numbers may be those of a list."""


@lru_cache(maxsize=16)
def has_line_numbers(text: str) -> bool:
    """Return whether the lines of a text have their numbers at the margin."""
    return bool(_margin(text))


def without_margin(part: str) -> str:
    """Return a part of such a text, beginning at a line's start, without the numbers at its lines."""
    return _NUMBERED.sub("", part).strip("\n")


def without_line_numbers(text: str, page_starts: tuple[int, ...] = ()) -> tuple[str, tuple[int, ...], int]:
    """Return the text without its line numbers, the pages' new offsets, and the count: 0 and the same text for any
    other text."""
    chain = _margin(text)
    if not chain:
        return text, page_starts, 0
    pieces: list[str] = []
    starts = list(page_starts)
    at = gone = page = 0
    for mark in chain:
        while page < len(starts) and page_starts[page] <= mark.start(1):
            starts[page] = page_starts[page] - gone
            page += 1
        pieces.append(text[at : mark.start(1)])
        at = mark.end()
        gone += mark.end() - mark.start(1)
    for rest in range(page, len(starts)):
        starts[rest] = page_starts[rest] - gone
    pieces.append(text[at:])
    return "".join(pieces), tuple(starts), len(chain)


def _margin(text: str) -> list[re.Match[str]]:
    """Return the line numbers of a text; none if its numbers are no line numbers.

    Numbers at the beginning of lines count as line numbers if they rise by one to four, on at least half of the
    lines; those out of order are the text's own.
    """
    marks = list(_NUMBERED.finditer(text))
    if len(marks) < LEAST:
        return []
    chain: list[re.Match[str]] = []
    last = 0
    for mark in marks:
        number = int(mark[1])
        if last < number <= last + 4:
            chain.append(mark)
            last = number
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    return chain if len(chain) >= max(LEAST, 0.5 * lines) else []
