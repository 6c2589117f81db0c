"""Marks that point elsewhere are no part of what a sentence asserts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.judging.lenses import EmbeddedLens, ExactLens, LexicalLens
from veritas.text.pointers import without_pointers


@pytest.mark.parametrize(
    ("sentence", "asserts"),
    [
        ("Evening light delays sleep [1].", "Evening light delays sleep."),
        ("Light [2, 3] and heat [4–6], too.", "Light and heat, too."),
        ("It rose [12, p. 4] and fell [1]–[3].", "It rose and fell."),
        ("It was seen before [1,5] here.", "It was seen before here."),
        ("It grew (Table 1) and fell (see Fig. 2a, b; Section 4.1).", "It grew and fell."),
        ("It grew (Table tab:one).", "It grew."),
        ("It is known (Lee et al., 2020a; Roy et al. 2019).", "It is known."),
    ],
)
def test_pointers_are_cut(sentence: str, asserts: str) -> None:
    assert without_pointers(sentence) == asserts


@pytest.mark.parametrize(
    "sentence",
    [
        "The values lie in [1, 5].",
        "The ratio was 2 [1, 3], 95% CI [1, 5].",
        "The ratio was 2.1 [1.2, 3.4] and x lies in [0, 1].",
        "It was held (June 2018) by the body (ICRC 2016).",
        "Table 2 shows that Lee et al. (2020) found 31.",
        "[1]",
    ],
)
def test_what_is_part_of_the_assertion_stays(sentence: str) -> None:
    assert without_pointers(sentence) == sentence


@given(st.text(max_size=80) | st.text("[](),;–-0123456789 Tablefigs.et", max_size=60))
def test_nothing_but_pointers_is_taken_from_any_text(text: str) -> None:
    left = without_pointers(text)
    signs = iter(text)
    assert all(sign in signs for sign in left)  # the rest, in order
    assert any(c.isalnum() for c in left) == any(c.isalnum() for c in text)


@pytest.mark.parametrize("lens", [EmbeddedLens(), LexicalLens(), ExactLens()], ids=lambda lens: lens.name)
async def test_a_citation_changes_no_verdict(lens: EmbeddedLens | LexicalLens | ExactLens) -> None:
    passage = (
        "Twelve healthy adults took part. Exposure to bright light in the evening delayed sleep onset in healthy "
        "adults by 31 minutes."
    )
    claim = "Evening exposure to bright light delays sleep onset in healthy adults"
    plain = await lens.judge(f"{claim}.", passage)
    assert plain.label != "refutes"
    for mark in (" [1]", " [2, 7]", " (Table 1)", " (Brown et al., 2015)"):
        assert await lens.judge(f"{claim}{mark}.", passage) == plain
