"""Quantities: numbers with their units, as percentages, ranges, bounds, counts, sums of money, years and days."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from veritas.text.dates import MONTH, dates, days_of_months
from veritas.text.numerals import NUMBER_WORDS, WORDED, Numeral, in_digits, in_words
from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.units import BASES, CURRENCIES, Unit, known_unit, unit_after
from veritas.text.wordlist import words

Bound = Literal["=", "<", "<=", ">", ">="]
_MONEY_UNITS = frozenset(CURRENCIES.values()) | {"chf"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range, `low` to `high` (equal for a single number), in `unit`, at `text[start:end]`.

    `unit` is a base unit ("s", "g m-3", "month", "%", "pp", "fold", "usd", …), "year" or "day" for dates (a day counts
    from 0001-01-01), a statistic ("p", "n", "hr"), the stem of the thing counted ("patient"), or "" when nothing says
    what is counted; `factor` is what one written unit is in it. `bound` says whether the value is that ("="), or less
    or more. `about` marks an approximation, `spread` is what stands behind "±". `step` is the size of the last digit in
    `unit`, 0 for a fraction; `places` are the decimals written. It is not `sure` where it can be read otherwise.
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

    @property
    def written(self) -> float:
        """The lower number as the text has it, scale words included, without its unit."""
        return self.low / self.factor

    @property
    def value(self) -> str:
        """Its number in its base unit, in words that are equal for equal quantities alone; what is counted is left out,
        and what bounds it."""
        span = f"{self.low:.12g}" if self.low == self.high else f"{self.low:.12g} to {self.high:.12g}"
        span = f"{span} ± {self.spread:.12g}" if self.spread else span
        return f"{span} {self.unit}" if self.measured or self.kind == "percent" or self.unit == "day" else span

    @property
    def key(self) -> str:
        """What is equal for the same quantities alone, bound and precision included; of an unsure one its words."""
        if not self.sure:
            return f"“{self.text.casefold()}”"
        return f"{self.bound}{'~' * self.about}{self.value} {self.unit}"

    @property
    def kind(self) -> Literal["percent", "year", "measure", "count", "statistic"]:
        """What sort of number it is; a `count` has no unit, or counts things."""
        if self.unit in ("year", "day"):
            return "year"
        if self.unit in ("%", "pp"):
            return "percent"
        if self.unit in _STATISTICS:
            return "statistic"
        return "measure" if self.measured else "count"

    @property
    def measured(self) -> bool:
        """Whether its unit is one of measurement or money."""
        return self.unit in BASES or self.unit in _MONEY_UNITS or " " in self.unit or "/" in self.unit


_STATISTICS = frozenset("p n r r2 or hr rr auc ph odds_ratio hazard_ratio relative_risk".split())
_MULTIPLES = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "doubling": 2.0, "twofold": 2.0,
              "halved": 0.5, "halves": 0.5, "halving": 0.5, "triple": 3.0, "tripled": 3.0, "threefold": 3.0,
              "thrice": 3.0, "fourfold": 4.0, "fivefold": 5.0, "tenfold": 10.0, "quadrupled": 4.0}  # fmt: skip
_MULTIPLE = re.compile(rf"(?i)\b(?:{'|'.join(_MULTIPLES)})\b")
_ANY = re.compile(rf"(?i)\d|[½⅓⅔¼¾⅛⅜⅝⅞]|\b(?:{'|'.join([*NUMBER_WORDS, *_MULTIPLES, 'third', 'quarter'])})")
# Same length, so that offsets hold: the full-width and the mathematical forms of digits are left to `normalise`.
_START = re.compile(r"(?<![\w.,/:#^\-−–—⁄])(?:[-−–+](?=[\d.]))?(?:(?=\.?\d)|(?=[½⅓⅔¼¾⅛⅜⅝⅞]))")
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
_BEFORE = re.compile(
    r"(?i)(?P<least>\b(?:at\s+(?:the\s+very\s+)?least|(?:no|not)\s+(?:less|fewer|lower|smaller|shorter)\s+than|"
    r"(?:a\s+|the\s+)?minimum(?:\s+of)?|upwards\s+of|from|not\s+(?:under|below))|≥|>=|⩾)\s*$"
    r"|(?P<most>\b(?:at\s+(?:the\s+very\s+)?most|up\s+to|(?:no|not|never)\s+(?:more|greater|higher|larger|longer|older)\s+"
    r"than|(?:a\s+|the\s+)?maximum(?:\s+of)?|not\s+(?:to\s+)?(?:exceed(?:s|ed|ing)?|over|above)|within|until|capped\s+at|"
    r"never\s+exceed(?:s|ed)?)|≤|<=|⩽)\s*$"
    r"|(?P<less>\b(?:less|fewer|lower|smaller|shorter|younger|cheaper)\s+than|\bunder|\bbelow|<)\s*$"
    r"|(?P<more>\b(?:more|greater|higher|larger|longer|older|better)\s+than|\bover|\babove|\bexceed(?:s|ed|ing)?|\bbeyond"
    r"|>)\s*$"
)
_AFTER = re.compile(
    r"(?i)(?:\s\w+)?\s?(?P<least>(?:\bor|\band)\s+(?:more|above|higher|older|over|greater|longer|upwards?|up)\b)"
    r"|(?:\s\w+)?\s?(?P<most>(?:\bor|\band)\s+(?:less|fewer|below|under|lower|younger|shorter|smaller)\b)"
    r"|(?P<plus>\+(?![\d/]))|(?:\s\w+)?\s(?P<about>or\s+(?:so|thereabouts)|approximately|roughly)\b"
    r"|(?:\s\w+)?\s(?P<cap>(?:at\s+(?:the\s+)?(?P<end>most|least)|(?:maximum|minimum))\b)(?!\s+(?:of|\d))"
)
_SIGNS: dict[str, Bound] = {"least": ">=", "most": "<=", "less": "<", "more": ">"}
_ABOUT = re.compile(
    r"(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|close\s+to|an?\s+estimated|"
    r"estimated(?:\s+at)?|(?:on|of)\s+the\s+order\s+of|just\s+(?:over|under|above|below)|a\s+little\s+\w+)|[~≈∼≃])\s*$"
)
# A number after these is a label, not a quantity.
_LABEL = re.compile(
    r"(?i)(?:\b(?:type|phase|stage|grade|version|figure|fig\.?|figs\.?|tables?|section|chapter|step|python|part|page|pp?\.|"
    r"vol(?:ume)?\.?|no\.|issue|rfc|iso|pep|port|line|item|note|appendix|equation|eq\.?|ref\.?|class|group|arm|http|"
    r"level|tier|theorem|lemma|algorithm|example|ci|v|top|chromosome|exon|cohort|experiment|model)|[#§])\s*$|\[$|\[\d+,\s*$"
)
_STATISTIC = re.compile(
    r"(?i)(?:\(|\b)(p|n|r|r2|or|hr|rr|auc|ph|odds ratio|hazard ratio|relative risk)(?:\s*(?:values?\s*)?[=<>≤≥:]\s*|\s+|\s+of\s+)$"
)
_INTERVAL = re.compile(r"(?i)^\s*(?:confidence|CIs?\b|credible|prediction\s+interval)")
_YEAR_BEFORE = re.compile(
    rf"(?i)(?:\b(?:in|since|by|of|from|until|before|after|during|year|years|to|and|late|early|mid|through|{MONTH})[\s-]+"
    r"|\(|©\s*)$"
)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_NO_YEAR = re.compile(rf"\s*%|\s+(?!(?:{'|'.join(sorted(STOP_WORDS, key=len, reverse=True))})\b)[a-z]|[.,]\d")
_YEAR_ENDS = re.compile(r"[),;.\s]|$")
_DECADE = re.compile(r"['’]?s\b")
_FACTOR = re.compile(r"\s?\d")
_RATE = re.compile(r"(?i)\s?(?:/|\bper\s)\s?(?=\d)")
_PER = re.compile(r"\s?/\s?|\sper\s")
_SHARE_OF = re.compile(r"(?i)\s+(?:of|the|all|its|their|our|his|her|these|those)\b")
_ODDS = re.compile(rf"(?i)\s(?:out\sof|in(?=\s(?:every\s)?(?:(?!(?:1[5-9]|20)\d\d)\d|{'|'.join(NUMBER_WORDS)})))\s")
_PLURALS = words("people children women men mice bacteria data criteria feet teeth")
_NOT_COUNTED = words("versus vs compared respectively corresponding according ok or approximately at maximum minimum")
_NEXT = re.compile(r"[\s-]{1,2}([^\W\d_]{2,})")
_LISTED = re.compile(r"(?i),?\s?(?:\b(?:and|or|to|versus|vs\.?)\b|&|,|-|–)\s?(?:[$€£]|from\s)?[-−+]?")


@lru_cache(maxsize=2048)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of `text`, in order. Version numbers, labels ("type 2", "Fig. 3", "11 July"), identifiers ("IL-6"),
    citation marks ("[12]"), times of day, ratios ("2:1") and confidence levels ("95% CI") are no quantities."""
    if not _ANY.search(text):
        return ()
    found: list[Quantity] = []
    taken = bytearray(len(text))
    for date in dates(text):
        if date.ordinal:
            day = float(date.ordinal)
            found.append(Quantity(day, day, "day", date.start, date.end, date.text, **_bounds(text, date.start, date.end)))
            taken[date.start : date.end] = b"\1" * (date.end - date.start)
    for start, end in days_of_months(text):
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
    at = 0
    while match := _START.search(text, at):
        at = max(match.end(), match.start() + 1)
        if not taken[match.end() : match.end() + 1].strip(b"\0"):
            quantity, at = _digits(text, match.start(), match.end())
            if quantity is not None:
                found.append(quantity)
                taken[quantity.start : at] = b"\1" * (at - quantity.start)
    for word in WORDED.finditer(text):
        if not any(taken[word.start() : word.end()]) and (quantity := _worded(text, word)) is not None:
            found.append(quantity)
            taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
    for word in _MULTIPLE.finditer(text):
        if not any(taken[word.start() : word.end()]):
            factor = _MULTIPLES[word[0].lower()]
            found.append(Quantity(factor, factor, "fold", *word.span(), word[0], about=not word[0].lower().endswith("fold"),
                                  step=1.0))  # fmt: skip
    found.sort(key=lambda quantity: quantity.start)
    return tuple(_together(text, found))


