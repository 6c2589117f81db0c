"""Rows of the turns that were taken by another than the one who was to take them (I7)."""

from __future__ import annotations

from veritas.claims.graph import Event, StageName
from veritas.council.succession import Taken


def moved(turn: Taken, stage: StageName, subject: str, what: str) -> list[Event]:
    """A row for each one who was to take the turn and did not: `what` came of it, and why."""
    return [
        Event(stage=stage, kind="turn-moved", subject_id=subject, member=one.name, reason=f"{what}: {one.why}")
        for one in turn.absent
    ]
