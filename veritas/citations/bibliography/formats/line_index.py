"""The line of a place in a text, for files of which tens of thousands of places are asked about."""

from __future__ import annotations

import re
from bisect import bisect_left


class LineNumbers:
    """Lines count from 1; the ends of all lines are found once."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """The line in which the character at `offset` stands."""
        return bisect_left(self._ends, offset) + 1
