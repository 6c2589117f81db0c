"""Arithmetic between a statement's number and those of its source: shares, multiples, changes, units. It is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation

CLOSE = 0.011
"""Share by which a calculated number may be off: what rounding to two digits explains."""
POINTS = 0.6
"""Percentage points by which a calculated percentage may be off."""
_ABOUT = 0.10
_OUT_OF = re.compile(
    r"(?i)\s*(?:\w+\s+){0,2}?(?:out\s+of|of|in|from\s+among|among)\s+(?:the\s+|all\s+|a\s+total\s+of\s+)?\Z"
)
_FROM_TO = re.compile(r"(?i)\bfrom\s+(?:about\s+|around\s+|[$€£]\s?)?\Z")
_TO = re.compile(r"(?i)\A(?:\s*\w+){0,4}?\s*(?:to|into)\s+(?:about\s+|around\s+|nearly\s+|[$€£]\s?)?\Z")
_TOTAL = re.compile(r"(?i)\b(?:total|together|combined|altogether|in all|overall|sum|both)\b")
_NAMED = re.compile(
    r"(?i)(?:#>?|[<>]=?|\bv|--?[\w-]+[= ]|\b(?:version|level|python|release|rfc|type|phase|row|line|step|table|figure|"
    r"chapter|section|no\.?)\s)\s?\Z"
)
_GAP = re.compile(
    r"(?i)\b(?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|older|younger|heavier|lighter|faster|slower|"
    r"cheaper|ahead|behind|apart|gap|difference|margin|lead|by|rose|risen|ris(?:e|es|ing)|fell|fall(?:s|en|ing)?|"
    r"gr[eo]w\w*|drop\w*|gain\w*|los[st]\w*|lose[sd]?|add\w*|cut|increas\w*|decreas\w*|declin\w*|reduc\w*|"
    r"shr[aiu]nk\w*|extra|another|additional|sav(?:e|es|ed|ing)|remain\w*|left|rest|other|net)\b"
)
"""Words of a statement that speaks of a difference, and not of a number as such."""


@dataclass(frozen=True)
class Calculated:
    """A number of the statement that follows from numbers of the source, and how."""

    quantity: Quantity
    shown: str
    agrees: bool
    given: bool = False
    """The number stands in the source itself, so that nothing need be calculated."""


def calculations(claim: str, passage: str) -> list[Calculated]:
    """Return what can be calculated for each number of a claim from the numbers of a passage (a few sentences): the
    first way that agrees, else the first that does not. One that stands in the passage itself is marked so, and a
    number out of a name ("-1", "#> 2", "level 3") enters no calculation."""
    theirs = [q for q in quantities(passage) if not _named(q, passage)]
    found = []
    for mine in quantities(claim):
        given = any(_stands(mine, other) for other in theirs)
        ways = list(_ways(mine, claim, theirs, passage, given))
        chosen = next((way for way in ways if way.agrees), ways[0] if ways and not given else None)
        if chosen is not None:
            found.append(replace(chosen, given=given))
    return found


def _ways(
    mine: Quantity, claim: str, theirs: Sequence[Quantity], passage: str, given: bool
) -> Iterator[Calculated]:
    yield from _units(mine, theirs)
    yield from _spans(mine, claim, theirs)
    if not given:
        yield from _differences(mine, claim, theirs)
    if mine.unit == "%" and mine.low == mine.high:
        for part, whole in _shares(theirs, passage):
            value = 100 * part.low / whole.low
            agrees = _percent(mine, value) or _leaning(claim[: mine.start], mine.low, value)
            yield Calculated(mine, f"{part.text} of {whole.text} = {_number(value)} %", agrees)
        for first, last in _changes(theirs, passage):
            value = 100 * (last.low - first.low) / first.low
            if first.unit not in ("year", "day"):
                shown = f"from {first.text} to {last.text} = {'+' if value > 0 else ''}{_number(value)} %"
                yield Calculated(mine, shown, _percent(mine, abs(value)))
    elif mine.unit == "fold":
        for first, last in _changes(theirs, passage):
            value = max(first.low, last.low) / min(first.low, last.low)
            factor = mine.low if mine.low >= 1 else 1 / mine.low
            shown = f"from {first.text} to {last.text} = {_number(value)} times"
            yield Calculated(mine, shown, abs(value - factor) <= (0.05 + _ABOUT * mine.about) * factor)
    elif mine.kind == "count" or mine.measured:
        percents = [q for q in theirs if q.unit == "%"]
        for part, whole in _shares(quantities(claim), claim):
            if part == mine:
                value = 100 * part.low / whole.low
                for percent in percents:
                    shown = f"{part.text} of {whole.text} = {_number(value)} %; the source says {percent.text}"
                    yield Calculated(mine, shown, _percent(percent, value))
        if _TOTAL.search(claim):
            addends = [q for q in theirs if q.unit == mine.unit or q.kind == mine.kind == "count"][:8]
            for at, one in enumerate(addends):
                for other in addends[at + 1 :]:
                    value = one.low + other.low
                    if abs(value - mine.low) <= CLOSE * mine.low and mine.low > max(one.low, other.low):
                        yield Calculated(mine, f"{one.text} + {other.text} = {_number(value / mine.factor)}", True)
    yield from _products(mine, theirs)


def _spans(mine: Quantity, claim: str, theirs: Sequence[Quantity]) -> Iterator[Calculated]:
    """Yield a number of years that lies between two years of the source."""
    said = re.match(r"(?i)\s*years?\b", claim[mine.end :]) or re.search(r"(?i)\byears?\b", mine.text)
    years = sorted({int(q.low) for q in theirs if q.unit == "year"})
    if said is None or len(years) < 2:
        return
    count = _count_of(mine)
    for at, first in enumerate(years):
        for last in years[at + 1 :]:
            if last - first == count:
                yield Calculated(mine, f"{first} to {last} = {last - first} years", True)


def _count_of(mine: Quantity) -> float:
    digits = re.match(r"\d+", mine.text)
    return float(digits[0]) if digits else mine.low if mine.factor == 1 else mine.low / mine.factor


def _stands(mine: Quantity, other: Quantity) -> bool:
    """Return whether a number stands there as it is written, in its unit."""
    same_unit = mine.unit == other.unit if mine.measured or other.measured else mine.kind == other.kind
    return same_unit and (mine.low, mine.high, mine.factor) == (other.low, other.high, other.factor)


def _named(quantity: Quantity, text: str) -> bool:
    """Return whether a number is a part of a name: of an option, a prompt, a version, a level."""
    return quantity.low < 0 or bool(_NAMED.search(text[max(0, quantity.start - 24) : quantity.start]))


def _differences(mine: Quantity, claim: str, theirs: Sequence[Quantity]) -> Iterator[Calculated]:
    """Yield a number that is the difference of two of its own unit, where the claim speaks of one: 17 per cent to 12
    per cent, 5 percentage points."""
    if mine.unit == "%" or mine.kind in ("year", "statistic") or not _GAP.search(claim):
        return
    points = mine.unit == "pp"
    given = [
        q for q in theirs
        if q.low == q.high and q.kind not in ("year", "statistic") and (
            q.unit == "%" or not q.unit if points else q.unit == mine.unit or (mine.kind == q.kind == "count")
        )
    ][:10]  # fmt: skip
    scale = 1.0 if points or mine.kind == "count" else mine.factor or 1.0
    size, step = mine.low / scale, mine.step / scale
    if size <= 0 or (mine.kind == "count" and size <= 2):
        return
    slack = 0.05 * size if mine.about else max(1e-6 * size, step / 2)
    for at, one in enumerate(given):
        for other in given[at + 1 :]:
            if one.unit != other.unit and one.unit and other.unit:
                continue
            gap = abs(one.low - other.low) / scale
            if gap and abs(gap - size) <= slack:
                more, less = sorted((one, other), key=lambda q: -q.low)
                yield Calculated(mine, f"{more.text} − {less.text} = {_number(gap)}", True)


def _products(mine: Quantity, theirs: Sequence[Quantity]) -> Iterator[Calculated]:
    """Yield a multiple ("a hundred times") that lies between two numbers of one unit."""
    if mine.unit != "fold":
        return
    given = [q for q in theirs if q.low == q.high and q.low > 0 and q.kind in ("measure", "count", "percent")][:8]
    for at, one in enumerate(given):
        for other in given[at + 1 :]:
            value = max(one.low, other.low) / min(one.low, other.low)
            over = mine.bound in (">", ">=") and mine.low <= value <= 1.6 * mine.low
            if one.unit == other.unit and (over or abs(value - mine.low) <= 0.06 * mine.low):
                yield Calculated(mine, f"{one.text} to {other.text} = {_number(value)} times", True)


def _units(mine: Quantity, theirs: Sequence[Quantity]) -> Iterator[Calculated]:
    """Yield the same measure in another written unit."""
    for other in theirs:
        if not (mine.measured and mine.unit == other.unit and mine.factor) or abs(mine.factor - other.factor) < 1e-12:
            continue
        value = other.low / mine.factor
        rounding = max(CLOSE * abs(other.low), mine.step / 2)
        agrees = relation(mine, other) in ("same", "close") or abs(mine.low - other.low) <= rounding
        # Units of one kind that are far apart in size measure different things of the sentence.
        if agrees or 0.5 <= abs(mine.low / other.low if other.low else 0) <= 2:
            unit = mine.text.split()[-1] if " " in mine.text else ""
            yield Calculated(mine, f"{other.text} = {_number(value)} {unit}".rstrip(), agrees)


def _shares(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield the pairs of counts that stand as "3 of 12", or as "of the 12, 3"."""
    for one, other in pairwise(found):
        before = re.search(r"(?i)\b(?:of|among)\s+(?:the\s+|all\s+)?\Z", text[: one.start])
        if before and one.kind == other.kind == "count" and 0 < other.low <= one.low and other.start - one.end < 40:
            yield other, one
    for one, other in pairwise(found):
        counts = one.kind == other.kind == "count"
        if counts and 0 < one.low <= other.low and _OUT_OF.fullmatch(text[one.end : other.start]):
            yield one, other


