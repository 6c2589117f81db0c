"""The relation of two quantities: the same, close, different, or unclear.

Nothing is guessed: another unit, another currency, a month against days, one bound against another of the same
direction are unclear. `conflicts` finds the quantities of two sentences that cannot both be true of one measure.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from typing import Literal

from veritas.text.quantities import Quantity, quantities
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import tokenise

Relation = Literal["same", "close", "different", "unclear"]

_EXACT = 1e-9
_ABOUT, _NOT_ABOUT = 0.10, 0.15
"""Share by which values may differ if one is approximate, and share from which they are different."""
_ROUNDED = 0.10
"""Share by which a rounded number may be off; beyond it the coarser is no rounding of the finer."""
_COARSE = 0.25
"""Share from which rounding explains nothing: an hour and a half is not two."""
_MONTH = 28 * 86400.0, 31 * 86400.0
"""Seconds of the shortest and of the longest month."""
_TEMPERATURES = {"°c": (1.0, 273.15), "k": (1.0, 0.0), "°f": (5 / 9, 459.67 * 5 / 9)}
"""Factor, and zero in kelvin."""
_KIB = 1.024, 1.048576, 1.073741824, 1.099511627776
MEASURE_OVERLAP = 0.5
"""Least share of the shorter measure's words in common, for two quantities to be about the same thing."""


def relation(a: Quantity, b: Quantity) -> Relation:
    """Return the relation of two quantities, if both are said of one measure.

    `same`: one value and one bound, up to rounding. `close`: both can be true, and either can stand for the other in a
    sentence: a rounded number, "about", a number within a bound or a range. `different`: both cannot be true.
    `unclear`: everything else.
    """
    if not (a.sure and b.sure):
        return "same" if a.key == b.key and _framed(a, b) else "unclear"
    if a.unit != b.unit:
        return _across(a, b)
    if a.unit == "fold" and a.low != b.low and abs(a.low * b.low - 1) < _EXACT:
        return "unclear"  # "decreased twofold", "halved"
    if a.unit == "byte" and any(_equal(a.low, b.low * k) or _equal(a.low * k, b.low) for k in _KIB):
        return "unclear"  # a kilobyte of 1,000 or of 1,024
    if any(x.places == 3 and x.low >= x.factor and _equal(x.low * 1000, y.low) for x, y in ((a, b), (b, a))):
        return "unclear"  # "1.500", which some countries write for "1,500"
    if _equal(a.low, b.low) and _equal(a.high, b.high):
        if _framed(a, b):
            return "same"
        if a.bound == b.bound:
            return "unclear" if a.spread and b.spread else "close"
    return _within(a, b)


def _framed(a: Quantity, b: Quantity) -> bool:
    return (a.bound, a.about, a.spread) == (b.bound, b.about, b.spread) or (
        (a.bound, a.about) == (b.bound, b.about) and _equal(a.spread, b.spread)
    )


def _equal(x: float, y: float) -> bool:
    return abs(x - y) <= _EXACT * max(abs(x), abs(y))


def _across(a: Quantity, b: Quantity) -> Relation:
    """Relate quantities in units that are no multiples of each other."""
    if a.unit in _TEMPERATURES and b.unit in _TEMPERATURES:
        (x, zero), (y, other) = _TEMPERATURES[a.unit], _TEMPERATURES[b.unit]
        points = [abs(a.low * x + zero - b.low * y - other), abs(a.high * x + zero - b.high * y - other)]
        differences = abs(a.low * x - b.low * y)
        if max(points) <= 1e-6 and _framed(a, b):
            return "same"
        plain = a.bound == b.bound == "=" and not (a.about or b.about or a.spread or b.spread)
        coarse = max(a.step * x, b.step * y, 0.1)
        # A point of the scale, or a difference on it: who speaks of one degree may mean either.
        return "different" if plain and min(points) > coarse and differences > coarse else "unclear"
    if {a.unit, b.unit} == {"month", "s"}:
        months, seconds = (a, b) if a.unit == "month" else (b, a)
        apart = months.low * _MONTH[0] * 0.95 > seconds.high or months.high * _MONTH[1] * 1.05 < seconds.low
        return "different" if apart and a.bound == b.bound == "=" and not (a.about or b.about) else "unclear"
    if {a.unit, b.unit} == {"year", "day"}:
        year, day = (a, b) if a.unit == "year" else (b, a)
        inside = year.low <= datetime.date.fromordinal(int(day.low)).year <= year.high
        return "unclear" if a.bound != "=" or b.bound != "=" else "close" if inside else "different"
    return "unclear"


