"""What a claim names and its passages do not is told first, and nothing is told to lack that stands there."""

from __future__ import annotations

import pytest

from veritas.gate.lacking import lacking


@pytest.mark.parametrize(
    ("claim", "passage", "told"),
    [
        ("Some examples for the sympy.polys submodule can be found in section examples.",
         "See section Logic for more information on the sympy.logic submodule.",
         "its passage lacks “sympy.polys”, and has “sympy.logic” and “Logic”"),
        ("The race is held every two years in Bergen.", "The race is held every four years in Oslo.",
         "its passage lacks “two years” and “Bergen”, and has “four years” and “Oslo”"),
        ("The kettle whistles at noon.", "The pump weighs more than a door.",
         "its passage lacks “kettle”, “whistles” and “noon”"),
    ],
)  # fmt: skip
def test_what_a_passage_lacks_is_named_names_first(claim: str, passage: str, told: str) -> None:
    assert lacking(claim, [passage]) == told


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Examples for sympy.polys are in section Logic.", "See section Logic for examples on sympy.polys."),
        ("At 640 m, 5 pumps ran for 720 minutes.", "At 0.64 km, five pumps ran for 12 hours."),
        ("Ada Quill's book requires no oil.", "The book of Ada Quill needs no oil."),
        ("Zurich was founded in 1218.", "In 1218, Zurich became a city and was founded anew."),
        ("Aspirin reduced mortality in 2,000 patients.", "Among 2000 patients aspirin lowered mortality."),
    ],
)
def test_what_stands_in_other_words_or_units_is_not_called_lacking(claim: str, passage: str) -> None:
    assert lacking(claim, [passage]) == ""


def test_of_several_passages_none_has_it_or_nothing_is_told() -> None:
    assert lacking("Bergen held it.", ["Oslo held it.", "Bergen did."]) == ""
    assert lacking("In Bergen it was held.", ["Oslo held it.", "It was held."]) == "its 2 passages lack “Bergen”"
    assert lacking("Bergen held it.", []) == ""
