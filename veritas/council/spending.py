"""A run's spending: money spent, money reserved for active calls, and money kept back for later stages.

A call is reserved before it is made, at a known price or a high estimate, and settled to its real cost. All units of a
run share one `Spending`, so parallel calls cannot spend the same money twice.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Literal, TypeVar

from veritas.claims.graph import STAGES, Call, StageName
from veritas.context_value import within
from veritas.errors import Unavailable
from veritas.policy.cost_tiers import UNKNOWN_MODEL, UNKNOWN_SEARCH, Budget
from veritas.store.call_record import Turn, not_asked, taking_turn

T = TypeVar("T")
Limit = Literal["usd", "calls", "seconds"]
"""A limit of a budget (`Budget`)."""
BUDGET = "of the budget did not suffice"
"""The end of every reason for a call that the budget did not allow."""
_LEAST = 1e-9
"""US dollars below which two sums are the same."""
STOPPED = "the run was asked to stop"


class OverBudget(Unavailable):
    """A call that did not fit the budget, or was ended by it, or belongs to a run that was asked to stop. Asking again
    does not help."""

    may_pass = False

    def __init__(self, message: str, limit: Limit | None = None) -> None:
        """`limit` names the exceeded limit; None if the user asked the run to stop."""
        super().__init__(message)
        self.limit = limit


@dataclass(frozen=True)
class Reservation:
    """Money reserved for one call, or for a unit in another process, in US dollars (`usd`). `full` is false if only the
    smaller requested amount was available."""

    usd: float
    calls: int = 1
    full: bool = True


class Spending:
    """A run's spending so far. Answers from a ledger or a parent run cost nothing again (I9).

    `shares` limits a stage to a part of the budget's seconds, so that those after it have some left; `free` are models
    without a known price that cost nothing. Usable from several threads.
    """

    def __init__(
        self, budget: Budget, *, shares: Mapping[StageName, float] | None = None, free: Collection[str] = ()
    ) -> None:
        self.budget = budget
        self.calls = 0
        self.usd = 0.0
        self.refused: Counter[Limit] = Counter()
        """Number of calls that each limit of the budget had no room for."""
        self.longest: Mapping[str, int] = {}
        """Tokens of the longest answer in earlier runs like this one, by turn."""
        self.stopping: Callable[[], bool] = lambda: False
        """Whether the run was asked to stop: then no further call is made."""
        self._shares, self._free = dict(shares or {}), frozenset(free)
        self._held_usd, self._held_calls, self._under_way = 0.0, 0, 0
        self._kept: dict[StageName, tuple[float, int]] = {}
        self._reported: dict[str, float] = {}
        self._begun = monotonic()
        self._lock = threading.Lock()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []

    # -- what is spent ------------------------------------------------------------------------------------------------

    def add(self, calls: Iterable[Call]) -> None:
        """Count calls that were not reserved here: by an earlier process of the run, or without a model."""
        with self._lock:
            for call in calls:
                if not call.from_ledger:
                    self.calls += call.count
                    self.usd += self._price(call)

    def charge(self, usd: float) -> None:
        """Count money, which may be negative: the difference between a price and what was reported."""
        with self._lock:
            self.usd += usd

    def _price(self, call: Call) -> float:
        """Return the US dollars that a call counts for; a high estimate where its price is unknown."""
        if call.cost_usd is not None:
            return call.cost_usd
        if call.model is None:
            return self.search_price(None)
        if call.model in self._free:
            return 0.0
        return (call.input_tokens * UNKNOWN_MODEL.input + call.output_tokens * UNKNOWN_MODEL.output) / 1e6

    def reported(self, who: str, usd: float) -> None:
        """Remember a provider's report of what a search cost, in US dollars."""
        self._reported[who] = max(usd, self._reported.get(who, 0.0))

    def search_price_of(self, who: str, price: float | None) -> float:
        """Return the US dollars that a search by a provider is reserved at: the most it has reported, else its
        price."""
        return self._reported.get(who, self.search_price(price))

    @staticmethod
    def search_price(price: float | None) -> float:
        """Return the US dollars that a search counts for."""
        return UNKNOWN_SEARCH if price is None else price

    @property
    def seconds(self) -> float:
        """Wall time in seconds since the run began or was resumed."""
        return monotonic() - self._begun

    def over(self) -> str | None:
        """The exceeded limit, in words, or that the run is asked to stop; None while there is room. If the budget is
        zero from the start, calls that cost nothing are not limited."""
        limit = self.budget
        if self.stopping():
            return STOPPED
        if limit.usd and self.usd >= limit.usd:
            return f"${self.usd:.4f} of ${limit.usd:g} are spent"
        if limit.calls is not None and self.calls >= limit.calls:
            return f"{self.calls} of {limit.calls} calls are made"
        if limit.seconds is not None and self.seconds >= limit.seconds:
            return f"{limit.seconds:g} seconds are over"
        return None

    # -- what is kept back --------------------------------------------------------------------------------------------

    def keep(self, stage: StageName, usd: float, calls: int = 0) -> None:
        """Keep so much back for a later stage; earlier stages cannot reserve it."""
        with self._lock:
            self._kept[stage] = (max(0.0, usd), max(0, calls))

    def left(self, stage: StageName) -> tuple[float, float]:
        """Return the US dollars and calls that a stage may still reserve; infinite without a limit."""
        with self._lock:
            return self._left(stage)

    def _left(self, stage: StageName) -> tuple[float, float]:
        later = [kept for name, kept in self._kept.items() if STAGES.index(name) > STAGES.index(stage)]
        limit = self.budget
        usd = inf if limit.usd is None else limit.usd - self.usd - self._held_usd - sum(k[0] for k in later)
        calls = inf if limit.calls is None else limit.calls - self.calls - self._held_calls - sum(k[1] for k in later)
        return usd, calls

    def seconds_left(self, stage: StageName) -> float | None:
        """Return the seconds that a call of a stage may still take; None without a limit."""
        if self.budget.seconds is None:
            return None
        return max(0.0, self.budget.seconds * self._shares.get(stage, 1.0) - self.seconds)

    # -- reservations -------------------------------------------------------------------------------------------------

    async def reserve(self, most: float, least: float, *, stage: StageName) -> Reservation:
        """Reserve room for one call that costs at most `most` US dollars.

        If there is less, reserve `least`, or half of the free amount if that is more. Waits while active calls may turn
        out cheaper. Raises `OverBudget` if the call does not fit.
        """
        while True:
            with self._lock:
                usd, calls = self._left(stage)
                if self.seconds_left(stage) == 0.0 or self.stopping():
                    raise self._refusal(stage)
                full = most <= usd + _LEAST
                if calls >= 1 and (full or least <= usd + _LEAST):
                    return self._hold(Reservation(most if full else max(least, min(most, usd / 2)), 1, full))
                if not (self._under_way and calls + self._held_calls >= 1 and least <= usd + self._held_usd + _LEAST):
                    raise self._refusal(stage)
                loop = asyncio.get_running_loop()
                turn = loop.create_future()
                self._waiting.append((loop, turn))
            await turn

    def take(self, usd: float, calls: int, *, stage: StageName) -> None:
        """Spend at once. Raises `OverBudget` where it does not fit."""
        with self._lock:
            left, more = self._left(stage)
            if self.seconds_left(stage) == 0.0 or more < calls or left + _LEAST < usd or self.stopping():
                raise self._refusal(stage)
            self.usd += usd
            self.calls += calls

    def lend(self, units: int, *, stage: StageName) -> tuple[Reservation, Budget]:
        """Return the budget of one of `units` remaining units in other processes: an equal share of what is left.
        Raises `OverBudget` if no call is left."""
        with self._lock:
            usd, calls = self._left(stage)
            share = inf if calls == inf else calls // max(1, units) or min(1, calls)
            if share < 1 or self.seconds_left(stage) == 0.0 or self.stopping():
                raise self._refusal(stage)
            money = None if usd == inf else max(0.0, usd / max(1, units))
            held = self._hold(Reservation(money or 0.0, 0 if share == inf else int(share)))
            seconds = self.seconds_left(stage)
            return held, Budget(usd=money, calls=None if share == inf else int(share), seconds=seconds)

    def _hold(self, reservation: Reservation) -> Reservation:
        self._held_usd += reservation.usd
        self._held_calls += reservation.calls
        self._under_way += 1
        return reservation

    def settle(self, reservation: Reservation, usd: float, calls: int = 1) -> None:
        """Replace a reservation by the call's cost, and wake the calls that wait for room."""
        with self._lock:
            self._held_usd = max(0.0, self._held_usd - reservation.usd)
            self._held_calls -= reservation.calls
            self._under_way -= 1
            self.usd += usd
            self.calls += calls
            waiting, self._waiting = self._waiting, []
        for loop, turn in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_wake, turn)

    def returned(self, reservation: Reservation, calls: Iterable[Call]) -> None:
        """Settle the money of a unit in another process by the calls that it returned."""
        made = [call for call in calls if not call.from_ledger]
        self.settle(reservation, sum(map(self._price, made)), sum(call.count for call in made))

    def _refusal(self, stage: StageName) -> OverBudget:
        not_asked()
        if self.stopping():
            return OverBudget(STOPPED)
        if self.seconds_left(stage) == 0.0:
            return self.no_room("seconds")
        return self.no_room("calls" if self._left(stage)[1] < 1 else "usd")

    def no_room(self, limit: Limit) -> OverBudget:
        """Count a call that did not fit a limit, and return its error."""
        self.refused[limit] += 1
        what = {"usd": "money", "calls": "calls", "seconds": "time"}[limit]
        return OverBudget(f"the {what} {BUDGET}", limit)


