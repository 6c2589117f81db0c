"""The halt table applied to an oracle's answers and the lenses' judgments: a pure function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from veritas.claims.judgment import Judgment
from veritas.frozen import Frozen
from veritas.gate.combining import combine
from veritas.gate.oracle import OracleAnswer
from veritas.judging.floor import FloorRuling
from veritas.policy.gate_policy import CombinationRule, Condition, HaltTable, Measure

Action = Literal["admitted", "dropped", "left-out", "halted"]
PASSES = FloorRuling("pass")
_ACTIONS: dict[Measure, Action] = {
    "admit": "admitted",
    "drop": "dropped",
    "leave-out": "left-out",
    "leave-out-and-ask": "left-out",
    "halt": "halted",
}


class Ruling(Frozen):
    """The outcome of a finding. `verdict` is what was found, `row` the deciding row of the table: they differ after a
    second look."""

    action: Action
    verdict: Condition
    row: Condition
    needs_person: bool
    reason: str


def corrected_once(table: HaltTable, answers: Sequence[OracleAnswer]) -> bool:
    """Return whether the finding is corrected and checked once more: only after the first answer, and only if it gives
    the correction."""
    return (
        len(answers) == 1
        and answers[0].verdict == "misattributed"
        and bool(answers[0].correction)
        and table.misattributed == "correct-and-verify-once"
    )


def settle_existence(table: HaltTable, answers: Sequence[OracleAnswer]) -> Ruling | None:
    """Rule on existence and attribution. None: the source is confirmed, and the lenses are asked. Without an answer it
    is unavailable."""
    if not answers:
        return ruled(table, "unavailable", "the oracle gave no answer")
    last = answers[-1]
    if last.verdict == "confirmed":
        return None
    reason = f"{last.oracle}: {last.rationale}"
    if last.verdict == "unavailable":
        return ruled(table, "unavailable", reason)
    if len(answers) > 1:
        return ruled(table, last.verdict, f"{reason} (after its attribution was corrected)", row="second-look")
    if last.verdict == "misattributed" and table.misattributed == "correct-and-verify-once":
        return ruled(table, "misattributed", f"{reason}; no correction is known", row="second-look")
    return ruled(table, last.verdict, reason)


def settle_groundedness(
    table: HaltTable,
    rule: CombinationRule,
    family: str,
    judgments: Sequence[Judgment] | None,
    *,
    second: bool,
    floor: FloorRuling = PASSES,
    further: Judgment | None = None,
) -> Ruling:
    """Rule on groundedness.

    `judgments` is None if there was no panel of other families than `family`; `second` is true if the attribution had
    been corrected. `floor` is the floor's ruling on a supported finding, `further` the judgment of one more lens on a
    doubtful one.
    """
    if judgments is None:
        why = f"no judge of another family than {family} is in the council"
        if rule.lenses > 1:
            others = f"{rule.families} families other" if rule.families > 1 else "another family"
            why = f"{rule.lenses} judges of {others} than {family} are not in the council"
        return ruled(table, "no-different-family", why)
    verdict = combine(judgments, rule, family)
    if verdict.label == "unavailable":
        return ruled(table, "unavailable", verdict.rationale)
    condition: Condition = verdict.label if verdict.agreed else "disagreement"
    why = verdict.rationale
    if condition == "supports" and floor.step != "pass":
        condition, why = _below(floor, further)
    if second and condition != "supports":
        return ruled(table, condition, f"{why} (after its attribution was corrected)", row="second-look")
    return ruled(table, condition, why)


def _below(floor: FloorRuling, further: Judgment | None) -> tuple[Condition, str]:
    """Rule on a finding that the lenses support and the floor does not accept. One more lens that does not support it
    decides a doubt; otherwise the table does."""
    if floor.step == "refuse":
        return "differs", told(floor)
    if further is None or further.label == "supports":
        return "doubtful", told(floor)
    condition: Condition = "disagreement" if further.label == "refutes" else "silent"
    return condition, f"{told(floor)}; {further.lens} says {further.label}: {further.rationale}"


def told(floor: FloorRuling) -> str:
    """Return the floor's objection in words."""
    if floor.step == "refuse":
        return floor.reason
    return f"it may say more than its passage, or another thing: {floor.reason}"


def settle(
    table: HaltTable,
    rule: CombinationRule,
    family: str,
    answers: Sequence[OracleAnswer],
    judgments: Sequence[Judgment] | None,
    floor: FloorRuling = PASSES,
    further: Judgment | None = None,
) -> Ruling:
    """Return the ruling of both checks. `answers` are one, or two after a correction; a second answer without a
    correction is ruled unavailable."""
    if len(answers) > 2 or (len(answers) == 2 and not corrected_once(table, answers[:1])):
        return ruled(table, "unavailable", "a second look was taken that no correction called for")
    return settle_existence(table, answers) or settle_groundedness(
        table, rule, family, judgments, second=len(answers) > 1, floor=floor, further=further
    )


def ruled(table: HaltTable, verdict: Condition, reason: str, *, row: Condition | None = None) -> Ruling:
    """Return the ruling that the table has for a condition."""
    measure = table.measure(row or verdict)
    return Ruling(
        action=_ACTIONS[measure],
        verdict=verdict,
        row=row or verdict,
        needs_person=measure in ("leave-out-and-ask", "halt"),
        reason=reason,
    )
