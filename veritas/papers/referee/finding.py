"""A finding of the arithmetic referee: what a paper says, what its own numbers give, and how the two were compared.

Numbers as a paper prints them: the value, and the interval of values that print like it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from pydantic import Field

from veritas.documents.paper_parts import Place
from veritas.frozen import Frozen

Sign = Literal["=", "<", ">"]

_POWER = r"(?:\s?[x×*·]\s?10\s?(?:\^?\s?\{?[-−–]?\d{1,3}\}?|⁻?[⁰¹²³⁴-⁹]{1,3})|[eE][-−–+]?\d{1,3})"
NUMBER = rf"(?:[-−–]\s?)?(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{1,12}})?(?:[.·]\d{{1,15}})?{_POWER}?"
"""Pattern of a number; it matches the empty text too, so what follows it has to be checked with `printed`."""
_TIMES = re.compile(r"\s?[x×*·]\s?10\s?\^?\s?\{?(?P<power>[-−–]?\d{1,3})\}?$")
_RAISED_POINT = re.compile(r"[-−–]?\d{1,3}·[0-9]+")
"""A decimal with a raised point, such as "1·103", which is no power of ten."""
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SIGNS: dict[str, Sign] = {"=": "=", "<": "<", ">": ">", "≤": "<", "≥": ">", "⩽": "<", "⩾": ">"}
_SIGNS |= {"&lt;": "<", "&gt;": ">", "<=": "<", ">=": ">"}
SIGN = r"(?:&lt;|&gt;|<=|>=|[=<>≤≥⩽⩾])"


@dataclass(frozen=True)
class Printed:
    """A printed number. `places` are its decimals (negative if whole tens were meant by a power of ten)."""

    text: str
    value: float
    places: int

    @property
    def half(self) -> float:
        """Half a unit of the last printed digit."""
        return 0.5 * 10.0**-self.places

    @property
    def low(self) -> float:
        """The lowest value that prints like this."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """The highest value that prints like this."""
        return self.value + self.half


def printed(text: str) -> Printed | None:
    """Return the number that `text` prints, or None if it prints none."""
    bare = text.strip().translate(_RAISED)
    power = 0
    times = _TIMES.search(bare) if _RAISED_POINT.fullmatch(text.strip()) is None else None
    if times is not None:
        power, bare = int(_plain(times["power"])), bare[: times.start()]
    bare = _plain(bare).replace(",", "").replace("·", ".")
    try:
        value = Decimal(bare)
    except InvalidOperation:
        return None
    if not value.is_finite():
        return None
    exponent = value.as_tuple().exponent
    places = -int(exponent) - power
    made = float(value.scaleb(power))
    return Printed(text.strip(), made, places)


def sign(text: str) -> Sign:
    """Return the relation that a sign stands for; "at most" counts as below, which only widens what is allowed."""
    return _SIGNS[text.strip()]


def shown(value: float, places: int = 3) -> str:
    """Return a number as a report shows it: `places` significant decimals for small ones, no long tails."""
    if value != value:
        return "none"
    if value and abs(value) < 10.0**-places:
        return f"{value:.2g}"
    return f"{value:.{places}f}"


def _plain(text: str) -> str:
    return re.sub(r"\s", "", text).replace("−", "-").replace("–", "-")


Check = Literal[
    "p-value", "grim", "grimmer", "debit", "confidence-interval", "share", "table-sum", "count", "change", "degrees",
    "two-by-two", "table-cell", "wording", "date", "scale", "standard-error", "effect-size", "heterogeneity",
]  # fmt: skip
"""What was recomputed. `debit`, `heterogeneity`, and `change` to `wording`, are in stored findings alone."""

Severity = Literal["decision", "error", "rounding", "note"]
"""`decision`: the paper's conclusion would change (significant or not). `error`: the numbers cannot hold together.
`rounding`: one unit of the last printed digit. `note`: worth a look, and no error by itself."""


class Input(Frozen):
    """A number that a calculation used, as printed, and its place."""

    name: str
    printed: str
    place: Place


class Finding(Frozen):
    """Numbers of a paper that do not hold together. `quote` stands verbatim at `location`.

    `says` is what the paper prints, `recomputed` what its other numbers give, `calculation` how. `allowed` tells the
    rounding that was allowed for, `right_if` what would have to be true for the paper to be right. Numbers that the
    paper tells several times, as in abstract and results, are one finding: `also` are the further places, and `where`
    names the sections of all.
    """

    check: Check
    severity: Severity
    quote: str
    says: str
    recomputed: str
    calculation: str
    allowed: str
    right_if: str
    inputs: tuple[Input, ...] = ()
    location: Place
    also: tuple[Place, ...] = ()
    where: str = ""
    """Headings of the sections, such as `Abstract and Results`; empty if the paper has none there."""


class Refereed(Frozen):
    """What the referee made of a paper: how many comparisons of each kind it made, and those that failed."""

    findings: tuple[Finding, ...] = ()
    """Gravest first."""
    recomputed: dict[Check, int] = Field(default_factory=dict)
    """Number of comparisons by check. A check that is not in it found nothing in the paper to recompute."""
    unchecked: dict[str, int] = Field(default_factory=dict)
    """About how many numbers were seen and compared with no other that gives them again, by form: `percentage`,
    `interval` (in brackets, or behind "CI"), `p-value`, `mean`, `SD` and `SE`."""
    title: str = ""
    """The paper's title."""
    notes: tuple[str, ...] = ()
    """What the reader had to leave out of the paper."""

    @property
    def accused(self) -> tuple[Finding, ...]:
        """The findings that are errors: all but the notes."""
        return tuple(finding for finding in self.findings if finding.severity != "note")


@dataclass(frozen=True)
class Draft:
    """A finding at `[start, end)` of the text; `inputs` are (name, start, end) of the numbers it used."""

    check: Check
    severity: Severity
    start: int
    end: int
    says: str
    recomputed: str
    calculation: str
    allowed: str
    right_if: str
    inputs: tuple[tuple[str, int, int], ...] = ()
