"""The floor under the lenses: a lens that supports everything gets nothing through that differs from its passage."""

from __future__ import annotations

import pytest

from veritas.council.families import PERSON
from veritas.gate import Attribution, Decision, Finding, Gate, OracleAnswer, StoredDocuments, settle
from veritas.judging import Difference
from veritas.judging.floor import FloorRuling
from veritas.policy.gate_policy import HaltTable, load_gate_policy
from veritas.testing import FakeLens, document

TEXT = (
    "The Torr pump was tested in 2019. It was hoped that the Torr pump lasts 900 hours. "
    "The Torr pump weighs 40 kg.\n\nPumps of this kind are painted green. The winch may jam when the rope is wet."
)
WET, JAM = "The winch may jam when the rope is wet.", "The winch may jam."
"""A sentence, and a claim that leaves out its condition: a doubt."""
DOCUMENT = document("https://a.example/torr", TEXT, title="The Torr pump")
SHIPPED = load_gate_policy()
DOUBT = FloorRuling("defer", "the passage does not say this", None, 0.3)
WEIGHT = Difference("number", "40 kg", "50 kg")
REFUSED = FloorRuling("refuse", str(WEIGHT), WEIGHT, 0.1)


def yes(name: str = "judge", family: str = "grey") -> FakeLens:
    return FakeLens(name, family, verdict=lambda claim, passage: "supports")


def finding(claim: str, *passages: str) -> Finding:
    return Finding(
        finding_id="f", kind="research-claim", claim=claim, passages=passages,
        sources=(Attribution(document_id=DOCUMENT.document_id),), family="house-a",
    )  # fmt: skip


async def decide(
    claim: str, *passages: str, lenses: tuple[FakeLens, ...] = (), table: HaltTable | None = None
) -> Decision:
    policy = SHIPPED.model_copy(update={"table": table or SHIPPED.table})
    gate = Gate(StoredDocuments([DOCUMENT]), lenses or (yes(),), policy=policy, rule="dedicated")
    return await gate.decide(finding(claim, *passages))


async def test_a_number_that_differs_is_dropped_although_the_lens_supports_it() -> None:
    decision = await decide("The Torr pump weighs 50 kg.", "The Torr pump weighs 40 kg.")
    assert (decision.action, decision.verdict, decision.needs_person) == ("dropped", "differs", False)
    assert "40" in decision.reason
    assert [(j.lens, j.label) for j in decision.judgments] == [("judge", "supports"), ("comparison", "silent")]
    assert decision.grounded.label == "silent"


async def test_a_refutation_is_not_overruled() -> None:
    no = FakeLens(verdict=lambda claim, passage: "refutes")
    decision = await decide("The Torr pump weighs 40 kg.", "The Torr pump weighs 40 kg.", lenses=(no,))
    assert (decision.action, decision.verdict) == ("dropped", "refutes")


@pytest.mark.parametrize(
    ("floor", "further", "second", "row"),
    [
        (REFUSED, None, False, "differs"),
        (REFUSED, "supports", False, "differs"),
        (DOUBT, None, False, "doubtful"),
        (DOUBT, "supports", False, "doubtful"),
        (DOUBT, "silent", False, "silent"),
        (DOUBT, "refutes", False, "disagreement"),
        (DOUBT, None, True, "second-look"),
        (REFUSED, None, True, "second-look"),
    ],
)
async def test_each_outcome_has_its_row(floor: FloorRuling, further: str | None, second: bool, row: str) -> None:
    said = [await yes().judge("", "")]
    answers = [OracleAnswer(oracle="o", verdict="confirmed", rationale="it stands there")]
    if second:
        source = (Attribution(title="Another"),)
        answers.insert(0, OracleAnswer(oracle="o", verdict="misattributed", rationale="no", correction=source))
    more = FakeLens("more", "blue", verdict=lambda *_: further or "silent")  # type: ignore[arg-type,return-value]
    one_more = await more.judge("", "") if further else None
    ruling = settle(SHIPPED.table, SHIPPED.rule("dedicated"), "house-a", answers, said, floor, one_more)
    assert ruling.row == row
    assert floor.reason in ruling.reason
    assert ruling.needs_person == (row in ("doubtful", "silent"))
    assert ruling.action != "admitted"


async def test_a_table_may_admit_a_doubt_but_not_a_difference() -> None:
    table = SHIPPED.table.model_copy(update={"doubtful": "admit"})
    with pytest.raises(ValueError, match="whoever calls it supported"):
        HaltTable.model_validate({"differs": "admit"})
    decision = await decide(JAM, WET, table=table)
    assert (decision.action, decision.verdict, decision.grounded.label) == ("admitted", "doubtful", "supports")
    refused = await decide("The Torr pump weighs 50 kg.", "The Torr pump weighs 40 kg.", table=table)
    assert (refused.action, refused.verdict) == ("dropped", "differs")


async def test_the_comparison_sees_the_whole_sentence_that_a_quote_is_cut_from() -> None:
    decision = await decide("The Torr pump lasts 900 hours.", "the Torr pump lasts 900 hours")
    assert not decision.admitted
    assert "hoped" in decision.reason


async def test_each_sentence_of_a_finding_is_held_to_its_passages() -> None:
    both = ("The Torr pump was tested in 2019.", "The Torr pump weighs 40 kg.")
    assert (await decide(" ".join(both), *both)).admitted
    assert (await decide(f"{both[0]} The Torr pump weighs 50 kg.", *both)).verdict == "differs"


async def test_lenses_without_a_model_are_held_to_it_too() -> None:
    lens = yes("embedded-yes", "embedded:entailment")
    decision = await Gate(StoredDocuments([DOCUMENT]), (lens,), rule="dedicated").decide(
        finding("The Torr pump weighs 50 kg.", "The Torr pump weighs 40 kg.").model_copy(update={"family": PERSON})
    )
    assert decision.verdict == "differs"