def _wake(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


_spending: ContextVar[Spending | None] = ContextVar("veritas_budget", default=None)
_lost: ContextVar[list[float] | None] = ContextVar("veritas_lost_calls", default=None)


@contextmanager
def within_budget(spending: Spending) -> Iterator[Spending]:
    """Set the spending that pays for the calls made inside, in this task and those it starts."""
    with within(_spending, spending):
        yield spending


def current_spending() -> Spending | None:
    """Return the spending that pays for the present call; None outside of a run."""
    return _spending.get()


async def in_time(answer: Awaitable[T], stage: StageName) -> T:
    """Return the answer within the time that the run's budget leaves the stage. Raises `OverBudget` after it."""
    spending = current_spending()
    try:
        async with asyncio.timeout(spending.seconds_left(stage) if spending is not None else None) as limit:
            return await answer
    except TimeoutError as problem:
        if spending is None or not limit.expired():
            raise
        raise spending.no_room("seconds") from problem


@contextmanager
def paying(price: float | None, *, stage: StageName) -> Iterator[Turn]:
    """Pay for one search from the run's budget, and afterwards correct it to what was reported. `price` is in US
    dollars, None where it is unknown. The `usd` of the turn is the cost. Raises `OverBudget`; a search that fails is
    not paid for."""
    spending, reserved = current_spending(), Spending.search_price(price)
    if spending is not None:
        spending.take(reserved, 0, stage=stage)
    paid = 0.0
    try:
        with taking_turn() as turn:
            yield turn
        turn.usd = price if turn.usd is None else turn.usd
        paid = reserved if turn.usd is None else turn.usd
    finally:
        if spending is not None:
            spending.charge(paid - reserved)


@contextmanager
def losses() -> Iterator[list[float]]:
    """Collect the US dollars that calls without an answer may have cost."""
    found: list[float] = []
    with within(_lost, found):
        yield found


def lose(usd: float) -> None:
    """Record that the present call may have cost so many US dollars without an answer."""
    found = _lost.get()
    if found is not None and usd > 0:
        found.append(usd)
