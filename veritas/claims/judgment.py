"""A lens's judgment of one claim and one passage (veritas spec, section VI)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from veritas.claims.envelope import ClaimEnvelope, Label
from veritas.frozen import Frozen

COMPARISON = "comparison"
"""Name in the record of the comparison of a claim with its passages, where it does not let a `supports` pass."""


WEAK = 0.75
"""A verdict with less confidence is shown as a weak one."""


EVEN = 0.5
"""A verdict with less confidence is more often wrong than right, and is shown with a caveat."""


def caveat(confidence: float) -> str:
    """Return the note beside a verdict of this confidence, 0 to 1; "" if it is not weak."""
    if confidence >= WEAK:
        return ""
    wrong = round(100 * (1 - confidence))
    return f"the verdict is weak: of 100 with this confidence about {wrong} are wrong; read the passage yourself"


class Judgment(Frozen):
    """A lens's answer. `score` is the calibrated probability, 0 to 1, of the label given; 0 when unavailable."""

    label: Label
    score: float = Field(ge=0, le=1)
    rationale: str
    lens: str
    family: str

    @property
    def caveat(self) -> str:
        """The note beside a weak `supports` or `refutes`; "" otherwise."""
        return caveat(self.score) if self.label in ("supports", "refutes") else ""


def verdicts(claims: Iterable[ClaimEnvelope]) -> dict[str, Label]:
    """Return the text of each judged claim with its verdict; equal claims of several members once, with the best
    verdict."""
    order: tuple[Label, ...] = ("supports", "silent", "refutes", "unavailable")
    found: dict[str, Label] = {}
    for claim in claims:
        label = claim.verifier_judgment
        if label is not None:
            found[claim.claim] = min(found.get(claim.claim, label), label, key=order.index)
    return found


Purpose = Literal["verify", "contest", "contested-claim", "defend", "refine", "sentence"]


class ClaimJudgment(Judgment):
    """A judgment in the claim graph: its subject (claim, contestation, sentence), its purpose, and its passages."""

    subject_id: str
    purpose: Purpose = "verify"
    passage_ids: tuple[str, ...] = ()
    round: int = 0
