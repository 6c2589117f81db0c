"""Stage 1 as a task: one member and one sub-query a task run, held to the limits of the search providers it asks."""

from __future__ import annotations

from typing import Any

from tasks.running import run_unit, stage_task
from veritas.stages.request import Request
from veritas.stages.research import RESEARCH, ResearchUnit


def provider_tag(provider: str) -> str:
    """The tag of the task runs that ask a provider; the server's limit on that tag is the provider's limit."""
    return f"provider:{provider}"


def provider_tags(unit: Any) -> list[str]:
    """The provider tags of a unit of research, sorted; none for a unit of another stage."""
    return sorted({provider_tag(b.provider) for b in unit.bindings}) if isinstance(unit, ResearchUnit) else []


@stage_task(RESEARCH)
async def research(unit: ResearchUnit, request: Request, label: str) -> Any:
    """One member's searches on one sub-query, and the reading of what the policy admits."""
    return await run_unit(RESEARCH, unit, request)
