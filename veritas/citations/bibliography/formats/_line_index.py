"""Line numbers of places in a text, for files in which tens of thousands of places are looked up."""

from __future__ import annotations

import re
from bisect import bisect_left


class LineNumbers:
    """An index of line ends, built once. Lines count from 1."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the line of the character at `offset`."""
        return bisect_left(self._ends, offset) + 1
