"""The decision about a finding, with all answers and judgments, and the sentence for a person."""

from __future__ import annotations

from pydantic import model_validator

from veritas.claims.judgment import Judgment
from veritas.council.families import may_judge
from veritas.frozen import Frozen, content_id
from veritas.gate.combining import Verdict
from veritas.gate.finding import Attribution, Finding
from veritas.gate.lacking import lacking
from veritas.gate.oracle import OracleAnswer
from veritas.gate.ruling import Action, Ruling
from veritas.policy.gate_policy import Condition

SHOWN = 200
_COMPARED: frozenset[Condition] = frozenset({"silent", "disagreement", "differs", "doubtful"})


class Correction(Frozen):
    """A changed attribution of a finding: before, after, and the oracle's reason."""

    before: tuple[Attribution, ...]
    after: tuple[Attribution, ...]
    reason: str


class Decision(Frozen):
    """The gate's decision about a finding.

    `finding` is the original; `corrections` are its changes since. `answers` are the oracle's, one for each round;
    `judgments` every lens's. `contrast` is the sentence for a person, empty if none is needed. A decision that admits
    an unconfirmed finding raises a `ValidationError`.
    """

    decision_id: str
    finding: Finding
    action: Action
    verdict: Condition
    needs_person: bool
    reason: str
    contrast: str = ""
    rule: str
    answers: tuple[OracleAnswer, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def finding_id(self) -> str:
        """The finding's id."""
        return self.finding.finding_id

    @property
    def admitted(self) -> bool:
        """True if the finding may be used."""
        return self.action == "admitted"

    @property
    def rounds(self) -> int:
        """Number of checks of existence and attribution: 1, or 2 after a correction."""
        return len(self.answers)

    @property
    def why(self) -> str:
        """Why it is not used; for a claim that was compared with its passages, the words that they lack first."""
        return _why(self.finding, self)

    @property
    def sources(self) -> tuple[Attribution, ...]:
        """The finding's sources after all corrections."""
        return self.corrections[-1].after if self.corrections else self.finding.sources

    @property
    def grounded(self) -> Verdict:
        """The lenses' verdict: `unavailable` if they were not asked; `silent`, unagreed, if they disagree or the floor
        does not accept their `supports`."""
        if self.verdict == "doubtful" and self.admitted:
            return Verdict(label="supports", agreed=True, rationale=self.reason)
        if self.verdict in ("supports", "refutes", "silent"):
            return Verdict.model_validate({"label": self.verdict, "agreed": True, "rationale": self.reason})
        if self.verdict in ("disagreement", "differs", "doubtful"):
            return Verdict(label="silent", agreed=False, rationale=self.reason)
        return Verdict(label="unavailable", agreed=True, rationale=self.reason)

    @model_validator(mode="after")
    def _confirmed(self) -> Decision:
        if self.action != "admitted":
            return self
        supports = [j for j in self.judgments if j.label == "supports" and may_judge(j.family, self.finding.family)]
        if not self.answers or self.answers[-1].verdict != "confirmed":
            raise ValueError("I5: an admitted finding's source is confirmed")
        first = self.answers[:-1]
        if len(first) != len(self.corrections) or any(a.verdict != "misattributed" for a in first):
            raise ValueError("I5: a second look follows a correction")
        if any(j.label == "unavailable" for j in self.judgments) or not supports or self.needs_person:
            raise ValueError("I5: an admitted finding is supported by a lens of another family, and none failed")
        return self


def decided(
    finding: Finding,
    ruling: Ruling,
    rule: str,
    answers: tuple[OracleAnswer, ...],
    judgments: tuple[Judgment, ...],
    corrections: tuple[Correction, ...],
) -> Decision:
    """Return the decision for a ruling. Its id is computed from the finding, the ruling and the rule."""
    key = content_id("d", finding.model_dump(mode="json"), ruling.model_dump(mode="json"), rule)
    return Decision(
        decision_id=key,
        finding=finding,
        action=ruling.action,
        verdict=ruling.verdict,
        needs_person=ruling.needs_person,
        reason=ruling.reason,
        contrast=contrast(finding, ruling, key) if ruling.needs_person else "",
        rule=rule,
        answers=answers,
        judgments=judgments,
        corrections=corrections,
    )


def _why(finding: Finding, ruled: Ruling | Decision) -> str:
    told = lacking(finding.claim, finding.passages) if ruled.verdict in _COMPARED else ""
    return f"{told}; {ruled.reason}" if told else ruled.reason


def contrast(finding: Finding, ruling: Ruling, key: str) -> str:
    """Return one sentence: what was expected, what happened instead, why, and how to change it.

    For a claim that was compared with its passages, the missing words come first.
    """
    claim = " ".join(finding.claim.split())
    shown = claim if len(claim) <= SHOWN else claim[: SHOWN - 1] + "…"
    did = "was halted, which says nothing about it," if ruling.action == "halted" else "was left out"
    return (
        f"You probably expected “{shown}” to be citable; it {did} because {_why(finding, ruling).rstrip('. ')}; "
        f"override with: veritas approve {key}"
    )
