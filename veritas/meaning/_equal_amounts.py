"""Amounts that are written in other words or other units, and are the same up to rounding."""

from __future__ import annotations

import re

from veritas.text.quantities import Quantity

_ROUNDED = 0.02
"""Share by which a number in another unit of a kind may be rounded."""
_KELVIN = {"°c": (1.0, 273.15), "k": (1.0, 0.0), "°f": (5 / 9, 459.67 * 5 / 9)}
"""Size of a degree and zero of each scale, in kelvin."""
_DEGREE = 0.51
"""Degrees by which a temperature in another scale may be rounded."""
_AMBIGUOUS = {
    ("pound", "g"): (453.592,), ("gallon", "m3"): (0.00378541, 0.00454609), ("pint", "m3"): (0.000473176, 0.000568261),
    ("ton", "g"): (907184.74, 1016046.9, 1e6), ("mile", "m"): (1609.344, 1852.0), ("ounce", "g"): (28.3495, 31.1035),
    ("fl oz", "m3"): (2.95735e-5, 2.84131e-5),
}  # fmt: skip
"""Sizes that a unit with several meanings may have, by the unit and the base unit of its kind."""
_YEARS = 1500.0, 2100.0

_WORDED = tuple(
    (re.compile(rf"(?i)\b{words}\b"), instead)
    for words, instead in (
        (r"(?:an?|one) (hour|day|week|month|year|minute|mile|metre|meter|kilometre|litre|liter|million|billion) and a"
         r" half", r"1.5 \1s"),
        (r"(?:a|one) fortnight", "14 days"),
        (r"(?<!half )(?<!last )(?:a|one) decade(?! ago)", "10 years"),
        (r"(?<!half )(?:a|one) century(?= (?:of|to|in|for|before|after|long|later)\b|[.,;]|$)", "100 years"),
        (r"half a century", "50 years"),
        (r"half a decade", "5 years"),
        (r"a quarter of an hour", "15 minutes"),
        (r"three quarters of an hour", "45 minutes"),
        (r"(\d+) per thousand", r"\1 ‰"),
        (r"(\d{1,2}) in the morning", r"\1 a.m."),
    )
)  # fmt: skip
_HAS_WORDED = re.compile(r"(?i)half|fortnight|decade|century|quarter|thousand|morning")
"""What all of these have a word of; most sentences have none."""
_CLOCK = re.compile(r"(?i)\b(1[0-2]|[1-9])(?::([0-5]\d))? ?([ap])\.?m\b\.?")
_PLACES = tuple(
    (re.compile(rf"(?<![\w.]){short}(?![\w$])"), full)
    for short, full in (
        (r"U\.S\.A\.?", "United States"), (r"U\.S\.?(?!\w)", "United States"), ("USA", "United States"),
        (r"U\.K\.?", "United Kingdom"), ("UK", "United Kingdom"), ("EU", "European Union"),
    )
)  # fmt: skip

_HAS_PLACE = re.compile(r"U\.?S|U\.?K|EU")


def written_out(text: str) -> str:
    """Return a sentence with amounts in words, times of day and the best-known short names in one form."""
    if _HAS_WORDED.search(text):
        for found, instead in _WORDED:
            text = found.sub(instead, text)
    if "‰" in text:
        text = re.sub(r"(\d+) ‰", lambda m: f"{int(m[1]) / 10:g} %", text)
    text = _CLOCK.sub(_time, text)
    if _HAS_PLACE.search(text):
        for short, full in _PLACES:
            text = short.sub(full, text)
    return text


def _time(found: re.Match[str]) -> str:
    """Return a time of day by the clock of 24 hours."""
    hour = int(found[1]) % 12 + 12 * (found[3].lower() == "p")
    return f"{hour}:{found[2] or '00'}"


def converted(a: Quantity, b: Quantity) -> bool:
    """Return whether one amount is the other in another unit, rounded: "800 miles", "1,287 km"."""
    if a.bound != b.bound or a.low != a.high or b.low != b.high or (a.about and not b.about):
        return False
    if a.unit in _KELVIN and b.unit in _KELVIN and a.unit != b.unit:
        (size, zero), (other, from_zero) = _KELVIN[a.unit], _KELVIN[b.unit]
        return abs((a.low * size + zero) - (b.low * other + from_zero)) <= _DEGREE
    for one, two in ((a, b), (b, a)):
        if any(_near(one.low * size, two.low) for size in _AMBIGUOUS.get((one.unit, two.unit), ())):
            return True
    return a.unit == b.unit and a.factor != b.factor and a.measured and _near(a.low, b.low)


def one_year(a: Quantity, b: Quantity) -> bool:
    """Return whether two numbers are the same year, of which one is not known to be a year."""
    plain = {a.kind, b.kind} == {"year", "count"} and a.unit != "day" and b.unit != "day"
    return plain and a.low == b.low and a.high == b.high and _YEARS[0] <= a.low < _YEARS[1]


def _near(x: float, y: float) -> bool:
    return abs(x - y) <= _ROUNDED * max(abs(x), abs(y))
