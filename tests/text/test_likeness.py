"""The likeness of two texts."""

from __future__ import annotations

import pytest

from veritas.text import likeness

TITLE = "recursive lattices over sparse graphs"


def test_a_window_begins_as_what_was_looked_for() -> None:
    text = "as they say recursive latices over sparse graphs are few"
    found = likeness.best_window(TITLE, text, least=85)
    assert found is not None
    assert text[found.start :].lstrip().startswith("recursive latices over sparse graphs")
    assert likeness.best_window(TITLE, "the price of bread in the years of the war rose by a third", least=60) is None


@pytest.mark.parametrize(
    ("wanted", "text", "expected"),
    [("", "a", None), ("a", "", None), ("", "", (0, 0)), ("abcd", "abc", (0, 3)), ("bc", "abcd", (1, 3))],
)
def test_the_edges(wanted: str, text: str, expected: tuple[int, int] | None) -> None:
    found = likeness.best_window(wanted, text)
    assert (None if found is None else (found.start, found.end)) == expected
