"""Markup of titles and names becomes the text a reader sees, and nothing that only looks like markup is lost."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veritas.text.markup import MAX_TEXT, plain_text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"G{\"{o}}del, {\'E}mile, \v{S}koda, \c c, \H{o}, \~n, \'{\i}", "Gödel, Émile, Škoda, ç, ő, ñ, í"),
        (r"{\ss} \o re \aa rhus {\L}ukasz", "ß øre århus Łukasz"),
        (r"\textit{In vivo} \emph{x}\&y 5\%", "In vivo x&y 5%"),
        (r"$\beta$-VAE and H$_2$O, $\mathcal{O}(n)$", "β-VAE and H2O, O(n)"),
        ("{BERT}: {P}re-training", "BERT: Pre-training"),
        ("Task Difficulty &amp;amp; Regularization", "Task Difficulty & Regularization"),
        ("Pandora&apos;s Box &#8211; again", "Pandora's Box – again"),
        ("<jats:italic>In</jats:italic> <i>situ</i><sub>2</sub>", "In situ2"),
        (
            "<mml:math><mml:mi>β</mml:mi><mml:annotation encoding='x-tex'>\\beta</mml:annotation></mml:math>!",
            "β!",
        ),
        ("p < 0.05 and a > 3", "p < 0.05 and a > 3"),
        ("$5 and $10", "$5 and $10"),
        ("a~b", "a~b"),
        ("A\u200bB \u202eC\x1b[31m", "AB C[31m"),
        ("lone \ud800 surrogate", "lone surrogate"),
        ("  many\n\t spaces ", "many spaces"),
    ],
)
def test_markup_is_resolved(written: str, read: str) -> None:
    assert plain_text(written) == read


@given(st.text(max_size=300) | st.text("\\{}$<>&;'`~^-_=#9\ud800\u202e\x1b\x85\x9b\n a\u0301", max_size=60))
@example("a\x9b2Jb\x85c")
def test_any_text_can_be_read_and_written(text: str) -> None:
    read = plain_text(text)
    assert read.encode("utf-8").decode("utf-8") == read
    assert read == " ".join(read.split())
    assert not [sign for sign in read if unicodedata.category(sign) in ("Cc", "Cs") or sign in "\u202d\u202e\u2066"]


@given(st.text(st.characters(categories=("L", "N", "Zs")), max_size=60))
def test_plain_words_stay_as_they_are_but_for_composition_and_spaces(text: str) -> None:
    once = plain_text(text)
    assert plain_text(once) == once


@pytest.mark.parametrize("attack", ["\\{", "{" * 2, "<" * 2, "<i ", "$", "&", "\\'", "<mml:math>", "$\\", "<!--"])
def test_hostile_repetition_takes_no_time(attack: str) -> None:
    start = time.perf_counter()
    plain_text(attack * 200_000)
    assert time.perf_counter() - start < 1


def test_only_the_head_of_a_text_is_read() -> None:
    assert len(plain_text("x" * 1_000_000)) == MAX_TEXT
