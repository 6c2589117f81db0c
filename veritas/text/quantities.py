"""Quantities: numbers with their units, as percentages, ranges, bounds, counts, sums of money, years and days."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from veritas.text._number_context import (
    INTERVAL,
    LABELS,
    STATISTICS,
    Bound,
    counted,
    framed,
    labelled,
    last_word,
    statistic,
)
from veritas.text.dates import MONTH, MONTH_WORDS, dates, days_of_months
from veritas.text.numerals import NUMBER_WORDS, WORDED, Numeral, in_digits, in_words
from veritas.text.stop_words import STOP_WORDS
from veritas.text.units import BASES, CURRENCIES, Unit, unit_after

_MONEY_UNITS = frozenset(CURRENCIES.values()) | {"chf"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range, `low` to `high` (equal for a single number), in `unit`, at `text[start:end]`.

    `unit` is a base unit ("s", "g m-3", "month", "%", "pp", "fold", "usd", …), "year" or "day" for dates (a day counts
    from 0001-01-01), a statistic ("p", "n", "hr"), the stem of the thing counted ("patient"), or "" if the thing
    counted is unknown; `factor` is the size of the written unit in `unit`. `bound` is "=", or the direction of an
    inequality. `about` marks an approximation, `spread` is the number behind "±". `step` is the size of the last digit
    in `unit`, 0 for a fraction; `places` are the decimals written. It is not `sure` if it can be read otherwise. With
    the words that bound it ("at least", "or so") it reaches from `first` to `last`.
    """

    low: float
    high: float
    unit: str
    start: int
    end: int
    text: str = ""
    bound: Bound = "="
    about: bool = False
    step: float = 0.0
    places: int = 0
    factor: float = 1.0
    spread: float = 0.0
    sure: bool = True
    first: int = 0
    last: int = 0

    @property
    def written(self) -> float:
        """The lower number as the text has it, scale words included, without its unit."""
        return self.low / self.factor

    @property
    def value(self) -> str:
        """The number in its base unit, in words that are equal only for equal quantities; without the thing counted and
        the bound."""
        span = f"{self.low:.12g}" if self.low == self.high else f"{self.low:.12g} to {self.high:.12g}"
        span = f"{span} ± {self.spread:.12g}" if self.spread else span
        return f"{span} {self.unit}" if self.measured or self.kind == "percent" or self.unit == "day" else span

    @property
    def key(self) -> str:
        """The `value` with bound and approximation; the words of an unsure quantity."""
        if not self.sure:
            return f"“{self.text.casefold()}”"
        return f"{self.bound}{'~' * self.about}{self.value}"

    @property
    def kind(self) -> Literal["percent", "year", "measure", "count", "statistic"]:
        """Kind of number; a `count` has no unit, or counts things."""
        if self.unit in ("year", "day"):
            return "year"
        if self.unit in ("%", "pp"):
            return "percent"
        if self.unit in STATISTICS:
            return "statistic"
        return "measure" if self.measured else "count"

    @property
    def measured(self) -> bool:
        """True if its unit is one of measurement or money."""
        return self.unit in BASES or self.unit in _MONEY_UNITS or " " in self.unit or "/" in self.unit


_MULTIPLES = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "doubling": 2.0, "twofold": 2.0,
              "halved": 0.5, "halves": 0.5, "halving": 0.5, "triple": 3.0, "tripled": 3.0, "threefold": 3.0,
              "thrice": 3.0, "fourfold": 4.0, "fivefold": 5.0, "tenfold": 10.0, "quadrupled": 4.0}  # fmt: skip
