"""Confidence intervals against their estimate, and against the p-value beside them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from statistics import NormalDist

from veritas.papers.referee.finding import NUMBER, SIGN, Check, Draft, Printed, printed, shown, sign

_RATIO = (
    r"(?:a|adjusted |crude |pooled )?(?:ORs?|RRs?|HRs?|IRRs?"
    r"|odds ratio|hazards? ratio|risk ratio|relative risk|rate ratio|prevalence ratio)"
)
_DIFFERENCE = (
    r"(?:(?:weighted |standardi[sz]ed |adjusted )?mean difference|risk difference|difference|MD|WMD|SMD|ARD"
    r"|b|B|β|beta|d|g|coefficient|Cohen[’']s d|Hedges[’']? g|r|Δ)"
)
_OF_WHAT = rf"(?:\s(?!(?:{_RATIO}|{_DIFFERENCE})\b)[^\W\d][\w-]*,?){{1,16}}?\s(?:=|of|was|were|is|are)\s"
"""What a measure is of, up to its value: "of gout for daily consumption of beer was"."""
_UP_TO = r"\s?(?:to|,|;|–|—|−|-|and)\s?"
_CI = re.compile(
    rf"(?<![\w-])(?:(?P<ratio>{_RATIO})|(?P<difference>{_DIFFERENCE}))(?:\s?\([A-Za-z]{{1,4}}\))?"
    rf"(?:\s?(?:=|:|of|was|is|,)?\s?|{_OF_WHAT})"
    rf"(?P<value>{NUMBER})(?:\s?(?:%|kg|mm ?Hg|mg|ms|s|points?|years?|days?)(?![\w]))?"
    r"\s?[,;]?\s?(?:and\s|with\s(?:an?\s)?)?[\[(]?\s?"
    r"(?P<level>9[05]|99)\s?%\s?(?:CIs?|C\.I\.|confidence intervals?)\s?[:=,]?\s?[\[(]?\s?"
    rf"(?P<low>{NUMBER})%?(?P<dash>{_UP_TO})(?P<high>{NUMBER})"
    rf"(?P<rest>\s?%?\s?[\])]?\s?[\])]?\s?[,;]?\s?(?:[pP](?:[- ]value)?\s?(?P<psign>{SIGN})\s?(?P<p>{NUMBER}))?)"
)
_BARE = re.compile(
    rf"(?<![\w.·/–−-])(?P<value>{NUMBER})(?:\s(?:points?|kg|mm ?Hg|mg|years?|days?))?\s?[,;(\[]\s?"
    rf"(?:[pP]\s?{SIGN}\s?[\d.·]+\s?[,;]\s?)?(?P<level>9[05]|99)\s?%\s?CI\s?[:=,]?\s?"
    rf"(?P<low>{NUMBER})(?P<dash>\sto\s)(?P<high>{NUMBER})(?=\s?[)\],;.])"
)
"""An estimate without a name before its interval in brackets."""
_UNIT = (
    r"(?:%|per ?cent|points?|years?|months?|weeks?|days?|hours?|min(?:utes)?|[kmµ]?g(?:/d?L)?|[cmk]?m|m?s|mm ?Hg"
    r"|[mµ]?mol/L|[mµ]?L)(?![\w/])"
)
_PLAIN = r"\d{1,4}(?:[.·]\d{1,3})?"
_IN_BRACKETS = re.compile(
    rf"(?<![\w.·/,–−-])(?P<value>{_PLAIN})(?P<unit>\s?{_UNIT})?\s?[\[(]\s?(?P<level>9[05]|99)\s?%\s?"
    rf"(?:CIs?|C\.I\.|confidence intervals?)\s?[:=,]?\s?(?P<low>{_PLAIN})(?:\s?{_UNIT})?"
    rf"(?P<dash>\s?(?:–|—|-|−|to|,|;)\s?)(?P<high>{_PLAIN})(?:\s?{_UNIT})?\s?[\])]"
)
"""An estimate right before the brackets that hold its interval and nothing else."""
_OF_ANOTHER = re.compile(
    r"\b(?:vs|versus|than|from|between|SD|range|ratio|p\s?[=<>]|log|(?:compar|differ|reduc|increas|decreas|chang|declin"
    r"|improv|chanc|effect|gap|gain|slope|trend|rose|fell)\w*)\b|[/±]",
    re.IGNORECASE,
)
"""Words before a value whose brackets may hold the interval of a difference."""
_SEVERAL = re.compile(r"\b(?:respectively|versus|vs|than|SD|range|ratio|reference|difference between)\b", re.IGNORECASE)
_ADJUSTED = re.compile(
    r"\b(?:one-(?:sided|tailed)|Bonferroni|Holm|adjusted p|corrected|interaction|trend|heterogeneity|permutation"
    r"|bootstrap|non-?inferiority|equivalence)\b",
    re.I,
)
REACH = -NormalDist().inv_cdf(0.05 / 2)
"""The z of p = .05, and half the width of a 95 % interval in standard errors."""
BETWEEN_TESTS = 1.1
"""Factor between the z of two tests of the same data: Wald's, which an interval shows, and another's."""


def intervals(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield intervals that do not hold their estimate, whose ends are swapped, or that decide otherwise than the
    p-value beside them. Where a minus and a dash cannot be told apart, nothing is said."""
    for match in _CI.finditer(sentence):
        value, low, high = (printed(match[name]) for name in ("value", "low", "high"))
        if value is None or low is None or high is None:
            continue
        if dash_may_be_minus(match["dash"]) and min(low.value, high.value, value.value) < 0:
            continue
        if match["ratio"] and (min(value.value, high.value) <= 0 or low.value < 0):
            continue
        yield "confidence-interval"
        yield from _of(sentence, at, match, value, low, high)
    yield from _nameless(sentence, at)


