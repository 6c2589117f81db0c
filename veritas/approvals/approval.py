"""A finding that waits for a person: the case on one screen, what persons decided, and what that comes to.

The gate's last word (specs: verification gate, the halt table): what it cannot confirm is left out *and* put before a
person. Nothing but a person's approval, with a name and a reason, lets it in; time never does.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from veritas.claims.judgment import Judgment
from veritas.claims.override import PersonDecision
from veritas.frozen import Frozen, content_id

Kind = Literal[
    "research-claim",
    "answer-sentence",
    "citation",
    "paper-node",
    "review-sentence",
    "review-corpus",
    "review-text",
    "review-node",
]
State = Literal["pending", "approved", "rejected", "withdrawn", "expired"]


class CasePassage(Frozen):
    """A passage the finding rests on, verbatim, with where it comes from."""

    text: str
    source: str = ""
    """Title, or whatever names the source to a person."""
    url: str = ""
    tier: str = ""


class Case(Frozen):
    """All that a person needs for the decision, on one screen. `claim` is the finding, `question` what it was for."""

    claim: str
    question: str = ""
    passages: tuple[CasePassage, ...] = ()
    oracle: str = ""
    """What retrieval said of existence and attribution, in a sentence; empty where it had no say."""
    judgments: tuple[Judgment, ...] = ()
    """Each lens's label, score and rationale."""


class Approval(Frozen):
    """One finding before a person. Stored without `decisions`, which stand in files of their own and only grow."""

    approval_id: str
    kind: Kind
    run_id: str | None = None
    """The run that left it out; None for a finding of no run."""
    subject_id: str
    """The id of the claim, citation, node or sentence."""
    sentence: str
    """The contrastive sentence: what you probably expected, why it was left out, what to override it with."""
    case: Case
    decision_id: str = ""
    """The gate's decision that put it here; `veritas approve` takes that id too."""
    options: tuple[str, ...] = ()
    """What each way of settling it leads to, in words."""
    then: str = ""
    """What to run once it is settled, where the kind alone does not say so: a command."""
    created_at: datetime
    expires_at: datetime | None = None
    """After this nobody can let it in any more; None for no time limit."""
    decisions: tuple[PersonDecision, ...] = Field(default=(), max_length=999)

    def state(self, now: datetime | None = None) -> State:
        """What the decisions, in their order, and the clock come to. An approval given too late counts for nothing."""
        state: State = "pending"
        for decision in self.decisions:
            if decision.verdict == "withdraw":
                state = "withdrawn"
            elif self.expires_at is None or decision.at <= self.expires_at:
                state = "approved" if decision.verdict == "approve" else "rejected"
        if state in ("pending", "withdrawn") and self.over(now):
            return "withdrawn" if state == "withdrawn" else "expired"
        return state

    def over(self, now: datetime | None = None) -> bool:
        """Whether the time limit has passed."""
        return self.expires_at is not None and (now or datetime.now(UTC)) > self.expires_at

    @property
    def last(self) -> PersonDecision | None:
        """The decision that counts: the last one."""
        return self.decisions[-1] if self.decisions else None


def approval_id(kind: Kind, run_id: str | None, subject_id: str, case: Case, asked: int = 0) -> str:
    """The id of an approval: made of the finding and its passages. `asked` counts how often it was put before a person
    again after the time had run out."""
    return content_id("a", kind, run_id, subject_id, case.claim, [p.text for p in case.passages], asked)
