"""How a step of a stage becomes a Prefect task, and `Work` over those tasks.

What is worth retrying is what may pass: a thing that was unavailable. What is wrong stays wrong and is not tried again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import httpx
from prefect import Task, get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import exponential_backoff
from pydantic import BaseModel

from veritas.errors import Unavailable
from veritas.stages.request import Request
from veritas.stages.runtime import Runtime, build_runtime
from veritas.stages.steps import Outcome, Step, do_unit

R = TypeVar("R", bound=BaseModel)

RETRIES = 2
TIMEOUT = 900.0
"""Seconds a unit may take, retries apart: above the longest a model is waited for."""


async def may_pass(task: Task[Any, Any], run: TaskRun, state: State[Any]) -> bool:
    """Whether a failed unit is worth another try: it was unavailable, timed out, or lost its connection."""
    error = await state.aresult(raise_on_failure=False)
    return isinstance(error, Unavailable | TimeoutError | ConnectionError | httpx.TransportError)


def stage_task(step: Step[Any, Any]) -> Callable[[Callable[..., Awaitable[Any]]], Task[..., Any]]:
    """The decorator for a stage's task: readable name, retries with jittered exponential back-off, a timeout.

    It sets no tags: Prefect asks the server for a slot for every new set of tags on a task, which takes up to two
    seconds each, so only the tags that stand for a limit are worth it.
    """
    return task(
        name=step.name,
        task_run_name=step.name + " · {label}",
        retries=RETRIES,
        retry_delay_seconds=exponential_backoff(backoff_factor=1),
        retry_jitter_factor=0.5,
        retry_condition_fn=may_pass,
        timeout_seconds=TIMEOUT,
        cache_policy=NO_CACHE,
        persist_result=False,
    )


@lru_cache(maxsize=4)
def _built(request: Request) -> Runtime:
    return build_runtime(request)


_given: dict[Request, Runtime] = {}


def lend(runtime: Runtime) -> None:
    """Makes a runtime that a flow of this process has built known to the tasks that run beside it."""
    _given.clear()
    _given[runtime.request] = runtime


def runtime_for(request: Request) -> Runtime:
    """The runtime of a request: the flow's own in its process, built once in any other."""
    return _given.get(request) or _built(request)


async def run_unit(step: Step[Any, Any], unit: Any, request: Request) -> Outcome[Any]:
    """What every stage task does: one unit, logged when it fails."""
    try:
        return await do_unit(step, unit, runtime_for(request))
    except Unavailable as problem:
        get_run_logger().warning("%s · %s: %s", step.name, step.label(unit), problem)
        raise


class OrchestratedWork:
    """`Work` that makes every unit a task run. Units of one step run at the same time, `at_once` at most."""

    def __init__(
        self,
        tasks: dict[str, Task[..., Any]],
        *,
        limits: Callable[[Any, Runtime], list[str]] = lambda unit, runtime: [],
        at_once: int = 8,
        on_done: Callable[[], None] = lambda: None,
    ) -> None:
        """`limits` gives the tags of a unit's task run that stand for concurrency limits on the server."""
        self.tasks, self.limits, self.at_once, self.on_done = tasks, limits, at_once, on_done

    async def __call__(
        self, step: Step[Any, Any], units: Sequence[Any], runtime: Runtime
    ) -> list[Outcome[Any]]:
        gate = asyncio.Semaphore(self.at_once)
        made = self.tasks[step.name]

        async def one(unit: Any) -> Outcome[Any]:
            async with gate:
                try:
                    tags = self.limits(unit, runtime)
                    run = made.with_options(tags=tags) if tags else made
                    outcome: Outcome[Any] = await run(unit, runtime.request, label=step.label(unit))
                except (Unavailable, TimeoutError) as problem:
                    # The tries are used up. For the claim graph this is "unavailable", not a failed flow (I5, I10).
                    return Outcome(None, str(problem) or type(problem).__name__)
                finally:
                    self.on_done()
                return outcome

        return list(await asyncio.gather(*(one(unit) for unit in units)))


