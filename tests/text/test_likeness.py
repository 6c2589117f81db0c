"""The likeness of two texts: without RapidFuzz the ratios are those of RapidFuzz, to the last digit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from veritas.text import likeness


@pytest.fixture(autouse=True, scope="module")
def in_python() -> Iterator[None]:
    """Let the module work as where RapidFuzz is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(likeness, "_compiled", lambda: None)
        yield


TITLE = "recursive lattices over sparse graphs"
# Few signs, so that much is in common; beyond ASCII, and beyond 64 and 128 signs.
TEXTS = st.text("abcde éλ", max_size=30) | st.lists(st.sampled_from([*TITLE.split(), "of", "für"]), max_size=30).map(
    " ".join
)


@settings(max_examples=150)
@given(TEXTS, TEXTS)
def test_the_ratios_are_those_of_rapidfuzz(one: str, other: str) -> None:
    for name in ("ratio", "token_sort_ratio", "token_set_ratio", "partial_ratio"):
        assert getattr(likeness, name)(one, other) == getattr(fuzz, name)(one, other), name


@settings(max_examples=100)
@given(TEXTS, TEXTS, TEXTS, st.integers(0, 4), st.sampled_from([0, 60, 75, 85]))
def test_the_best_window_is_as_like_as_rapidfuzz_finds_any(
    wanted: str, before: str, after: str, every: int, least: float
) -> None:
    altered = "".join(sign for n, sign in enumerate(wanted) if not every or n % (5 * every))
    text = f"{before} {altered} {after}"
    found = likeness.best_window(wanted, text, least=least)
    expected = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=least) if wanted else None
    if expected is not None and len(text) >= len(wanted):
        assert found is not None
        assert found.score == expected.score
        if found.end > found.start:
            assert likeness.ratio(wanted, text[found.start : found.end]) == pytest.approx(found.score)
    elif expected is None:
        assert found is None


def test_a_window_begins_as_what_was_looked_for() -> None:
    text = "as they say recursive latices over sparse graphs are few"
    found = likeness.best_window(TITLE, text, least=85)
    assert found is not None
    assert text[found.start :].startswith("recursive latices over sparse graphs")
    assert likeness.best_window(TITLE, "the price of bread in the years of the war rose by a third", least=60) is None


@pytest.mark.parametrize(
    ("wanted", "text", "expected"),
    [("", "a", None), ("a", "", None), ("", "", (0, 0)), ("abcd", "abc", (0, 3)), ("bc", "abcd", (1, 3))],
)
def test_the_edges(wanted: str, text: str, expected: tuple[int, int] | None) -> None:
    found = likeness.best_window(wanted, text)
    assert (None if found is None else (found.start, found.end)) == expected
