"""Quantities: numbers with their unit, range and comparator, read from text and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from veritas.meaning.embedded.lexicon import MONTHS, NUMBER_WORDS
from veritas.meaning.embedded.words import fold, stem

Kind = Literal["percent", "year", "measure", "count", "label"]

# Repetitions are bounded: a megabyte of digits must not make the search quadratic.
_NUMBER = re.compile(
    r"(?<![^\W\d_])(?<![\d.,])(?P<sign>[-−–+])?"
    r"(?P<number>\d{1,3}(?:[, \u00a0\u2009\u202f]\d{3}){1,5}(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})"
    r"(?P<scale>\s?(?:hundred|thousand|million|billion|trillion|bn|k(?=\b)|m(?=n\b)))?"
    r"(?P<percent>\s?(?:%|percent\b|per\s?cent\b|percentage\s+points?\b))?"
    r"(?:(?P<joint>[-\s]?)(?P<unit>[°µμΩ]?[^\W\d_]{1,14}(?:/[^\W\d_]{1,6})?))?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_NEXT_WORD = re.compile(r"[-\s]([^\W\d_]{1,20})")
_RANGE = re.compile(r"^\s?(?:-|–|—|−|to|through|until)\s?$", re.IGNORECASE)
_SCALE = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12,
}
_BEFORE = re.compile(
    r"(?P<least>at least|more than|over|above|greater than|exceed\w*|upwards of|minimum of|>=?|≥)\s*[$€£]?$"
    r"|(?P<most>at most|less than|fewer than|under|below|up to|no more than|maximum of|<=?|≤)\s*[$€£]?$"
    r"|(?P<about>about|around|approximately|approx\.?|nearly|roughly|almost|circa|c\.|ca\.|~|≈|some)\s*[$€£]?$"
    r"|(?P<label>table|figure|fig\.?|figs\.?|section|eq\.?|equation|ref\.?|chapter|no\.|type|grade|phase|stage|level|"
    r"step|top|\[|p\s?[<=>])\s*$",
    re.IGNORECASE,
)
_UNITS = {
    "mg": "mg", "milligram": "mg", "kg": "kg", "g": "g", "gram": "g", "ml": "ml", "km": "km", "kilometer": "km",
    "kilometre": "km", "m": "m", "meter": "m", "metre": "m", "cm": "cm", "mm": "mm", "mile": "mile", "hour": "hour",
    "h": "hour", "hr": "hour", "minute": "minute", "min": "minute", "second": "second", "sec": "second", "day": "day",
    "week": "week", "wk": "week", "month": "month", "year": "year", "yr": "year", "fold": "fold", "x": "fold",
    "time": "fold", "point": "point", "dollar": "dollar", "euro": "euro", "pound": "pound", "patient": "person",
    "person": "person", "participant": "person", "subject": "person", "individual": "person", "adult": "person",
    "people": "person", "woman": "woman", "women": "woman", "man": "man", "men": "man", "child": "child",
    "children": "child",
}
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound"}
_ORDINAL = ("st", "nd", "rd", "th", "s")
_ROUGHLY = 0.05
"""How far, as a share, two values may be apart when one is given as "about"."""


class Quantity(NamedTuple):
    """A number in text: `low` to `high` (equal unless a range), the unit ("" if none), and where it stands.

    `bound` is "least", "most", "about" or "". `places` is the number of decimals it was written with. A `label` numbers
    something ("Table 3", "type 2", a day of a month); it is never a measurement.
    """

    low: float
    high: float
    unit: str
    kind: Kind
    bound: str
    places: int
    start: int
    end: int
    text: str

    def agrees(self, other: Quantity) -> bool:
        """True if the two can be the same value: ranges touch, bounds hold, rounding to the coarser is forgiven."""
        a, b = self, other
        if a.bound in ("least", "most") or b.bound in ("least", "most"):
            if a.bound not in ("least", "most"):
                a, b = b, a
            if b.bound in ("least", "most"):
                return a.bound == b.bound and a.low == b.low
            return a.low == b.low or (b.low > a.low if a.bound == "least" else b.low < a.low)
        if a.low <= b.high and b.low <= a.high:
            return True
        if a.low != a.high or b.low != b.high or a.kind == "year":
            return False
        if a.places != b.places and abs(a.low - b.low) <= 0.5 * 10.0 ** -min(a.places, b.places) + 1e-9:
            return True
        return "about" in (a.bound, b.bound) and abs(a.low - b.low) <= _ROUGHLY * max(abs(a.low), abs(b.low))

    def comparable(self, other: Quantity) -> bool:
        """True if they measure in the same unit, so that a difference between them means something."""
        return self.kind == other.kind and self.unit == other.unit and "label" not in (self.kind, other.kind)


def quantities(text: str) -> list[Quantity]:
    """The quantities in `text`, in order. Spelled-out numbers count; digits inside a name (CD4, UCP1) do not."""
    found: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        last = "percent" if match["percent"] else "scale" if match["scale"] else "number"
        end = match.end(last)
        joined = match["unit"] if match["joint"] == "" and last == "number" else None
        if joined and text[end].isalpha() and not _unit(joined) and fold(joined) not in _ORDINAL:
            continue
        found.append(_numeral(text, match, end))
    taken = [(q.start, q.end + 1) for q in found]
    found += _spelled(text, taken)
    found.sort(key=lambda q: q.start)
    return _joined(text, found)


def _unit(word: str) -> str:
    folded = fold(word)
    if "/" in folded:
        return folded
    return _UNITS.get(folded) or _UNITS.get(stem(folded)) or _UNITS.get(folded.rstrip("s"), "")


def _bound(text: str, start: int) -> str:
    before = _BEFORE.search(text, max(0, start - 24), start)
    return (before.lastgroup or "") if before else ""


def _numeral(text: str, match: re.Match[str], end: int) -> Quantity:
    digits = match["number"]
    plain = re.sub(r"[, \u00a0\u2009\u202f]", "", digits)
    value = float(plain)
    if match["scale"]:
        value *= _SCALE.get(match["scale"].strip().lower(), 1.0)
    places = len(plain.partition(".")[2])
    start = match.start("number")
    if match["sign"] in ("-", "−") and (start < 2 or text[start - 2] in " \t(\n"):
        value, start = -value, start - 1
    bound = _bound(text, start)
    unit = _unit(match["unit"]) if match["unit"] and not match["percent"] else ""
    before = text[start - 1] if start else ""
    kind: Kind
    if match["percent"]:
        kind = "percent"
    elif before in _CURRENCY:
        kind, unit = "measure", _CURRENCY[before]
    elif bound == "label":
        kind = "label"
    elif unit:
        kind = "measure"
    elif re.fullmatch(r"1[5-9]\d\d|20\d\d", digits):
        kind = "year"
    elif _is_day(text, start, end):
        kind, unit = "label", "day"
    else:
        kind = "count"
    return Quantity(value, value, unit, kind, "" if bound == "label" else bound, places, start, end, text[start:end])


def _is_day(text: str, start: int, end: int) -> bool:
    after = re.match(r"\s*(?:st|nd|rd|th)?\s*(?:of\s+)?([^\W\d_]{3,9})\b", text[end : end + 20])
    before = re.search(r"([^\W\d_]{3,9})\.?\s*$", text[max(0, start - 12) : start])
    return bool((after and after.group(1).lower() in MONTHS) or (before and before.group(1).lower() in MONTHS))


def _spelled(text: str, taken: list[tuple[int, int]]) -> list[Quantity]:
    """Numbers in words outside `taken`; "twenty-one" and "three million" are one each, a bare "one" is none."""
    found: list[Quantity] = []
    covered = {i for start, end in taken for i in range(start, end)}
    done = -1
    for word in _WORD.finditer(text):
        value = NUMBER_WORDS.get(word.group().lower())
        if value is None or word.start() in covered or word.start() < done:
            continue
        end = word.end()
        following = _NEXT_WORD.match(text, end)
        while following and (more := NUMBER_WORDS.get(following.group(1).lower())) is not None:
            if 20 <= value < 100 and 0 < more < 10:
                value += more
            elif more in (100, 1e3, 1e6, 1e9) and value < more:
                value *= more
            else:
                break
            end = following.end()
            following = _NEXT_WORD.match(text, end)
        done = end
        unit = _unit(following.group(1)) if following else ""
        if value == 1 and not unit:
            continue
        bound = _bound(text, word.start())
        bound = "" if bound == "label" else bound
        kind: Kind = "measure" if unit else "count"
        found.append(Quantity(value, value, unit, kind, bound, 0, word.start(), end, text[word.start() : end]))
    return found


def _ranges(text: str, first: Quantity, second: Quantity) -> bool:
    if second.start - first.end > 9:
        return False
    between = text[first.end : second.start]
    if between.strip().lower() == "and":
        return text[max(0, first.start - 9) : first.start].rstrip().lower().endswith("between")
    return bool(_RANGE.match(between))


def _joined(text: str, found: Iterable[Quantity]) -> list[Quantity]:
    """Two numbers with a dash or "to" between them are one range; a unit or percent sign at its end is of both."""
    joined: list[Quantity] = []
    for quantity in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.low == last.high < quantity.low
            and quantity.start > last.end
            and _ranges(text, last, quantity)
            and last.kind in (quantity.kind, "count")
        ):
            words = text[last.start : quantity.end]
            joined[-1] = quantity._replace(low=last.low, start=last.start, bound=last.bound, text=words)
        else:
            joined.append(quantity)
    return joined
