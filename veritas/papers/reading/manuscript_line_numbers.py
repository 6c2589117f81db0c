"""Line numbers of a manuscript under review: detect them in the text, and remove them before it is stored."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"^[ \t]*(?:[-*•][ \t]+)?(\d{1,4})(?:[ \t]+(?=\S)|[ \t]*$)", re.MULTILINE)
LEAST = 30
"""Numbered lines below which the numbers may be those of a list."""


def without_line_numbers(text: str, page_starts: tuple[int, ...] = ()) -> tuple[str, tuple[int, ...], int]:
    """Return the text without its line numbers, the pages' new offsets, and the count: 0 and the same text for any
    other paper.

    Numbers at the beginning of lines count as line numbers if they rise by one to four, on at least half of the
    lines; those out of order are the text's own.
    """
    marks = list(_NUMBERED.finditer(text))
    if len(marks) < LEAST:
        return text, page_starts, 0
    chain: list[re.Match[str]] = []
    last = 0
    for mark in marks:
        number = int(mark[1])
        if last < number <= last + 4:
            chain.append(mark)
            last = number
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    if len(chain) < max(LEAST, 0.5 * lines):
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
