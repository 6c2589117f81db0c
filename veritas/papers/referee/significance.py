"""Test statistics against their p-values: t, F, r, χ², z and Q (statcheck's checks; Nuijten et al. 2016).

The statistic is printed rounded, so it stands for an interval, and its p-value for another one. A report is consistent
if a p-value of that interval prints like the one in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from veritas.papers.referee.finding import NUMBER, SIGN, Draft, Printed, Sign, printed, shown, sign

Kind = Literal["t", "F", "r", "chi2", "z", "Q"]

_DF = r"(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{1,6})?"
_BETWEEN = r"\s?[,;.]?\s?[()]?\s?[,;]?\s?(?:and\s|with\s)?"
_EFFECT = (
    r"(?:(?:(?:95\s?%\s?)?CI\s?[=:]?\s?[\[(][^\])]{1,40}[\])]|(?:MS?[Ee]|MSE|SE|d|g|dz|ds|r|R2|R²|b|β|B|η2|η²|ηp2|ηp²|ηG2|ω2|ω²"
    r"|partial\s(?:η2|η²)|Cohen[’']s\s(?:d|f|dz)|Cram[eé]r[’']s\sV|V|φ|phi|f|BF10|BF01|η[\s_]?[pG]?[\s_]?\^?[2²]|\\eta[^=]{0,12})"
    rf"\s?[=<>≈]\s?{NUMBER})\s?[,;]\s?){{0,2}}"
)
_P = (
    rf"(?:(?P<p>[pP])(?:[- ]?(?:value|rep|adj|corr)\w*)?\s?(?P<psign>{SIGN})\s?(?P<pvalue>{NUMBER})(?P<tail>%)?"
    r"|(?P<ns>n\.?\s?s\.?)(?![a-z]))"
)
_VALUE = rf"\s?(?P<sign>{SIGN})\s?(?P<value>{NUMBER})"
_CHI = r"(?:χ|Χ|χ̂|[Xx]|𝜒|\\chi|[Cc]hi[- ]?)\s?(?:\^?\{?\s?[2²]\s?\}?|[- ]?squared?)"
_BELOW = rf"_?\s?\{{?(?P<df1>{_DF})\}}?(?=\s?[=<>])"
"""Degrees of freedom as a subscript, which most readers print behind the letter: `t28 = 2.20`."""
_FORMS: tuple[tuple[Kind, str], ...] = (
    ("t", rf"(?<![\w.])t\s?[\[(]\s?(?P<df1>{_DF})\s?[\])]"),
    ("t", rf"(?<![\w.])t{_BELOW}"),
    ("F", rf"(?<![\w.])F\s?[\[(]\s?(?P<df1>{_DF}|[Il])\s?[,;]\s?(?P<df2>{_DF})\s?[\])]"),
    ("F", rf"(?<![\w.])F_?\s?\{{?(?P<df1>\d{{1,3}})\s?[,;]\s?(?P<df2>{_DF})\}}?(?=\s?[=<>])"),
    ("r", rf"(?<![\w.])r\s?[\[(]\s?(?P<df1>{_DF})\s?[\])]"),
    ("r", r"(?<![\w.])r(?![\w(])"),
    ("chi2", rf"(?<![\w.]){_CHI}\s?[\[(]\s?(?:df\s?=\s?)?(?P<df1>{_DF})\s?(?:,\s?[nN]\s?=?\s?{_DF}\s?)?[\])]"),
    ("chi2", rf"(?<![\w.])[χΧ𝜒]\s?\^?[2²]{_BELOW}"),
    ("Q", rf"(?<![\w.])Q(?:[- ]?(?:within|between|w|b|M|E|B|W))?\s?[\[(]\s?(?:df\s?=\s?)?(?P<df1>{_DF})\s?[\])]"),
    ("z", r"(?<![\w.])[zZ](?![\w(])"),
)
_PATTERNS = tuple((kind, re.compile(f"{head}{_VALUE}{_BETWEEN}{_EFFECT}{_P}")) for kind, head in _FORMS)
_ONE_TAILED = re.compile(
    r"\bone[- ](?:tailed|sided)\b|\b1[- ](?:tailed|sided)\b|\bdirectional (?:test|hypothes)"
    r"|\bTOST\b|\bequivalence (?:test|margin|bound)|\bnon-?inferiority\b", re.I,
)  # fmt: skip
_ADJUSTED = re.compile(
    r"\b(?:Bonferroni|Holm|Tukey|Scheff|Sidak|Šid[aá]k|Dunn|Benjamini|Hochberg|FDR|FWE|false discovery|family-?wise"
    r"|Greenhouse|Geisser|Huynh|Feldt|sphericity|permutation|bootstrap|Monte Carlo|randomi[sz]ation test|exact test"
    r"|multiple (?:comparison|testing|test)|(?:corrected|adjusted)\b|cluster-?(?:level|robust|based|corrected)"
    r"|Satterthwaite|Kenward)(?![\w-]*\d)", re.I,
)  # fmt: skip
_LEVEL = re.compile(
    r"(?:alpha|α|significance (?:level|threshold|criterion))\s*(?:was set (?:at|to)|of|=|was)?\s*"
    r"(?:p\s*[<=]\s*)?(0?\.\d+)",
    re.I,
)
MOST_DF = 1e7
BESIDE = 800
"""Characters within which a correction that is named is certainly about a test."""
FEW_COMPARISONS, MOST_COMPARISONS = 10, 20
"""Factors up to which a correction that is named elsewhere in the paper explains a p-value, and may have raised it."""


@dataclass(frozen=True)
class Reported:
    """A test as the text reports it, at `[start, end)`. `p` is None for "ns"; `df` holds one number, two or none."""

    kind: Kind
    start: int
    end: int
    df: tuple[Printed, ...]
    sign: Sign
    value: Printed
    p_sign: Sign
    p: Printed | None

    def p_values(self) -> tuple[float, float]:
        """Return the lowest and highest two-tailed p-value that the printed statistic allows."""
        return p_range(self.kind, [each.value for each in self.df], self.sign, self.value)


def reported_tests(text: str) -> Iterator[Reported]:
    """Yield the tests that the text reports completely, in order: a statistic with its degrees of freedom and a
    p-value after it. What cannot be a test (r beyond 1, degrees of freedom of 0, p beyond 1) is left out."""
    found = [made for kind, match in _matches(text) if (made := _read(kind, match)) is not None]
    yield from sorted({each.start: each for each in found}.values(), key=lambda each: each.start)


def impossible(text: str) -> Iterator[Draft]:
    """Yield reports of tests with a value that none of its kind has: p below 0 or beyond 1, r beyond 1, F and χ² below
    0. An r without degrees of freedom is a correlation where the text tests another one."""
    correlations = any(test.kind == "r" for test in reported_tests(text))
    for kind, match in _matches(text):
        groups = match.groupdict()
        value, p = printed(groups["value"]), printed(groups["pvalue"] or "")
        said = ""
        if kind == "r" and "df1" not in groups and not (value and p and correlations and 0 <= p.value <= 1):
            continue  # r may be anything, or stand in a formula
        if p is not None and not groups["tail"] and not 0 <= p.value <= 1:
            said, held = f"p {groups['psign']} {p.text}", "no p-value is below 0 or beyond 1"
        elif p is not None and groups["psign"] in ("<", "&lt;") and p.value == 0:
            said, held = f"p {groups['psign']} {p.text}", "no p-value is below 0"
        elif value is not None and kind == "r" and abs(value.value) > 1:
            said, held = f"r {groups['sign']} {value.text}", "no correlation is beyond 1"
        elif value is not None and kind in ("F", "chi2", "Q") and value.value < 0:
            said, held = f"{kind} {groups['sign']} {value.text}", f"no {kind} is below 0"
        if said:
            right = "the sign or the decimal point is a misprint"
            yield Draft("p-value", "error", match.start(), match.end(), said, held, held, "none", right)


def _matches(text: str) -> Iterator[tuple[Kind, re.Match[str]]]:
    text = _with_points(text.translate(_LOWERED))
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            other_z = kind == "z" and _OF_NORMALITY.search(text, *_said(text, match))
            if not other_z and not _GOES_ON.match(text, match.end()):
                yield kind, match


_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₚ", "0123456789p")
_COMMA = re.compile(r"([=<>]\s?[-−–]?\d{1,4}),(?=\d{1,4}(?!\d))")
_POINT = re.compile(r"[=<>]\s?[-−–]?\d{0,4}\.\d")


def _with_points(text: str) -> str:
    """Return a text of the same length with decimal points, if it writes decimal commas throughout."""
    commas = len(_COMMA.findall(text))
    return _COMMA.sub(r"\1.", text) if commas > 1 and commas > 5 * len(_POINT.findall(text)) else text


_GOES_ON = re.compile(r",\d|(?:\s\d+){2}\b|\s?\u00d7|(?<=10)\s?[\^⁻⁰¹²³⁴-⁹]")
"""What after a p-value shows that the number was not read whole: a decimal comma, a torn power of ten."""
_OF_NORMALITY = re.compile(
    r"(?i)kolmogorov|smirnov|\bK[-–‐‑ ]S\b|lilliefors|normality|normally distributed|mann[-–‐ ]kendall"
)
"""Words of tests whose Z is no normal deviate."""
NAMED_WITHIN = 900
"""Characters before a Z within which the name of its test stands, in the same paragraph."""


def _said(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Return where the words about a test stand: its paragraph up to it, and the rest of its sentence."""
    start = max(text.rfind("\n\n", 0, match.start()), match.start() - NAMED_WITHIN, 0)
    end = re.compile(r"[.!?]\s|\n\n").search(text, match.end())
    return start, end.start() if end else len(text)