_MULTIPLE = re.compile(rf"(?i)\b(?:{'|'.join(_MULTIPLES)})\b")
_NUMERIC = re.compile(r"[\d½⅓⅔¼¾⅛⅜⅝⅞]")
_LETTERS = re.compile(r"[a-z]+")
_NUMBERISH = NUMBER_WORDS | {"third", "quarter", "fourth", "fifth", "sixth", "eighth", "tenth"}
_REJECT = re.compile(r"['′’″ʹ](?!s\b)|[α-λν-ω]|\w*\.\d|,\d{3}|\d|\s?/\s?\d|:\d|/[a-z]\d")
_COMMA = re.compile(r",\d{1,2}(?![\d,])")
_FROM = re.compile(r"(?i)(?<!ranging )(?<!ranges )(?<!ranged )(?<!range )(?<!varied )(?<!varies )\bfrom\s*$")
_TO = re.compile(r"(?i)\s?(?:-|–|—|−|\.\.\.?)\s?(?=[\d.])|\s?(?:to|through|until)\s(?=[-−+]?\.?\d)")
_AND = re.compile(r"(?i)\s(?:and|to)\s(?=[-−+]?\.?\d)")
_BETWEEN = re.compile(r"(?i)\b(?:between|from)\s(?:about\s|approximately\s|[$€£]\s?)?$")
_PLUS_MINUS = re.compile(r"\s?(?:\+/-|±|\+-|\\pm)\s?(?=\.?\d)")
_MONEY = re.compile(r"(?:(?:US|AU?|CA?)?\$|[€£¥₹]|\b(?:USD|EUR|GBP|JPY|CHF|INR))\s?$")
_MINUS = re.compile(r"(?i)\b(?:minus|negative)\s$|(?<![\w.)\]%])\s?[-−]$")
_MILLIONS = re.compile(r"\s?(?:(?P<m>[mM])|(?P<b>[bB]))(?![\w/])")
_MONEY_ENDS = "$€£¥₹DRPYFdrpyf"
_INSIDE = frozenset("0123456789")
_NO_DIGIT = re.compile(r"[^\d.,]")
_SIGNS_BEFORE = frozenset("-−–+")
_YEAR_BEFORE = re.compile(
    rf"(?i)(?:\b(?:in|since|by|of|from|until|before|after|during|year|years|to|and|late|early|mid|through|{MONTH})[\s-]+"
    r"|\(|©\s*)$"
)
_ERA = re.compile(r"\s?(?:(?P<before>BCE?|B\.C\.(?:E\.)?)|A\.D\.|C\.E\.)(?!\w|-)")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_NO_YEAR = re.compile(
    rf"\s*%|\s+(?!(?:{'|'.join(sorted(STOP_WORDS, key=len, reverse=True))})\b|[a-z]+ed\s(?:the|an?|its|their|\d|[A-Z]))"
    r"[a-z]|[.,]\d"
)
"""What follows a number that is no year: "in 2000 patients", but not "in 1902 killed 30,000 people"."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR_ENDS = re.compile(r"[),;.\s]|$")
_DECADE = re.compile(r"['’]?s\b")
_INCHES = re.compile(r"\s?in\b")
_FACTOR = re.compile(r"\s?\d")
_RATE = re.compile(r"(?i)\s?(?:/|\bper\s)\s?(?=\d)")
_PER = re.compile(r"\s?/\s?|\sper\s")
_SHARE_OF = re.compile(r"(?i)\s+(?:of|the|all|its|their|our|his|her|these|those)\b")
_BY_SHARE = re.compile(
    r"(?i)\s*(?:[.,;:)]|$)|\s+(?:in|during|from|to|since|when|after|over|at|on|for|as|and|or|but|within|between|while)\b"
)
_ODDS = re.compile(rf"(?i)\s(?:out\sof|in(?=\s(?:every\s)?(?:(?!(?:1[5-9]|20)\d\d)\d|{'|'.join(NUMBER_WORDS)})))\s")
_LISTED = re.compile(r"(?i),?\s?(?:\b(?:and|or|to|versus|vs\.?)\b|&|,|-|–)\s?(?:[$€£]|from\s)?[-−+]?")


@lru_cache(maxsize=2048)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return every quantity of `text`, in order.

    Version numbers, labels ("type 2", "Fig. 3", "11 July"), names ("IL-6"), citation marks ("[12]"), times of day,
    ratios ("2:1") and confidence levels ("95% CI") are no quantities.
    """
    spelled = frozenset(_LETTERS.findall(text.lower()))
    digits = _NUMERIC.search(text)
    if digits is None and _NUMBERISH.isdisjoint(spelled) and spelled.isdisjoint(_MULTIPLES):
        return ()
    found: list[Quantity] = []
    taken = bytearray(len(text))
    months = not MONTH_WORDS.isdisjoint(spelled)
    if digits and (months or (text.count("-") > 1 and _DAY.search(text))):
        for date in dates(text):
            if date.ordinal:
                day = float(date.ordinal)
                found.append(_plain(date.text, (day, day), "day", date.start))
                taken[date.start : date.end] = b"\1" * (date.end - date.start)
        for start, end in days_of_months(text) if months else ():
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
    while digits:
        quantity, at = (None, digits.end()) if taken[digits.start()] else _digits(text, digits.start())
        if quantity is not None:
            found.append(quantity)
            taken[quantity.start : at] = b"\1" * (at - quantity.start)
        digits = _NUMERIC.search(text, at)
    for word in () if _NUMBERISH.isdisjoint(spelled) else WORDED.finditer(text):
        if not any(taken[word.start() : word.end()]) and (quantity := _worded(text, word)) is not None:
            found.append(quantity)
            taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
    for word in () if spelled.isdisjoint(_MULTIPLES) else _MULTIPLE.finditer(text):
        if not any(taken[word.start() : word.end()]):
            # "twice as many" is rounded, "renewed twice" is counted
            counted_so = word[0].lower() in ("twice", "thrice") and not text.startswith(" as ", word.end())
            factor, about = _MULTIPLES[word[0].lower()], not (counted_so or word[0].lower().endswith("fold"))
            fold = _plain(word[0], (factor, factor), "fold", word.start())
            found.append(replace(fold, about=about, step=1.0))
    if len(found) < 2:
        return tuple(found)
    found.sort(key=lambda quantity: quantity.start)
    return tuple(_together(text, found))


