"""The comparison of two sentences and of a passage with a claim: relations, settings, reasons."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.meaning.compare import compare, compare_passage
from veritas.meaning.relation import Setting

HERE, THERE = Setting("one"), Setting("another")

EXCLUDING = [
    ("The cable holds 5 kg.", "The cable holds 7 kg."),
    ("The drug lowered blood pressure in 2010.", "The drug raised blood pressure in 2010."),
    ("The service was stopped by the operator.", "The operator did not stop the service."),
    ("The trial enrolled 40 patients.", "The trial enrolled 60 patients."),
    ("The pump weighs 5 kg and has two valves.", "The pump weighs 9 kg."),
]
ROOM = [
    ("skip defaults to 0", "limit defaults to 100"),
    ("France's economy grew by 2% in 2019.", "Germany's economy grew by 3% in 2019."),
    ("The pump may hold 5 kg.", "The pump may hold 7 kg."),
    ("Some tasks take 5 seconds.", "Some tasks take 9 seconds."),
    ("With 2 workers the job takes 10 minutes.", "With 4 workers the job takes 10 minutes."),
    ("In children the dose is 5 mg.", "In adults the dose is 9 mg."),
    ("In version 2 the limit is 5 MB.", "In version 3 the limit is 9 MB."),
    ("The limit is now 5 MB.", "The limit is now 9 MB."),
]


@pytest.mark.parametrize(("source", "claim"), EXCLUDING)
def test_one_difference_of_two_aligned_sentences_excludes_within_a_document(source: str, claim: str) -> None:
    assert compare(source, claim, of_first=HERE, of_second=HERE).relation == "excludes"
    assert compare(source, claim, of_first=HERE, of_second=THERE).relation != "excludes"


@pytest.mark.parametrize(("source", "claim"), ROOM)
def test_what_leaves_room_for_both_does_not_exclude(source: str, claim: str) -> None:
    found = compare(source, claim, of_first=HERE, of_second=HERE)
    assert found.relation != "excludes"
    assert not found.entailed


def test_a_kind_is_entailed_and_does_not_entail() -> None:
    assert compare("The poodle slept.", "The dog slept.").relation == "entails"
    assert not compare("The dog slept.", "The poodle slept.").entailed


def test_under_a_denial_the_broader_word_says_more() -> None:
    assert not compare("Ann did not see a poodle.", "Ann did not see a dog.").entailed
    assert compare("Ann did not see a dog.", "Ann did not see a poodle.").entailed


def test_the_reason_names_both_sides() -> None:
    found = compare("The drug may cause headaches.", "The drug causes headaches.")
    assert found.reason == "the source says “may cause”, the claim says “causes” (modality)"
    added = compare("The bridge opened in 1932.", "The famous bridge opened in 1932.")
    assert added.reason == "the source does not say “famous”"
    left = compare("The pump stops if the tank is full.", "The pump stops.")
    assert left.reason == "the source says “if the tank is full”, which the claim leaves out (condition)"


def test_a_second_difference_that_is_a_doubt_keeps_the_first_from_deciding() -> None:
    found = compare("The firm sold 5 boats.", "The company sold 7 boats.")
    assert found.decisive is None
    assert len(found.differences) == 2


def test_words_of_two_phrases_make_no_third() -> None:
    source = "The baby in a blue suit, wrapped in a pink blanket, is sleeping."
    assert not compare(source, "The baby in a blue blanket is sleeping.").entailed
    assert not compare("Four people are skating.", "Four people are skating inside.").entailed


def test_rows_of_a_table_are_not_compared() -> None:
    assert compare("pump | 5 kg | 9 euros", "The pump weighs 5 kg.").relation == "cannot tell"
    assert compare_passage("| pump | kg |\n| --- | --- |\n| Dray | 5 |\n", "The Dray pump weighs 5 kg.").doubt is None


def test_a_pronoun_stands_for_the_settings_subject() -> None:
    flowlet = Setting("one", "Flowlet")
    assert compare(
        "It retries failed tasks.", "Flowlet retries failed tasks.", of_first=flowlet, of_second=flowlet
    ).entailed
    assert not compare("It retries failed tasks.", "Flowlet retries failed tasks.").entailed


def test_a_possessive_stands_for_the_settings_subject_where_it_has_no_name() -> None:
    tarn = Setting("one", "Tarn")
    source = "By 1801 the population of Tarn had grown to 18,000."
    assert compare(source, "By 1801 its population had grown to 18,000.", of_first=tarn, of_second=tarn).entailed
    assert not compare(source, "By 1801 its population had grown to 18,000.").entailed


@pytest.mark.parametrize(
    "passage",
    [
        "Marie Curie was born in Warsaw. She won the prize in 1903. The prize was shared.",
        "Many prizes were given that year. In 1903 the prize was won by Marie Curie.",
        "Marie Curie, who was born in Warsaw, won the prize in 1903.",
    ],
)
def test_the_passage_is_judged_by_the_sentence_that_says_it(passage: str) -> None:
    assert compare_passage(passage, "Marie Curie won the prize in 1903.").entailed
    assert not compare_passage(passage, "Marie Curie won the prize in 1911.").entailed
    assert not compare_passage(passage, "Pierre Curie won the prize in 1903.").entailed


def test_two_neighbouring_sentences_entail_a_claim_of_two_statements() -> None:
    passage = "The bridge opened in 1932. The mayor resigned in 1940. Ships pass below."
    assert compare_passage(passage, "The bridge opened in 1932 and the mayor resigned in 1940.").entailed
    assert not compare_passage(passage, "The bridge opened in 1940 and the mayor resigned in 1932.").entailed


@pytest.mark.parametrize(
    "passage",
    [
        "It was hoped that the cream removes wrinkles.",
        "Advertisements say that the cream removes wrinkles.",
        "If it is used daily, the cream removes wrinkles.",
        "The cream removes wrinkles, the seller says.",
        "The cream removes wrinkles more than water does, but the difference was not significant.",
    ],
)
def test_the_frame_around_words_is_seen(passage: str) -> None:
    assert not compare_passage(passage, "The cream removes wrinkles.").entailed


@given(st.text(max_size=120), st.text(max_size=120))
@settings(max_examples=120, deadline=None)
def test_any_two_texts_are_compared_and_each_is_the_same_as_itself(a: str, b: str) -> None:
    assert compare(a, b) == compare(a, b)
    assert compare(a, a).relation == "same"
    compare_passage(a, b)


@pytest.mark.parametrize("words", [("pump",), ("item,",), ("12",), ("and", "valve"), ("the pump runs;",)])
def test_a_sentence_without_end_is_not_read_and_costs_little(words: tuple[str, ...]) -> None:
    def cost(count: int) -> float:
        long = "The list has " + " ".join(words[i % len(words)] for i in range(count)) + "."
        start = process_time()
        assert compare(long, long.replace("list", "table")).relation == "cannot tell"
        return process_time() - start

    cost(1000)
    assert cost(16000) < 16 * max(cost(4000), 0.01)


def test_what_a_study_found_is_what_it_says_and_its_own_case_is_not_every_case() -> None:
    said = "Steady heating reduced drying time by 30%."
    assert compare(said, "The study found that steady heating reduced drying time by 30%.").entailed
    denied = "The study did not find that heating reduced it."
    assert not compare(denied, "The study found that heating reduced it.").entailed
    ours = "In our test the pump moved 4 litres per minute."
    assert not compare(ours, "The pump moves 4 litres per minute.").entailed


def test_a_caption_without_a_verb_is_read() -> None:
    caption = "Person atop of a plateau, sun setting along the puffy white clouds over the horizon, above the sea."
    assert not compare(caption, "The sun is setting over the sea.").entailed
