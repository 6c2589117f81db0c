"""The verbatim check (I1): is a quote, after whitespace normalisation alone, a substring of a stored document?

Whitespace normalisation folds every run of Unicode whitespace to one space and trims the ends; nothing else is
forgiven: not case, not dashes, not quotes, not one letter, not an invisible character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

_SPACE = re.compile(r"\s+")

MIN_QUOTE = 8
"""Shortest quote, in characters after normalisation, that can ground a claim. Below that nearly anything matches."""


def fold_whitespace(text: str) -> str:
    """`text` with every run of whitespace as one space and none at the ends."""
    return _SPACE.sub(" ", text).strip()


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The folded text (untrimmed) and, for each break, its folded position and how far the original is ahead there."""
    pieces: list[str] = []
    marks: list[int] = [0]
    shifts: list[int] = [0]
    length = at = 0
    for run in _SPACE.finditer(text):
        pieces.append(text[at : run.start()])
        length += run.start() - at
        pieces.append(" ")
        length += 1
        at = run.end()
        if run.end() - run.start() > 1:
            marks.append(length)
            shifts.append(at - length)
    pieces.append(text[at:])
    return "".join(pieces), tuple(marks), tuple(shifts)


def locate(quote: str, text: str, *, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Offsets `[start, end)` of the first place in `text` where `quote` stands verbatim, or None.

    `within` keeps the search to a part of `text`. The slice `text[start:end]` equals `quote` after whitespace folding.
    A quote shorter than `MIN_QUOTE` characters is never found.
    """
    wanted = fold_whitespace(quote)
    if len(wanted) < MIN_QUOTE:
        return None
    base, stop = within if within is not None else (0, len(text))
    part = text[base:stop] if within is not None else text
    folded, marks, shifts = _folded(part)
    at = folded.find(wanted)
    if at < 0:
        return None

    def original(position: int) -> int:
        return position + shifts[bisect_right(marks, position) - 1]

    return base + original(at), base + original(at + len(wanted) - 1) + 1


def is_verbatim(quote: str, text: str) -> bool:
    """I1, as a yes or no."""
    return locate(quote, text) is not None