def _digits(text: str, first: int) -> tuple[Quantity | None, int]:
    """Return the quantity whose first digit is at `first`, or None, and where to read on."""
    if text[first - 1 : first] == "." and text[first - 2 : first - 1] not in _INSIDE:
        first -= 1
    start = first - (text[first - 1 : first] in _SIGNS_BEFORE and first > 0)
    if start and (text[start - 1].isalnum() or text[start - 1] in "_.,/:#^-−–—⁄"):
        behind = _NO_DIGIT.search(text, first + 1)
        return None, behind.start() if behind else len(text)
    number = in_digits(text, first)
    if number is None:
        return None, first + 1
    before = text[max(0, start - 40) : start]
    tail, word = last_word(before)
    sure = number.sure
    comma = _COMMA.match(text, number.end)
    if comma and number.places == 0 and unit_after(text, comma.end()):  # "2,5 mg": a decimal comma, or two numbers
        number, sure = number._replace(end=comma.end(), step=0.1), False
    elif _REJECT.match(text, number.end) or (comma and not text[comma.end() : comma.end() + 1].isspace()):
        return None, number.end
    digits = text[first : number.end]
    if labelled(before, tail, word) and not (tail.endswith("[") and unit_after(text, number.end)):
        return None, number.end
    year = _year(text, before, first, number.end, digits)
    if year is not None:
        return year, year.end
    money = _MONEY.search(before) if tail[-1:] in _MONEY_ENDS and tail else None
    ahead = before[: money.start()] if money else before
    minus = _MINUS.search(ahead) if money or word in ("minus", "negative") else None
    negative = (start < first and text[start] in "-−–") or minus is not None
    sign = -1.0 if negative else 1.0
    low = high = sign * number.value
    end, step, spread = number.end, number.step, 0.0
    unit = _unit(text, end, money is not None)
    if unit is None and word in ("ft", "feet", "foot") and (inches := _INCHES.match(text, end)):
        unit = Unit("m", 0.0254, inches.end())
    last = _TO.match(text, unit.end if unit else end) or _AND.match(text, unit.end if unit else end)
    if last and (other := _until(text, before, last, number, unit)):
        upper, to_unit = other
        if to_unit is None or not unit or to_unit.base == unit.base:
            end, unit, low_unit = upper.end, to_unit, unit or to_unit
            top = -upper.value if text[last.end() : last.end() + 1] in "-−" else upper.value
            high = top * (to_unit.factor if to_unit else 1.0) / (low_unit.factor if low_unit else 1.0)
            if number.scale == 1.0 and number.value * upper.scale < upper.value:
                low *= upper.scale  # "1 to 2 million" counts millions twice
            unit = Unit(low_unit.base, low_unit.factor, to_unit.end) if low_unit and to_unit else unit
            sure, step = sure and upper.sure, max(step, upper.step)
    elif (error := _PLUS_MINUS.match(text, end)) and (deviation := in_digits(text, error.end())):
        spread, end = deviation.value, deviation.end
        unit = _unit(text, end, money is not None)
    if unit and unit.base == "%" and INTERVAL.match(text[unit.end : unit.end + 40]):
        return None, unit.end
    if (said := statistic(before, tail, word)) and not (unit and unit.base in BASES):
        unit = Unit(said, 1.0, end)
    if number.share and not unit and _SHARE_OF.match(text, end):
        unit, low, high, step = Unit("%", 1.0, end), 100 * low, 100 * high, 0.0
    if money and (unit is None or unit.base in ("usd", "%")):
        unit = Unit(CURRENCIES.get(money[0].strip(), money[0].strip().lower()), 1.0, unit.end if unit else end)
    if money and (scaled := _MILLIONS.match(text, end)):
        times = 1e6 if scaled["m"] else 1e9
        low, high, step = low * times, high * times, step * times
        unit = Unit(unit.base if unit else "usd", 1.0, scaled.end())
    sure = sure and not (unit is None and _ODDS.match(text, end))
    if low > high:
        low, high = high, low
    if sign_or_money := minus or money:
        start += sign_or_money.start() - len(before)
    return _made(text, start if negative or money else first, end, unit, (low, high), step, number.places, spread, sure)


