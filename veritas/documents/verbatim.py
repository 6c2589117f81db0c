"""The verbatim check (I1): whether a quote, after whitespace normalisation alone, is a substring of a stored document.

Whitespace normalisation folds every run of Unicode whitespace to one space and trims the ends. No other difference is
allowed: not case, not dashes, not quotes, not a letter, not an invisible character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

_RUN = re.compile(r"\s+")
_LONG_RUN = re.compile(r"\s{2,}")

MIN_QUOTE = 8
"""Shortest quote, in characters after normalisation, that can ground a claim. Shorter ones match nearly anything."""


def fold_whitespace(text: str) -> str:
    """Return `text` with every run of whitespace as one space and none at the ends."""
    # str.split and the pattern \s agree on what whitespace is; split is twice as fast.
    return " ".join(text.split())


@lru_cache(maxsize=64)
def _folded(text: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Return the folded text (untrimmed), the folded position after each shortened run, and the offset of the original
    from there on. Cached, because the same document is searched for many quotes."""
    marks: list[int] = [0]
    shifts: list[int] = [0]
    ahead = 0
    for run in _LONG_RUN.finditer(text):
        ahead += run.end() - run.start() - 1
        marks.append(run.end() - ahead)
        shifts.append(ahead)
    return _RUN.sub(" ", text), tuple(marks), tuple(shifts)


def locate(quote: str, text: str, *, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Return the offsets `[start, end)` of the first place in `text` where `quote` occurs verbatim, or None.

    `within` limits the search to a part `[start, end)` of `text`. The slice `text[start:end]` equals `quote` after
    whitespace folding and neither begins nor ends with whitespace. A quote shorter than `MIN_QUOTE` characters is never
    found.
    """
    wanted = fold_whitespace(quote)
    if len(wanted) < MIN_QUOTE:
        return None
    if within is None:
        base, (folded, marks, shifts) = 0, _folded(text)
    else:
        base = max(0, within[0])
        # A part is seldom asked for twice: it must not push whole documents out of the cache.
        folded, marks, shifts = _folded.__wrapped__(text[base : max(base, within[1])])
    at = folded.find(wanted)
    if at < 0:
        return None

    def original(position: int) -> int:
        return base + position + shifts[bisect_right(marks, position) - 1]

    return original(at), original(at + len(wanted) - 1) + 1


def is_verbatim(quote: str, text: str) -> bool:
    """Return whether `quote` occurs verbatim in `text` (I1)."""
    return locate(quote, text) is not None
