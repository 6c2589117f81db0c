"""Words of users and manuals of software that meet each other."""

from __future__ import annotations

from veritas.text.stems import stem
from veritas.text.thesaurus import related


def test_a_word_of_the_question_is_met_by_what_manuals_call_it_and_the_other_way_round() -> None:
    assert stem("directory") in related("Which folder is it?")[stem("folder")]
    assert stem("folder") in related("Which directory is it?")[stem("directory")]


def test_a_phrase_is_met_by_single_words_with_its_particle_behind_the_object_too() -> None:
    for asked in ("turn off this rule", "turn this rule off", "turn this one rule off"):
        assert stem("disable") in related(asked)[stem("turn")]
    assert stem("default") in related("skipped out of the box")[stem("box")]


def test_a_part_of_a_phrase_and_an_unknown_word_are_met_by_nothing() -> None:
    assert related("turn the wheel of the box") == {}