def _digits(text: str, start: int, first: int) -> tuple[Quantity | None, int]:
    """The quantity that begins with a sign at `start` or a digit at `first`, and where reading goes on."""
    number = in_digits(text, first)
    if number is None:
        return None, first + 1
    before = text[max(0, start - 40) : start]
    sure = number.sure
    comma = _COMMA.match(text, number.end)
    if comma and number.places == 0 and unit_after(text, comma.end()):  # "2,5 mg": a decimal comma, or two numbers
        number, sure = number._replace(end=comma.end(), step=0.1), False
    elif _REJECT.match(text, number.end) or (comma and not text[comma.end() : comma.end() + 1].isspace()):
        return None, number.end
    digits = text[first : number.end]
    if _LABEL.search(before) or (start and text[start - 1] == "-" and text[start - 2 : start - 1].isalpha()):
        return None, number.end
    year = _year(text, before, first, number.end, digits)
    if year is not None:
        return year, year.end
    money = _MONEY.search(before)
    minus = _MINUS.search(before[: money.start()] if money else before)
    negative = (start < first and text[start] in "-−–") or minus is not None
    sign = -1.0 if negative else 1.0
    low = high = sign * number.value
    end, step, spread = number.end, number.step, 0.0
    unit = _unit(text, end, money is not None)
    last = _TO.match(text, unit.end if unit else end) or _AND.match(text, unit.end if unit else end)
    if last and (other := _until(text, before, last, number, unit)):
        upper, to_unit = other
        if to_unit is None or not unit or to_unit.base == unit.base:
            end, unit, low_unit = upper.end, to_unit, unit or to_unit
            top = -upper.value if text[last.end() : last.end() + 1] in "-−" else upper.value
            high = top * (to_unit.factor if to_unit else 1.0) / (low_unit.factor if low_unit else 1.0)
            # "from 1 to 2 million" counts millions twice
            ratio = upper.step / number.step * 10.0 ** (upper.places - number.places) if number.step and upper.step else 1.0
            if low < high and ratio >= 1e3 and ratio % 10 == 0 and number.value < 1000 and upper.value >= 1000 * number.value:
                low *= ratio
            unit = Unit(low_unit.base, low_unit.factor, to_unit.end) if low_unit and to_unit else unit
            sure, step = sure and upper.sure, max(step, upper.step)
    elif (error := _PLUS_MINUS.match(text, end)) and (deviation := in_digits(text, error.end())):
        spread, end = deviation.value, deviation.end
        unit = _unit(text, end, money is not None)
    if unit and unit.base == "%" and _INTERVAL.match(text[unit.end : unit.end + 40]):
        return None, unit.end
    if (said := _STATISTIC.search(before)) and not (unit and unit.base in BASES):
        unit = Unit(said[1].lower().replace(" ", "_"), 1.0, end)
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
    """The number at the upper end of a range, and its unit. "Fell from 53% to 23%" names two values and no range."""
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
    """The year that four digits are, by the words around them; a decade is ten of them."""
    if not _YEAR.fullmatch(digits):
        return None
    value = float(digits)
    if (last := _TO.match(text, end)) and (until := _YEAR.match(text, last.end())) and float(until[0]) > value:
        if not _REJECT.match(text, until.end()) and not _NO_YEAR.match(text, until.end()):
            return Quantity(value, float(until[0]), "year", start, until.end(), text[start : until.end()])
    if decade := _DECADE.match(text, end):
        return Quantity(value, value + 9, "year", start, decade.end(), text[start : decade.end()])
    told = _YEAR_BEFORE.search(before) and not _NO_YEAR.match(text, end)
    bare = 1950 <= value < 2050 and _YEAR_ENDS.match(text, end) and not _NO_YEAR.match(text, end)
    named = before.lower().endswith("the ") and 1900 <= value < 2050 and not unit_after(text, end)
    if not (told or bare or named):
        return None
    return Quantity(value, value, "year", start, end, digits, **_bounds(text, start, end, year=True))


