"""Odds ratios and risk ratios against the two shares beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check
from veritas.papers.referee.printed import Printed, printed

_INT = r"\d{1,3}(?:,\d{3})+|\d{1,7}"


def _share(number: int) -> str:
    of = r"(?:\s?/\s?|\s(?:out\s)?of\s(?:the\s)?)"
    return rf"(?P<part{number}>{_INT}){of}(?P<whole{number}>{_INT})(?![\d/])[^.;/]{{0,50}}?"


_AGAINST = r"(?:\bvs?\.?|\bversus|\bcompared (?:with|to)|\band|\bagainst)\s[^.;/\d]{0,40}"
_PAIR = re.compile(
    rf"(?<![\d/.]){_share(1)}{_AGAINST}{_share(2)}[\[(,;]\s?(?:with\s)?(?:an?\s)?"
    r"(?P<kind>unadjusted OR|crude OR|OR|RR|odds ratio|risk ratio|relative risk)\s?(?:=|:|of|,)?\s?"
    r"(?P<value>\d{1,3}\.\d{1,3})"
)
_NUMBERS = ("part1", "whole1", "part2", "whole2", "value")
_MODEL = re.compile(
    r"\b(?:adjusted|aOR|aRR|multivaria|regression|Cox|hazard|stratified|Mantel|matched|model|pooled|meta-analy|weighted|conditional|GEE)\b",
    re.I,
)


def two_by_two(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield ratios that are not those of the two shares named before them, whichever group is the reference. A sentence
    that speaks of a model or of an adjustment is passed over."""
    if _MODEL.search(sentence):
        return
    for match in _PAIR.finditer(sentence):
        numbers = [printed(match[name]) for name in _NUMBERS]
        if any(each is None for each in numbers):
            continue
        a, n, c, m, value = (each for each in numbers if each is not None)
        odds = "odds" in match["kind"].lower() or match["kind"].endswith("OR")
        made = _ratio(a, n, c, m, odds=odds)
        if made is None:
            continue
        yield "two-by-two"
        if any(abs(each - value.value) <= 2.2 * value.half + 0.02 * each for each in (made, 1 / made)):
            continue
        if odds and any(abs(each - value.value) <= 0.12 * each for each in (made, 1 / made)):
            continue  # a conditional estimate differs a little
        formula = (
            f"({a.text} × ({m.text} − {c.text})) / (({n.text} − {a.text}) × {c.text})" if odds
            else f"({a.text}/{n.text}) / ({c.text}/{m.text})"
        )  # fmt: skip
        yield Draft(
            "two-by-two", "error", at + match.start(), at + match.end(), f"{match['kind']} {value.text}",
            f"{made:.{value.places}f}, or {1 / made:.{value.places}f} the other way round",
            f"{formula} = {made:.{value.places + 1}f}", "2 % and the rounding; 12 % for an odds ratio",
            "the ratio was adjusted, or of another comparison",
            tuple((name, at + match.start(name), at + match.end(name)) for name in _NUMBERS),
        )  # fmt: skip


def _ratio(a: Printed, n: Printed, c: Printed, m: Printed, *, odds: bool) -> float | None:
    if not (0 < a.value < n.value and 0 < c.value < m.value):
        return None
    if odds:
        return (a.value * (m.value - c.value)) / ((n.value - a.value) * c.value)
    return (a.value / n.value) / (c.value / m.value)
