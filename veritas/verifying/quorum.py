"""How several judgments of one finding become one verdict: default-deny (section VI, I5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from veritas.claims.envelope import Label
from veritas.claims.judgment import Judgment
from veritas.frozen import Frozen

Mode = Literal["dedicated", "quorum"]


class Verdict(Frozen):
    """`label` is what the judgments add up to; `agreed` is false when judges disagreed (then: drop)."""

    label: Label
    agreed: bool
    rationale: str


def combine(judgments: Sequence[Judgment], mode: Mode) -> Verdict:
    """One verdict out of the judgments.

    Any judgment that is unavailable, or too few of them, makes the whole unavailable. In a quorum all must say the
    same; if they do not, the verdict is `silent` with `agreed` false, and the caller drops the finding.
    """
    needed = 2 if mode == "quorum" else 1
    missing = [j for j in judgments if j.label == "unavailable"]
    if missing:
        return Verdict(label="unavailable", agreed=True, rationale=f"{missing[0].lens}: {missing[0].rationale}")
    if len(judgments) < needed:
        return Verdict(
            label="unavailable", agreed=True, rationale=f"{needed} judge(s) were needed and {len(judgments)} answered"
        )
    labels = {j.label for j in judgments}
    if len(labels) == 1:
        return Verdict(label=judgments[0].label, agreed=True, rationale=judgments[0].rationale)
    said = "; ".join(f"{j.lens} says {j.label}" for j in judgments)
    return Verdict(label="silent", agreed=False, rationale=f"the judges disagree: {said}")
