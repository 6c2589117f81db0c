"""Steps of stages as Prefect tasks, and `Work` over those tasks.

Only a unit that was unavailable is retried; any other failure would repeat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any

from prefect import Task, get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State as TaskState
from prefect.client.schemas.objects import TaskRun
from prefect.context import FlowRunContext
from prefect.runtime import flow_run, task_run
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.tasks import exponential_backoff
from prefect.utilities.annotations import quote

from veritas.answers.request import Request
from veritas.answers.runtime import Runtime, build_runtime
from veritas.claims.graph import StageName
from veritas.council.connections import State
from veritas.council.spending import OverBudget, Spending, current_spending, within_budget
from veritas.council.turn_calls import within_stage
from veritas.engine.current_run import skip_unit, unit_done
from veritas.engine.units import AT_ONCE, NOT_BEGUN, Step, UnitFailed, do_unit, received
from veritas.policy.cost_tiers import Budget
from veritas.store.call_record import Outcome, Spent
from veritas_tasks.provider_slots import in_turn, reserved

RETRIES = 2
TIMEOUT = 900.0
"""Seconds a unit may take, without retries: above the longest that a model is waited for."""


async def may_pass(task: Task[Any, Any], run: TaskRun, state: TaskState[Any]) -> bool:
    """Return whether a failed unit is worth another try: it was unavailable, and asking again can help."""
    error = await state.aresult(raise_on_failure=False)
    return isinstance(error, UnitFailed) and error.may_pass


def stage_task(step: Step[Any, Any]) -> Callable[[Callable[..., Awaitable[Any]]], Task[..., Any]]:
    """Return the decorator for a stage's task: readable name, retries with jittered exponential back-off.

    The time limit is `run_unit`'s, which keeps the record of what was spent. It sets no tags: Prefect asks the server
    for a slot for every new set of tags on a task, which takes up to two seconds each.
    """
    return task(
        name=step.name,
        task_run_name=step.name + " · {label}",
        retries=RETRIES,
        retry_delay_seconds=exponential_backoff(backoff_factor=1),
        retry_jitter_factor=0.5,
        retry_condition_fn=may_pass,
        cache_policy=NO_CACHE,
        persist_result=False,
    )


@lru_cache(maxsize=4)
def _built(request: Request, run: str | None) -> Runtime:
    return in_turn(build_runtime(request))


_given: dict[Request, Runtime] = {}


def lend(runtime: Runtime) -> None:
    """Make a runtime that a flow of this process has built known to the tasks that run beside it."""
    _given.clear()
    _given[runtime.request] = in_turn(runtime)


def runtime_for(request: Request) -> Runtime:
    """Return the runtime of a request: the flow's own in its process, built once a flow run in any other."""
    return _given.get(request) or _built(request, flow_run.id)


_tries: dict[str, Spent] = {}
"""Spending of earlier tries at running task runs: a failed try was paid for too."""


async def run_unit(step: Step[Any, Any], unit: Any, request: Request, known: State | None = None) -> Outcome[Any]:
    """Carry out one unit for a stage task, and log its failure.

    `known` is given to a task that runs in another process than its flow. What it pays for is returned with the
    outcome.
    """
    runtime = runtime_for(request)
    board = runtime.switchboard if known is not None else None
    if board is not None and known is not None:
        board.told(known)
    this = str(task_run.id)
    spent = _tries.setdefault(this, Spent())
    try:
        with within_stage(getattr(unit, "stage", step.stage)), _lent(known, runtime, spent):
            outcome = await do_unit(step, unit, runtime, seconds=TIMEOUT, spent=spent)
    except UnitFailed as problem:
        get_run_logger().warning("%s · %s: %s", step.name, step.label(unit), problem)
        if board is not None:
            problem.outcome = replace(problem.outcome, left_out=board.left_out())
        if not problem.may_pass or task_run.run_count > RETRIES:
            _tries.pop(this, None)
        raise
    except BaseException:
        _tries.pop(this, None)
        raise
    _tries.pop(this, None)
    return replace(outcome, left_out=board.left_out()) if board is not None else outcome


