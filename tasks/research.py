"""Stage 1 as a task: one member and one sub-query a task run, held to the limits of the search providers."""

from __future__ import annotations

from typing import Any

from prefect.concurrency.asyncio import concurrency

from tasks.running import run_unit, stage_task
from veritas.stages.request import Request
from veritas.stages.research import RESEARCH, ResearchUnit

LIMIT = "veritas-search-{provider}"


def limit_name(provider: str) -> str:
    """The name of a provider's concurrency limit on the server."""
    return LIMIT.format(provider=provider)


@stage_task(RESEARCH)
async def research(unit: ResearchUnit, request: Request, label: str) -> Any:
    """One member's searches on one sub-query, and the reading of what the policy admits."""
    # strict: a limit that was not created must be an error, for Prefect would pass over it in silence.
    async with concurrency([limit_name(b.provider) for b in unit.bindings], occupy=1, strict=True):
        return await run_unit(RESEARCH, unit, request)
