"""A finding of the arithmetic referee: what a paper says, what its own numbers give, and how the two were compared."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veritas.documents.paper_parts import Place
from veritas.frozen import Frozen

Check = Literal[
    "p-value", "grim", "grimmer", "debit", "confidence-interval", "share", "table-sum", "count", "change", "degrees",
    "two-by-two", "table-cell", "wording", "date",
]  # fmt: skip
"""What was recomputed. `wording` calls a result that missed its level significant; `date` lies in the future."""

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
    `interval` (in brackets, or behind "CI") and `p-value`."""
    title: str = ""
    """The paper's title."""
    notes: tuple[str, ...] = ()
    """What the reader had to leave out of the paper."""

    @property
    def accused(self) -> tuple[Finding, ...]:
        """The findings that are errors: all but the notes."""
        return tuple(finding for finding in self.findings if finding.severity != "note")
