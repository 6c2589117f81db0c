"""The events of a run, typed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from veritas.claims.graph import Call, ClaimGraph
from veritas.frozen import Frozen


class Noted(Frozen):
    """A line that a person should know before the run begins."""

    text: str


class StageStarted(Frozen):
    """The beginning of a stage."""

    stage: str


class UnitsBegun(Frozen):
    """The beginning of so many units of a step; a `UnitDone` follows for each."""

    step: str
    total: int


class UnitDone(Frozen):
    """The end of a unit; `calls` are those made for it."""

    calls: tuple[Call, ...] = ()


class StageDone(Frozen):
    """The end of a stage after `seconds` of wall time; `from_store` is true when it was taken over and not done."""

    stage: str
    seconds: float
    said: str
    from_store: bool


class RunEnded(Frozen):
    """The last event: the run's whole claim graph. Its answer's status may be `unavailable`."""

    graph: ClaimGraph


RunEvent = Noted | StageStarted | UnitsBegun | UnitDone | StageDone | RunEnded


class Told:
    """A `Progress` that puts each event into a queue, in order."""

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
