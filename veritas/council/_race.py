"""The state of a call that competes with others for the same answer: it can start the next model, and learns that it
has lost.

A model's wrappers know only the request. The race is stored in context variables, as in `turn_calls`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from time import monotonic

from veritas.context_value import within

OVERTAKEN = "gave no answer in time, and another one did"
"""The message of a call that was given up for another's answer. It has no figures, so that a repeated run says the
same."""


class Runner:
    """A call in a race. `late` starts the next model; `superseded` is set before the call is cancelled because another
    one has answered."""

    def __init__(self, hurry: Callable[[], None] = lambda: None) -> None:
        self._hurry = hurry
        self.superseded = self.sent = False
        self.racing = False
        """True if several calls wait for the question, and one of them could be answered by another model."""
        self.slow = self.unfit = False
        self.begun = monotonic()
        """`slow`: it took longer than usual while its model answered nothing. `unfit`: its answer had to be asked for
        again."""

    def late(self, *, slow: bool = False, unfit: bool = False) -> None:
        """Record that the answer is late or unusable, and start the next model."""
        self.slow, self.unfit = self.slow or slow, self.unfit or unfit
        self._hurry()


_runner: ContextVar[Runner | None] = ContextVar("veritas_runner", default=None)
_known_only: ContextVar[bool] = ContextVar("veritas_known_only", default=False)
_replaced: ContextVar[str | None] = ContextVar("veritas_in_place_of", default=None)
_last_resort: ContextVar[bool] = ContextVar("veritas_last_resort", default=False)


def runner() -> Runner | None:
    """Return the present call's state in its race; None outside a race."""
    return _runner.get()


def late(*, slow: bool = False, unfit: bool = False) -> None:
    """Call `Runner.late` of the present call, if it is in a race."""
    mine = _runner.get()
    if mine is not None:
        mine.late(slow=slow, unfit=unfit)


def superseded() -> bool:
    """Return whether the present call was cancelled because another one has answered."""
    mine = _runner.get()
    return mine is not None and mine.superseded


def running(mine: Runner) -> AbstractContextManager[None]:
    """Make `mine` the runner of the calls made inside."""
    return within(_runner, mine)


def known_only() -> AbstractContextManager[None]:
    """Answer the calls made inside from the ledger only."""
    return within(_known_only, True)


def turn_of(name: str, *, in_place: bool) -> AbstractContextManager[None]:
    """Set for the calls made inside whose turn it is, and whether another model takes it."""
    return within(_replaced, name if in_place else None)


def is_known_only() -> bool:
    """Return whether the present call may be answered from the ledger only."""
    return _known_only.get()


def replaced() -> str | None:
    """Return the name of the model that the present call replaces; None for a call in its own turn."""
    return _replaced.get()


def last_resort() -> AbstractContextManager[None]:
    """Declare for the calls made inside that no other model is left."""
    return within(_last_resort, True)


def is_last_resort() -> bool:
    """Return whether no other model is left to answer the present call."""
    return _last_resort.get()
