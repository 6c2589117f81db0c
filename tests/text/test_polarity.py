"""Negation, antonyms and opposition."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.text.polarity import opposed, signs


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Aspirin increases bleeding.", "Aspirin decreases bleeding."),
        ("Aspirin increases bleeding.", "Aspirin does not increase bleeding."),
        ("The cache is enabled by default.", "The cache is disabled by default."),
        ("The cache is thread-safe.", "The cache is not thread-safe."),
        ("DuckDB lets a second process write.", "DuckDB doesn't let a second process write."),
        ("The drug is effective.", "The drug is ineffective."),
        ("The drug failed to reduce pain.", "The drug reduced pain."),
        ("It never raises an error.", "It always raises an error."),
        ("The key is required.", "The key is optional."),
    ],
)
def test_negations_and_antonyms_are_opposition_either_way(a: str, b: str) -> None:
    assert opposed(a, b)
    assert opposed(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Aspirin does not increase bleeding.", "Aspirin decreases bleeding."),
        ("Not only does aspirin increase bleeding.", "Aspirin increases bleeding."),
        ("A high dose lowers the low risk.", "A low dose has a high risk."),
        ("The cache is enabled.", "Caching is enabled by default."),
        ("", "The cache is not safe."),
        ("Flowlet retries a failed task by default.", "By default, Flowlet retries a failed task."),
        ("The failing test lacks nothing.", "The failing test lacks nothing at all."),
    ],
)
def test_double_negation_both_words_of_a_pair_and_plain_repetition_are_not(a: str, b: str) -> None:
    assert opposed(a, b) is None


def test_a_negation_reaches_no_further_than_its_clause() -> None:
    assert set(signs("The cache is fast and safe.").values()) == {1}
    assert opposed("The cache is not shared, but it is fast.", "The cache is fast.") is None


@given(st.text(max_size=120))
@settings(deadline=None)
def test_nothing_opposes_itself(text: str) -> None:
    assert opposed(text, text) is None