def _worded(text: str, match: re.Match[str]) -> Quantity | None:
    number = in_words(match)
    if number is None:
        return None
    low, step, end = number.value, number.step, number.end
    before = text[max(0, match.start() - 40) : match.start()]
    if _LABEL.search(before):
        return None
    unit = _unit(text, end, False)
    if match["part"] or number.share:
        inside = re.match(r"(?i)\s(?:an?|of\s+an?)\s", text[end:]) if low == 0.5 else None
        if inside and (behind := unit_after(text, end + inside.end() - 1)):
            unit = behind
        elif _SHARE_OF.match(text, end):
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
    """The quantity, with what is counted where no unit stands and the rate behind it; and where reading goes on."""
    base, factor, until = unit or Unit("", 1.0, end)
    if not base:
        base = _counted(text, end)
    rate = _RATE.match(text, until if unit else _counted_end(text, end))
    if rate and (per := in_digits(text, rate.end())) and per.value and not _REJECT.match(text, per.end):
        base, factor, until = f"{base}/{_counted(text, per.end)}", factor / per.value, per.end
    elif not unit and base and (over := _PER.match(text, _counted_end(text, end))):
        behind = unit_after(text, over.end() - (text[over.end() - 1] == " "))
        if behind:
            base, factor, until = f"{base}/{behind.base}", factor / behind.factor, behind.end
    quantity = Quantity(
        ends[0] * factor, ends[1] * factor, base, start, until, text[start:until],
        **_bounds(text, start, until), step=step * factor, places=places, factor=factor, spread=spread * factor, sure=sure,
    )  # fmt: skip
    return quantity, until


