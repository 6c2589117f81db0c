"""Stage 2 as a task: one member and one sub-query a task run."""

from __future__ import annotations

from typing import Any

from veritas.answers.extract import EXTRACT, ExtractUnit
from veritas.answers.request import Request
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(EXTRACT)
async def extract(unit: ExtractUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Extract one member's claims from what it read."""
    return await run_unit(EXTRACT, unit, request, known)
