"""Line numbers at the margin of a draft for reviewers: detect them, and remove them from the text."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

_NUMBER = re.compile(r"(?:\A|\n)[ \t]*(?:- )?(\d{1,4})[ \t]+(?=\S)")
_LEAST = 20
"""Numbered lines below which the numbers count as a list."""


@lru_cache(maxsize=16)
def numbered(text: str) -> bool:
    """Return whether the lines of a text carry their numbers."""
    found = [int(match[1]) for match in _NUMBER.finditer(text)]
    rising = sum(1 <= b - a <= 3 for a, b in pairwise(found))
    return len(found) > _LEAST and rising > 0.7 * len(found)


def without_numbers(part: str) -> str:
    """Return a part of such a text, beginning at a line's start, without them."""
    return _NUMBER.sub("\n", part).strip("\n")