def _within(a: Quantity, b: Quantity) -> Relation:
    """Relate quantities in one unit that are not the same."""
    if a.bound != "=" and b.bound != "=":
        if a.bound[0] == b.bound[0]:
            return "unclear"
        return "different" if not _overlap(a, b) and not (a.about or b.about) else "unclear"
    if a.bound != "=" or b.bound != "=":
        if a.about or b.about or a.spread or b.spread:
            return "unclear"
        if not _overlap(a, b):
            return "different"
        limit, point = (a, b) if a.bound != "=" else (b, a)
        whole = point.low >= limit.low if limit.bound[0] == ">" else point.high <= limit.high
        return "close" if whole else "unclear"
    gap = max(a.low, b.low) - min(a.high, b.high)
    if a.low != a.high and b.low != b.high:
        return "unclear" if gap <= 0 or a.about or b.about else "different"
    if gap <= 0:
        return "close"
    size = max(abs(a.low), abs(b.low), abs(a.high), abs(b.high))
    if a.unit in ("year", "day"):
        return "unclear" if a.about or b.about else "different"
    if a.spread or b.spread:
        return "different" if gap > a.spread + b.spread else "unclear"
    if a.about or b.about:
        return "close" if gap <= _ABOUT * size else "different" if gap > _NOT_ABOUT * size else "unclear"
    coarse, fine = max(a.step, b.step), min(a.step, b.step)
    if coarse > fine * (1 + 1e-6) and gap <= 0.5 * coarse * (1 + 1e-6) + 1e-12 * size:
        return "close" if gap <= _ROUNDED * size else "unclear" if gap < _COARSE * size else "different"
    return "different"


def _overlap(a: Quantity, b: Quantity) -> bool:
    """Return whether a value can satisfy both bounds."""
    low, high = max(_least(a), _least(b)), min(_most(a), _most(b))
    if low < high and not _equal(low, high):
        return True
    strict = any(q.bound in ("<", ">") and _equal(low, q.low) for q in (a, b))
    return (_equal(low, high) or low == high) and not strict


def _least(q: Quantity) -> float:
    return float("-inf") if q.bound[0] == "<" else q.low


def _most(q: Quantity) -> float:
    return float("inf") if q.bound[0] == ">" else q.high


def agree(a: Quantity, b: Quantity) -> bool:
    """Return whether either can stand for the other: the same or close."""
    return relation(a, b) in ("same", "close")


def conflicts(a: str, b: str) -> list[tuple[Quantity, Quantity]]:
    """Return pairs of quantities, one of each text, that are of the same measure and cannot both be true.

    Precision first: a quantity that is not plainly different from each of the other text is no conflict, nor is one
    whose measure shares less than `MEASURE_OVERLAP` with its counterpart (0.75 for one without a unit).
    """
    ours, theirs = quantities(a), quantities(b)
    found = []
    for one in ours:
        mine = _measure(a, one)
        told = [(other, relation(*_of_each(one, mine, other, _measure(b, other)))) for other in theirs]
        rivals = [other for other, how in told if other.unit == one.unit or how != "unclear"]
        if not rivals or any(how != "different" for other, how in told if other in rivals):
            continue
        shared = {other: _shared(mine, _measure(b, other)) for other in rivals}
        best = max(rivals, key=lambda other: (shared[other], -other.start))
        if any(relation(best, mine) in ("same", "close") for mine in ours):
            continue
        if shared[best] >= (MEASURE_OVERLAP if one.unit else 0.75):
            found.append((one, best))
    return found


def _of_each(a: Quantity, mine: frozenset[str], b: Quantity, theirs: frozenset[str]) -> tuple[Quantity, Quantity]:
    """Return both without "per file" if the words around the other mention files too."""
    plain = []
    for quantity, near in ((a, theirs), (b, mine)):
        unit, _, each = quantity.unit.partition(" per ")
        plain.append(replace(quantity, unit=unit) if each in near else quantity)
    return plain[0], plain[1]


def _shared(a: frozenset[str], b: frozenset[str]) -> float:
    shorter = min(len(a), len(b))
    return len(a & b) / shorter if shorter else 0.0


_CLAUSE = re.compile(r"[;:()]|, (?:and|but|while|whereas)\b")


def _measure(text: str, quantity: Quantity) -> frozenset[str]:
    """Return stems of up to eight content words before and five after, within the clause: the words for the measure."""
    left = _CLAUSE.split(text[max(0, quantity.start - 120) : quantity.start])[-1]
    right = _CLAUSE.split(text[quantity.end : quantity.end + 80])[0]
    return frozenset([*_content(left)[-8:], *_content(right)[:5]])


def _content(text: str) -> list[str]:
    return [
        stem(token)
        for token in tokenise(text)
        if token not in STOP_WORDS and token not in GENERIC_WORDS and not token[0].isdigit() and len(token) > 1
    ]
