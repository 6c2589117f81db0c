"""What turns a statement over: pairs that differ in one word."""

from __future__ import annotations

import pytest

from veritas.factcheck.likeness import best_of, turned
from veritas.meaning.embedded.claim_evidence import Statement


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Bread prices in the city have gone down", "Bread prices in the city have not fallen."),
        ("The board raised its forecast", "The board lowered its forecast."),
        ("Two ferries still serve the island", "Two ferries no longer serve the island."),
        ("The county guaranteed the loans", "The county did not guarantee the loans."),
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
