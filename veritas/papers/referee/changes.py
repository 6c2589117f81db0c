"""Changes told in words or per cent against the two numbers between which they lie."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check
from veritas.papers.referee.printed import Printed, printed

_NUM = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,9}(?:\.\d{1,6})?"
_UNIT = r"(?P<{}>\s?(?:%|[a-zA-Zµμ°/²³%]+(?:\s(?:per|of)\s[a-z]+)?)(?=[\s,.;)]))?"
_FROM_TO = (
    rf"from\s(?:a\s(?:mean|median|baseline)\sof\s|about\s)?(?P<first>{_NUM}){_UNIT.format('unit1')}"
    rf"(?:\s(?:[a-z]+\s){{0,3}}?|\s\([^()]{{0,30}}\)\s)?(?:to)\s(?P<second>{_NUM}){_UNIT.format('unit2')}"
)
_UP = (
    r"(?:increas(?:ed?|es|ing)|rose|rises?|rising|grew|grows?|growing|climbed|gain(?:ed)?|improved|raised"
    r"|went up|growth)"
)
_DOWN = (
    r"(?:decreas(?:ed?|es|ing)|fell|falls?|dropp?(?:ed|s)?|declin(?:ed?|es|ing)|reduc(?:ed|tion|es|ing)|shrank|lowered"
    r"|went down)"
)
_LOOSE = r"(?P<loose>about |approximately |roughly |around |almost |nearly |some |over |more than |a )?"
_PERCENT = r"(?P<percent>\d{1,4}(?:\.\d{1,3})?)\s?(?:%|per ?cent\b)(?!\s?(?:points?|CI|confidence|of\b))"
_CHANGE = r"(?:relative\s)?(?:increase|decrease|reduction|drop|rise|decline|growth|change|gain|fall)"
_PERCENT_FIRST = re.compile(rf"\b(?P<verb>{_UP}|{_DOWN})\s(?:by|of)\s{_LOOSE}{_PERCENT}[\s,]+\(?{_FROM_TO}")
_PERCENT_AFTER = re.compile(
    rf"\b(?P<verb>{_UP}|{_DOWN})(?:\s\w+){{0,2}}?\s{_FROM_TO}\s?(?:[\[(]|,\s(?:an?|i\.e\.,?)\s)(?:an?\s)?"
    rf"{_LOOSE}{_PERCENT}\s?(?:\)|\]|{_CHANGE})"
)
_PERCENT_LAST = re.compile(
    rf"\b(?P<verb>{_UP}|{_DOWN})(?:\s\w+){{0,2}}?\s{_FROM_TO}\s?(?:\(|,\s(?:or\s|i\.e\.,?\s|that is,?\s|which is\s)?)"
    rf"an?\s(?:relative\s|overall\s|mean\s)?{_CHANGE}\sof\s{_LOOSE}{_PERCENT}"
)
_DIRECTION = re.compile(
    rf"\b(?P<verb>{_UP}|{_DOWN})(?:\ssignificantly|\smarkedly|\ssharply|\ssteadily|\sslightly)?\s{_FROM_TO}"
)
_WORD = re.compile(
    r"\b(?P<how>more than |almost |nearly |about |roughly |approximately |over )?"
    rf"(?P<word>halved|doubled|tripled|trebled|quadrupled)(?:\s\w+){{0,1}}?,?\s{_FROM_TO}"
)
_FACTORS = {"halved": 0.5, "doubled": 2.0, "tripled": 3.0, "trebled": 3.0, "quadrupled": 4.0}
_UPWARD = re.compile(_UP)
_OTHERWISE = re.compile(
    r"\b(?:log|odds|rank|relative to|compared|respectively|per year|annual(?:ly)?|each|between|adjusted|model)\b", re.I
)


def changes(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield changes that are not those of the two numbers beside them: the share, the direction, the factor."""
    if _OTHERWISE.search(sentence):
        return
    taken: set[int] = set()
    for pattern in (_PERCENT_FIRST, _PERCENT_AFTER, _PERCENT_LAST):
        for match in pattern.finditer(sentence):
            if _pair(match) is not None:
                yield "change"
            made = _share(match, at)
            taken.add(match.start("first"))
            if made is not None:
                yield made
    for match in _WORD.finditer(sentence):
        if _pair(match) is not None:
            yield "change"
        made = _factor(match, at)
        if made is not None:
            taken.add(match.start("first"))
            yield made
    for match in _DIRECTION.finditer(sentence):
        if match.start("first") not in taken:
            if _pair(match) is not None:
                yield "change"
            made = _direction(match, at)
            if made is not None:
                yield made


