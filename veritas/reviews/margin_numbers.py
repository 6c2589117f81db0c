"""The numbers that a draft for reviewers prints at the margin of every line: found, and taken out of what is said."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

_NUMBER = re.compile(r"(?:\A|\n)[ \t]*(?:- )?(\d{1,4})[ \t]+(?=\S)")
_LEAST = 20
"""Lines that must be numbered: shorter lists are lists."""


@lru_cache(maxsize=16)
def numbered(text: str) -> bool:
    """Whether the lines of a text carry their numbers."""
    found = [int(match[1]) for match in _NUMBER.finditer(text)]
    rising = sum(1 <= b - a <= 3 for a, b in pairwise(found))
    return len(found) > _LEAST and rising > 0.7 * len(found)


def without_numbers(part: str) -> str:
    """A part of such a text, from a line's beginning on, without them."""
    return _NUMBER.sub("\n", part).strip("\n")
