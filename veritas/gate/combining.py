"""Several judgments of one finding combined into one verdict: default-deny, by the rule of `gate.yaml` (I4, I5)."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.claims.envelope import Label
from veritas.claims.judgment import Judgment
from veritas.council.families import family_of, may_judge, voices
from veritas.frozen import Frozen
from veritas.policy.gate_policy import CombinationRule


class Verdict(Frozen):
    """A verdict. `label` combines the judgments; if the judges disagreed, `agreed` is false and `label` is `silent`."""

    label: Label
    agreed: bool
    rationale: str


def combine(judgments: Sequence[Judgment], rule: CombinationRule, family: str) -> Verdict:
    """Return one verdict on a claim of `family`, whose source the oracle has confirmed.

    A judgment that is unavailable, a missing one, the same lens twice or a judge of the author's family makes the whole
    unavailable. If `needed` or `threshold` is not reached and no judge refutes the claim, it is not confirmed
    (`silent`). Under `unanimity`, or with a judge that refutes, the judges disagree.
    """
    for judgment in judgments:
        if judgment.label == "unavailable":
            return _unavailable(f"{judgment.lens}: {judgment.rationale}")
        if not may_judge(judgment.family, family):
            return _unavailable(f"{judgment.lens}, of the family {judgment.family}, may not judge claims of {family}")
    if len({j.lens for j in judgments}) < max(rule.lenses, len(judgments)):
        return _unavailable(f"{rule.lenses} judge(s) were needed and {len({j.lens for j in judgments})} answered")
    labels: tuple[Label, ...] = ("supports", "refutes", "silent")
    for label in labels:
        said = [j for j in judgments if j.label == label]
        if said and _carries(said, judgments, rule, label, family):
            return Verdict(label=label, agreed=True, rationale=said[0].rationale)
    told = "; ".join(f"{j.lens} says {j.label}" for j in judgments)
    if rule.combine != "unanimity" and all(j.label != "refutes" for j in judgments):
        return Verdict(label="silent", agreed=True, rationale=f"not enough judges support it: {told}")
    return Verdict(label="silent", agreed=False, rationale=f"the judges disagree: {told}")


def _carries(
    said: Sequence[Judgment], asked: Sequence[Judgment], rule: CombinationRule, label: Label, family: str
) -> bool:
    """Return whether the judges of a label are enough. The oracle's voice counts only for support."""
    weight = sum(rule.weight(j.lens, j.family, family_of(j.family)) for j in said)
    total = sum(rule.weight(j.lens, j.family, family_of(j.family)) for j in asked)
    if 2 * weight <= total:
        return False
    if label == "supports" and voices((j.family for j in said), author=family) < rule.families:
        return False
    if rule.combine == "unanimity":
        return len(said) == len(asked)
    if rule.combine == "quorum":
        return len(said) + rule.oracle >= (rule.needed or len(asked) + rule.oracle)
    oracle = rule.weight("oracle") if rule.oracle and label == "supports" else 0.0
    return weight + oracle >= (rule.threshold or 1.0) * (total + oracle)


def _unavailable(why: str) -> Verdict:
    return Verdict(label="unavailable", agreed=True, rationale=why)
