"""Quantities: read with unit, range and bound; compared with rounding, and never across units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.text.quantities import quantities
from veritas.text.quantity_relation import agree


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "kind"),
    [
        ("fell by 23%", 23, 23, "%", "percent"),
        ("fell by 23 per cent", 23, 23, "%", "percent"),
        ("1,203 people", 1203, 1203, "person", "count"),
        ("between 10 and 20 patients", 10, 20, "pati", "count"),
        ("2.2-14.0", 2.2, 14.0, "", "count"),
        ("in 2004", 2004, 2004, "year", "year"),
        ("$12 million", 12e6, 12e6, "usd", "measure"),
        ("twenty-one days", 21 * 86400, 21 * 86400, "s", "measure"),
        ("three million euros", 3e6, 3e6, "eur", "measure"),
        ("F1 of .311", 0.311, 0.311, "", "count"),
    ],
)
def test_a_quantity_is_read_with_its_unit_and_kind(text: str, low: float, high: float, unit: str, kind: str) -> None:
    last = quantities(text)[-1]
    assert (last.low, last.high, last.unit, last.kind) == (pytest.approx(low), pytest.approx(high), unit, kind)


def test_digits_inside_a_name_are_no_quantity() -> None:
    assert not quantities("UCP1 and CD4 cells of SERCA2b")


@pytest.mark.parametrize(
    ("a", "b", "agrees"),
    [
        ("12.3%", "12%", True),
        ("12.7%", "12%", False),
        ("3.4 mg", "3 mg", False),  # rounded, and a tenth of it or more is gone
        ("1.4 mg", "1 mg", False),
        ("about 100 km", "97 km", True),
        ("about 100 km", "80 km", False),
        ("more than 30 mg", "45 mg", True),
        ("more than 30 mg", "25 mg", False),
        ("less than 30 mg", "25 mg", True),
        ("5-10 mg", "7 mg", True),
        ("5-10 mg", "12 mg", False),
        ("in 1999", "in 2000", False),
    ],
)
def test_agreement_knows_rounding_ranges_and_bounds(a: str, b: str, agrees: bool) -> None:
    first, second = quantities(a)[0], quantities(b)[0]
    assert agree(first, second) is agrees
    assert agree(second, first) is agrees


@given(st.text(max_size=300))
def test_quantities_are_in_order_and_inside_any_text(text: str) -> None:
    last = 0
    for quantity in quantities(text):
        assert last <= quantity.start < quantity.end <= len(text)
        assert text[quantity.start : quantity.end] == quantity.text
        assert quantity.low <= quantity.high
        last = quantity.start
