"""A record of what a unit of work spent: its calls, the answers it paid for, and unusable parts of a model's
answers."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from pydantic import BaseModel

from veritas.claims.graph import Call
from veritas.context_value import within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veritas.store.ledger import LedgerEntry

R = TypeVar("R", bound=BaseModel)
Cause = Literal["budget", "unreadable"]


@dataclass(frozen=True)
class Outcome(Generic[R]):
    """The outcome of a unit: its result, or the reason for none, and its calls.

    `cause` is `budget` if the run's budget did not allow the unit, `unreadable` if no answer was usable, and None for
    any other reason. `unfit` lists the unusable parts of a model's answers, with the reason (I7). A unit in a process
    without the run's ledger returns `entries`, the answers paid for there (I9), and `left_out`, the excluded models
    with reasons.
    """

    value: R | None
    unavailable: str | None
    calls: tuple[Call, ...] = ()
    entries: tuple[LedgerEntry, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    unfit: tuple[str, ...] = ()
    cause: Cause | None = None


@dataclass
class Spent:
    """Calls, entries and unfit parts of a unit so far."""

    calls: list[Call] = field(default_factory=list)
    entries: list[LedgerEntry] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)

    def outcome(
        self, value: R | None, unavailable: str | None = None, cause: Cause | None = None
    ) -> Outcome[R]:
        """Return the unit's outcome."""
        unfit = tuple(dict.fromkeys(self.unfit))
        return Outcome(value, unavailable, tuple(self.calls), tuple(self.entries), unfit=unfit, cause=cause)


_spent: ContextVar[Spent | None] = ContextVar("veritas_spent", default=None)


@dataclass
class Turn:
    """The current turn: whether its calls were recorded, and its reported cost in US dollars."""

    recorded: bool = False
    usd: float | None = None


_turn: ContextVar[Turn | None] = ContextVar("veritas_turn", default=None)


@contextmanager
def taking_turn() -> Iterator[Turn]:
    """Keep the calls recorded inside separate from those of other turns of the same unit."""
    turn = Turn()
    with within(_turn, turn):
        yield turn


def not_asked() -> None:
    """Record that a call of the current turn was not made, so that the turn itself does not count as one."""
    turn = _turn.get()
    if turn is not None:
        turn.recorded = True


def report_cost(usd: object) -> None:
    """Add the cost of the current turn as the provider reported it, in US dollars; an invalid value is ignored."""
    turn = _turn.get()
    if turn is not None and isinstance(usd, int | float) and not isinstance(usd, bool) and 0 <= usd < 1000:
        turn.usd = (turn.usd or 0.0) + usd


@contextmanager
def spending(spent: Spent) -> Iterator[Spent]:
    """Collect in `spent` what is recorded inside, in this task and those it starts."""
    with within(_spent, spent):
        yield spent


@contextmanager
def collecting_calls() -> Iterator[list[Call]]:
    """Collect the calls that are recorded inside, in this task and those it starts."""
    with spending(Spent()) as spent:
        yield spent.calls


def record_call(call: Call) -> None:
    """Add a call to the current unit; outside of a unit it is dropped."""
    turn, spent = _turn.get(), _spent.get()
    if turn is not None:
        turn.recorded = True
    if spent is not None:
        spent.calls.append(call)


def record_entry(entry: LedgerEntry) -> None:
    """Return an answer with the current unit, for a ledger that another process writes."""
    spent = _spent.get()
    if spent is not None:
        spent.entries.append(entry)


def record_unfit(reason: str) -> None:
    """Record for the current unit that a part of a model's answer could not be used, and why (I7)."""
    spent = _spent.get()
    if spent is not None:
        spent.unfit.append(reason)


def record_all(spent: Spent) -> None:
    """Add a separate record to the current unit."""
    for call in spent.calls:
        record_call(call)
    for entry in spent.entries:
        record_entry(entry)
    for reason in spent.unfit:
        record_unfit(reason)
