"""The gate at work: who is asked, what is kept, what a person is told, and that one finding's trouble is its own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from veritas import Judgment
from veritas.council.seated_council import build_council
from veritas.council.select_council import choose_council
from veritas.gate import Attribution, Decision, Finding, Gate, OracleAnswer, StoredDocuments, council_gate
from veritas.gate.lens_calls import Ask
from veritas.policy.gate_policy import CombinationRule
from veritas.testing import FakeLens, document

TEXT = "Water boils at 100 degrees Celsius at sea level. Ice melts at 0 degrees Celsius."
DOCUMENT = document("https://a.example/water", TEXT)
AT = (Attribution(document_id=DOCUMENT.document_id),)
ORACLE = StoredDocuments([DOCUMENT])


def finding(key: str, claim: str = TEXT[:48], family: str = "house-a") -> Finding:
    return Finding(
        finding_id=key, kind="paper-node", claim=claim, passages=(TEXT[:48],), sources=AT, family=family
    )


def rule(**keys: object) -> CombinationRule:
    return CombinationRule.model_validate(keys)


async def test_decisions_come_in_the_order_of_the_findings_and_each_stands_alone() -> None:
    broken = finding("b").model_copy(update={"sources": ()})
    gate = Gate(ORACLE, [FakeLens(verdict=lambda c, p: "supports" if "100" in c else "refutes")], rule="dedicated")
    decisions = await gate.decide_all([finding("a"), broken, finding("c", "Water boils at 5 degrees."), finding("a")])
    assert [(d.finding_id, d.action) for d in decisions] == [
        ("a", "admitted"), ("b", "left-out"), ("c", "dropped"), ("a", "admitted")
    ]  # fmt: skip
    assert await gate.decide_all([]) == ()


async def test_lone_family_the_oracle_still_gates_existence_and_groundedness_halts() -> None:
    own = FakeLens(family="house-a")
    gate = Gate(ORACLE, [own], rule="dedicated")
    halted, dropped = await gate.decide_all(
        [finding("a"), finding("b").model_copy(update={"passages": ("Water never boils at all.",)})]
    )
    assert (halted.action, halted.verdict, halted.needs_person) == ("halted", "no-different-family", True)
    assert "no judge of another family than house-a" in halted.contrast
    assert (dropped.action, dropped.verdict) == ("dropped", "fabricated")
    assert own.asked == []


async def test_unnamed_family_is_judged_by_nobody() -> None:
    decision = await Gate(ORACLE, [FakeLens()], rule="dedicated").decide(finding("a", family=""))
    assert decision.verdict == "no-different-family"


@pytest.mark.parametrize(
    ("lens", "family", "action"),
    [("a", "house-b", "admitted"), ("a", "house-c", "halted"), ("z", "house-b", "halted"), ("a", "house-a", "halted")],
)
async def test_what_an_asker_brings_in_the_name_of_another_is_no_judgment(lens: str, family: str, action: str) -> None:
    async def elsewhere(asks: Sequence[Ask]) -> Sequence[Judgment]:
        return [Judgment(label="supports", score=1, rationale="it is", lens=lens, family=family) for _ in asks]

    gate = Gate(ORACLE, [FakeLens("a", "house-b")], rule="dedicated", ask=elsewhere)
    decision = await gate.decide(finding("a"))
    assert decision.action == action
    assert (decision.verdict == "unavailable") == (action == "halted")


@pytest.mark.parametrize("claim", ["", "  \n", "\u200b "])
async def test_finding_that_states_nothing_is_not_admitted(claim: str) -> None:
    gate = Gate(ORACLE, [FakeLens(verdict=lambda *_: "supports")], rule="dedicated")
    decision = await gate.decide(finding("a", claim))
    assert decision.action == "left-out"


async def test_person_is_told_what_was_expected_what_happened_why_and_what_to_do() -> None:
    gate = Gate(ORACLE, [FakeLens(verdict=lambda *_: "silent")], rule="dedicated")
    decision = await gate.decide(finding("a", "Water\nboils " + "very " * 100))
    assert decision.contrast.startswith("You probably expected “Water boils very")
    assert "to be citable; it was left out because scripted silent; override with: " in decision.contrast
    assert decision.contrast.endswith(f"veritas approve {decision.decision_id}")
    assert len(decision.contrast) < 400
    again = await gate.decide(finding("a", "Water\nboils " + "very " * 100))
    assert again.decision_id == decision.decision_id


async def test_nothing_about_reasoning_can_be_put_before_the_gate() -> None:
    with pytest.raises(ValueError, match="Extra inputs"):
        Finding.model_validate({**finding("a").model_dump(), "reasoning": "trust me"})


def test_decision_that_admits_the_unconfirmed_cannot_be_made() -> None:
    confirmed = OracleAnswer(oracle="o", verdict="confirmed", rationale="")
    supports = Judgment(label="supports", score=1, rationale="", lens="l", family="b")
    fine = {
        "decision_id": "d", "finding": finding("a"), "action": "admitted", "verdict": "supports",
        "needs_person": False, "reason": "", "rule": "dedicated", "answers": (confirmed,), "judgments": (supports,),
    }  # fmt: skip
    assert Decision.model_validate(fine).admitted
    for wrong in (
        {"answers": ()},
        {"answers": (confirmed.model_copy(update={"verdict": "unavailable"}),)},
        {"answers": (confirmed, confirmed)},
        {"judgments": ()},
        {"judgments": (supports.model_copy(update={"label": "silent"}),)},
        {"judgments": (supports.model_copy(update={"family": "house-a"}),)},
        {"judgments": (supports, supports.model_copy(update={"label": "unavailable"}))},
        {"needs_person": True},
    ):
        with pytest.raises(ValueError, match="I5"):
            Decision.model_validate({**fine, **wrong})


# who is asked ---------------------------------------------------------------------------------------------------------


async def test_failed_validation_inside_a_lens_is_said_in_a_line_without_what_was_given() -> None:
    def verdict(claim: str, passage: str) -> object:
        return Judgment.model_validate({"label": "perhaps", "score": 7, "lens": "x", "family": "y", "rationale": ""})

    decision = await Gate(ORACLE, [FakeLens(verdict=verdict)], rule="dedicated").decide(finding("a"))  # type: ignore[arg-type]
    assert decision.action == "halted"
    assert "ValidationError: Judgment: label: Input should be 'supports'" in decision.reason
    assert not [part for part in ("\n", "perhaps", "pydantic.dev", "score") if part in decision.reason]


async def test_gate_of_the_council_here_decides_without_a_model() -> None:
    council = build_council(choose_council(environ={}).policy)
    gate = council_gate(ORACLE, council)
    decision = await gate.decide(finding("a", TEXT[:48], family="embedded:salience"))
    assert decision.action == "admitted"
    assert len({j.family for j in decision.judgments}) == 2
    # Towards a language model's claim the lenses without one are a single family.
    lone = await gate.decide(finding("a", TEXT[:48], family="some-model"))
    assert (lone.action, lone.verdict) == ("halted", "no-different-family")
