"""How a question is taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.council.embedded.questions import MAX_SUB_QUERIES, own_words, sub_queries
from veritas.council.embedded.subjects import subject_of, topic_of
from veritas.text.tokens import terms
from veritas.text.wordlist import words


def texts(question: str) -> list[str]:
    return [draft.text for draft in sub_queries(question)]


def facets(question: str) -> list[str]:
    return [draft.facet for draft in sub_queries(question)]


@pytest.mark.parametrize("question", ["Aspirin prevents cancer.", "duckdb writers", "BM25", "  spaced   out "])
def test_a_claim_and_keywords_pass_through_as_one(question: str) -> None:
    assert texts(question) == [" ".join(question.split())]


def test_questions_joined_by_and_are_parted_and_the_pronoun_gets_its_subject() -> None:
    found = texts("What is BM25 and how does it differ from TF-IDF?")
    assert found[:2] == ["What is BM25?", "How does BM25 differ from TF-IDF?"]
    assert "What is TF-IDF?" in found


def test_a_question_without_a_subject_of_its_own_takes_that_of_the_first() -> None:
    assert "What are the side effects of statins?" in texts("Do statins help, and what are the side effects?")
    assert "How long (how does the cache store answers)?" in texts("How does the cache store answers, and how long?")


def test_a_comparison_asks_for_either_side() -> None:
    found = texts("What is the difference between a task and a flow in Prefect?")
    assert {"What is a task?", "What is a flow?"} <= set(found)


def test_a_list_is_asked_item_by_item() -> None:
    found = texts("What are the effects of coffee, black tea and cocoa on sleep?")
    assert found[1:4] == [f"What are the effects of {x} on sleep?" for x in ("coffee", "black tea", "cocoa")]


def test_a_plain_question_is_asked_as_it_is_and_nothing_is_added() -> None:
    for question in ("How does Prefect handle retries?", "What is DuckDB?", "Does aspirin prevent cancer?"):
        assert facets(question) == ["as asked"]
        assert texts(question) == [question]


def test_a_request_is_a_question() -> None:
    sides = ["What is Prefect?", "What is Airflow?"]
    assert texts("Compare Prefect with Airflow.") == ["Compare Prefect with Airflow", *sides]
    assert texts("Explain how retries work.") == ["Explain how retries work"]


@pytest.mark.parametrize("question", ["", "?", "?!", "the", "\x00", "\ud800?", "What?", "Why? Why?", "a" * 5000 + "?"])
def test_odd_questions_have_at_least_one_sub_query(question: str) -> None:
    assert 1 <= len(sub_queries(question)) <= MAX_SUB_QUERIES


WORDS = sorted(words("what is how does X and, the cache or it? compare with a b c versus , ; effects of"))


@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
@settings(deadline=None)
def test_every_question_gives_one_to_six_sub_queries_none_alike(question: str) -> None:
    found = sub_queries(question)
    assert 1 <= len(found) <= MAX_SUB_QUERIES
    assert len({draft.text.casefold() for draft in found}) == len(found)
    assert all(draft.text.strip() for draft in found)
    assert [d.model_dump() for d in found] == [d.model_dump() for d in sub_queries(question)]


@given(st.lists(st.sampled_from(["Prefect", "retry", "tasks", "DuckDB", "lock", "files"]), min_size=1, max_size=5))
@settings(deadline=None)
def test_no_topic_word_of_a_question_is_lost(topic: list[str]) -> None:
    question = f"How does {' '.join(topic)} work?"
    said = {term for draft in sub_queries(question) for term in terms(draft.text)}
    assert set(terms(question)) <= said


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("How does Prefect handle retries?", "Prefect"),
        ("Is python-dateutil thread-safe?", "python-dateutil"),
        ("Which licence does numpy have?", "numpy"),
        ("What is DuckDB?", "DuckDB"),
        ("Does vitamin D improve bone density?", "vitamin D"),
    ],
)
def test_the_subject_of_a_question_is_what_it_is_about(question: str, subject: str) -> None:
    assert subject_of(question) == subject


def test_only_a_bare_thing_has_a_definition() -> None:
    assert topic_of("What is DuckDB?") == "DuckDB"
    assert topic_of("What is the effect of aspirin on pain?") == ""
    assert topic_of("What are the limitations of DuckDB?") == ""


def test_a_long_question_is_asked_by_its_clauses_and_what_it_asks_comes_first() -> None:
    asked = (
        "I am writing a crawler that visits fifty thousand pages of a few hundred hosts every night, and some "
        "hosts are slow or drop the connection, so I want my requests to be tried again with growing pauses. How do I "
        "configure that?"
    )
    first, *others = sub_queries(asked)
    assert first.text == "How do I configure that (I want my requests to be tried again with growing pauses)?"
    assert [other.facet for other in others] == ["background", "background"]


def test_a_long_question_without_a_mark_is_parted_at_what_it_asks() -> None:
    asked = (
        "In our application all requests go to the same host and connections are discarded with a message that "
        "the pool is full when ten threads work at the same time so we would like to know which parameter sets the "
        "number of kept connections and how we can make threads wait for a free one"
    )
    assert [each.text for each in sub_queries(asked) if each.facet == "as asked"] == [
        "Which parameter sets the number of kept connections?", "How we can make threads wait for a free one?",
    ]  # fmt: skip


def test_a_long_claim_is_kept_whole() -> None:
    claim = (
        "In adults with chronic heart failure and reduced ejection fraction, daily treatment by low doses of the drug "
        "lowered hospital admissions, symptoms, mortality, blood pressure and sodium levels without renal damage."
    )
    assert [each.text for each in sub_queries(claim)] == [claim]


def test_a_name_with_vs_is_no_comparison_and_have_it_begins_no_question() -> None:
    for question in ("Is there an official VS Code extension?", "How do I fetch a row and have it kept?"):
        assert [draft.text for draft in sub_queries(question)] == [question]
    assert "What is Memcached?" in [draft.text for draft in sub_queries("Redis vs Memcached for sessions?")]


def test_a_part_is_told_in_the_persons_own_words_and_asked_so_that_it_stands_alone() -> None:
    question = "How does the cache keep answers, and how long does it store them?"
    (_, asked) = (draft.text for draft in sub_queries(question))
    assert asked != "How long does it store them?"
    assert own_words(question)[asked] == "How long does it store them?"


def test_a_pronoun_of_a_subject_in_its_own_part_leaves_the_part_as_it_is() -> None:
    drafts = sub_queries("How do I replace text, and which database does ripgrep store its index in?")
    assert drafts[-1].text == "Which database does ripgrep store its index in?"
