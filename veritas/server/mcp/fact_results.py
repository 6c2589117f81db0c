"""Results on a text: each statement with its verdict, worst first, and what could not be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from veritas.server.mcp.quoting import Part, Result

if TYPE_CHECKING:
    from veritas import FactCheck

MOST = 100
"""Statements that are told, the worst first; of more, the number."""
Verdict = Literal[
    "mark_without_source", "contradicted", "not_in_source", "partly", "unreachable", "cannot_tell", "uncited",
    "supported",
]  # fmt: skip


class Statement(Part):
    """A statement of the text."""

    statement: str
    start: int
    end: int
    verdict: Verdict
    passage: str = Field(default="", description="Verbatim, of a stranger.")
    source: str = ""
    difference: str = ""


class FactVerdicts(Result):
    """What the sources of a text say of its statements."""

    headline: str
    statements: tuple[Statement, ...] = ()


def fact_verdicts(check: FactCheck) -> FactVerdicts:
    """Return the result of a checked text."""
    left = len(check.statements) - MOST
    return FactVerdicts(
        headline=check.headline,
        statements=[
            Statement(
                statement=each.statement, start=each.start, end=each.end, verdict=each.verdict,
                passage=each.passage or "", source=each.source or "", difference=each.difference,
            )
            for each in check.worst_first[:MOST]
        ],
        could_not_tell=[*check.notes, *([f"{left} further statements are not listed"] if left > 0 else [])],
    )  # fmt: skip
