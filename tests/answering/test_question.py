"""How a question is read."""

from __future__ import annotations

import pytest

from veritas.answering.question import Kind, read_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I set a timeout?", "how-to"),
        ("What is the best way to stream a file?", "how-to"),
        ("What is the default timeout?", "value"),
        ("How many connections are kept?", "value"),
        ("Which formats are read?", "list"),
        ("Which exception is raised?", "which"),
        ("Does it follow redirects?", "yes/no"),
        ("Why is the key required?", "why"),
        ("What is the difference between a task and a flow?", "difference"),
        ("How do a task and a flow compare?", "difference"),
        ("How do I compare two curves?", "how-to"),
        ("What is the best way to distinguish two flows?", "how-to"),
        ("What is a blueprint?", "definition"),
        ("What does url_for do?", "definition"),
        ("When was it released?", "when"),
        ("Who wrote the scheduler?", "who"),
        ("Where are reports kept?", "where"),
        ("How do sessions work?", "how"),
        ("timeouts of clients", "what"),
    ],
)
def test_the_kind_of_a_question_is_that_of_the_answer_it_wants(question: str, kind: Kind) -> None:
    assert read_question(question).kind == kind


def test_names_are_told_from_other_words_and_words_that_name_a_kind_of_question_weigh_little() -> None:
    asked = read_question("How do I use PostgreSQL with the Flowlet scheduler?")
    assert [term.word for term in asked.names] == ["PostgreSQL", "Flowlet"]
    weights = {term.word: term.weight for term in asked.terms}
    assert weights["use"] < weights["scheduler"] < weights["Flowlet"]


def test_an_identifier_is_kept_as_it_is_spelled() -> None:
    asked = read_question("What does url_for do with app.run() and --debug?")
    assert asked.identifiers == ("url_for", "app.run", "--debug")


@pytest.mark.parametrize("question", ["", "?", "the", "\x00", "a" * 5000, "\U0001f600"])
def test_whatever_is_asked_is_read(question: str) -> None:
    assert read_question(question).kind


def test_what_asks_for_a_measure_is_no_subject_of_the_answer() -> None:
    assert [term.word for term in read_question("How long do dry pumps last?").terms] == ["dry", "pumps", "last"]
    assert "long" in {term.word for term in read_question("Which pumps have a long life?").terms}


def test_a_word_for_what_is_not_named_names_nothing_and_weighs_little() -> None:
    asked = read_question("Is everything logged to Kafka unless I don't pass anything?")
    assert [term.word for term in asked.names] == ["Kafka"]
    weights = {term.word: term.weight for term in asked.terms}
    assert weights["everything"] == weights["unless"] == weights["anything"] < weights["logged"]
    assert "don" not in weights
