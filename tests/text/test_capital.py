"""A capital begins a sentence, and no path."""

from __future__ import annotations

import pytest

from veritas.text.capital import capital


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("there is no run", "There is no run"),
        ("crossref's record is missing", "Crossref's record is missing"),
        ("docs/pump/broken.pdf is broken", "docs/pump/broken.pdf is broken"),
        ("p7.md is empty", "p7.md is empty"),
        ("“it” is unknown", "“it” is unknown"),
        ("", ""),
    ],
)
def test_a_first_word_that_is_spelled_so_stays(said: str, shown: str) -> None:
    assert capital(said) == shown
