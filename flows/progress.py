"""A run's progress in the Prefect UI: a progress artifact, and a log line a stage."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any
from uuid import UUID

import httpx
from prefect import get_run_logger
from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact

from veritas.claims.graph import STAGES, StageName
from veritas.stages.pipeline import Progress, Silent


class ArtifactProgress:
    """Moves the artifact at each stage, and tells another watcher (the command line's, say) the same."""

    def __init__(self, artifact: UUID, also: Progress) -> None:
        self.artifact, self.also = artifact, also
        self._logger = get_run_logger()
        self._last: asyncio.Task[None] | None = None

    @classmethod
    async def begin(cls, question: str, also: Progress | None = None) -> ArtifactProgress:
        """A new artifact at 0 %."""
        made = await acreate_progress_artifact(progress=0.0, description=f"Progress · {question}")
        return cls(made, also or Silent())

    def _send(self, update: Coroutine[Any, Any, Any]) -> None:
        """Sends an update after those before it, while the run goes on."""

        async def in_turn(before: asyncio.Task[None] | None) -> None:
            if before is not None:
                await before
            try:
                await update
            except httpx.HTTPError as problem:
                # A bar that stands still is no reason to lose a run.
                self._logger.warning("the progress artifact was not updated: %s", problem)

        self._last = asyncio.ensure_future(in_turn(self._last))

    async def end(self) -> None:
        """Waits until the server has heard all."""
        if self._last is not None:
            await self._last

    def stage_started(self, stage: StageName) -> None:
        self.also.stage_started(stage)

    def units_begun(self, step: str, total: int) -> None:
        self.also.units_begun(step, total)

    def unit_done(self) -> None:
        self.also.unit_done()

    def stage_done(self, stage: StageName, seconds: float, said: str, from_store: bool) -> None:
        self.also.stage_done(stage, seconds, said, from_store)
        self._logger.info("%s: %s (%.1f s%s)", stage, said, seconds, ", from the store" if from_store else "")
        share = 100.0 * (STAGES.index(stage) + 1) / len(STAGES)
        self._send(aupdate_progress_artifact(self.artifact, progress=share))
