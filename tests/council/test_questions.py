"""How a question is taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.council.embedded.questions import MAX_SUB_QUERIES, sub_queries


def texts(question: str) -> list[str]:
    return [draft.text for draft in sub_queries(question)]


@pytest.mark.parametrize(
    "question",
    ["Aspirin prevents cancer.", "duckdb writers", "BM25", "  spaced   out ", "How does Prefect handle retries?",
     "What is the difference between a task and a flow in Prefect?", "Explain how retries work."],
)  # fmt: skip
def test_what_asks_for_one_thing_passes_through_as_it_is(question: str) -> None:
    assert texts(question) == [" ".join(question.split())]


def test_questions_joined_in_one_are_parted_and_what_leans_on_the_first_has_it_beside_it() -> None:
    assert texts("Who wrote Ledger? What licence?") == ["Who wrote Ledger?", "What licence (Who wrote Ledger)?"]
    two = ["Who wrote Ledger?", "Which licence does Ledger have?"]
    assert texts(" ".join(two)) == two


PIECES = ["what", "is", "and", "how", "?", "the cache", ","]


@given(st.text(max_size=200) | st.lists(st.sampled_from(PIECES)).map(" ".join))
@settings(max_examples=60, deadline=None)
def test_any_question_has_one_to_six_parts_and_no_two_alike(question: str) -> None:
    found = texts(question)
    assert 1 <= len(found) <= MAX_SUB_QUERIES
    assert len(set(found)) == len(found)
    assert all(part.strip() for part in found)
