"""Effect sizes against their test (d, r and η² from t or F and its degrees of freedom)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

from veritas.papers.referee.finding import NUMBER, Check, Draft, Printed, Severity, printed
from veritas.papers.referee.significance import Reported

REACH = 160
"""Characters behind the start of a test within which its effect size stands."""
UNEQUAL = 3.5
"""Most d in units of t / √df: two groups of which one is about ten times the other."""
LEAST_DF = 8
_IS = rf"\s?=\s?(?P<value>{NUMBER})(?![\d.,]*\d|\s?%)"
_D = re.compile(rf"(?<![\w.])(?P<name>(?:Cohen[’']s\s)?(?:d|g)(?:[_\s]?(?:z|s|av|rm))?|Hedges[’']?s?\sg){_IS}")
_ETA = re.compile(
    rf"(?<![\w.])(?P<name>(?P<partial>partial\s)?(?:η|eta)(?P<p1>[_\s]?p|ₚ)?[\s_^]?[2²](?:[_\s]?(?P<p2>p)|ₚ)?(?P<g>[_\s]?G)?){_IS}"
)
_R = re.compile(rf"(?<![\w.])(?P<name>r){_IS}")
_SENTENCE_ENDS = re.compile(r"[.!?]\s+[A-Z]|\n\n")


def effect_sizes(text: str, tests: Sequence[Reported]) -> Iterator[Draft | Check]:
    """Yield effect sizes behind a test that are not those of its statistic. What is d of two equal groups here may be
    another d: the innocent readings are looked for elsewhere."""
    for i, test in enumerate(tests):
        if test.kind not in ("t", "F") or test.sign != "=" or test.df[-1].value < LEAST_DF:
            continue
        end = min(test.start + REACH, tests[i + 1].start if i + 1 < len(tests) else len(text))
        ends = _SENTENCE_ENDS.search(text, test.start, end)
        end = ends.start() if ends else end
        if test.kind == "t":
            yield from _one(text, _D, test, end, _of_d)
            yield from _one(text, _R, test, end, _of_r)
        yield from _one(text, _ETA, test, end, _of_eta)


Told = tuple[Severity, float, float, str] | None


def _one(
    text: str, pattern: re.Pattern[str], test: Reported, end: int,
    made: Callable[[Printed, Reported], Told],
) -> Iterator[Draft | Check]:  # fmt: skip
    match = pattern.search(text, test.start, end)
    value = printed(match["value"]) if match else None
    if match is None or value is None:
        return
    yield "effect-size"
    told = made(value, test)
    if told is not None:
        severity, low, high, how = told
        if severity == "error" and min(abs(abs(value.value) - low), abs(abs(value.value) - high)) <= 3 * value.half:
            severity = "rounding"
        of = ", ".join(each.text for each in test.df)
        yield Draft(
            "effect-size", severity, test.start, match.end(), f"{match['name']} = {value.text}",
            f"{low:.3f}" if high - low < 0.0005 else f"{low:.3f} to {high:.3f}",
            f"{how} of {test.kind}({of}) = {test.value.text}", "half a unit of the last digits",
            "statistic or effect size were a misprint, or the effect size were of something else",
            (("statistic", test.start, test.end), ("effect size", *match.span("value"))),
        )  # fmt: skip


def _sizes(test: Reported) -> tuple[float, float]:
    size = abs(test.value.value)
    return max(0.0, size - test.value.half), size + test.value.half


def _of_d(value: Printed, test: Reported) -> Told:
    low, high = (2 * size / math.sqrt(test.df[0].value + 2) for size in _sizes(test))
    if low - value.half <= abs(value.value) <= high + value.half:
        return None
    return "error", low, high, "2t / √(df + 2)"


def _of_r(value: Printed, test: Reported) -> Told:
    low, high = (size / math.sqrt(size * size + test.df[0].value) for size in _sizes(test))
    if low - value.half <= abs(value.value) <= high + value.half or abs(value.value) > 1:
        return None
    return "note", low, high, "t / √(t² + df)"


def _of_eta(value: Printed, test: Reported) -> Told:
    first = test.df[0].value if test.kind == "F" else 1.0
    power = 1 if test.kind == "F" else 2
    low, high = (size**power * first / (size**power * first + test.df[-1].value) for size in _sizes(test))
    if low - value.half <= value.value <= high + value.half:
        return None
    return "error", low, high, "F·df₁ / (F·df₁ + df₂)" if test.kind == "F" else "t² / (t² + df)"
