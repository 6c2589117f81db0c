"""A claim that no language model judged keeps to the words of its passage, in their order."""

from __future__ import annotations

import pytest

from veritas.meaning.embedded.wording import unworded

LAMP = "The lamp was fitted in Bergen in 1962."
WINCH = "The winch may jam when the rope is wet."
GASKET = "The gasket does not resist warm brine."
CREW = "Crews must rinse the hull with clean water before each dive."
BEAM = "The oak beam carried more than 300 kg for two years."
RESIN = "We found that the resin also cured in 4 hours; the wax took 9 hours."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The lamp was fitted in Bergen after 1962.", LAMP),
        ("The lamp was fitted by Bergen in 1962.", LAMP),
        ("The lamp was fitted in Bergen.", LAMP),
        ("The winch jams when the rope is wet.", WINCH),
        ("The winch may jam unless the rope is wet.", WINCH),
        ("The rope may jam when the winch is wet.", WINCH),
        ("The winch may jam.", WINCH),
        ("Only the winch may jam when the rope is wet.", WINCH),
        ("The winch may always jam when the rope is wet.", WINCH),
        ("The gasket resists warm brine.", GASKET),
        ("The gasket does not resist brine.", GASKET),
        ("The brine does not resist warm gasket.", GASKET),
        ("Crews can rinse the hull with clean water before each dive.", CREW),
        ("All crews must rinse the hull with clean water before each dive.", CREW),
        ("The oak beam carried 300 kg for two years.", BEAM),
        ("The oak beam carried at most 300 kg for two years.", BEAM),
        ("The oak beam nearly carried more than 300 kg for two years.", BEAM),
        ("The oak beam carried more than 300 kg for two years in all trials.", BEAM),
        ("The resin cured in 9 hours.", RESIN),
        ("The wax cured in 4 hours.", RESIN),
        ("The pump leaks.", "It is false that the pump leaks."),
        ("The pump leaks.", "The valve is open, and the pump leaks if it rains."),
    ],
)
def test_a_word_changed_put_on_turned_round_or_left_away_is_told(claim: str, passage: str) -> None:
    assert unworded(claim, f"{passage} Nothing else is known.")


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("A winch may jam when the rope is wet.", WINCH),
        ("The study found that the winch may jam when the rope is wet.", WINCH),
        ("The gasket doesn't resist warm brine.", GASKET),
        ("The oak beam carried more than 300 kg for 2 years.", BEAM),
        ("The resin cured in 4 hours.", RESIN),
        ("The wax took 9 hours.", RESIN),
        ("The lamp was fitted in Bergen in 1962, and the gasket does not resist warm brine.", f"{GASKET} {LAMP}"),
        ("The lamp was fitted in Bergen in 1962. The gasket does not resist warm brine.", f"{GASKET} {LAMP}"),
    ],
)
def test_a_sentence_or_a_whole_clause_of_the_passage_keeps_to_its_words(claim: str, passage: str) -> None:
    assert unworded(claim, passage) is None