def _nameless(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield estimates without a name that lie outside the interval behind them: decimals of the same number of places
    and on the same side of zero in a sentence that speaks of one estimate, or a value right before the brackets that
    hold nothing else. Behind words of a comparison the interval may be of a difference, and nothing is said."""
    known = {match.start("low") for match in _CI.finditer(sentence)}
    for pattern in (_BARE, _IN_BRACKETS):
        for match in pattern.finditer(sentence):
            value, low, high = (printed(match[name]) for name in ("value", "low", "high"))
            if match.start("low") in known or value is None or low is None or high is None or low.low > high.high:
                continue
            known.add(match.start("low"))
            if not match.groupdict().get("unit") and not value.places == low.places == high.places > 0:
                continue
            if pattern is _BARE:
                silent: object = _SEVERAL.search(sentence) or len({each.value < 0 for each in (value, low, high)}) > 1
            else:
                silent = _OF_ANOTHER.search(re.split(r"[;)\]]", sentence[: match.start()])[-1])
            if silent:
                continue
            yield "confidence-interval"
            if value.high < low.low or value.low > high.high:
                yield _outside(match, at, value, low, high)


def _of(sentence: str, at: int, match: re.Match[str], value: Printed, low: Printed, high: Printed) -> Iterator[Draft]:
    start, end = at + match.start(), at + match.end()
    inputs, says = _inputs(match, at), _says(match)
    if low.low > high.high:
        if dash_may_be_minus(match["dash"]):
            return
        yield Draft(
            "confidence-interval", "error", start, end, says, "ends in the wrong order",
            f"{low.text} > {high.text}", "half a unit of the last digits", "the ends were swapped in print",
            tuple(inputs),
        )  # fmt: skip
        return
    if value.high < low.low or value.low > high.high:
        yield _outside(match, at, value, low, high)
        return
    p = printed(match["p"]) if match["p"] else None
    if p is None or not 0 <= p.value <= 1 or match["level"] != "95" or _ADJUSTED.search(sentence):
        return
    null = 1.0 if match["ratio"] else 0.0
    outside, inside = low.low > null or high.high < null, low.high < null < high.low
    ends = _z_of(match, value, low, high)
    if ends is None or not (outside or inside):
        return
    relation = sign(match["psign"])
    least = 0.0 if relation == ">" else _z(min(p.value if relation == "<" else p.high, 1.0))
    most = math.inf if relation == "<" else _z(max(p.value if relation == ">" else p.low, 1e-300))
    more, less = most <= REACH and most * BETWEEN_TESTS < ends[0], least >= REACH and least > ends[1] * BETWEEN_TESTS
    if not ((outside and more) or (inside and less)):
        return
    implied = math.erfc(ends[2] / math.sqrt(2))
    inputs.append(("p", at + match.start("p"), at + match.end("p")))
    yield Draft(
        "confidence-interval", "decision", start, end, f"p {match['psign']} {p.text}", f"p about {shown(implied)}",
        f"the interval {'leaves out' if outside else 'holds'} {null:g}, no effect; "
        f"its width gives p ≈ {shown(implied)}",
        "half a unit of the last digits, and a tenth of the z between two tests of the same data",
        "the p-value came from another test, or the interval has another level than 95 %", tuple(inputs),
    )  # fmt: skip


def _outside(match: re.Match[str], at: int, value: Printed, low: Printed, high: Printed) -> Draft:
    compared = f"{value.text} < {low.text}" if value.high < low.low else f"{value.text} > {high.text}"
    return Draft(
        "confidence-interval", "error", at + match.start(), at + match.end(), _says(match),
        "the estimate lies outside its interval", compared,
        "half a unit of the last digits", f"the estimate lay between {low.text} and {high.text}",
        tuple(_inputs(match, at)),
    )  # fmt: skip


def _inputs(match: re.Match[str], at: int) -> list[tuple[str, int, int]]:
    named = (("estimate", "value"), ("lower end", "low"), ("upper end", "high"))
    return [(name, at + match.start(group), at + match.end(group)) for name, group in named]


def _says(match: re.Match[str]) -> str:
    value, low, high = (match[name].strip() for name in ("value", "low", "high"))
    return f"{value} ({match['level']} % CI {low} to {high})"


def dash_may_be_minus(dash: str) -> bool:
    """Return whether a dash between two numbers may be the sign of the second."""
    return dash.strip() in ("–", "—", "−", "-")


def _z_of(match: re.Match[str], value: Printed, low: Printed, high: Printed) -> tuple[float, float, float] | None:
    """Return the least, the greatest and the middle z that the printed digits of an estimate and its interval allow, or
    None where the estimate is not in the middle: the interval was made otherwise."""
    scale = math.log if match["ratio"] else float
    if match["ratio"] and min(low.low, value.low) <= 0:
        return None  # printed as 0.00: its logarithm is not known
    middle, middles = scale(value.value), (scale(value.low), scale(value.high))
    width = scale(high.value) - scale(low.value)
    widths = (scale(high.low) - scale(low.high), scale(high.high) - scale(low.low))
    off = abs(2 * middle - scale(high.value) - scale(low.value))
    if min(widths) <= 0 or (match["ratio"] and off > 0.2 * width):
        return None
    least, most = sorted(2 * REACH * abs(each) for each in middles)
    return 0.0 if middles[0] < 0 < middles[1] else least / widths[1], most / widths[0], 2 * REACH * abs(middle) / width


def _z(p: float) -> float:
    """Return the z of a two-tailed p."""
    return -NormalDist().inv_cdf(p / 2)