def _changes(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield the pairs that stand as "from 10 to 20"; of a pair without a unit between, the second's unit is both's."""
    for at, one in enumerate(found):
        for other in found[at + 1 : at + 4]:
            between = text[one.end : other.start]
            if one.low > 0 and other.low > 0 and _FROM_TO.search(text[: one.start]) and (
                _TO.match(between) or re.match(r"(?i).{0,80}\bto\s+(?:\w+\s+)?[$€£]?\s?\Z", between, re.DOTALL)
            ) and (one.unit == other.unit or one.kind == other.kind):  # fmt: skip
                scaled = one
                if one.factor == 1 and not one.measured and other.low >= 1000 * one.low and one.text.isdecimal():
                    continue  # "from 10 to 20 million": the first number has its scale from the second
                yield scaled, other
                break


def _leaning(before: str, said: float, value: float) -> bool:
    """Return whether a calculated percentage is a little over or under the one said, as the words before it say."""
    if re.search(r"(?i)\b(?:over|more than|at least|exceed\w*)\s+\Z", before):
        return said <= value <= said * 1.13
    if re.search(r"(?i)\b(?:almost|nearly|just under|under|less than|fewer than|about|roughly|around)\s+\Z", before):
        return said * 0.87 <= value <= said + POINTS
    return False


def _percent(quantity: Quantity, value: float) -> bool:
    if quantity.bound == ">=" and value >= quantity.low - POINTS:
        return True
    if quantity.bound == "<=" and value <= quantity.low + POINTS:
        return True
    return abs(quantity.low - value) <= max(POINTS, _ABOUT * quantity.low * quantity.about)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