@contextmanager
def _lent(known: State | None, runtime: Runtime, spent: Spent) -> Iterator[None]:
    """Apply the budget of a unit in another process than its flow: the amount lent, less what earlier tries have spent.
    In the flow's own process the run's budget applies."""
    if known is None or known.allowance is None:
        yield
        return
    free = runtime.switchboard.free_models() if runtime.switchboard is not None else ()
    lent = Spending(known.allowance, free=free)
    lent.add(spent.calls)
    with within_budget(lent):
        yield


def _asked_models(unit: Any, runtime: Runtime) -> set[str]:
    """Return the language models that a unit may ask: the one whose turn it is, and those that may take it."""
    council = runtime.council
    seat = getattr(unit, "member", None) or getattr(unit, "writer", None)
    asked: list[object] = []
    if seat is not None:
        asked += [s.member for s in council.speakers(seat, writes=True)]
    else:
        asked += [council.lenses.get(name) for name in (getattr(unit, "lens", ""), *getattr(unit, "successors", ()))]
    return {model for one in asked if (model := getattr(one, "model", None)) is not None}


def _elsewhere() -> bool:
    """Return whether this flow's tasks run in other processes (a process pool, Dask), by its task runner."""
    context = FlowRunContext.get()
    return context is not None and not isinstance(context.task_runner, ThreadPoolTaskRunner)


class OrchestratedWork:
    """A `Work` that makes every unit a task run. Units of one step run at the same time, `AT_ONCE` at most."""

    def __init__(self, tasks: dict[str, Task[..., Any]]) -> None:
        self.tasks = tasks

    async def __call__(
        self, step: Step[Any, Any], units: Sequence[Any], runtime: Runtime
    ) -> list[Outcome[Any]]:
        gate = asyncio.Semaphore(AT_ONCE)
        elsewhere = _elsewhere()
        budget, left = current_spending(), len(units)

        async def one(unit: Any) -> Outcome[Any]:
            nonlocal left
            async with gate:
                if skip_unit():
                    return Outcome(None, NOT_BEGUN)
                stage: StageName = getattr(unit, "stage", step.stage)
                held, allowance = None, None
                left -= 1
                try:
                    if elsewhere and budget is not None:
                        held, allowance = budget.lend(left + 1, stage=stage)
                    outcome = await self._run(step, unit, runtime, elsewhere, allowance)
                except OverBudget as problem:
                    outcome = Outcome(None, str(problem), cause="budget" if problem.limit is not None else None)
                except UnitFailed as problem:
                    # No retries are left. For the claim graph this is "unavailable", not a failed flow (I5, I10).
                    outcome = problem.outcome
                except BaseException:
                    if budget is not None and held is not None:
                        budget.settle(held, held.usd, held.calls)  # nobody knows what it spent
                    raise
                if budget is not None and held is not None:
                    budget.returned(held, outcome.calls)
                outcome = received(outcome, runtime)
                unit_done(outcome.calls)
                return outcome

        asked = [] if elsewhere else [b.provider for unit in units for b in getattr(unit, "bindings", ())]
        if not asked:
            return list(await asyncio.gather(*(one(unit) for unit in units)))
        async with reserved(runtime_for(runtime.request), asked):
            return list(await asyncio.gather(*(one(unit) for unit in units)))

    async def _run(
        self, step: Step[Any, Any], unit: Any, runtime: Runtime, elsewhere: bool, allowance: Budget | None
    ) -> Outcome[Any]:
        made = self.tasks[step.name]
        label = step.label(unit)
        # Units hold whole passages: Prefect need not look through them for the results of other tasks.
        given = quote(unit), quote(runtime.request)
        outcome: Outcome[Any]
        if not elsewhere:
            outcome = await made(*given, label=label)
            return outcome
        board = runtime.switchboard
        known = State()
        if board is not None:
            known = await asyncio.to_thread(board.state, _asked_models(unit, runtime))
        known = replace(known, allowance=allowance)
        future = made.submit(*given, label=label, known=known)
        outcome = await asyncio.to_thread(future.result)
        return outcome
