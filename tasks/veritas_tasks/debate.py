"""Stage 4 as tasks: one member a task run in R2, one contested claim a task run in R3."""

from __future__ import annotations

from typing import Any

from veritas.answers.contest import CONTEST, ContestUnit
from veritas.answers.request import Request
from veritas.answers.respond import RESPOND, RespondUnit
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(CONTEST)
async def contest(unit: ContestUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Collect one member's objections (R2)."""
    return await run_unit(CONTEST, unit, request, known)


@stage_task(RESPOND)
async def respond(unit: RespondUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Get the asserter's response to one contestation (R3)."""
    return await run_unit(RESPOND, unit, request, known)
