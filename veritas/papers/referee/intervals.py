"""Confidence intervals against their estimate, and against the p-value beside them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from veritas.papers.referee.finding import NUMBER, SIGN, Check, Draft, Printed, printed, shown, sign

_RATIO = (
    r"(?:a|adjusted |crude |pooled )?(?:ORs?|RRs?|HRs?|IRRs?"
    r"|odds ratio|hazards? ratio|risk ratio|relative risk|rate ratio|prevalence ratio)"
)
_DIFFERENCE = (
    r"(?:(?:weighted |standardi[sz]ed |adjusted )?mean difference|risk difference|difference|MD|WMD|SMD|ARD"
    r"|b|B|β|beta|d|g|coefficient|Cohen[’']s d|Hedges[’']? g|r|Δ)"
)
_UP_TO = r"\s?(?:to|,|;|–|—|−|-|and)\s?"
_CI = re.compile(
    rf"(?<![\w-])(?:(?P<ratio>{_RATIO})|(?P<difference>{_DIFFERENCE}))(?:\s?\([A-Za-z]{{1,4}}\))?\s?(?:=|:|of|was|is|,)?\s?"
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
_Z = {90: 1.6449, 95: 1.96, 99: 2.5758}


def intervals(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield intervals that do not hold their estimate, whose ends are swapped, or that decide otherwise than the
    p-value beside them. Where a minus and a dash cannot be told apart, nothing is said."""
    for match in _CI.finditer(sentence):
        value, low, high = (printed(match[name]) for name in ("value", "low", "high"))
        if value is None or low is None or high is None:
            continue
        dash = match["dash"].strip()
        if dash in ("–", "—", "−", "-") and (low.value < 0 or high.value < 0 or value.value < 0):
            continue
        if match["ratio"] and (min(value.value, high.value) <= 0 or low.value < 0):
            continue
        yield "confidence-interval"
        yield from _of(sentence, at, match, value, low, high)
    yield from _bare(sentence, at)
    yield from _in_brackets(sentence, at)


def _bare(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield estimates without a name that lie outside the interval behind them: decimals of the same number of places
    and on the same side of zero, in a sentence that speaks of one estimate."""
    known = {match.start("low") for match in _CI.finditer(sentence)}
    found = [match for match in _BARE.finditer(sentence) if match.start("low") not in known]
    if _SEVERAL.search(sentence):
        return
    for match in found:
        value, low, high = (printed(match[name]) for name in ("value", "low", "high"))
        if value is None or low is None or high is None or not value.places == low.places == high.places > 0:
            continue
        if not (value.value < 0) == (low.value < 0) == (high.value < 0) or low.low > high.high:
            continue
        yield "confidence-interval"
        if value.high < low.low or value.low > high.high:
            yield _outside(match, at, value, low, high)


def _in_brackets(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield estimates that lie outside the interval in the brackets behind them: "6.4% (95% CI = 77.2%–95.5%)". Behind
    words of a comparison the interval may be of a difference, and nothing is said."""
    known = {match.start("low") for pattern in (_CI, _BARE) for match in pattern.finditer(sentence)}
    for match in _IN_BRACKETS.finditer(sentence):
        value, low, high = (printed(match[name]) for name in ("value", "low", "high"))
        if match.start("low") in known or value is None or low is None or high is None or low.low > high.high:
            continue
        if not match["unit"] and not value.places == low.places == high.places > 0:
            continue
        before = re.split(r"[;)\]]", sentence[: match.start()])[-1]
        if _OF_ANOTHER.search(before):
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
    relation = sign(match["psign"])
    significant = (relation in "<=" and p.high < 0.045) or (relation == "<" and p.value <= 0.05)
    not_so = (relation in "=>" and p.low > 0.06) or (relation == ">" and p.value >= 0.05)
    implied = _implied(match, value, low, high)
    if implied is None:
        return
    if not ((outside and not_so and implied < 0.04) or (inside and significant and implied > 0.07)):
        return
    inputs.append(("p", at + match.start("p"), at + match.end("p")))
    yield Draft(
        "confidence-interval", "decision", start, end, f"p {match['psign']} {p.text}", f"p about {shown(implied)}",
        f"the interval {'leaves out' if outside else 'holds'} {null:g}, no effect; "
        f"its width gives p ≈ {shown(implied)}",
        "half a unit of the last digits, and a margin around .05",
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


def _implied(match: re.Match[str], value: Printed, low: Printed, high: Printed) -> float | None:
    if match["ratio"]:
        if low.value <= 0:
            return None  # printed as 0.00: its logarithm is not known
        width, middle = math.log(high.value / low.value), math.log(value.value)
    else:
        width, middle = high.value - low.value, value.value
    if width <= 0:
        return None
    z = abs(middle) / (width / (2 * _Z[int(match["level"])]))
    return math.erfc(z / math.sqrt(2))
