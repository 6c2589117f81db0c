"""Means, standard deviations and proportions of whole numbers: GRIM (Brown & Heathers 2017), GRIMMER (Anaya 2016,
Allard 2018) and DEBIT (Heathers & Brown 2019).

A mean of n whole numbers is a multiple of 1/n. These checks accuse only where the text says that each value was one
whole number: an answer on one scale, a count, or yes and no.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from veritas.papers.referee.finding import Check, Draft, Printed, printed

_M = r"(?<![\w.])(?:M|[Mm]ean)\s?(?:=|of|was)\s?(?P<mean>\d{1,4}\.\d{1,3})(?!\.?\d)"
_SD = r"(?:\s?[,;(±]?\s?(?:SD|S\.D\.|s\.d\.|standard deviation)\s?(?:=|of)?\s?(?P<sd>\d{1,4}\.\d{1,3})(?![\d.])\)?)?"
_N = r"(?<![\w.])[nN]\s?=\s?(?P<n>\d{1,5})(?![\d.,]*\d)"
_MEAN_FIRST = re.compile(rf"{_M}{_SD}\s?[,;)(]*\s?{_N}")
_N_FIRST = re.compile(rf"{_N}\s?[,;)(]*\s?{_M}{_SD}")
_COUNTED = re.compile(
    r"\b[Mm]ean number of (?:[\w-]+ ){1,3}per (?:patient|participant|person|child|woman|man|subject|student) "
    r"(?:in|among|for) (?:the|all|these) (?P<n>\d{1,5}) [^.;:()\d]{2,60}?"
    r"(?:was|=|of) (?P<mean>\d{1,4}\.\d{1,3})(?!\.?\d)"
    r"(?:\s?[,;(±]?\s?(?:SD|S\.D\.|standard deviation)\s?(?:=|of)?\s?(?P<sd>\d{1,4}\.\d{1,3})(?![\d.])\)?)?"
)
"""A mean of counts, with the people it was taken over."""
_WHOLE = re.compile(
    r"\b(?:single[- ]item|one[- ]item|(?:\d{1,2}|five|seven|nine|four|six|ten)[- ]point (?:\w+ )?scale|Likert"
    r"|(?:on a |a )?scale (?:from|of|ranging from) \d{1,2} (?:\([^)]*\) )?to \d{1,2}"
    r"|number of (?:errors|children|correct|words|items|visits|cigarettes|drinks|days|trials|goals|mistakes)"
    r"|whole[- ]numbers?|integers?)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:items\b|composites?|averaged|aggregated?|sub-?scales?|index\b|inventory|questionnaire|subscore"
    r"|(?:scale|sum|mean|total) scores?|across (?:trials|items|sessions|raters|questions)|per (?:trial|item)"
    r"|factor scores?|estimated marginal|adjusted means?|weighted|imput"
    r"|α\s?=|Cronbach|half[- ]points?|slider|visual analog|statements)\b",
    re.IGNORECASE,
)
_BINARY = re.compile(
    r"\b(?:binary|dichotomous|yes ?[/–-] ?no|coded (?:as )?(?:0|1)|0 ?= ?\w+, 1 ?=|proportion of)\b", re.I
)
MOST = 5000


def granularity(sentence: str, at: int, around: str) -> Iterator[Draft | Check]:
    """Yield means that no n whole numbers have, and standard deviations that none with that mean have. `around` is the
    sentence with those beside it, which must tell that each value was one whole number."""
    if _MANY.search(around):
        return
    binary = _BINARY.search(around) is not None
    told = binary or _WHOLE.search(around) is not None
    for pattern in (_MEAN_FIRST, _N_FIRST, _COUNTED) if told else (_COUNTED,):
        for match in pattern.finditer(sentence):
            mean, n = printed(match["mean"]), printed(match["n"])
            sd = printed(match["sd"]) if match["sd"] else None
            if mean is None or n is None or not 2 <= n.value <= MOST:
                continue
            inputs = tuple(
                (name, at + match.start(group), at + match.end(group))
                for name, group in (("n", "n"), ("mean", "mean"), ("SD", "sd"))
                if match[group]
            )
            yield "grim" if sd is None else "debit" if binary and mean.value <= 1 else "grimmer"
            made = _of(mean, sd, int(n.value), binary, at + match.start(), at + match.end(), inputs)
            if made is not None:
                yield made


def _of(
    mean: Printed, sd: Printed | None, n: int, binary: bool, start: int, end: int,
    inputs: tuple[tuple[str, int, int], ...],
) -> Draft | None:  # fmt: skip
    sums = possible_sums(mean, n)
    if not sums:
        below, above = math.floor(mean.value * n), math.floor(mean.value * n) + 1
        near = " and ".join(f"{k}/{n} = {k / n:.{mean.places + 1}f}" for k in (below, above))
        return Draft(
            "grim", "error", start, end, f"a mean of {mean.text} of {n} whole numbers", f"none has it: {near}",
            f"{mean.text} × {n} = {mean.value * n:.2f}, which rounds to no whole sum", "rounding up and down of halves",
            "a value was missing (another n), or a value was not one whole number", inputs,
        )  # fmt: skip
    if sd is None:
        return None
    if binary and 0 <= mean.value <= 1:
        low, high = debit(mean, n)
        if sd.low - 1e-9 <= high and sd.high + 1e-9 >= low:
            return None
        return Draft(
            "debit", "error", start, end, f"SD {sd.text}", f"SD {low:.{sd.places + 1}f} to {high:.{sd.places + 1}f}",
            f"√({n}/({n} − 1) × {mean.text} × (1 − {mean.text}))", "half a unit of the mean and of the SD",
            "values were not only 0 and 1, or n was another", inputs,
        )  # fmt: skip
    if grimmer(sums, sd, n):
        return None
    return Draft(
        "grimmer", "error", start, end, f"SD {sd.text} with a mean of {mean.text} of {n} whole numbers", "none has it",
        f"no whole sum of squares gives a standard deviation between {sd.low:.{sd.places + 1}f} and "
        f"{sd.high:.{sd.places + 1}f}", "rounding of mean and SD; the SD of a sample or of a population",
        "a value was missing (another n), or a value was not one whole number", inputs,
    )  # fmt: skip


def possible_sums(mean: Printed, n: int) -> list[int]:
    """Return the whole sums of n numbers whose mean prints like `mean`."""
    low, high = mean.low * n, mean.high * n
    return list(range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1))


def grimmer(sums: list[int], sd: Printed, n: int) -> bool:
    """Return whether n whole numbers with one of the sums can have a standard deviation that prints like `sd`: there is
    a whole sum of squares of the right parity."""
    if n < 2:
        return True
    for degrees in (n - 1, n):
        for total in sums:
            low = max(0.0, sd.low) ** 2 * degrees + total * total / n
            high = sd.high**2 * degrees + total * total / n
            squares = range(math.ceil(low - 1e-6), math.floor(high + 1e-6) + 1)
            if any(square % 2 == total % 2 for square in squares):
                return True
    return False


def debit(mean: Printed, n: int) -> tuple[float, float]:
    """Return the lowest and highest standard deviation of n values 0 and 1 whose mean prints like `mean`."""
    ends = [min(1.0, max(0.0, each)) for each in (mean.low, mean.value, mean.high)]
    if ends[0] <= 0.5 <= ends[-1]:
        ends.append(0.5)
    spreads = [math.sqrt(each * (1 - each)) for each in ends]
    return min(spreads), max(spreads) * math.sqrt(n / (n - 1))