def _until(
    text: str, before: str, last: re.Match[str], number: Numeral, unit: Unit | None
) -> tuple[Numeral, Unit | None] | None:
    """Return the upper number of a range and its unit, or None. "Fell from 53% to 23%" has two values and no range."""
    word = last[0].strip().lower()
    first = last.end() + (text[last.end() : last.end() + 1] in "-−+")
    upper = in_digits(text, first)
    if upper is None or _REJECT.match(text, upper.end) or (word == "to" and _FROM.search(before)):
        return None
    behind = unit_after(text, upper.end)
    if word == "and" and not (_BETWEEN.search(before) and (behind or not unit)):
        return None
    if unit and not behind and unit.base not in ("%", "usd", "eur", "gbp"):
        return None
    if upper.value < number.value and behind is None and word not in ("to", "and"):
        return None
    return upper, behind


def _year(text: str, before: str, start: int, end: int, digits: str) -> Quantity | None:
    """Return the year that four digits are, by the words around them; a decade is a range of ten years."""
    era = _ERA.match(text, end) if digits.isdecimal() and len(digits) < 5 else None
    if era and _YEAR_BEFORE.search(before) and not _NO_YEAR.match(text, era.end()):  # and not "in 30 BC patients"
        value, stop = (-float(digits) if era["before"] else float(digits)), era.end()
        return _plain(text[start:stop], (value, value), "year", start)
    if not _YEAR.fullmatch(digits):
        return None
    value = float(digits)
    if (last := _TO.match(text, end)) and (until := _YEAR.match(text, last.end())):
        stop = until.end()
        if float(until[0]) > value and not (_REJECT.match(text, stop) or _NO_YEAR.match(text, stop)):
            return _plain(text[start:stop], (value, float(until[0])), "year", start)
    if decade := _DECADE.match(text, end):
        return _plain(text[start : decade.end()], (value, value + 9), "year", start)
    if text[end + 1 : end + 2].isupper() and unit_after(text, end):
        return None  # "2000 MHz"
    told = _YEAR_BEFORE.search(before) and not _NO_YEAR.match(text, end)
    bare = 1950 <= value < 2050 and _YEAR_ENDS.match(text, end) and not _NO_YEAR.match(text, end)
    named = before.lower().endswith("the ") and 1900 <= value < 2050 and not unit_after(text, end)
    if not (told or bare or named):
        return None
    about = framed(text, start, end)
    return Quantity(value, value, "year", start, end, digits, about=about.about, first=about.first, last=end)


def _plain(written: str, ends: tuple[float, float], unit: str, start: int) -> Quantity:
    """Return a quantity without bound."""
    end = start + len(written)
    return Quantity(*ends, unit, start, end, written, first=start, last=end)


def _worded(text: str, match: re.Match[str]) -> Quantity | None:
    number = in_words(match)
    if number is None:
        return None
    low, step, end = number.value, number.step, number.end
    before = text[max(0, match.start() - 40) : match.start()]
    if last_word(before)[1] in LABELS:
        return None
    unit = _unit(text, end, False)
    if number.share:
        inside = re.match(r"(?i)\s(?:an?|of\s+an?)\s", text[end:]) if low == 0.5 else None
        if inside and (behind := unit_after(text, end + inside.end() - 1)):
            unit = behind
        elif _SHARE_OF.match(text, end) or (not unit and last_word(before)[1] == "by" and _BY_SHARE.match(text, end)):
            unit, low, step = Unit("%", 1.0, end), 100 * low, 0.0
        elif unit is None or unit.base not in BASES:
            return None
    # "one" is mostly a pronoun: it counts only before a known unit, and so does any word before nothing.
    if low == 1 and (unit is None or unit.base not in BASES):
        return None
    return _made(text, match.start(), end, unit, (low, low), step, number.places, 0.0, number.sure)[0]


