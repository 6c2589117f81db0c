"""The state of a call that is one of several for the same answer: it hurries its race, and it learns that it has lost.

A model's wrappers know only the request. The race stands beside the call in context variables, as in `turn_calls`.
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
    """A call in a race. `late` has the next model asked as well; `superseded` is set before the call is cancelled
    because another has answered."""

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
        """Note that the answer is late, or did not do, and hurry the race."""
        self.slow, self.unfit = self.slow or slow, self.unfit or unfit
        self._hurry()


_runner: ContextVar[Runner | None] = ContextVar("veritas_runner", default=None)
_known_only: ContextVar[bool] = ContextVar("veritas_known_only", default=False)
_replaced: ContextVar[str | None] = ContextVar("veritas_in_place_of", default=None)
_last_resort: ContextVar[bool] = ContextVar("veritas_last_resort", default=False)


def runner() -> Runner | None:
    """Return the call at hand as one of a race; None where it is not."""
    return _runner.get()


def late(*, slow: bool = False, unfit: bool = False) -> None:
    """Call `Runner.late` of the call at hand, if it is one of a race."""
    mine = _runner.get()
    if mine is not None:
        mine.late(slow=slow, unfit=unfit)


def superseded() -> bool:
    """Return whether the call at hand is cancelled because another one has answered."""
    mine = _runner.get()
    return mine is not None and mine.superseded


def running(mine: Runner) -> AbstractContextManager[None]:
    """Make `mine` the runner of the calls made inside."""
    return within(_runner, mine)


def known_only() -> AbstractContextManager[None]:
    """Have the calls made inside answered from the ledger alone."""
    return within(_known_only, True)


def turn_of(name: str, *, in_place: bool) -> AbstractContextManager[None]:
    """Set for the calls made inside whose turn it is, and whether another takes it."""
    return within(_replaced, name if in_place else None)


def is_known_only() -> bool:
    """Return whether the call at hand may be answered from the ledger alone."""
    return _known_only.get()


def replaced() -> str | None:
    """Return the name in whose place the call at hand is made; None for a call in its own turn."""
    return _replaced.get()


def last_resort() -> AbstractContextManager[None]:
    """Declare for the calls made inside that nobody else is left."""
    return within(_last_resort, True)


def is_last_resort() -> bool:
    """Return whether nobody else is left to answer the call at hand."""
    return _last_resort.get()