def _bounds(text: str, start: int, end: int, year: bool = False) -> dict[str, object]:
    """The bound and the approximation that the words around a quantity put on it."""
    before = text[max(0, start - 40) : start]
    before = _MONEY.sub("", before)
    about = bool(_ABOUT.search(before))
    said = _BEFORE.search(_ABOUT.sub("", before) if about else before)
    if said and (said[0].strip().lower() == "from" or (year and said.lastgroup in ("most", "least", "more"))):
        said = None
    after = _AFTER.match(text, end)
    if said is None and after and not year:
        name = "least" if after["least"] or after["plus"] else "most" if after["most"] else after["end"]
        name = name or ("least" if (after["cap"] or "").lower() == "minimum" else "most" if after["cap"] else None)
        return {"bound": _SIGNS[name] if name else "=", "about": about or bool(after["about"])}
    return {"bound": _SIGNS[said.lastgroup or ""] if said else "=", "about": about}


def _together(text: str, found: list[Quantity]) -> list[Quantity]:
    """Each number of a list with the unit at its end ("5, 10 and 20 mg"), and the parts of one quantity as one
    ("2 h 30 min")."""
    made: list[Quantity] = []
    for quantity in reversed(found):
        after = made[-1] if made else None
        if after is None:
            made.append(quantity)
            continue
        between = text[quantity.end : after.start]
        if (
            not quantity.unit and after.kind in ("measure", "percent") and (joint := _LISTED.fullmatch(between))
            and (joint[0].strip(" $€£-−+") != "," or (after.end > after.start and len(made) > 1))
        ):  # fmt: skip
            factor = after.factor
            quantity = replace(quantity, low=quantity.low * factor, high=quantity.high * factor, unit=after.unit,
                               step=quantity.step * factor, factor=factor)  # fmt: skip
        elif (
            quantity.unit == after.unit and quantity.unit in ("s", "month", "m", "g") and between.lower() in ("", " ", " and ", ", ")
            and after.high < quantity.factor and quantity.factor > after.factor and quantity.bound == after.bound
            and (quantity.unit in ("s", "month") or between in ("", " "))
        ):  # fmt: skip
            made[-1] = replace(
                quantity, low=quantity.low + after.low, high=quantity.high + after.high, end=after.end,
                text=text[quantity.start : after.end], step=after.step, factor=after.factor,
            )  # fmt: skip
            continue
        made.append(quantity)
    return made[::-1]


def _words_after(text: str, end: int) -> list[re.Match[str]]:
    listed: list[re.Match[str]] = []
    at = end
    while len(listed) < 3 and (match := _NEXT.match(text, at)):
        word = match[1].lower()
        if word in STOP_WORDS or word in _NOT_COUNTED or (listed and known_unit(word)):
            break
        listed.append(match)
        at = match.end()
    return listed


def _counted(text: str, end: int) -> str:
    """What is counted, as a stem: of up to three words that follow before a stop word the first that is a plural
    ("27 young infants were" counts infants), else the first of all."""
    listed = [match[1].lower() for match in _words_after(text, end)]
    plural = (word for word in listed if word in _PLURALS or re.search(r"[^sui]s$", word))
    return stem(next(plural, listed[0])) if listed else ""


def _counted_end(text: str, end: int) -> int:
    listed = _words_after(text, end)
    return listed[-1].end() if listed else end
