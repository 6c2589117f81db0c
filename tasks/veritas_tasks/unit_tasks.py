"""The steps of the stages as Prefect tasks: one task run a unit, such as a member and a sub-query."""

from __future__ import annotations

from typing import Any

from veritas.answers.claim_judging import JUDGE
from veritas.answers.contest import CONTEST
from veritas.answers.decompose import DECOMPOSE
from veritas.answers.extract import EXTRACT
from veritas.answers.member_search import RESEARCH
from veritas.answers.request import Request
from veritas.answers.respond import RESPOND
from veritas.answers.sentence_check import REPAIR
from veritas.answers.synthesize import WRITE
from veritas.council.connections import State
from veritas_tasks.task_work import run_unit, stage_task


@stage_task(DECOMPOSE)
async def decompose(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Let one member decompose the question."""
    return await run_unit(DECOMPOSE, unit, request, known)


@stage_task(RESEARCH)
async def research(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Search one sub-query for one member, and read what the policy admits."""
    return await run_unit(RESEARCH, unit, request, known)


@stage_task(EXTRACT)
async def extract(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Extract one member's claims from what it read."""
    return await run_unit(EXTRACT, unit, request, known)


@stage_task(JUDGE)
async def judge(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Get one lens's judgments of a batch of claims. The debate and the synthesis judge with it too."""
    return await run_unit(JUDGE, unit, request, known)


@stage_task(CONTEST)
async def contest(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Collect one member's objections (R2)."""
    return await run_unit(CONTEST, unit, request, known)


@stage_task(RESPOND)
async def respond(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Get the asserter's response to one contestation (R3)."""
    return await run_unit(RESPOND, unit, request, known)


@stage_task(WRITE)
async def write(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Let the writer word the answer."""
    return await run_unit(WRITE, unit, request, known)


@stage_task(REPAIR)
async def repair(unit: Any, request: Request, label: str, known: State | None = None) -> Any:
    """Try once more to word one sentence."""
    return await run_unit(REPAIR, unit, request, known)
