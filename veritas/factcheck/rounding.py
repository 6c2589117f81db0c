"""Numbers of a statement that are those of a source in round figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from veritas.meaning.embedded.conflicts import alike
from veritas.text.quantities import Quantity

_OVER = re.compile(r"(?i)\b(?:over|more than|at least|just over|above|upwards of|exceed\w*)\s+(?:[$€£]\s?)?\Z")
_UNDER = re.compile(
    r"(?i)\b(?:almost|nearly|just under|under|less than|fewer than|short of|close to|below|up to|not quite)\s+"
    r"(?:[$€£]\s?)?\Z"
)
_ROUND = re.compile(r"(?i)\b(?:about|around|roughly|approximately|some|circa|an estimated)\s+(?:[$€£]\s?)?\Z")
_SIGNIFICANT = re.compile(r"[1-9](?:[\d.,]*[1-9])?")
SLACK = 0.13
"""Share by which a number may be off on the side that a word such as "nearly" or "more than" leaves open."""


def roughly(mine: Quantity, other: Quantity, text: str) -> bool:
    """Return whether a number of a statement is another one in round figures: "almost four" for 3.8, "2.18 billion" for
    "2,184 million", "just over 400" for 412."""
    if mine.kind in ("year", "statistic") or other.kind != mine.kind or not mine.low or other.low <= 0:
        return False
    if (mine.measured or "fold" in (mine.unit, other.unit)) and mine.unit != other.unit:
        return False
    before, ratio = text[max(0, mine.start - 24) : mine.start], other.low / mine.low
    if _OVER.search(before) or mine.bound in (">", ">="):
        return 1 <= ratio <= 1 + SLACK
    if _UNDER.search(before) or mine.bound in ("<", "<="):
        return 1 - SLACK <= ratio <= 1
    if _ROUND.search(before) or mine.about:
        return abs(ratio - 1) <= SLACK
    digits = _SIGNIFICANT.search(mine.text)
    count = len(re.sub(r"\D", "", digits[0])) if digits else 0
    return count >= 2 and float(f"{other.low:.{count}g}") == float(f"{mine.low:.{count}g}")


SHARES = {
    "half": 50.0, "third": 100 / 3, "thirds": 200 / 3, "quarter": 25.0, "quarters": 75.0, "fifth": 20.0, "tenth": 10.0,
}  # fmt: skip
"""Shares in words, in per cent; the plurals stand for "two thirds" and "three quarters"."""


def as_share(quantity: Quantity, share: float) -> bool:
    """Return whether a number in per cent is a share in words: 52 % is half, 24 % a quarter."""
    return quantity.unit == "%" and abs(quantity.low - share) <= 0.05 * share + 0.5


def as_much(mine: Quantity, other: Quantity, text: str) -> bool:
    """Return whether a number of the statement `text` can stand for one of a source."""
    mine, other = _counted(mine, text), _counted(other)
    if _finer(mine, other):
        return False
    if alike(mine, other) or roughly(mine, other, text):
        return True
    one, two = _first_unit(mine), _first_unit(other)
    if (one, two) == (mine, other) or one.unit != two.unit:
        return False
    return one.low == two.low or roughly(one, two, text)


def _finer(mine: Quantity, other: Quantity) -> bool:
    """Return whether a statement is more exact than its source: "778" does not stand for a source's "780", though 780
    may be 778 in round figures. Counts and shares in words, and figures in other units, are left to the comparison."""
    if mine.unit != other.unit or mine.factor != other.factor or mine.about or mine.bound != "=":
        return False
    if not (mine.text[:1].isdigit() and other.text[:1].isdigit()) or mine.low == other.low:
        return False
    return _digits(mine.text) > _digits(other.text)


def _digits(text: str) -> int:
    found = _SIGNIFICANT.search(text)
    return len(re.sub(r"\D", "", found[0])) if found else 0


def _first_unit(quantity: Quantity) -> Quantity:
    """Return a quantity of a compound unit ("grams a day") in its first one: a source may name the rest elsewhere."""
    unit = quantity.unit.split(" ")[0].split("/")[0]
    if unit == quantity.unit and quantity.factor == 1:
        return quantity
    return replace(quantity, unit=unit, low=quantity.written, high=quantity.written, factor=1.0)


_THOUSANDS = re.compile(r"\d[Kk]\Z")
_COMPARED = re.compile(
    r"(?i)\s*(?:as|more|less|fewer|better|worse|\w{2,}er|over|the|its|that|those|what|this|those|his|her|their|bigger)\b"
)


def _counted(quantity: Quantity, text: str | None = None) -> Quantity:
    """Return a number of thousands ("10K records") and, in the statement `text`, how often a thing was done ("cited 700
    times") as a count. "700 times as many" is none."""
    if quantity.unit == "k" and _THOUSANDS.search(quantity.text) and quantity.low >= 0:
        low, high, step = 1000 * quantity.low, 1000 * quantity.high, 1000 * quantity.step
        return replace(quantity, low=low, high=high, step=step, unit="", factor=1.0)
    often = quantity.unit == "fold" and quantity.text.casefold().endswith(" times")
    if often and text is not None and not _COMPARED.match(text, quantity.end):
        return replace(quantity, unit="", factor=1.0)
    return quantity


def of_which_unknown(mine: Quantity, own: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    """Return whether it is not shown which of a statement's figures a source's one figure opposes: the statement gives
    several in the unit of `mine`, the source gives one value, and it is none of them. "A file of 1 byte becomes 17
    bytes" is not denied by what a file of 1 MiB becomes."""
    mates = [q for q in own if q.unit == mine.unit]
    there = [q for q in theirs if q.unit == mine.unit]
    values = {round(q.low, 6) for q in there}
    none = not any(alike(q, other) for q in mates for other in there)
    return len({q.low for q in mates}) > 1 and len(values) == 1 and none
