"""What a person decided about a finding that the gate had left out, with name and reason: kept with the finding."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, field_validator

from veritas.frozen import Frozen

Verdict = Literal["approve", "reject", "withdraw"]

MAX_NAME, MAX_REASON = 200, 4_000
"""Longest name and reason, in characters."""


class PersonDecision(Frozen):
    """A person's word. `withdraw` takes back the decision before it."""

    verdict: Verdict
    name: str = Field(min_length=1, max_length=MAX_NAME)
    reason: str = Field(min_length=1, max_length=MAX_REASON)
    at: datetime

    @field_validator("at")
    @classmethod
    def _zoned(cls, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise ValueError("a decision's time needs a zone")
        return value


class Override(Frozen):
    """A claim that a run cites because a person let it in, not because a verifier found support (I8 holds for it as for
    any other; I1 no person can lift)."""

    claim_id: str
    approval_id: str
    name: str
    reason: str
    at: datetime


class ApprovalNote(Frozen):
    """What stands in the approvals about a claim of a run at the moment its graph is shown; no part of the findings."""

    approval_id: str
    subject_id: str
    sentence: str
    state: Literal["pending", "approved", "rejected", "withdrawn", "expired"]
    expires_at: datetime | None = None
    decisions: tuple[PersonDecision, ...] = ()
