"""Words, stems and weights."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.text.stems import stem
from veritas.text.tokens import index_terms, normalise, terms, tokenise, weigh


@pytest.mark.parametrize(
    "family",
    [
        "inhibit inhibits inhibited inhibiting inhibition inhibitor",
        "reduce reduces reduced reduction reducing",
        "activate activation activated activity",
        "cache caches cached caching",
        "retry retries retried retrying",
        "configure configured configuration",
        "organize organise organisation organizing",
        "tumor tumour tumours",
        "behavior behaviour behaviors",
        "use uses used using",
    ],
)
def test_forms_of_one_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1, [stem(word) for word in family.split()]


@pytest.mark.parametrize(
    ("one", "other"),
    [("process", "procedure"), ("cell", "cellar"), ("universe", "university"), ("class", "clan"), ("mode", "model")],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_numbers_identifiers_and_hyphens_are_cut_as_documentation_writes_them() -> None:
    assert tokenise("IL-6 rose 1,000-fold; snake_case v3.8.8") == ["il", "6", "rose", "1,000", "fold", "snake", "case",
                                                                    "v3", "8.8"]  # fmt: skip
    assert {"claimenvelop", "claim", "envelop"} <= set(index_terms("ClaimEnvelope"))
    assert terms("What is the cache?") == ["cach"]


def test_a_generic_word_weighs_less_than_a_topic_word_and_a_name_weighs_more() -> None:
    weights = weigh("What effect does caching have on DuckDB?")
    assert weights["effect"] < weights["cach"] < weights["duckdb"]


@given(st.text(max_size=200))
@settings(deadline=None)
def test_no_text_breaks_the_words(text: str) -> None:
    assert all(isinstance(token, str) and token for token in tokenise(text))
    assert all(weight > 0 for weight in weigh(text).values())
    index_terms(text)


def test_powers_and_fractions_keep_their_meaning_when_text_is_made_plain() -> None:
    assert normalise("10⁶ cells on 5 km², 1½ mL at 10⁻³") == "10^6 cells on 5 km^2, 1 1/2 mL at 10^-3"


def test_a_number_with_its_power_of_ten_is_one_word_and_thousands_marks_make_no_other() -> None:
    assert tokenise("2.5e-3 mol, the patient's") == ["2.5e-3", "mol", "the", "patient"]
    assert terms("1,000 cells") == terms("1000 cells")


def test_a_long_run_of_digits_takes_no_longer_than_it_must() -> None:
    assert [stem(word) for word in ("1990s", "12s", "1a990s", "1990")] == ["1990", "12s", "1a990", "1990"]
    begun = time.perf_counter()
    assert index_terms("7" * 300_000) == ["7" * 300_000]
    assert time.perf_counter() - begun < 2


@given(st.text(alphabet="ab'sTte_-+. ,0159/[]E", max_size=40))
@settings(deadline=None)
def test_plain_and_other_text_are_cut_alike(text: str) -> None:
    assert [*tokenise(text), "é"] == tokenise(f"{text} é")
