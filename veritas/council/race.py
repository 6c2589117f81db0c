"""How a call that is one of several for the same answer knows it: what hurries its race on, and that it has lost it.

The wrappers of a model know the request alone; who else could answer stands beside the call, as `turn_calls` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

OVERTAKEN = "gave no answer in time, and another one did"
"""What is said of a call that was given up for another one's answer. Without figures: a repeated run says the same."""


class Runner:
    """One call in a race. `late` has the next of those who could answer asked as well; `superseded` is set before the
    call is cancelled because another one has answered."""

    def __init__(self, hurry: Callable[[], None] = lambda: None) -> None:
        self._hurry = hurry
        self.superseded = self.sent = False
        self.racing = False
        """Of a question that several wait for: whether any of them could be answered by another."""
        self.slow = self.unfit = False
        self.begun = monotonic()
        """That it took longer than is usual while its model said nothing; that its answer had to be asked for again."""

    def late(self, *, slow: bool = False, unfit: bool = False) -> None:
        """Says that the answer is long in coming, or did not do."""
        self.slow, self.unfit = self.slow or slow, self.unfit or unfit
        self._hurry()


_runner: ContextVar[Runner | None] = ContextVar("veritas_runner", default=None)
_known_only: ContextVar[bool] = ContextVar("veritas_known_only", default=False)
_whose_turn: ContextVar[str | None] = ContextVar("veritas_whose_turn", default=None)
_in_place: ContextVar[bool] = ContextVar("veritas_in_place_of_another", default=False)
_last_resort: ContextVar[bool] = ContextVar("veritas_last_resort", default=False)


def runner() -> Runner | None:
    """The call at hand as one of a race; None where it is not."""
    return _runner.get()


def late(*, slow: bool = False, unfit: bool = False) -> None:
    """`Runner.late` of the call at hand, if it is one of a race."""
    mine = _runner.get()
    if mine is not None:
        mine.late(slow=slow, unfit=unfit)


def superseded() -> bool:
    """Whether the call at hand is cancelled because another one has answered."""
    mine = _runner.get()
    return mine is not None and mine.superseded


@contextmanager
def running(mine: Runner) -> Iterator[None]:
    """Makes `mine` the runner of the calls made inside."""
    token = _runner.set(mine)
    try:
        yield
    finally:
        _runner.reset(token)


@contextmanager
def known_only() -> Iterator[None]:
    """Lets the calls made inside be answered from the ledger alone."""
    token = _known_only.set(True)
    try:
        yield
    finally:
        _known_only.reset(token)


@contextmanager
def turn_of(name: str, *, in_place: bool) -> Iterator[None]:
    """Says for the calls made inside whose turn it is, and whether somebody else takes it."""
    tokens = _whose_turn.set(name), _in_place.set(in_place)
    try:
        yield
    finally:
        _whose_turn.reset(tokens[0])
        _in_place.reset(tokens[1])


def is_known_only() -> bool:
    """Whether the call at hand may be answered from the ledger alone."""
    return _known_only.get()


def replaced() -> str | None:
    """Whom the call at hand is made in place of; None for who is asked in a turn of their own."""
    return _whose_turn.get() if _in_place.get() else None


@contextmanager
def last_resort() -> Iterator[None]:
    """Says for the calls made inside that nobody else is left."""
    token = _last_resort.set(True)
    try:
        yield
    finally:
        _last_resort.reset(token)


def is_last_resort() -> bool:
    """Whether nobody else is left to answer the call at hand."""
    return _last_resort.get()
