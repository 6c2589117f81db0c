"""Lists among sentences."""

from __future__ import annotations

from veritas.text.lists import lists, without_item_numbers
from veritas.text.sentences import sentences


def found(text: str) -> list[tuple[str, int]]:
    told = sentences(text)
    return [(text[told[one.lead].start : told[one.lead].end], len(one.items)) for one in lists(text, told)]


def test_a_list_has_a_heading_or_an_announcing_line_before_it() -> None:
    assert found("Ask for one of these:\n\n* tea\n* milk") == [("Ask for one of these:", 2)]
    assert found("Drinks\n\n1. tea\n2. milk") == [("Drinks", 2)]
    assert found("Tea is hot.\n\n* tea\n* milk") == []
    assert found("Ask for this:\n\n* tea") == []


def test_what_the_last_item_announces_belongs_to_the_list() -> None:
    text = "Two places are read:\n\n- the home folder\n\n- the library:\n\n    $ ls /lib\n\nTea is hot."
    told = sentences(text)
    (one,) = lists(text, told)
    assert text[told[one.end - 1].start : told[one.end - 1].end] == "$ ls /lib"


def test_numbers_of_items_are_no_part_of_what_a_list_says_and_other_numbers_are() -> None:
    told = without_item_numbers("There are two rules: 1. Each line counts. 2. Lines with # do not.")
    assert told == "There are two rules: Each line counts. Lines with # do not."
    for other in ("The default is: 1. The most is 2. That is all.", "Legs: 1. Arms: 2. Hands: 3.", "1. and 2."):
        assert without_item_numbers(other) == other
