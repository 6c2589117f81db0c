"""Units of work, and the seam through which a caller decides how they are executed.

In process a unit is a plain coroutine; orchestrated, it is a Prefect task. The stages see no difference.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from veritas.claims.graph import Call, StageName
from veritas.council.spending import OverBudget, Spending, current_spending, in_time
from veritas.engine.current_run import skip_unit, unit_done
from veritas.errors import Unavailable, UnreadableAnswer, VeritasError
from veritas.frozen import content_id, first_fault
from veritas.keys import withheld_from_message
from veritas.plugins import contained, said
from veritas.store.call_record import Cause, Outcome, Spent, record_call, spending, taking_turn
from veritas.store.ledger import Ledger

AT_ONCE = 64
"""Most units of a step under way at once. They mostly wait; each provider's own limit says how often it is asked at
once."""

U = TypeVar("U", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")
M = TypeVar("M")


class LedgerDoor(Protocol):
    """The part of a run's connections that accepts answers paid for in another process."""

    @property
    def ledger(self) -> Ledger: ...

    def leave_out(self, models: Collection[tuple[str, str]]) -> None: ...


class UnitRuntime(Protocol):
    """The part of a product's runtime that the engine needs: the connections to its models, if any."""

    @property
    def switchboard(self) -> LedgerDoor | None: ...


@dataclass(frozen=True)
class Step(Generic[U, R]):
    """A kind of unit. `run` gets the unit and the product's runtime, and raises `Unavailable` if the unit cannot be
    done; `label` names a unit for display."""

    name: str
    stage: StageName
    run: Callable[[U, Any], Awaitable[R]]
    label: Callable[[U], str]


class UnitFailed(Unavailable):
    """A unit that could not be done; `outcome` holds what was spent on it. Survives pickling."""

    def __init__(self, reason: str, outcome: Outcome[Any], may_pass: bool = True) -> None:
        super().__init__(reason)
        self.outcome, self.may_pass = outcome, may_pass

    def __reduce__(self) -> tuple[type[UnitFailed], tuple[str, Outcome[Any], bool]]:
        return UnitFailed, (str(self), self.outcome, self.may_pass)


class Work(Protocol):
    """A function that runs the units of a step, in any order and place, and returns their outcomes in the units' order.
    """

    async def __call__(self, step: Step[U, R], units: Sequence[U], runtime: Any) -> list[Outcome[R]]: ...


NOT_BEGUN = "the run was asked to stop before this was begun"


def received(outcome: Outcome[R], runtime: UnitRuntime) -> Outcome[R]:
    """Store an outcome's ledger entries in the run's ledger, and return the outcome.

    A caller that runs units elsewhere calls it for each outcome on arrival: only this process writes the run's file.
    """
    board = runtime.switchboard
    if board is None or not (outcome.entries or outcome.left_out):
        return outcome
    for entry in outcome.entries:
        board.ledger.put(entry)
    board.leave_out(outcome.left_out)
    return replace(outcome, entries=(), left_out=())


async def asked(
    answer: Awaitable[T],
    into: Callable[[T], M],
    *,
    who: str,
    turn: str,
    stage: StageName,
    count: int = 1,
    about: Any = "",
    cost: float | None = 0.0,
    limited: bool = False,
    paid_for: Callable[[Call], None] = lambda call: None,
) -> M:
    """Await a plug-in's answer, convert it with `into`, measure its time and record the call.

    A call that the plug-in recorded itself is not recorded again. `cost` is the price of an answer in US dollars, None
    if unknown; a reported cost takes precedence. A `limited` call is paid from the run's budget before it is made, and
    raises `OverBudget` if it does not fit; `paid_for` gets the call at once. Every error of a plug-in becomes
    `Unavailable`, with name and reason (I5).
    """
    budget = current_spending()
    price = budget.search_price_of(who, cost) if budget is not None else Spending.search_price(cost)
    if limited and budget is not None:
        try:
            budget.take(price, count, stage=stage)
        except OverBudget:
            if isinstance(answer, Coroutine):
                answer.close()
            raise
    start = perf_counter()
    error: str | None = None
    kept = False
    with taking_turn() as own:
        try:
            own_answer = contained(answer, f"{who} failed at {turn}")
            return into(await (in_time(own_answer, stage) if limited else own_answer))
        except OverBudget as problem:
            kept, error = limited, str(problem)
            raise
        except VeritasError as problem:
            error = str(problem)
            kept = isinstance(problem, UnreadableAnswer)  # an answer came, and was paid for
            raise
        except ValidationError as problem:
            kept, error = True, f"what it answered is no {problem.title}: {first_fault(problem)}"
            raise Unavailable(f"{who} failed at {turn}: {error}") from problem
        except Exception as problem:  # a plug-in's bug halts one finding, not the run
            error = withheld_from_message(said(problem))
            raise Unavailable(f"{who} failed at {turn}: {error}") from problem
        finally:
            paid = own.usd if own.usd is not None else cost if error is None or kept else 0.0
            if budget is not None and limited:
                budget.charge(Spending.search_price(paid) - price)
                if own.usd is not None:
                    budget.reported(who, own.usd)
            if not own.recorded:
                call = Call(
                    call_id=content_id("k", stage, who, turn, about),
                    request_hash=content_id("r", who, turn, about),
                    stage=stage,
                    who=who,
                    turn=turn,
                    count=count,
                    cost_usd=paid,
                    seconds=round(perf_counter() - start, 6),
                    error=error,
                )
                record_call(call)
                if limited and paid != 0.0:
                    paid_for(call)
                if budget is not None and not limited:
                    budget.add([call])


async def do_unit(
    step: Step[U, R], unit: U, runtime: Any, *, seconds: float | None = None, spent: Spent | None = None
) -> Outcome[R]:
    """Do one unit, and return its value with its costs. `spent` holds the costs of earlier attempts.

    Raises `UnitFailed`, so that an orchestrator can try again, if the unit is unavailable or takes longer than
    `seconds`.
    """
    spent = spent if spent is not None else Spent()
    with spending(spent):
        try:
            async with asyncio.timeout(seconds):
                value = await step.run(unit, runtime)
        except TimeoutError as problem:
            why = f"{step.label(unit)}: not done within {seconds:g} s" if seconds else str(problem)
            raise UnitFailed(why, spent.outcome(None, why)) from problem
        except Unavailable as problem:
            # A request that was repeated in vain, or went to a model that is left out, is not repeated with the whole
            # unit.
            may_pass = getattr(problem, "may_pass", not isinstance(problem, UnreadableAnswer))
            outcome: Outcome[R] = spent.outcome(None, str(problem), _cause(problem))
            raise UnitFailed(str(problem), outcome, bool(may_pass)) from problem
    return spent.outcome(value)


def _cause(problem: Unavailable) -> Cause | None:
    if isinstance(problem, OverBudget):
        return "budget" if problem.limit is not None else None
    return "unreadable" if isinstance(problem, UnreadableAnswer) else None


async def in_process(
    step: Step[U, R], units: Sequence[U], runtime: Any, *, at_once: int = AT_ONCE
) -> list[Outcome[R]]:
    """Run the units as coroutines of this process, `at_once` at a time (a `Work` without a server)."""
    gate = asyncio.Semaphore(at_once)

    async def one(unit: U) -> Outcome[R]:
        async with gate:
            if skip_unit():
                return Outcome(None, NOT_BEGUN)
            try:
                outcome = await do_unit(step, unit, runtime)
            except UnitFailed as problem:
                outcome = problem.outcome
            unit_done(outcome.calls)
            return outcome

    return list(await asyncio.gather(*(one(unit) for unit in units)))
