"""Stage 3 as a task: one lens and one batch of claims a task run. The debate and the synthesis judge with it too."""

from __future__ import annotations

from typing import Any

from tasks.running import run_unit, stage_task
from veritas.council.switchboard import State
from veritas.stages.judging import JUDGE, JudgeUnit
from veritas.stages.request import Request


@stage_task(JUDGE)
async def judge(unit: JudgeUnit, request: Request, label: str, known: State | None = None) -> Any:
    """One lens's judgments of a batch of claims."""
    return await run_unit(JUDGE, unit, request, known)