def p_range(kind: Kind, df: list[float], relation: Sign, value: Printed) -> tuple[float, float]:
    """Return the interval of two-tailed p-values of a statistic printed as `value`."""
    size = abs(value.value)
    low, high = max(0.0, size - value.half), size + value.half
    tail = _tail(kind, df)
    if relation == "<":  # a bound is not rounded
        return tail(size), 1.0
    if relation == ">":
        return 0.0, tail(size)
    return tail(high), tail(low)


@dataclass(frozen=True)
class Context:
    """What a whole paper says about its tests: one-tailed ones, adjusted p-values, and its level of significance."""

    one_tailed: bool
    adjusted: tuple[int, ...]
    """Places where corrections of p-values are named."""
    level: float

    def explains(self, test: Reported, factor: float, most: int = MOST_COMPARISONS) -> bool:
        """Return whether a correction that the text names may have made a p-value `factor` times as large, which is
        `most` times if it is named elsewhere."""
        beside = any(abs(place - test.start) <= BESIDE for place in self.adjusted)
        return beside or (bool(self.adjusted) and factor <= most)

    @classmethod
    def of(cls, text: str, listed: Collection[tuple[int, int]] = ()) -> Context:
        """Read the context off a paper's text; the level is .05 unless the paper sets one and only one. `listed` are
        the places of its lists of references, whose titles correct no p-value."""
        levels = {float(m[1]) for m in _LEVEL.finditer(text)}
        level = next(iter(levels)) if len(levels) == 1 else 0.05
        named = (match.start() for match in _ADJUSTED.finditer(text))
        adjusted = tuple(each for each in named if not any(start <= each < end for start, end in listed))
        return cls(bool(_ONE_TAILED.search(text)), adjusted, level if 0 < level < 0.5 else 0.05)


