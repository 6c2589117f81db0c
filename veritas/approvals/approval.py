"""A finding that waits for a person: the case, the persons' decisions, and the resulting state.

A finding that the gate cannot confirm is left out *and* put before a person (verification-gate spec, the halt table).
Only a person's approval, with a name and a reason, admits it; an expired time limit never does.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

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


When = Annotated[AwareDatetime, Field(ge=datetime(2000, 1, 1, tzinfo=UTC), lt=datetime(3000, 1, 1, tzinfo=UTC))]
"""A moment with its zone, within a range in which it can be compared and reckoned with."""


class CasePassage(Frozen):
    """A passage the finding rests on, verbatim, with its source."""

    text: str
    source: str = ""
    """Title, or any other name of the source for a person."""
    url: str = ""
    tier: str = ""


class Case(Frozen):
    """Everything that a person needs for the decision. `claim` is the finding, `question` the question it was for,
    `asserted_by` the members that assert it on the same passages."""

    claim: str
    question: str = ""
    asserted_by: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    passages: tuple[CasePassage, ...] = ()
    oracle: str = ""
    """The result of retrieval on existence and attribution, in a sentence; empty where it had no say."""
    judgments: tuple[Judgment, ...] = ()
    """Each lens's label, score and rationale."""
    why: str = Field(default="", exclude_if=lambda value: not value)
    """Why it waits, without the claim: cases with the same reason are shown together."""


class Approval(Frozen):
    """A finding before a person. The case is stored alone; the persons' decisions have files of their own."""

    approval_id: str
    kind: Kind
    run_id: str | None = None
    """The run that left it out; None for a finding of no run."""
    subject_id: str
    """The id of the claim, citation, node or sentence."""
    sentence: str
    """The contrastive sentence: what you probably expected, why it was left out, how to override it."""
    case: Case
    decision_id: str = ""
    """The gate's decision that put it here; `veritas approve` takes that id too."""
    options: tuple[str, ...] = ()
    """The outcome of each way of settling it, in words."""
    then: str = ""
    """The command to run once it is settled, where the kind alone does not say so."""
    created_at: When
    expires_at: When | None = None
    """The time after which it cannot be approved any more; None for no time limit."""
    decisions: tuple[PersonDecision, ...] = Field(default=(), max_length=1998)
    draft: PersonDecision | None = None
    """A form's proposal, for an approver to sign; counts for nothing."""
    fingerprint: str = ""
    """SHA-256 of the case as it is on file; a signature covers it."""
    recorded: bool = True
    """True if the asking process recorded the same case."""
    required: int = 1
    """Number of different persons that have to approve it."""

    def state(self, now: datetime | None = None) -> State:
        """Return the state from the decisions, in their order, and the time. An approval after the time limit has no
        effect."""
        state = self._tally()[0]
        if state in ("pending", "withdrawn") and self.over(now):
            return "withdrawn" if state == "withdrawn" else "expired"
        return state

    @property
    def voices(self) -> tuple[PersonDecision, ...]:
        """The decisions that determine the state, one for each person; the approvals so far if more are needed."""
        return self._tally()[1]

    @property
    def by(self) -> str:
        """The names of the `voices`, with a mark where they are unsigned."""
        return " and ".join(d.who for d in self.voices)

    @property
    def why(self) -> str:
        """The reasons of the `voices`."""
        return "; ".join(dict.fromkeys(d.reason for d in self.voices))

    def _tally(self) -> tuple[State, tuple[PersonDecision, ...]]:
        state: State = "pending"
        voices: dict[str, PersonDecision] = {}
        for decision in self.decisions:
            if decision.void:
                continue
            if decision.verdict == "withdraw":
                state, voices = "withdrawn", {"": decision}
            elif self.expires_at is None or decision.at <= self.expires_at:
                if decision.verdict == "reject":
                    state, voices = "rejected", {"": decision}
                    continue
                voices.pop("", None)
                voices[decision.name] = decision
                state = "approved" if len(voices) >= self.required else "pending"
        if state == "approved" and not self.recorded:
            state = "pending"
        return state, tuple(voices.values())

    def over(self, now: datetime | None = None) -> bool:
        """Return whether the time limit has passed."""
        return self.expires_at is not None and (now or datetime.now(UTC)) > self.expires_at

    @property
    def last(self) -> PersonDecision | None:
        """Last decision that counts."""
        return next((d for d in reversed(self.decisions) if not d.void), None)

    def on_file(self) -> str:
        """Return the case as it is filed: without decisions and without the fields that a reader sets."""
        return self.model_dump_json(exclude=_READ) + "\n"


_READ = {"decisions", "draft", "fingerprint", "recorded", "required"}
"""Fields that no file of a case may hold: the reader sets them."""


def approval_id(kind: Kind, run_id: str | None, subject_id: str, case: Case, asked: int = 0) -> str:
    """Return the id of an approval, made of the finding and its passages. `asked` counts how often it was put before a
    person again after the time had run out."""
    return content_id("a", kind, run_id, subject_id, case.claim, [p.text for p in case.passages], asked)
