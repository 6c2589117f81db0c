"""The run behind the tool `research`: followed by progress notifications, stopped when the call is given up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

from veritas.claims.graph import STAGES
from veritas.server.mcp.work import followed
from veritas.use_cases.events import Noted, RunEnded, RunEvent, StageDone, StageStarted, UnitDone, UnitsBegun, streamed

if TYPE_CHECKING:
    from veritas import ClaimGraph

Report = Callable[[float, float, str], Awaitable[None]]
"""A function that is told how far a run is, of how much, and a line about it."""
LEAST = 1e-4
"""Least step of the progress that is told: it has to grow with every notification."""


async def _begin(run_id: str, settings: dict[str, Any], *, progress: Any = None) -> ClaimGraph:
    from veritas.use_cases.runs import make_request, start

    return await start(make_request(**settings), run_id=run_id, progress=progress)


async def _resume(run_id: str, *, progress: Any = None) -> ClaimGraph:
    from veritas.use_cases.runs import resume

    return await resume(run_id, progress=progress)


async def carry_out(report: Report, *, run_id: str, settings: dict[str, Any] | None) -> ClaimGraph:
    """Return the claim graph of a new run of `settings`, or of the run `run_id` gone on with, telling `report` of it.

    Cancelling stops the run, which can be resumed. Raises what `research` and `resume` raise.
    """
    made: Callable[[], AsyncIterator[RunEvent]]
    if settings is None:
        made = partial(streamed(_resume, "Go on with a run."), run_id)
    else:
        made = partial(streamed(_begin, "Begin a run."), run_id, settings)
    told = Told(report)
    await told.line(f"run {run_id}")
    graph: ClaimGraph
    async with aclosing(followed(made)) as events:
        async for event in events:  # the last one holds the graph
            if isinstance(event, RunEnded):
                graph = event.graph
            else:
                await told.event(event)
    return graph


class Told:
    """A report of a run in notifications: how many of the stages are done, parts of the present one counted."""

    def __init__(self, report: Report) -> None:
        self._report, self._last = report, 0.0
        self._stage, self._step, self._units, self._done = 0, "", 0, 0

    async def line(self, text: str) -> None:
        """Tell a line; the progress grows by next to nothing."""
        await self._tell(self._last + LEAST, text)

    async def event(self, event: RunEvent) -> None:
        """Tell of an event."""
        if isinstance(event, Noted):
            await self.line(event.text)
        elif isinstance(event, StageStarted):
            self._stage = STAGES.index(event.stage) if event.stage in STAGES else self._stage
            self._units = self._done = 0
            await self._tell(self._stage, event.stage)
        elif isinstance(event, UnitsBegun):
            self._step, self._units, self._done = event.step, event.total, 0
        elif isinstance(event, UnitDone):
            self._done += 1
            if self._units and self._done <= self._units:
                part = self._done / (self._units + 1)
                await self._tell(self._stage + part, f"{self._step}: {self._done} of {self._units}")
        elif isinstance(event, StageDone):
            await self._tell(self._stage + 1, f"{event.stage}: {event.said}")

    async def _tell(self, progress: float, text: str) -> None:
        self._last = max(progress, self._last + LEAST)
        await self._report(self._last, float(len(STAGES)), text)
