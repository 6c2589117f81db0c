"""How many units of a stage are at work in this process: a late answer is waited for as long as the stage goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic


class UnderWay:
    """Counts the units that are busy with what they have to do; those that wait for a late answer alone are not."""

    def __init__(self) -> None:
        self.units = 0
        self._left = monotonic()

    def over(self, seconds: float) -> bool:
        """Whether nobody has been at work for so long."""
        return not self.units and monotonic() - self._left > seconds

    @contextmanager
    def one(self) -> Iterator[None]:
        """One more while the block is carried out."""
        self.units += 1
        try:
            yield
        finally:
            self.units -= 1
            self._left = monotonic()
