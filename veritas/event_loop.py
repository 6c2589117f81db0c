"""What belongs to one event loop: a runtime outlives its loop where a process does unit after unit, each in its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class OfLoop(Generic[T]):
    """One `T` for each event loop: asyncio's locks and tasks serve none but the loop that waited at them first."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def here(self) -> T:
        """That of the running loop, made when it is first asked for."""
        loop = asyncio.get_running_loop()
        made = self._made.get(loop)
        if made is None:
            made = self._made[loop] = self._make()
        return made
