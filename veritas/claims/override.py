"""Persons' decisions on findings that the gate left out, with name and reason: kept with the finding."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, field_validator

from veritas.frozen import Frozen

Verdict = Literal["approve", "reject", "withdraw"]

MAX_NAME, MAX_REASON = 200, 4_000
"""Limits of name and reason, in characters."""


class PersonDecision(Frozen):
    """A person's decision. `withdraw` takes back the one before it."""

    verdict: Verdict
    name: str = Field(min_length=1, max_length=MAX_NAME)
    reason: str = Field(min_length=1, max_length=MAX_REASON)
    at: datetime
    key: str = ""
    """Fingerprint of the key that signed it, `SHA256:…`; empty for an unsigned one."""
    signed: bool = False
    """True if the reader checked the signature, by a key on the roster of approvers."""
    void: str = ""
    """Reason why the decision does not count; empty if it counts. `key`, `signed` and `void` are the reader's, never a
    file's."""

    @field_validator("at")
    @classmethod
    def _zoned(cls, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise ValueError("a decision's time needs a zone")
        return value

    @property
    def who(self) -> str:
        """The name, marked if it has no valid signature."""
        return self.name if self.signed else f"{self.name} ({'key not on the roster' if self.key else 'unsigned'})"


class Override(Frozen):
    """A claim that a run cites because a person admitted it, not because a verifier found support. I8 holds for it as
    for any other, and no person can lift I1."""

    claim_id: str
    approval_id: str
    name: str
    reason: str
    at: datetime
    signed: bool = Field(default=False, exclude_if=lambda value: not value)
    """True if it was signed by keys on the roster of approvers when the run took it in."""

    @property
    def who(self) -> str:
        """The name, marked if unsigned. Two names if two persons were needed."""
        return self.name if self.signed else f"{self.name} (unsigned)"


class ApprovalNote(Frozen):
    """The state of the approvals for a claim of a run when its graph is shown; no part of the findings."""

    approval_id: str
    subject_id: str
    sentence: str
    asserted_by: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """The members that say so, where it is one approval for the same claim of several."""
    state: Literal["pending", "approved", "rejected", "withdrawn", "expired"]
    expires_at: datetime | None = None
    decisions: tuple[PersonDecision, ...] = ()

    @property
    def last(self) -> PersonDecision | None:
        """Last decision that counts."""
        return next((d for d in reversed(self.decisions) if not d.void), None)

    @property
    def by(self) -> str:
        """Names of those who decided: two if there were two approvals."""
        names: dict[str, None] = {}
        for decision in reversed([d for d in self.decisions if not d.void]):
            if self.last is None or decision.verdict != self.last.verdict or (names and decision.verdict != "approve"):
                break
            names[decision.who] = None
        return " and ".join(reversed(names))