@dataclass(frozen=True)
class Disagreement:
    """A test whose p-value is not that of its statistic. `decides` is True if significance at the level changes;
    `near` if the last printed digit is off by one; `one_tailed` if the p-value is that of a one-tailed test; `floor`
    if the p-value is printed as 0, or as the smallest unit, and is smaller; `corrected` if it may be one of many
    comparisons that the paper corrects for."""

    test: Reported
    low: float
    high: float
    decides: bool
    near: bool
    one_tailed: bool
    floor: bool = False
    corrected: bool = False

    @property
    def recomputed(self) -> str:
        """The p-value of the statistic, as an interval if the rounding leaves one."""
        first, second = shown(self.low, 4), shown(self.high, 4)
        return f"p = {first}" if first == second else f"p between {first} and {second}"


def disagreement(test: Reported, context: Context) -> Disagreement | None:
    """Return how the p-value of a test disagrees with its statistic, or None if it may be right."""
    low, high = test.p_values()
    level = context.level
    if test.p is None:
        if high >= level:
            return None
        return Disagreement(test, low, high, True, False, False)
    p, relation = test.p, test.p_sign
    if _agrees(p, relation, low, high):
        return None if p.value or relation != "=" else Disagreement(test, low, high, False, False, False, floor=True)
    if relation == "=" and p.value <= 0.001 and p.value <= 1.01 * 10.0**-p.places and high < p.value:
        return Disagreement(test, low, high, False, False, False, floor=True)  # "p < .0001" is meant
    half = test.kind in ("t", "r", "z") and (
        _agrees(p, relation, low / 2, high / 2) or (relation == "=" and _by_a_digit(p, low / 2, high / 2))
    )
    other = test.kind in ("t", "r", "z") and _agrees(p, relation, 1 - high / 2, 1 - low / 2)
    if (half or other) and context.one_tailed:
        return None
    larger = (relation != "<" and p.value > high) or (relation == "<" and p.value > high)
    factor = p.value / max(high, 1e-300)
    if larger and context.explains(test, factor, FEW_COMPARISONS):
        return None
    of_one = test.kind == "F" and len(test.df) == 2 and test.df[0].value == 1
    if of_one and context.one_tailed and _agrees(p, relation, low / 2, high / 2):
        return None
    near = relation == "=" and _by_a_digit(p, low, high)
    near = near or (relation == "<" and low <= p.high)
    return Disagreement(
        test, low, high, _decides(p, relation, low, high, level), near, half and not near,
        corrected=larger and context.explains(test, factor),
    )  # fmt: skip


