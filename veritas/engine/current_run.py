"""The run that is under way, as its units see it: its cancel mark, and whom to tell when a unit is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar

from veritas.claims.graph import Call
from veritas.context_value import within


class CurrentRun:
    """A run under way. `asked_to_stop` looks at the cancel mark; `skipped` is true if a unit was not begun for it, so
    that its stage is not whole."""

    def __init__(self, asked_to_stop: Callable[[], bool], on_done: Callable[[Sequence[Call]], None]) -> None:
        self.asked_to_stop, self.on_done = asked_to_stop, on_done
        self.skipped = False


_current: ContextVar[CurrentRun | None] = ContextVar("veritas_current_run", default=None)


def under_way(run: CurrentRun) -> AbstractContextManager[None]:
    """Make the run known to the units that are begun inside, in this task and those it starts."""
    return within(_current, run)


def skip_unit() -> bool:
    """Return whether a unit is not to be begun, because its run was asked to stop. Units under way go on: their answers
    are paid for, and go into the ledger. The stage is then not stored."""
    run = _current.get()
    if run is None or not (run.skipped or run.asked_to_stop()):
        return False
    run.skipped = True
    return True


def unit_done(calls: Sequence[Call] = ()) -> None:
    """Tell the run that a unit is done, with the calls made for it."""
    run = _current.get()
    if run is not None:
        run.on_done(calls)
