"""Places in a text as an editor counts them: lines, and columns in the units that it agreed on (UTF-16 by default)."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class Lines:
    """The lines of a text whose only line end is `\\n`.

    A language server's line ends with `\\n`, `\\r\\n` or `\\r`, and with nothing else that Python takes for a line end.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self._encoding = encoding
        self._starts = list(accumulate(map((1).__add__, map(len, text.split("\n")[:-1])), initial=0))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, from 0, of a character."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return line, self._units(self.text[self._starts[line] : offset])

    def holds(self, line: int) -> bool:
        """Return whether the text has a line of this number, from 0."""
        return 0 <= line < len(self._starts)

    def offset(self, line: int, column: int) -> int:
        """Return the character at a line and column; a place outside the text is its nearest end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        row = self.text[start:end]
        if row.isascii() or self._encoding == "utf-32":
            return start + max(0, min(column, len(row)))
        passed = 0
        for number, sign in enumerate(row):
            if passed >= column:
                return start + number
            passed += self._units(sign)
        return end

    def _units(self, part: str) -> int:
        if part.isascii() or self._encoding == "utf-32":
            return len(part)
        if self._encoding == "utf-8":
            return len(part.encode("utf-8", "surrogatepass"))
        return len(part) + sum(sign > "\uffff" for sign in part)
