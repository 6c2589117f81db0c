"""What was worked out for parts of a text, kept while the text is looked at again with each key that is pressed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

_MOST = 8_000_000
"""Most signs of the texts of one generation, each with `_MORE` for what is kept of it: more than a text has that is
looked through."""
_MORE = 200


class KeptWork:
    """Results by what they depend on, in two generations: when the younger one is full, the older one is forgotten.

    Whatever was asked for since the last turn is still there, so a text that is smaller than a generation is never
    worked out twice. Several threads may use it: a race only costs that something is worked out again.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most, self._signs = most, 0
        self._young: dict[Hashable, Any] = {}
        self._old: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, of: Hashable, signs: int, work: Callable[[], T]) -> T:
        """Return what `work` returns, or returned when it was asked for with the same key `of`, which holds all that
        the result depends on. `signs` is about how many characters key and result have. The result is shared: nobody
        may change it."""
        found = self._young.get(of, self)
        if found is not self:
            return found  # type: ignore[no-any-return]
        found = self._old.get(of, self)
        if found is self:
            found = work()
        if self._signs + signs + _MORE > self._most:
            self._young, self._old, self._signs = {}, self._young, 0
        self._young[of] = found
        self._signs += signs + _MORE
        return found  # type: ignore[no-any-return]
