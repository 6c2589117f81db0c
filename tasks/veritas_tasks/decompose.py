"""Stage 0 as a task."""

from __future__ import annotations

from typing import Any

from veritas.answers.decompose import DECOMPOSE, DecomposeUnit
from veritas.answers.request import Request
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(DECOMPOSE)
async def decompose(unit: DecomposeUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Let one member decompose the question."""
    return await run_unit(DECOMPOSE, unit, request, known)
