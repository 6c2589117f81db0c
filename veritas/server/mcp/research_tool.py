"""The run behind the tool `research`: followed by progress notifications, stopped when the call is given up."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from veritas import errors
from veritas.claims.graph import STAGES
from veritas.errors import InputError
from veritas.server.mcp.strict_tool import Caller
from veritas.server.mcp.work import followed
from veritas.use_cases import background
from veritas.use_cases.events import (
    Failed,
    Noted,
    RunEnded,
    RunEvent,
    StageDone,
    StageStarted,
    Stopped,
    UnitDone,
    UnitsBegun,
    streamed,
)

if TYPE_CHECKING:
    from veritas import ClaimGraph
    from veritas.server.context import Context
    from veritas.server.tokens import Token

Report = Callable[[float, float, str], Awaitable[None]]
"""A function that is told how far a run is, of how much, and a line about it."""
Carrier = Callable[[str, Mapping[str, Any] | None, Caller], AsyncGenerator[RunEvent, None]]
"""A function that carries out a new run of settings, or goes on with a run where they are None, for a caller: it yields
the run's events, the last of which holds the graph. Whoever closes it stops the run, which can be resumed."""
AT_ONCE = 2
"""Runs that one process carries out at a time; the others wait in line."""
LEAST = 1e-4
"""Least step of the progress that is told: it has to grow with every notification."""


async def _begin(run_id: str, settings: Mapping[str, Any], *, progress: Any = None) -> ClaimGraph:
    from veritas.use_cases.runs import make_request, start

    return await start(make_request(**settings), run_id=run_id, progress=progress)


async def _resume(run_id: str, *, progress: Any = None) -> ClaimGraph:
    from veritas.use_cases.runs import resume

    return await resume(run_id, progress=progress)


class InProcess:
    """A `Carrier` that carries out runs in threads of this process."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._limiter: anyio.CapacityLimiter | None = None

    async def __call__(
        self, run_id: str, settings: Mapping[str, Any] | None, caller: Caller
    ) -> AsyncGenerator[RunEvent, None]:
        """Carry out a run when its turn has come."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._at_once)
        if self._limiter.available_tokens < 1:
            yield Noted(text="waits in line: other runs are under way")
        made: Callable[[], AsyncIterator[RunEvent]]
        if settings is None:
            made = partial(streamed(_resume, "Go on with a run."), run_id)
        else:
            made = partial(streamed(_begin, "Begin a run."), run_id, settings)
        async with self._limiter, aclosing(followed(made)) as events:
            async for event in events:
                yield event


def in_background(here: Context) -> Carrier:
    """Return what carries out runs in the background, as the rest of a server does, within the budget of a token."""
    return partial(_in_background, here)


def begun(here: Context, run_id: str, settings: Mapping[str, Any] | None, who: Token) -> background.Job:
    """Begin a run in the background, or let it go on. Raises `InputError` where the token's budget does not allow
    it."""
    from fastapi import HTTPException

    from veritas.server.api.common import gone_on, limited

    own: dict[str, Any] = {"owner": who.token_id, "at_once": here.settings.at_once, "home": here.home}
    try:
        if settings is None:
            return gone_on(run_id, who, here)
        with here.beginning:
            budget = limited(settings.get("budget"), who, here, run_id)
            return background.begin(**{**settings, "budget": budget}, run_id=run_id, **own)
    except HTTPException as refused:
        raise InputError(str(refused.detail)) from refused


async def _in_background(
    here: Context, run_id: str, settings: Mapping[str, Any] | None, caller: Caller
) -> AsyncGenerator[RunEvent, None]:
    from veritas.use_cases.run_archive import load_run

    home = here.home
    assert caller.token is not None, "who is let in over HTTP has shown a token"
    job = await anyio.to_thread.run_sync(begun, here, run_id, settings, caller.token)
    last: Any = job.ended or job.failed  # of one that was finished, or ended before it is followed
    ended = last is not None
    try:
        async for told in background.follow(job.run_id, job.last_event, home=home):
            if isinstance(told.event, Noted | StageStarted | UnitsBegun | UnitDone | StageDone):
                yield told.event
            elif told.kind in background.ENDS:
                ended, last = True, told.event
        if isinstance(last, Failed):
            raise _as_it_was(last)
        if isinstance(last, Stopped):
            raise errors.Cancelled(last.said or f"run {job.run_id} was stopped on request")
        run = getattr(last, "run_id", job.run_id)
        yield RunEnded(graph=await anyio.to_thread.run_sync(partial(load_run, run, home=home)))
    finally:
        if not ended:
            with anyio.CancelScope(shield=True), suppress(InputError):  # it may have ended by itself
                await anyio.to_thread.run_sync(partial(background.cancel, job.run_id, home=home))


def _as_it_was(failed: Failed) -> errors.VeritasError:
    """Return the error that ended a run elsewhere, as one of its public classes."""
    kind = getattr(errors, failed.error, None)
    if isinstance(kind, type) and issubclass(kind, InputError | errors.Unavailable):
        return kind(failed.said)
    return (InputError if failed.exit_code == InputError.exit_code else errors.Unavailable)(failed.said)


async def carry_out(
    carrier: Carrier, report: Report, *, run_id: str, settings: Mapping[str, Any] | None, caller: Caller
) -> ClaimGraph:
    """Return the claim graph of a new run of `settings`, or of the run `run_id` gone on with, telling `report` of it.

    Cancelling stops the run, which can be resumed. Raises what `research` and `resume` raise.
    """
    told = Told(report)
    await told.line(f"run {run_id}")
    graph: ClaimGraph
    async with aclosing(carrier(run_id, settings, caller)) as events:
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
