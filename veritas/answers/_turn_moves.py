"""Rows for turns that another member or judge took over (I7)."""

from __future__ import annotations

from veritas.claims.graph import Event, StageName
from veritas.council.succession import Taken


def moved(turn: Taken, stage: StageName, subject: str, what: str) -> list[Event]:
    """Return a row for each member or judge that missed its turn: `what` happened instead, and why."""
    return [
        Event(stage=stage, kind="turn-moved", subject_id=subject, member=one.name, reason=f"{what}: {one.why}")
        for one in turn.absent
    ]
