"""Line numbers of places in a text, for files in which tens of thousands of places are looked up."""

from __future__ import annotations

import re
from bisect import bisect_left


class LineNumbers:
    """An index of line ends, built once. Lines and columns count from 1."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the line of the character at `offset`."""
        return bisect_left(self._ends, offset) + 1

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of the character at `offset`."""
        line = self.at(offset)
        return line, offset - (self._ends[line - 2] if line > 1 else -1)
