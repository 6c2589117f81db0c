"""The active run as its units see it: its cancel mark, and the callback for finished units."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TypeVar

from veritas.claims.graph import Call
from veritas.context_value import within
from veritas.errors import Cancelled

T = TypeVar("T")
LOOKED_EVERY = 0.2
"""Seconds between two looks at the cancel mark while something is waited for that can be given up."""


class CurrentRun:
    """An active run. `asked_to_stop` checks the cancel mark; `skipped` is true if a unit was not started because of it,
    so that its stage is incomplete."""

    def __init__(self, asked_to_stop: Callable[[], bool], on_done: Callable[[Sequence[Call]], None]) -> None:
        self.asked_to_stop, self.on_done = asked_to_stop, on_done
        self.skipped = False

    def stopping(self) -> bool:
        """Return whether no further unit may start, because the run was asked to stop."""
        self.skipped = self.skipped or self.asked_to_stop()
        return self.skipped


_current: ContextVar[CurrentRun | None] = ContextVar("veritas_current_run", default=None)


def under_way(run: CurrentRun) -> AbstractContextManager[None]:
    """Set the run for the units that are started inside, in this task and those it starts."""
    return within(_current, run)


def skip_unit() -> bool:
    """Return whether a unit must not start, because its run was asked to stop.

    Active units continue: their answers are paid for, and go into the ledger. The stage is then not stored.
    """
    run = _current.get()
    return run is not None and run.stopping()


def stop_if_asked() -> None:
    """Raise `Cancelled` when the run was asked to stop. The stage is then not stored."""
    if skip_unit():
        raise Cancelled("the run was asked to stop")


async def unless_stopped(free: Awaitable[T]) -> T:
    """Return the result of something free, such as a request to a registry; cancel it and raise `Cancelled` as soon as
    the run is asked to stop. Outside of a run it is awaited."""
    if _current.get() is None:
        return await free
    task = asyncio.ensure_future(free)
    try:
        while not (await asyncio.wait({task}, timeout=LOOKED_EVERY))[0]:
            stop_if_asked()
        return task.result()
    finally:
        if task.cancel():
            await asyncio.wait({task})


def unit_done(calls: Sequence[Call] = ()) -> None:
    """Report to the run that a unit is done, with the calls made for it."""
    run = _current.get()
    if run is not None:
        run.on_done(calls)
