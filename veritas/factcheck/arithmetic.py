"""Arithmetic between a statement's number and those of its source: shares, multiples, changes, units. It is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Calculated:
    """A number of the statement that follows from numbers of the source, and how."""

    quantity: Quantity
    shown: str
    agrees: bool


def calculations(claim: str, passage: str) -> list[Calculated]:
    """Return what can be calculated for each number of a claim from the numbers of a passage (a few sentences): the
    first way that agrees, else the first that does not."""
    theirs = quantities(passage)
    found = []
    for mine in quantities(claim):
        ways = list(_ways(mine, claim, theirs, passage))
        chosen = next((way for way in ways if way.agrees), ways[0] if ways else None)
        if chosen is not None:
            found.append(chosen)
    return found


def _ways(mine: Quantity, claim: str, theirs: Sequence[Quantity], passage: str) -> Iterator[Calculated]:
    yield from _units(mine, theirs)
    if mine.unit == "%" and mine.low == mine.high:
        for part, whole in _shares(theirs, passage):
            value = 100 * part.low / whole.low
            yield Calculated(mine, f"{part.text} of {whole.text} = {_number(value)} %", _percent(mine, value))
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
            given = [q for q in theirs if q.unit == mine.unit or q.kind == mine.kind == "count"][:8]
            for at, one in enumerate(given):
                for other in given[at + 1 :]:
                    value = one.low + other.low
                    if abs(value - mine.low) <= CLOSE * mine.low and mine.low > max(one.low, other.low):
                        yield Calculated(mine, f"{one.text} + {other.text} = {_number(value / mine.factor)}", True)


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
    """Yield the pairs of counts that stand as "3 of 12"."""
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
                if one.factor == 1 and not one.measured and other.low >= 1000 * one.low and one.text.isdigit():
                    continue  # "from 10 to 20 million": the first number has its scale from the second
                yield scaled, other
                break


def _percent(quantity: Quantity, value: float) -> bool:
    if quantity.bound == ">=" and value >= quantity.low - POINTS:
        return True
    if quantity.bound == "<=" and value <= quantity.low + POINTS:
        return True
    return abs(quantity.low - value) <= max(POINTS, _ABOUT * quantity.low * quantity.about)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
