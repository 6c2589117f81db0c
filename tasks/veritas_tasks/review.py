"""The stages of a review as Prefect tasks: one task run a stage, with a readable name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from veritas_tasks.stage_task import carried_out, stage

TIMEOUT = 7200.0
"""Seconds a stage may take: hundreds of sentences, written and judged by slow models."""

review_stage = stage.with_options(name="review stage", timeout_seconds=TIMEOUT)


async def as_tasks(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Carry out a stage as a task run (an `Around`)."""
    return await carried_out(review_stage, f"review · {name}", work)
