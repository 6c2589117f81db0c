"""The count of a stage's units at work in this process: a late answer is waited for as long as the stage goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic


class UnderWay:
    """A counter of busy units; units that only wait for a late answer do not count."""

    def __init__(self) -> None:
        self.units = 0
        self._left = monotonic()

    def over(self, seconds: float) -> bool:
        """Return whether no unit has been at work for so many seconds."""
        return not self.units and monotonic() - self._left > seconds

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count one unit more while the block runs."""
        self.units += 1
        try:
            yield
        finally:
            self.units -= 1
            self._left = monotonic()
