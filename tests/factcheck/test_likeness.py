"""What turns a statement over: pairs that differ in one word."""

from __future__ import annotations

import pytest

from veritas.documents.document import Document
from veritas.factcheck.judging import judge
from veritas.factcheck.likeness import best_of, turned
from veritas.factcheck.pages import read_page
from veritas.meaning.embedded.claim_evidence import Statement


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Bread prices in the city have gone down", "Bread prices in the city have not fallen."),
        ("The court found the driver guilty", "The court cleared the driver of guilt."),
        ("Two ferries still serve the island", "Two ferries no longer serve the island."),
        ("The mine made a profit in 2019", "The mine made a loss in 2019."),
        ("All villages have a school", "Most villages have a school."),
    ],
)
def test_an_opposite_or_a_denial_turns_a_statement_over(claim: str, sentence: str) -> None:
    assert turned(Statement(claim), Statement(sentence)).flips


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Bread prices in the city have not fallen", "Bread prices in the city did not go down."),
        ("The testers were unaware of the dose", "The testers did not know the dose."),
        ("The drug was associated with headaches", "The drug was linked to headaches."),
        ("Sales rose to more than 400 tonnes", "Sales rose to 412 tonnes, from less than 300."),
        ("He credits better tools", "He puts it down to better tools rather than to the law."),
    ],
)
def test_two_denials_and_other_words_turn_nothing_over(claim: str, sentence: str) -> None:
    assert not turned(Statement(claim), Statement(sentence)).flips


def test_the_sentence_that_tells_most_is_the_one_with_its_numbers() -> None:
    claim = Statement("The bridge carried 900 lorries in March")
    best = best_of(claim, [Statement("The bridge was repaired."), Statement("In March 900 trucks crossed the bridge.")])
    assert best is not None
    assert best.numbers
    assert "900" in best.statement.text
    assert best_of(claim, []) is None


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The council approved the new harbour in 2019", "contradicted"),
        ("The council rejected the new harbour in 2019", "supported"),
    ],
)
def test_a_page_contradicts_what_it_says_the_opposite_of(claim: str, verdict: str) -> None:
    text = "The harbour of Sund is small. The council rejected the new harbour in 2019. Work on the road goes on."
    held = judge(claim, read_page(Document(text=text, title="Sund", url="https://sund.example/harbour")))
    assert held.verdict == verdict
    if verdict == "contradicted":
        assert "rejected" in held.difference or "approved" in held.difference
        assert held.passage is not None
        assert "rejected" in held.passage.text
