"""What a check yields before places are known: offsets in the paper's text."""

from __future__ import annotations

from dataclasses import dataclass

from veritas.papers.referee.finding import Check, Severity


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
