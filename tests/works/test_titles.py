"""Titles differ in punctuation, in a subtitle, in spelling, in a word, or altogether, and these are told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.citations.verdict import strict_title
from veritas.works.title_comparison import TitleDifference, compare_titles, normalise_title, notice_kind, strip_status

LONG = "Bias-Adversarial Augmentation for Model Debiasing"


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        (LONG, LONG, TitleDifference.NONE),
        ("Über die Größe", "Ueber die Groesse", TitleDifference.PUNCTUATION),
        (r"$\alpha$-divergence", "Alpha-Divergence", TitleDifference.PUNCTUATION),
        ("RGB-D “videos” — now", "RGBD videos, now", TitleDifference.PUNCTUATION),
        ("Asking the right questions", "Asking the right questions: optimization", TitleDifference.SUBTITLE),
        ("Sparse Sums (Extended Abstract)", "Sparse Sums", TitleDifference.VERSION),
        ("Using a model", "Using model", TitleDifference.SPELLING),
        ("Nitrous oxide uptake of salt marshes", "CO<sub>2</sub> uptake of salt marshes", TitleDifference.OTHER),
        (LONG, LONG.replace("Model", "Models"), TitleDifference.WORDS),
        ("Correction to: A long study of many things here", "A long study of many things here", TitleDifference.WORDS),
        ("", "Something", TitleDifference.OTHER),
    ],
)  # fmt: skip
def test_what_differs_is_named(one: str, other: str, difference: TitleDifference) -> None:
    assert compare_titles(one, other).difference is difference
    assert compare_titles(other, one).difference is difference


def test_the_changed_words_are_said() -> None:
    assert compare_titles(LONG, LONG.replace("for", "towards")).changed == (("for", "towards"),)


def test_a_title_that_is_the_head_of_another_without_a_break_is_another_title() -> None:
    found = compare_titles("Deep networks", "Deep networks for speech and for the recognition of handwriting")
    assert found.difference is TitleDifference.OTHER


def test_statuses_and_notices() -> None:
    assert strip_status("RETRACTED ARTICLE: A study") == ("A study", "retracted")
    assert strip_status("[WITHDRAWN] A study") == ("A study", "withdrawn")
    assert strip_status("Retracted publications: a survey") == ("Retracted publications: a survey", None)
    assert strip_status("Removed: ") == ("Removed: ", None)
    assert notice_kind("Correction to: A study") == "correction"
    assert notice_kind("Retraction notice to “A study”") == "retraction notice"
    assert notice_kind("Erratum: A study") == "erratum"
    assert notice_kind("Corrections in the prison system") is None
    assert notice_kind("RETRACTED: A study") is None


@given(st.text())
def test_normalising_a_title_twice_is_normalising_it_once(text: str) -> None:
    assert normalise_title(normalise_title(text)) == normalise_title(text)
    assert strict_title(strict_title(text)) == strict_title(text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_comparing_is_symmetric_and_a_title_is_itself(one: str, other: str) -> None:
    assert compare_titles(one, other).difference is compare_titles(other, one).difference
    assert compare_titles(one, one).difference is TitleDifference.NONE
