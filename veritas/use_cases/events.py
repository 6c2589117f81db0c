"""What a run tells while it goes, as typed events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from veritas.claims.graph import Call, ClaimGraph
from veritas.frozen import Frozen


class Noted(Frozen):
    """Something that a person should know before the run begins, in one line."""

    text: str


class StageStarted(Frozen):
    """A stage began."""

    stage: str


class UnitsBegun(Frozen):
    """So many units of a step are under way; a `UnitDone` follows for each."""

    step: str
    total: int


class UnitDone(Frozen):
    """A unit ended; `calls` is what was asked for it."""

    calls: tuple[Call, ...] = ()


class StageDone(Frozen):
    """A stage ended after `seconds` of wall time; `from_store` when it was taken over and not done."""

    stage: str
    seconds: float
    said: str
    from_store: bool


class RunEnded(Frozen):
    """The last event: the run's whole claim graph. Its answer's status may be `unavailable`."""

    graph: ClaimGraph


RunEvent = Noted | StageStarted | UnitsBegun | UnitDone | StageDone | RunEnded


class Told:
    """`Progress` that puts each event into a queue, in order."""

    def __init__(self, queue: asyncio.Queue[RunEvent | None]) -> None:
        self._put = queue.put_nowait

    def noted(self, text: str) -> None:
        self._put(Noted(text=text))

    def warned(self, text: str) -> None:
        self._put(Noted(text=text))

    def stage_started(self, stage: str) -> None:
        self._put(StageStarted(stage=stage))

    def units_begun(self, step: str, total: int) -> None:
        self._put(UnitsBegun(step=step, total=total))

    def unit_done(self, calls: Sequence[Call] = ()) -> None:
        self._put(UnitDone(calls=tuple(calls)))

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        self._put(StageDone(stage=stage, seconds=seconds, said=said, from_store=from_store))
