"""Stage 1 as a task: one member and one sub-query a task run."""

from __future__ import annotations

from typing import Any

from veritas.answers.member_search import RESEARCH
from veritas.answers.request import Request
from veritas.answers.searches import ResearchUnit
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(RESEARCH)
async def research(unit: ResearchUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Search one sub-query for one member, and read what the policy admits."""
    return await run_unit(RESEARCH, unit, request, known)
