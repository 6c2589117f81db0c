"""The stages of a paper's audit as Prefect tasks: one task run a stage, with a name one can read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from veritas.papers.audit import PaperStage

TIMEOUT = 7200.0
"""Seconds a stage may take: hundreds of statements, each assessed several times by a slow model."""

_work: ContextVar[Callable[[], Awaitable[Any]] | None] = ContextVar("veritas_paper_stage", default=None)


@task(
    name="paper stage",
    task_run_name="paper · {stage}",
    timeout_seconds=TIMEOUT,
    cache_policy=NO_CACHE,
    persist_result=False,
)
async def paper_stage(stage: str) -> Any:
    """One stage. It is not tried again as a whole: what may pass is tried again inside it."""
    work = _work.get()
    assert work is not None, "a stage is run by as_tasks alone"
    return await work()


async def as_tasks(stage: PaperStage, work: Callable[[], Awaitable[Any]]) -> Any:
    """`Around` that makes every stage a task run."""
    token = _work.set(work)
    try:
        return await paper_stage(stage)
    finally:
        _work.reset(token)
