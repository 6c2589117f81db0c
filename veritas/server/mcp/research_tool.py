"""The run of the tool `research`: in the background, followed by progress notifications, cancelled with its call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from veritas import errors
from veritas.claims.graph import STAGES
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.server.mcp.strict_tool import Caller
from veritas.use_cases import background
from veritas.use_cases.events import Failed, Noted, StageDone, StageStarted, Stopped, UnitDone, UnitsBegun

if TYPE_CHECKING:
    from pathlib import Path

    from veritas import ClaimGraph
    from veritas.server.context import Context
    from veritas.server.tokens import Token

Report = Callable[[float, float, str], Awaitable[None]]
"""A function that receives the progress of a run, its total, and a line of text."""
Begin = Callable[[str, Mapping[str, Any] | None, Caller], background.Job]
"""A function that begins a new run of settings in the background, or lets a run go on where they are None."""
LEAST = 1e-4
"""Least step of the progress: it must grow with every notification."""


def for_oneself(home: Path) -> Begin:
    """Return the function that begins runs for the person who started the server."""

    def begin(run_id: str, settings: Mapping[str, Any] | None, caller: Caller) -> background.Job:
        if settings is None:
            return background.go_on(run_id, home=home)
        return background.begin(**settings, run_id=run_id, home=home)

    return begin


def for_tokens(here: Context) -> Begin:
    """Return the function that begins runs within the budget of the caller's token."""

    def begin(run_id: str, settings: Mapping[str, Any] | None, caller: Caller) -> background.Job:
        assert caller.token is not None, "who is let in over HTTP has shown a token"
        return begun(here, run_id, settings, caller.token)

    return begin


def begun(here: Context, run_id: str, settings: Mapping[str, Any] | None, who: Token) -> background.Job:
    """Begin a run in the background, or resume it. Raises `InputError` if the token's budget does not allow it."""
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


async def carry_out(
    begin: Begin, report: Report, *, run_id: str, settings: Mapping[str, Any] | None, caller: Caller, home: Path
) -> ClaimGraph:
    """Return the claim graph of a new run of `settings`, or of the resumed run `run_id`, and report its progress to
    `report`.

    Cancelling stops the run, which can be resumed. Raises what `research` and `resume` raise.
    """
    from veritas.use_cases.run_states import load_run

    told = Told(report)
    await told.line(f"run {run_id}")
    job = await anyio.to_thread.run_sync(begin, run_id, settings, caller)
    last: Any = job.ended or job.failed  # of one that was finished, or ended before it is followed
    if job.place:
        await told.line("waits in line: other runs are under way")
    try:
        async for each in background.follow(job.run_id, job.last_event, home=home):
            last = each.event if each.kind in background.ENDS else None
            await told.event(each.event)
        if isinstance(last, Failed):
            raise _as_it_was(last)
        if isinstance(last, Stopped):
            raise errors.Cancelled(last.said or f"run {job.run_id} was stopped on request")
        run = getattr(last, "run_id", job.run_id)
        return await anyio.to_thread.run_sync(partial(load_run, run, home=home))
    finally:
        if last is None:
            with anyio.CancelScope(shield=True), suppress(InputError):  # it may have ended by itself
                await anyio.to_thread.run_sync(partial(background.cancel, job.run_id, home=home))


def _as_it_was(failed: Failed) -> errors.VeritasError:
    """Return the error that ended a run in another process, as one of its public classes."""
    kind = getattr(errors, failed.error, None)
    if isinstance(kind, type) and issubclass(kind, InputError | errors.Unavailable):
        return kind(failed.said)
    return (InputError if failed.exit_code == InputError.exit_code else errors.Unavailable)(failed.said)


class Told:
    """Reports a run in notifications: the number of finished stages, and parts of the present one."""

    def __init__(self, report: Report) -> None:
        self._report, self._last = report, 0.0
        self._stage, self._step, self._units, self._done = 0, "", 0, 0

    async def line(self, text: str) -> None:
        """Report a line; the progress grows minimally."""
        await self._tell(self._last + LEAST, text)

    async def event(self, event: Frozen) -> None:
        """Report an event."""
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
