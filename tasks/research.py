"""Stage 1 as a task: one member and one sub-query a task run, held to the limits of the search providers it asks."""

from __future__ import annotations

from typing import Any

from tasks.running import run_unit, stage_task
from veritas.council.switchboard import State
from veritas.search.provider import SearchProvider
from veritas.stages.request import Request
from veritas.stages.research import RESEARCH, ResearchUnit
from veritas.stages.runtime import Runtime

DEFAULT = 4


def provider_tag(provider: str) -> str:
    """The tag of the task runs that ask a provider; the server's limit on that tag is the provider's limit."""
    return f"provider:{provider}"


def slots(provider: SearchProvider) -> int | None:
    """How many task runs may ask a provider at the same time: its `at_once`, by default 4; None for no limit."""
    return getattr(provider, "at_once", DEFAULT)


def provider_tags(unit: Any, runtime: Runtime) -> list[str]:
    """The tags of the limited providers that a unit of research asks, sorted; none for a unit of another stage."""
    if not isinstance(unit, ResearchUnit):
        return []
    asked = {b.provider for b in unit.bindings}
    return sorted(provider_tag(name) for name in asked if slots(runtime.providers[name]) is not None)


@stage_task(RESEARCH)
async def research(unit: ResearchUnit, request: Request, label: str, known: State | None = None) -> Any:
    """One member's searches on one sub-query, and the reading of what the policy admits."""
    return await run_unit(RESEARCH, unit, request, known)
