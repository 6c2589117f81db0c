"""Stage 0 as a task."""

from __future__ import annotations

from typing import Any

from tasks.running import run_unit, stage_task
from veritas.council.switchboard import State
from veritas.stages.decompose import DECOMPOSE, DecomposeUnit
from veritas.stages.request import Request


@stage_task(DECOMPOSE)
async def decompose(unit: DecomposeUnit, request: Request, label: str, known: State | None = None) -> Any:
    """The question, taken apart by one member."""
    return await run_unit(DECOMPOSE, unit, request, known)
