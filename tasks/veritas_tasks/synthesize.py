"""Stage 5 as tasks: the draft of the answer, and the repair of a sentence that failed its check."""

from __future__ import annotations

from typing import Any

from veritas.answers.request import Request
from veritas.answers.sentence_check import REPAIR, RepairUnit
from veritas.answers.synthesize import WRITE, WriteUnit
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(WRITE)
async def write(unit: WriteUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Let the writer word the answer."""
    return await run_unit(WRITE, unit, request, known)


@stage_task(REPAIR)
async def repair(unit: RepairUnit, request: Request, label: str, known: State | None = None) -> Any:
    """Try once more to word one sentence."""
    return await run_unit(REPAIR, unit, request, known)
