"""Quantities and when two of them disagree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.text.quantities import quantities
from veritas.text.quantity_relation import conflicts


def read(text: str) -> list[tuple[float, float, str]]:
    return [(round(q.low, 9), round(q.high, 9), q.unit) for q in quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reduced from 53% to 23%", [(53, 53, "%"), (23, 23, "%")]),
        ("10-20% of 24 young infants were", [(10, 20, "%"), (24, 24, "infant")]),
        ("between 5 and 10 percent", [(5, 10, "%")]),
        ("a 30-second timeout", [(30, 30, "s")]),
        ("500 ms", [(0.5, 0.5, "s")]),
        ("2–3 hours", [(7200, 10800, "s")]),
        ("3.5-fold, two-fold", [(3.5, 3.5, "fold"), (2, 2, "fold")]),
        ("5 x 10^6 cells", [(5e6, 5e6, "cell")]),
        ("2,500,000 people", [(2.5e6, 2.5e6, "person")]),
        ("$5 million", [(5e6, 5e6, "usd")]),
        ("two hundred patients", [(200, 200, "pati")]),
        ("(p = 0.016, n = 17)", [(0.016, 0.016, "p"), (17, 17, "n")]),
        ("4–6 percentage points", [(4, 6, "pp")]),
        ("in 2019, 24 patients died", [(2019, 2019, "year"), (24, 24, "pati")]),
        ("at 37°C", [(37, 37, "°c")]),
        ("IL-6 and p53, type 2 diabetes, Fig. 3, version 3.8.8, [12]", []),
        ("95% CI 1.2-3.4", []),
        ("10.1038/s41586, a ratio of 2:1", []),
        ("one of them", []),
        ("a 3'-terminal overhang, adenosine 5′-monophosphate, factor 1α", []),
        ("the 1990 Institute of Medicine guidelines, 2000 patients", [(1990, 1990, "year"), (2000, 2000, "pati")]),
        ("1·3 million deaths, 499\u2009000 of them", [(1.3e6, 1.3e6, "die"), (499000, 499000, "")]),
    ],
)
def test_numbers_are_read_with_their_units_and_labels_are_not_numbers(
    text: str, expected: list[tuple[float, float, str]]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The default timeout is 5 seconds.", "By default, the timeout is 30 s."),
        ("Mortality fell to 12% in the treated group.", "Mortality in the treated group was 31%."),
        ("The library was first released in 2014.", "The first release of the library was in 2016."),
        ("The limit is at most 10 MB per file.", "The limit per file is 50 MB."),
    ],
)
def test_one_measure_with_two_values_is_a_conflict(a: str, b: str) -> None:
    assert conflicts(a, b)
    assert conflicts(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The default timeout is 5 seconds.", "The retry delay is 30 s."),
        ("The default timeout is 5 seconds.", "The default timeout is 5000 ms."),
        ("The timeout is about 5 seconds.", "The timeout is 5.3 seconds."),
        ("The limit is at most 10 MB.", "The limit is 5 MB."),
        ("The dose was 5 to 10 mg.", "The dose was 7 mg."),
        ("The timeout is 5 seconds.", "The timeout takes 12% of the time."),
        ("Of 24 patients, 12% died.", "Of 31 controls, 40% recovered."),
    ],
)
def test_different_measures_units_bounds_and_roundings_are_none(a: str, b: str) -> None:
    assert not conflicts(a, b)


@given(st.text(alphabet=st.sampled_from("0123456789.,-–%$ [](/)xtofromampkg±^:"), max_size=80) | st.text(max_size=100))
@settings(deadline=None)
def test_no_text_breaks_the_reading_and_no_text_conflicts_with_itself(text: str) -> None:
    for quantity in quantities(text):
        assert 0 <= quantity.start < quantity.end <= len(text)
        assert quantity.low <= quantity.high
    assert conflicts(text, text) == []
