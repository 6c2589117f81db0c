"""A stage as a Prefect task run around its work: the units of the stage are task runs below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Cancelled as CancelledState

from veritas.claims.graph import STAGES
from veritas.context_value import within
from veritas.errors import Cancelled

_PLACE: dict[str, int] = {stage: place for place, stage in enumerate(STAGES)}

_work: ContextVar[Callable[[], Awaitable[Any]] | None] = ContextVar("veritas_stage", default=None)


async def _given() -> Any:
    """Carry out the work that `carried_out` was given.

    This is apart from the task: a unit in another process takes the task around it along, so everything that the task
    itself names must survive pickling. A stage that somebody asked to stop ends cancelled, not failed; the caller that
    awaits its task gets the error.
    """
    work = _work.get()
    assert work is not None, "a stage is run by carried_out alone"
    try:
        return await work()
    except Cancelled as asked:
        return CancelledState(message=str(asked), data=asked)


@task(name="stage", task_run_name="{title}", cache_policy=NO_CACHE, persist_result=False)
async def stage(title: str) -> Any:
    """Carry out one stage. It is not retried as a whole: its units are.

    The work is no parameter: Prefect would look through all that it holds.
    """
    return await _given()


async def carried_out(made: Task[..., Any], title: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Carry out the work inside a run of the task."""
    with within(_work, work):
        done = await made(title)
    return await done.aresult() if isinstance(done, State) else done  # a state is how it ended: this raises


async def as_tasks(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Carry out a stage of a research run as a task run, such as `stage 3 · verify` (an `Around`)."""
    return await carried_out(stage, f"stage {_PLACE[name]} · {name}", work)


LONG = 7200.0
"""Seconds a stage of a paper's audit or of a review may take: hundreds of statements, each put to a slow model."""
paper_stage = stage.with_options(name="paper stage", timeout_seconds=LONG)
review_stage = stage.with_options(name="review stage", timeout_seconds=LONG)


async def paper_as_tasks(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Carry out a stage of a paper's audit as a task run (an `Around`)."""
    return await carried_out(paper_stage, f"paper · {name}", work)


async def review_as_tasks(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Carry out a stage of a review as a task run (an `Around`)."""
    return await carried_out(review_stage, f"review · {name}", work)
