"""A run's progress in the Prefect UI: a progress artifact with the cost so far; a log line and a note a stage."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from time import monotonic
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx
from prefect import get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_progress_artifact, aupdate_progress_artifact
from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound

from veritas.claims.graph import STAGES, Call
from veritas.engine.progress import Progress, Shown, Silent
from veritas.report.meter import Meter

_PLACE: dict[str, int] = {stage: place for place, stage in enumerate(STAGES)}

SHOWN_EVERY = 2.0
"""Least seconds between two updates of the artifact within a stage."""


class ArtifactProgress:
    """A watcher that moves the artifact at each stage, and tells another one (the command line's, say) the same."""

    def __init__(self, artifact: UUID, title: str, run_id: str, replay: UUID | None, also: Progress) -> None:
        """Set up the watcher. `replay` is the deployment that replays a run, if the server has one."""
        self.artifact, self.title, self.run_id, self.replay, self.also = artifact, title, run_id, replay, also
        self.meter = Meter()
        self._share, self._said = 0.0, ""
        self._sent = monotonic()
        self._logger = get_run_logger()
        self._last: asyncio.Task[None] | None = None

    @classmethod
    async def begin(cls, question: str, run_id: str, also: Progress | None = None) -> ArtifactProgress:
        """Make a new artifact at 0 %."""
        title = f"Progress · {question}"
        made = await acreate_progress_artifact(progress=0.0, description=title)
        return cls(made, title, run_id, await _replay_deployment(), also or Silent())

    def _show(self) -> None:
        """Update the artifact: how far, in which stage, and the cost so far."""
        self._sent = monotonic()
        told = " · ".join(filter(None, (self.title, self._said, self.meter.said)))
        self._send(aupdate_progress_artifact(self.artifact, progress=self._share, description=told))

    def _send(self, update: Coroutine[Any, Any, Any]) -> None:
        """Send an update after those before it, while the run goes on."""

        async def in_turn(before: asyncio.Task[None] | None) -> None:
            if before is not None:
                await before
            try:
                await update
            except httpx.HTTPError as problem:
                # A stuck progress bar is no reason to lose a run.
                self._logger.warning("an artifact of the run's progress was not written: %s", problem)

        self._last = asyncio.ensure_future(in_turn(self._last))

    async def end(self) -> None:
        """Wait until the server has all updates."""
        if self._last is not None:
            await self._last

    def noted(self, text: str) -> None:
        self._logger.info("%s", text)
        self.also.noted(text)

    def warned(self, text: str) -> None:
        self._logger.warning("%s", text)
        self.also.warned(text)

    def stage_started(self, stage: str) -> None:
        self._said = stage
        self.also.stage_started(stage)

    def units_begun(self, step: str, total: int) -> None:
        self.also.units_begun(step, total)

    def unit_done(self, calls: Sequence[Call] = ()) -> None:
        self.meter.add(calls)
        self.also.unit_done(calls)
        if monotonic() - self._sent > SHOWN_EVERY:
            self._show()

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        self.also.stage_done(stage, seconds, said, from_store)
        kept = ", from the store" if from_store else ""
        cost = f"; so far {self.meter.said}" if self.meter.said else ""
        self._logger.info("%s: %s (%.1f s%s)%s", stage, said, seconds, kept, cost)
        self._share = 100.0 * (_PLACE[stage] + 1) / len(STAGES)
        self._said = f"{stage} done"
        link = f"[Replay from here]({_form(self.replay, self.run_id, stage)})\n\n" if self.replay else ""
        note = f"{said}. {seconds:.1f} s{kept}{cost}.\n\n{link}`veritas replay {self.run_id} --from {stage}`\n"
        self._send(acreate_markdown_artifact(note, description=f"Stage {_PLACE[stage]} · {stage}"))
        self._show()

    def stage_output(self, stage: str, output: Any) -> None:
        if isinstance(self.also, Shown):
            self.also.stage_output(stage, output)

    def replay_links(self) -> str:
        """Return a line of links, one a stage; without the deployment, the command."""
        if self.replay is None:
            return f"Replay: `veritas replay {self.run_id} --from STAGE`"
        links = (f"[{stage}]({_form(self.replay, self.run_id, stage)})" for stage in STAGES)
        return f"Replay from: {' · '.join(links)}"


class LoggedProgress(Silent):
    """Progress as a log line a stage."""

    def __init__(self) -> None:
        self._logger = get_run_logger()

    def noted(self, text: str) -> None:
        self._logger.info("%s", text)

    def warned(self, text: str) -> None:
        self._logger.warning("%s", text)

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        self._logger.info("%s: %s (%.1f s%s)", stage, said, seconds, ", from the store" if from_store else "")


async def _replay_deployment() -> UUID | None:
    async with get_client() as client:
        try:
            return (await client.read_deployment_by_name("replay/replay")).id
        except ObjectNotFound:
            return None


def _form(replay: UUID, run_id: str, stage: str) -> str:
    """Return the address of a replay's form, filled in. It is relative to the pages that show artifacts, all two levels
    deep, so it works in any UI, whatever its version and address."""
    given = quote(json.dumps({"run": run_id, "start": stage}), safe="")
    return f"../../deployments/deployment/{replay}/run?parameters={given}"
