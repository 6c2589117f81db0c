"""Stage 3 as a task: one lens and one batch of claims a task run. The debate and the synthesis judge with it too."""

from __future__ import annotations

from typing import Any

from veritas.answers.claim_judging import JUDGE, JudgeUnit
from veritas.answers.request import Request
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(JUDGE)
async def judge(unit: JudgeUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Get one lens's judgments of a batch of claims."""
    return await run_unit(JUDGE, unit, request, known)
