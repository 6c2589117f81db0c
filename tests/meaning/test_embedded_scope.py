"""A sentence with the claim's words that does not say the claim: some for all, names in each other's place."""

from __future__ import annotations

import pytest

from veritas.meaning.embedded import CoverageLens, EmbeddedLens, NumericLens
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.scope import unsaid
from veritas.meaning.embedded.short_cuts import EmbeddedJudge

LENSES: list[EmbeddedJudge] = [EmbeddedLens(), CoverageLens(), NumericLens()]
every_lens = pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)


@every_lens
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("All patients survived.", "Some patients survived."),
        ("All patients survived", "Most of the patients survived the operation."),
        ("Every server restarted.", "Some servers restarted."),
        ("Alice beat Bob", "Bob beat Alice"),
        ("Germany invaded Poland in 1939.", "Poland invaded Germany in 1939."),
        ("Microsoft bought Nokia in 2013.", "In 2013, Nokia bought Microsoft."),
    ],
)
def test_some_is_not_all_and_who_did_it_is_not_whom_it_was_done_to(
    lens: EmbeddedJudge, claim: str, passage: str
) -> None:
    assert lens.find(claim, passage)[0] != "supports"


@every_lens
@pytest.mark.parametrize("written", ["384400", "384,400", "384\u202f400"])
@pytest.mark.parametrize("stop", ["", "."])
def test_a_number_with_separators_is_the_number(lens: EmbeddedJudge, written: str, stop: str) -> None:
    passage = "The moon is 384,400 km away from Earth."
    assert lens.find(f"The moon is {written} km away{stop}", passage)[0] == "supports"


def test_another_number_with_separators_is_another_number() -> None:
    assert EmbeddedLens().find("The moon is 38440 km away.", "The moon is 384,400 km away from Earth.")[0] != "supports"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("All patients survived.", "All patients survived the operation."),
        ("Some patients survived.", "All patients survived."),
        ("All patients survived.", "All patients survived, some patients with scars."),
        ("All nurses stayed.", "Some doctors left and all nurses stayed."),
        ("Alice beat Bob.", "Bob was beaten by Alice."),
        ("Alice beat Bob.", "Alice beat Bob in Paris."),
        ("Alice met Bob.", "Bob met Alice."),
        ("Berlin is the capital of Germany.", "Germany has its capital in Berlin."),
        ("Germany invaded Poland.", "Poland was invaded by Germany."),
        ("", ""),
    ],
)
def test_what_may_well_say_the_claim_is_left_to_the_lens(claim: str, sentence: str) -> None:
    assert unsaid(Statement(claim), Statement(sentence)) == ""
