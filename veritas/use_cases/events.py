"""The events of a run: typed, told to whoever follows, and kept as lines of a file for runs in the background."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ParamSpec

from pydantic import SerializeAsAny

from veritas.claims.contestation import Round
from veritas.claims.graph import Call, ClaimGraph
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.store import jobs as stored

P = ParamSpec("P")


class Noted(Frozen):
    """A line that a person should know. `outage`: somebody did not answer, so another try may find more."""

    text: str
    outage: bool = False


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


class Queued(Frozen):
    """A run in the background was asked for, or asked to go on, and waits for its turn."""


class Begun(Frozen):
    """A process begins to carry out a run in the background; `attempt` counts those since it was `Queued`."""

    attempt: int


class Ended(Frozen):
    """A run in the background came to its end, as the run `run_id`, which is another than was asked for where an
    unavailable one went on."""

    run_id: str
    status: str
    reason: str | None = None
    cost_usd: float | None = None


class Failed(Frozen):
    """A run in the background could not go on: `error` names the class of the error, `said` is its sentence."""

    error: str
    said: str
    exit_code: int = 70


class Stopped(Frozen):
    """A run in the background was asked to stop, and did; it can be resumed."""

    said: str = ""


class SourceSeen(Frozen):
    """A source as it was found: `status` is that of the claim graph, `rule` names the policy's rule, `reason` says why
    it was admitted or turned away, or could not be read."""

    source_id: str
    title: str
    url: str
    status: str
    tier: int | str
    rule: str
    reason: str


class SourcesFound(Frozen):
    """The sources that the searches of a run brought, those that were turned away too. `more` were left out here."""

    sources: tuple[SourceSeen, ...]
    more: int = 0


class ClaimSeen(Frozen):
    """A claim as it stands after a stage. `label` is the judgment, None before; `live` whether it goes on."""

    claim_id: str
    claim: str
    asserted_by: str
    label: str | None = None
    debate_status: str = "uncontested"
    badges: tuple[str, ...] = ()
    live: bool = True


class ClaimsSeen(Frozen):
    """The claims after a stage: grounded after `extract`, judged after `verify`, argued over after `debate`."""

    stage: str
    claims: tuple[ClaimSeen, ...]
    more: int = 0


class OutSeen(Frozen):
    """Something that was left out: what (`kind` as in the claim graph's events), its id, and why."""

    kind: str
    subject_id: str
    reason: str


class LeftOut(Frozen):
    """What a stage left out, each with its reason."""

    stage: str
    out: tuple[OutSeen, ...]
    more: int = 0


class Agreement(Frozen):
    """The agreement meter of a debate, a round each."""

    rounds: tuple[Round, ...]


RunEvent = Noted | StageStarted | UnitsBegun | UnitDone | StageDone | RunEnded


class Telling:
    """A `Progress` that tells each thing as an event."""

    def tell(self, event: Any) -> None:
        """Hand an event on."""
        raise NotImplementedError

    def noted(self, text: str, outage: bool = False) -> None:
        self.tell(Noted(text=text, outage=outage))

    def warned(self, text: str) -> None:
        self.noted(text)

    def stage_started(self, stage: str) -> None:
        self.tell(StageStarted(stage=stage))

    def units_begun(self, step: str, total: int) -> None:
        self.tell(UnitsBegun(step=step, total=total))

    def unit_done(self, calls: Sequence[Call] = ()) -> None:
        self.tell(UnitDone(calls=tuple(calls)))

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        self.tell(StageDone(stage=stage, seconds=seconds, said=said, from_store=from_store))


class Heard(Telling):
    """A `Progress` that puts each event into a queue, in order."""

    def __init__(self, queue: asyncio.Queue[RunEvent | None]) -> None:
        self._queue = queue

    def tell(self, event: Any) -> None:
        self._queue.put_nowait(event)


def streamed(function: Callable[P, Coroutine[Any, Any, ClaimGraph]], doc: str) -> Callable[P, AsyncIterator[RunEvent]]:
    """Return `function`, which makes a run and takes a `progress`, as one that yields the run's events; `doc` is its
    docstring. The parameters stay, `progress` excepted: what it would hear is what is yielded."""

    async def stream(*args: P.args, **kwargs: P.kwargs) -> AsyncIterator[RunEvent]:
        if kwargs.get("progress") is not None:
            raise InputError("progress is not heard here: what it would be told is what the stream yields")
        queue: asyncio.Queue[RunEvent | None] = asyncio.Queue()
        kwargs["progress"] = Heard(queue)

        async def run() -> None:
            try:
                queue.put_nowait(RunEnded(graph=await function(*args, **kwargs)))
            finally:
                queue.put_nowait(None)

        task = asyncio.create_task(run())
        try:
            while (event := await queue.get()) is not None:
                yield event
            await task
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):  # its error was raised above, or nobody listens any more
                await task

    signature = inspect.signature(function)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "progress"]
    made: Any = stream
    made.__signature__ = signature.replace(parameters=kept, return_annotation="AsyncIterator[RunEvent]")
    made.__doc__, made.__module__ = doc, function.__module__
    return stream


_KINDS: Mapping[str, type[Frozen]] = {
    "queued": Queued, "begun": Begun, "noted": Noted, "stage_started": StageStarted,
    "units_begun": UnitsBegun, "unit_done": UnitDone, "stage_done": StageDone,
    "sources_found": SourcesFound, "claims_seen": ClaimsSeen, "left_out": LeftOut,
    "agreement": Agreement, "ended": Ended, "failed": Failed, "stopped": Stopped,
}  # fmt: skip
_NAMES = {kind: name for name, kind in _KINDS.items()}


class Told(Frozen):
    """An event of a run in the background. `number` counts from 1 and never changes; `kind` is the event's class in
    small letters, such as `stage_done`."""

    number: int
    at: datetime
    kind: str
    event: SerializeAsAny[Frozen]


def typed(line: stored.JobLine) -> Frozen | None:
    kind = _KINDS.get(line.kind)
    try:
        return kind.model_validate(line.fields) if kind is not None else None
    except (ValueError, RecursionError):  # of another version, or of a damaged file
        return None


def all_typed(lines: Sequence[stored.JobLine]) -> list[Told]:
    """Return the events of lines; those of another version of VERITAS that are not known here are left out."""
    return [
        Told(number=line.number, at=line.at, kind=line.kind, event=event)
        for line in lines
        if (event := typed(line)) is not None
    ]


def tell(home: Path, run_id: str, event: Frozen) -> None:
    """Append an event to those of a run. Raises `StoreUnavailable`."""
    stored.append_event(home, run_id, _NAMES[type(event)], event.model_dump(mode="json"))
