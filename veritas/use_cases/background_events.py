"""The events of a run in the background: typed where they are read, and plain lines of a file where they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import SerializeAsAny

from veritas.frozen import Frozen
from veritas.store import jobs as stored
from veritas.use_cases import events

_KINDS: Mapping[str, type[Frozen]] = {
    "queued": events.Queued, "begun": events.Begun, "noted": events.Noted, "stage_started": events.StageStarted,
    "units_begun": events.UnitsBegun, "unit_done": events.UnitDone, "stage_done": events.StageDone,
    "sources_found": events.SourcesFound, "claims_seen": events.ClaimsSeen, "left_out": events.LeftOut,
    "agreement": events.Agreement, "ended": events.Ended, "failed": events.Failed, "stopped": events.Stopped,
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
