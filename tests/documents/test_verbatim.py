"""I1: a quote counts only where it stands word for word, white space aside."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace, is_verbatim, locate

# Few letters, so that quotes recur; every sort of white space, and characters that look like it and are none.
ALPHABET = "ab . \n\t\r\x0b\x0c\x1c\x85\xa0\u2003\u2028\u3000\u200b\ufeff\u2060\xe9\u0301\u0130\xdf\U0001f701"
texts = st.text(alphabet=ALPHABET, max_size=200)


def reference(quote: str, text: str) -> tuple[int, int] | None:
    """The definition, slowly: the first slice whose folding is the folded quote."""
    wanted = " ".join(quote.split())
    if len(wanted) < MIN_QUOTE:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, wanted.split(" "))))
    match = pattern.search(text)
    return match.span() if match else None


@given(text=texts, data=st.data())
def test_locate_finds_exactly_what_the_definition_finds(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = data.draw(st.one_of(st.just(text[start:end]), texts))
    assert locate(quote, text) == reference(quote, text)


@given(text=texts, data=st.data())
def test_what_was_cut_from_a_text_is_found_in_it_however_its_white_space_was_changed(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    words = text[start:end].split()
    quote = "".join(word + data.draw(st.sampled_from([" ", "\n", "\t\t", "\r\n ", "\u2003"])) for word in words)
    found = locate(quote, text)
    if len(fold_whitespace(quote)) < MIN_QUOTE:
        assert found is None
    else:
        assert found is not None
        assert fold_whitespace(text[found[0] : found[1]]) == fold_whitespace(quote)
        assert text[found[0] : found[1]] == text[found[0] : found[1]].strip()


@given(text=texts, quote=texts, bounds=st.tuples(st.integers(-5, 210), st.integers(-5, 210)))
def test_a_search_within_a_part_equals_a_search_of_that_part(text: str, quote: str, bounds: tuple[int, int]) -> None:
    start, end = max(0, bounds[0]), max(0, bounds[1])
    expected = reference(quote, text[start:end]) if start < end else None
    found = locate(quote, text, within=bounds)
    assert found == (None if expected is None else (expected[0] + start, expected[1] + start))


def test_a_quote_that_ends_behind_the_part_is_not_found_in_it() -> None:
    text = "We saw that the effect was small. Nobody saw that the effect was large."
    part = (0, text.index(" Nobody"))
    assert locate("the effect was small.", text, within=part) == (12, 33)
    assert locate("Nobody saw that", text, within=part) is None
    assert locate("was small. Nobody", text, within=part) is None


@given(st.text())
def test_folding_is_what_the_pattern_for_white_space_folds(text: str) -> None:
    assert fold_whitespace(text) == re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize(
    "quote",
    [
        "the Effect was small",  # case
        "the effect was smal l",  # a space within a word
        "the effect was ‘small’",  # quotation marks
        "the effect — was small",  # a dash
        "the \u0435ffect was small",  # a letter of another script
        "the effect was\u200b small",  # an invisible character
        "the effect wassmall",  # no space
        "the effect was small!",
    ],
)
def test_nothing_but_white_space_is_forgiven(quote: str) -> None:
    text = "We found that the effect\n   was small."
    assert is_verbatim("the effect was small", text)
    assert is_verbatim("the effect was small", text.replace(" ", "\xa0"))
    assert not is_verbatim(quote, text)


def test_a_quote_too_short_to_mean_anything_grounds_nothing() -> None:
    assert locate("a b c", "a b c a b c") is None
    assert locate("", "") is None
    assert locate("  \n ", "  \n ") is None


def test_many_quotes_of_a_large_text_are_located_quickly() -> None:
    line = "The {:06d}th measurement of the series  gave a\n value within the expected range.\n\n"
    text = "".join(map(line.format, range(40_000)))  # about 3 MB
    begun = time.perf_counter()
    for number in range(0, 40_000, 400):
        found = locate(f"The {number:06d}th measurement of the series gave a value", text)
        assert found is not None
        assert text[found[0] :].startswith(f"The {number:06d}th")
    assert time.perf_counter() - begun < 5  # about 0.3 s on a slow machine


def test_a_repetitive_text_does_not_make_the_search_quadratic() -> None:
    text = "a " * 500_000
    begun = time.perf_counter()
    assert locate("a " * 5_000 + "b", text) is None
    assert time.perf_counter() - begun < 5
