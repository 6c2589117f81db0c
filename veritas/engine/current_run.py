"""The run that is under way, as its units see it: its cancel mark, and whom to tell when a unit is done."""

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
    """A run under way. `asked_to_stop` looks at the cancel mark; `skipped` is true if a unit was not begun for it, so
    that its stage is not whole."""

    def __init__(self, asked_to_stop: Callable[[], bool], on_done: Callable[[Sequence[Call]], None]) -> None:
        self.asked_to_stop, self.on_done = asked_to_stop, on_done
        self.skipped = False

    def stopping(self) -> bool:
        """Return whether what is not begun is to be left out, because somebody asked the run to stop."""
        self.skipped = self.skipped or self.asked_to_stop()
        return self.skipped


_current: ContextVar[CurrentRun | None] = ContextVar("veritas_current_run", default=None)


def under_way(run: CurrentRun) -> AbstractContextManager[None]:
    """Make the run known to the units that are begun inside, in this task and those it starts."""
    return within(_current, run)


def skip_unit() -> bool:
    """Return whether a unit is not to be begun, because its run was asked to stop. Units under way go on: their answers
    are paid for, and go into the ledger. The stage is then not stored."""
    run = _current.get()
    return run is not None and run.stopping()


def stop_if_asked() -> None:
    """Raise `Cancelled` when the run was asked to stop. The stage is then not stored."""
    if skip_unit():
        raise Cancelled("the run was asked to stop")


async def unless_stopped(free: Awaitable[T]) -> T:
    """Return what something gives that costs nothing, such as a registry or a page; give it up and raise `Cancelled` as
    soon as the run is asked to stop. Outside of a run it is waited for."""
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
    """Tell the run that a unit is done, with the calls made for it."""
    run = _current.get()
    if run is not None:
        run.on_done(calls)