def _unit(text: str, end: int, money: bool) -> Unit | None:
    unit = unit_after(text, end)
    if unit is None or (money and unit.base == "m"):
        return None
    if unit.base == "fold" and text[end : unit.end].strip() in ("x", "×") and _FACTOR.match(text, unit.end):
        return None  # "3 × 4"
    return unit


def _made(
    text: str, start: int, end: int, unit: Unit | None, ends: tuple[float, float], step: float, places: int,
    spread: float, sure: bool,
) -> tuple[Quantity, int]:  # fmt: skip
    """Return the quantity, with the thing counted if it has no unit and the rate behind it, and where to read on."""
    base, factor, until = unit or Unit("", 1.0, end)
    reach = until
    if not base:
        base, reach = counted(text, end)
    rate = _RATE.match(text, reach)
    if rate and (per := in_digits(text, rate.end())) and per.value and not _REJECT.match(text, per.end):
        base, factor, until = f"{base}/{counted(text, per.end)[0]}", factor / per.value, per.end
    elif not unit and base and (over := _PER.match(text, reach)):
        behind = unit_after(text, over.end() - (text[over.end() - 1] == " "))
        if behind:
            base, factor, until = f"{base}/{behind.base}", factor / behind.factor, behind.end
    said = framed(text, start, until)
    quantity = Quantity(
        ends[0] * factor, ends[1] * factor, base, start, until, text[start:until], said.bound, said.about,
        step * factor, places, factor, spread * factor, sure, said.first, said.last,
    )  # fmt: skip
    return quantity, until


def _together(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give each number of a list its last unit ("5, 10 and 20 mg"), and join parts of a quantity ("2 h 30 min")."""
    made: list[Quantity] = []
    for quantity in reversed(found):
        after = made[-1] if made else None
        if after is None:
            made.append(quantity)
            continue
        between = text[quantity.end : after.start]
        if _worded_range(text, quantity, after, between):
            factor = after.factor if not quantity.unit else 1.0
            made[-1] = replace(
                after, low=quantity.low * factor, start=quantity.start, first=quantity.first,
                text=text[quantity.start : after.end], about=quantity.about or after.about,
            )  # fmt: skip
            continue
        if (
            not quantity.unit and after.kind in ("measure", "percent") and (joint := _LISTED.fullmatch(between))
            and (joint[0].strip(" $€£-−+") != "," or (after.end > after.start and len(made) > 1))
        ):  # fmt: skip
            factor = after.factor
            quantity = replace(quantity, low=quantity.low * factor, high=quantity.high * factor, unit=after.unit,
                               step=quantity.step * factor, factor=factor)  # fmt: skip
        elif (
            quantity.unit == after.unit and between.lower() in ("", " ", " and ", ", ")
            and quantity.unit in ("s", "month", "m", "g")
            and after.high < quantity.factor and quantity.factor > after.factor and quantity.bound == after.bound
            and (quantity.unit in ("s", "month") or between in ("", " "))
        ):  # fmt: skip
            made[-1] = replace(
                quantity, low=quantity.low + after.low, high=quantity.high + after.high, end=after.end, last=after.last,
                text=text[quantity.start : after.end], step=after.step, factor=after.factor,
            )  # fmt: skip
            continue
        made.append(quantity)
    return made[::-1]


def _worded_range(text: str, quantity: Quantity, after: Quantity, between: str) -> bool:
    """Return whether two numbers are the ends of a range: "six to eight", "between two and three hours"."""
    joint = between.lower() == " to " or (between.lower() == " and " and _BETWEEN.search(text[: quantity.start]))
    factor = after.factor if not quantity.unit else 1.0
    return (
        bool(joint) and quantity.text[:1].isalpha() and quantity.unit in ("", after.unit)
        and quantity.low * factor < after.low == after.high and quantity.bound == after.bound == "="
        and quantity.sure and after.sure and not _FROM.search(text[: quantity.start])
    )  # fmt: skip
