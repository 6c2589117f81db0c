"""Stage 2 as a task: one member and one sub-query a task run."""

from __future__ import annotations

from typing import Any

from tasks.running import run_unit, stage_task
from veritas.council.switchboard import State
from veritas.stages.extract import EXTRACT, ExtractUnit
from veritas.stages.request import Request


@stage_task(EXTRACT)
async def extract(unit: ExtractUnit, request: Request, label: str, known: State | None = None) -> Any:
    """What one member claims from what it read."""
    return await run_unit(EXTRACT, unit, request, known)
