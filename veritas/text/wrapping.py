"""Text wrapped to the columns of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator


def columns(text: str) -> int:
    """Return how many columns a terminal gives the text: wide East Asian letters two, combining marks none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def wrap(text: str, width: int, first: str = "", rest: str = "") -> Iterator[str]:
    """Yield lines of at most `width` columns, the first led by `first`, others by `rest`; longer words are broken."""
    line, lead, words = first, first, text.split()
    for word in words:
        glue = "" if line == lead else " "
        if glue and columns(line + glue + word) > width:
            yield line
            line, lead, glue = rest, rest, ""
        while columns(line + glue + word) > width and columns(word) > 1:
            room, cut = max(width - columns(line + glue), 1), 0
            while cut < len(word) and columns(word[: cut + 1]) <= room:
                cut += 1
            yield line + glue + word[: max(cut, 1)]
            word, line, lead, glue = word[max(cut, 1) :], rest, rest, ""
        line += glue + word
    if line != lead or not words:
        yield line
