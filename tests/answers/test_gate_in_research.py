"""Research asks the same gate: what halts or is left out for a person is in the stage's output, with its reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answers.conftest import Carry
from veritas import Unavailable
from veritas.answers.verify import Verification
from veritas.claims.envelope import Label
from veritas.policy.cost_tiers import CostTier
from veritas.policy.gate_policy import CombinationRule, GatePolicy, load_gate_policy
from veritas.store import RunStore
from veritas.testing import FakeLens, FakeMember, document, fake_runtime

GOOD = document(
    "https://good.example/a", "Water boils at 100 degrees Celsius at sea level.\n\nIce melts at 0 degrees Celsius."
)


def output(folder: Path) -> Verification:
    with RunStore.open(folder, "run-1", read_only=True) as store:
        stage = store.stage_output("verify")
        assert stage is not None
        return Verification.model_validate(stage.value()["output"])


@pytest.mark.parametrize(
    ("label", "kind"), [("silent", "claim-unused"), ("unavailable", "claim-unavailable"), ("refutes", "claim-refuted")]
)
async def test_what_waits_for_a_person_is_in_the_output_of_the_stage(
    carry: Carry, tmp_path: Path, label: Label, kind: str
) -> None:
    graph = await carry(fake_runtime([GOOD], verifiers=[FakeLens(verdict=lambda *_: label)]))
    waiting = output(tmp_path).waiting
    assert {d.finding_id for d in waiting} == (set() if label == "refutes" else {c.claim_id for c in graph.claims})
    told = {e.subject_id: e.kind for e in graph.events}
    assert {told[c.claim_id] for c in graph.claims} == {kind}
    for decision in waiting:
        claim = next(c for c in graph.claims if c.claim_id == decision.finding_id)
        assert decision.contrast
        assert decision.finding.passages == claim.source_passages
        assert [s.document_id for s in decision.finding.sources] == [GOOD.document_id]
        assert [a.verdict for a in decision.answers] == ["confirmed"]
        assert [j.label for j in decision.judgments] == [label]


async def test_admitted_claims_wait_for_nobody(carry: Carry, tmp_path: Path) -> None:
    await carry(fake_runtime([GOOD]))
    assert output(tmp_path).waiting == ()


async def test_claim_that_nobody_may_judge_halts_with_the_reason(carry: Carry, tmp_path: Path) -> None:
    runtime = fake_runtime([GOOD], members=[FakeMember("a", "one")], verifiers=[FakeLens(family="one")])
    graph = await carry(runtime)
    assert {d.verdict for d in output(tmp_path).waiting} == {"no-different-family"}
    assert {j.rationale for j in graph.judgments} == {"no judge of another family than one is in the council"}
    assert {e.kind for e in graph.events if e.subject_id in {c.claim_id for c in graph.claims}} == {"claim-unavailable"}


async def test_tier_may_name_any_rule_of_the_gate(carry: Carry) -> None:
    def gone(claim: str, passage: str) -> Label:
        raise Unavailable("down")

    rules = {**load_gate_policy().rules, "mine": CombinationRule(lenses=3, families=2, combine="quorum", needed=3)}
    tier = CostTier(rounds=1, providers_per_member=1, verifier="mine")
    lenses = [FakeLens("x", "fx"), FakeLens("y", "fy"), FakeLens("z", "fz", verdict=lambda *_: "refutes")]
    policy = GatePolicy(rules=rules, uses=load_gate_policy().uses)
    from dataclasses import replace

    outvoted = await carry(replace(fake_runtime([GOOD], verifiers=lenses, tier=tier), gate=policy))
    assert {c.verifier_judgment for c in outvoted.claims} == {"supports"}
    assert all(len([j for j in outvoted.judgments if j.subject_id == c.claim_id]) == 3 for c in outvoted.claims)
    lenses[1] = FakeLens("y", "fy", verdict=gone)
    halted = await carry(replace(fake_runtime([GOOD], verifiers=lenses, tier=tier), gate=policy), "run-2")
    assert {c.verifier_judgment for c in halted.claims} == {"unavailable"}


