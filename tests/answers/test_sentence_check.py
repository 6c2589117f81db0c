"""What code finds wrong with a sentence of an answer, before any lens is asked (I8)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.answers.conftest import Carry
from veritas.answers.reference_check import ReferenceCheck
from veritas.answers.sentence_check import SentenceCheck
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.engine.units import in_process
from veritas.testing import FakeLens, FakeMember, document, fake_runtime

COUNTED = "Half of the 40 pumps failed within 9 years."
PLAIN = "Dry pumps use more electricity than oiled ones."


def fault(text: str, *claim_ids: str, kind: str = "claim") -> str | None:
    claims = {
        key: AdmittedClaim(
            claim_id=key, claim=said, claim_type="factual", tier=1, members=1, confidence=0.9, sub_query_ids=("q",),
            passages=(said,),
        )
        for key, said in (("counted", COUNTED), ("plain", PLAIN))
    }  # fmt: skip
    runtime = fake_runtime([document("https://good.example/a", PLAIN)])
    references = ReferenceCheck({}, [], runtime, in_process)
    check = SentenceCheck(claims, references, runtime, in_process, lambda kind, subject, reason: None, "writer")
    return check.fault(DraftSentence.model_validate({"text": text, "claim_ids": claim_ids, "kind": kind}))


@pytest.mark.parametrize(
    ("text", "claim_ids"),
    [(COUNTED, ["counted"]), (PLAIN, ["plain"]), ("Of the 40 pumps half failed.", ["counted", "plain"])],
)
def test_a_sentence_that_keeps_to_its_claims_has_no_fault(text: str, claim_ids: list[str]) -> None:
    assert fault(text, *claim_ids) is None


@pytest.mark.parametrize(
    ("text", "claim_ids", "kind", "why"),
    [
        (PLAIN, [], "claim", "cites no claim"),
        (PLAIN, ["plain", "invented"], "claim", "no admitted claim: invented"),
        ("Half of the 41 pumps failed.", ["counted"], "claim", "its number “41”"),
        ("Dry pumps use 9 percent more electricity.", ["plain"], "claim", "is in none of the claims"),
        (f"{PLAIN} See https://evil.example/1.", ["plain"], "claim", "a source of its own"),
        ("Nobody knows how loud they are.", ["plain"], "gap", "worded by code alone"),
    ],
)
def test_a_sentence_says_nothing_that_its_claims_do_not(
    text: str, claim_ids: list[str], kind: str, why: str
) -> None:
    assert why in (fault(text, *claim_ids, kind=kind) or "")


@pytest.mark.parametrize("repaired", ["Water boils at 9 degrees Celsius.", "Nobody said this either."])
async def test_a_repair_that_is_no_better_is_taken_out_with_a_row(carry: Carry, repaired: str) -> None:
    def repair(sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str) -> DraftSentence:
        cited = (claims[0].claim_id,) if "Water" in repaired else ()
        return sentence.model_copy(update={"text": repaired, "claim_ids": cited})

    def writes(question: str, claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
        good = DraftSentence(text=claims[0].claim, claim_ids=(claims[0].claim_id,))
        return [good, DraftSentence(text="Nobody said this.")]

    member = FakeMember(on_synthesize=writes, on_repair=repair)
    lens = FakeLens(verdict=lambda claim, passage: "supports")
    page = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")
    graph = await carry(fake_runtime([page], members=[member], verifiers=[lens]))
    assert [s.text for s in graph.answer.sentences if s.kind == "claim"] == [page.text]
    (row,) = [e.reason for e in graph.events if e.kind == "sentence-removed"]
    assert "Nobody said this." in row


async def test_each_text_is_printed_once_and_none_whose_it_nothing_names(carry: Carry) -> None:
    page = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")

    def writes(question: str, claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
        ids = (claims[0].claim_id,)
        texts = ("It boils at 100 degrees Celsius at sea level.", page.text, page.text)
        return [DraftSentence(text=text, claim_ids=ids) for text in texts]

    lens = FakeLens(verdict=lambda claim, passage: "supports")
    graph = await carry(fake_runtime([page], members=[FakeMember(on_synthesize=writes)], verifiers=[lens]))
    assert [s.text for s in graph.answer.sentences if s.kind == "claim"] == [page.text]
    (row,) = [e.reason for e in graph.events if e.kind == "sentence-removed"]
    assert "nothing before it names what its “it” is" in row


@pytest.mark.parametrize(
    ("text", "status"),
    [("Water boils at 100 degrees Celsius at sea level.", "answered"), ("Tea is grown in Assam.", "closest_passages")],
)
async def test_an_answer_on_far_passages_says_so(carry: Carry, text: str, status: str) -> None:
    graph = await carry(fake_runtime([document("https://good.example/a", text)]))
    assert graph.answer.status == status
    frames = [s.text for s in graph.answer.sentences if s.kind == "frame"]
    assert [frame == graph.answer.reason for frame in frames] == [True] * (status == "closest_passages")