def _pair(match: re.Match[str]) -> tuple[Printed, Printed] | None:
    first, second = printed(match["first"]), printed(match["second"])
    one, two = ((match[name] or "").strip() for name in ("unit1", "unit2"))
    if first is None or second is None or first.value <= 0 or second.value < 0:
        return None
    if one and two and one.rstrip("s").lower() != two.rstrip("s").lower():
        return None
    if _year(first) and _year(second):
        return None
    return first, second


def _year(number: Printed) -> bool:
    return number.places == 0 and 1800 <= number.value <= 2300 and "," not in number.text


def _share(match: re.Match[str], at: int) -> Draft | None:
    pair, percent = _pair(match), printed(match["percent"])
    if pair is None or percent is None:
        return None
    first, second = pair
    ends = [100 * (b - a) / a for a in (first.low, first.high) for b in (second.low, second.high) if a > 0]
    sizes = sorted(abs(each) for each in ends)
    unit = 2 * percent.half
    slack = unit + (0.1 * percent.value + 1 if (match["loose"] or "").strip() not in ("", "a") else 0)
    if sizes[0] - slack <= percent.value <= sizes[-1] + slack:
        return None
    if "%" in (match["unit1"] or match["unit2"] or ""):
        points = abs(second.value - first.value)
        if abs(points - percent.value) <= first.half + second.half + unit:
            return None
    of_second = [100 * abs(second.value - first.value) / second.value] if second.value else []
    change = 100 * (second.value - first.value) / first.value
    hint = " (it is the share of the second number)" if of_second and abs(of_second[0] - percent.value) <= slack else ""
    return Draft(
        "change", "error", at + match.start(), at + match.end(), f"{percent.text} %", f"{abs(change):.1f} %",
        f"({second.text} − {first.text}) / {first.text} = {change:.1f} %{hint}",
        "half a unit of the last digit of each number, one of the share",
        f"the second number were about {first.value * (1 + math.copysign(percent.value, change) / 100):.4g}",
        _inputs(match, at, "first", "second", "percent"),
    )  # fmt: skip


def _factor(match: re.Match[str], at: int) -> Draft | None:
    pair = _pair(match)
    if pair is None:
        return None
    first, second = pair
    factor, ratio = _FACTORS[match["word"]], second.value / first.value
    how = (match["how"] or "").strip()
    low, high = (0.83, 1.2) if not how else (0.8, 1.25) if how in ("about", "roughly", "approximately") else (0.7, 1.6)
    if low * factor <= ratio <= high * factor:
        return None
    return Draft(
        "change", "error", at + match.start(), at + match.end(), f"{how} {match['word']}".strip(), f"{ratio:.2f} times",
        f"{second.text} / {first.text} = {ratio:.2f}", "a fifth (a quarter with 'about'), since the word is not exact",
        f"the second number were about {first.value * factor:.4g}",
        _inputs(match, at, "first", "second"),
    )  # fmt: skip


def _direction(match: re.Match[str], at: int) -> Draft | None:
    pair = _pair(match)
    if pair is None or match["verb"] in ("improved", "gain", "gained"):
        return None
    first, second = pair
    up = _UPWARD.fullmatch(match["verb"]) is not None
    if first.value == second.value or up == (second.value > first.value):
        return None
    if match["unit1"] != match["unit2"] and (match["unit1"] or match["unit2"] or "").strip() != "%":
        return None
    return Draft(
        "change", "error", at + match.start(), at + match.end(), match["verb"],
        "it went down" if up else "it went up", f"{second.text} {'<' if up else '>'} {first.text}", "none",
        "the two numbers were swapped, or the word were the opposite",
        _inputs(match, at, "first", "second"),
    )  # fmt: skip


def _inputs(match: re.Match[str], at: int, *groups: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((group, at + match.start(group), at + match.end(group)) for group in groups)