def _by_a_digit(p: Printed, low: float, high: float) -> bool:
    """Return whether a printed value misses an interval by no more than its last digit."""
    return min(abs(p.value - low), abs(p.value - high)) <= 1.5 * 10.0**-p.places


def _decides(p: Printed, relation: Sign, low: float, high: float, level: float) -> bool:
    if relation == ">":
        said = False if p.value >= level else None
    elif relation == "<":
        said = True if p.value <= level else None
    else:
        said = p.value <= level
    if said is None:
        return False
    return low > level if said else high < level


def _agrees(p: Printed, relation: Sign, low: float, high: float) -> bool:
    if relation == "<":
        return low <= p.value and p.value > 0
    if relation == ">":
        return high >= p.value
    return low <= p.high and high >= p.low


def _tail(kind: Kind, df: list[float]) -> Callable[[float], float]:
    from scipy import stats  # heavy: only a paper with tests pays for it

    if kind == "t":
        return lambda value: float(2 * stats.t.sf(value, df[0]))
    if kind == "F":
        return lambda value: float(stats.f.sf(value, df[0], df[1]))
    if kind in ("chi2", "Q"):
        return lambda value: float(stats.chi2.sf(value, df[0]))
    if kind == "z":
        return lambda value: float(2 * stats.norm.sf(value))

    def of_r(value: float) -> float:
        if value >= 1:
            return 0.0
        return float(2 * stats.t.sf(value * (df[0] / (1 - value * value)) ** 0.5, df[0]))

    return of_r


def _read(kind: Kind, match: re.Match[str]) -> Reported | None:
    groups = match.groupdict()
    value = printed(groups["value"])
    given = [groups[name] for name in ("df1", "df2") if groups.get(name)]
    df = tuple(each for text in given for each in [printed("1" if text in "Il" else text)] if each)  # a 1 that OCR took
    if value is None or (kind == "r" and not df) or any(not 0 < each.value <= MOST_DF for each in df):
        return None
    if kind == "r" and abs(value.value) > 1:
        return None
    if kind in ("F", "chi2", "Q") and value.value < 0:
        return None
    p: Printed | None = None
    relation: Sign = ">"
    if groups["ns"] is None:
        p = printed(groups["pvalue"])
        if p is not None and p.value == 0 and p.places == 0:
            p = Printed(p.text, 0.0, 3)  # "p = 0" is no p-value up to .5
        if p is None or groups["tail"] or not 0 <= p.value <= 1:
            return None
        relation = sign(groups["psign"])
    end = match.end()
    return Reported(kind, match.start(), end, df, sign(groups["sign"]), value, relation, p)
