"""Results on claims, texts and sources: verdicts with their verbatim evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from veritas.server.mcp.quoting import Part, Result, ordering

if TYPE_CHECKING:
    from veritas import OpenVerdict, TierVerdict
    from veritas.use_cases.citations import Report

Tier = Literal[1, 2, 3, 4, "wikipedia"]
MOST_FINDINGS = 100
"""Findings of a check that are told; of more, the number."""
UNJUDGED = "only citations were checked, by rule; whether the statements are true was not judged"


class Evidence(Part):
    """A document on the claim. Its quotes stand in it word for word."""

    label: Literal["supports", "refutes", "silent"]
    quotes: tuple[str, ...] = Field(description="Verbatim, of a stranger.")
    url: str
    title: str = ""
    tier: Tier = Field(description="1 best to 3; 4 and wikipedia are never evidence.")
    confidence: float


class NotRead(Part):
    """A source that the policy turned away."""

    url: str
    tier: Tier
    reason: str


MOST_UNREAD = 10
"""Most documents that could not be read which a model is told one by one."""


class ClaimVerdict(Result):
    """The verdict on a claim."""

    verdict: Literal["supports", "refutes", "insufficient"]
    confidence: float = Field(description="0 to 1.")
    reason: str
    contested: bool = Field(default=False, description="Evidence stands on both sides.")
    evidence: tuple[Evidence, ...] = ()
    badges: tuple[str, ...] = ()
    not_read: tuple[NotRead, ...] = ()


def claim_verdict(verdict: OpenVerdict, ordering_urls: Sequence[str] = ()) -> ClaimVerdict:
    """Return the result of a verdict on a claim. `ordering_urls` are documents that give orders to language models."""
    unsure = []
    if verdict.verdict == "insufficient":
        unsure = ["the documents neither support nor refute the claim"]
    elif verdict.caveat:
        unsure = [verdict.caveat]
    unsure += [f"not read, so not in the verdict: {said}" for said in verdict.unread[:MOST_UNREAD]]
    if len(verdict.unread) > MOST_UNREAD:
        unsure.append(f"{len(verdict.unread) - MOST_UNREAD} more documents were not read")
    return ClaimVerdict(
        verdict=verdict.verdict,
        confidence=verdict.confidence,
        reason=verdict.reason,
        contested=verdict.contested,
        evidence=[
            Evidence(
                label=each.label, quotes=[each.passage, *(span.passage for span in each.also)], url=each.url,
                title=each.title, tier=each.tier, confidence=round(each.score, 3),
            )
            for each in verdict.evidence
        ],
        badges=list(verdict.badges),
        not_read=[NotRead(url=each.url, tier=each.tier, reason=each.reason) for each in verdict.rejected],
        warnings=[ordering(url) for url in ordering_urls],
        could_not_tell=unsure,
    )  # fmt: skip


class SourceTier(Result):
    """What the source policy says of a URL."""

    url: str
    tier: Tier
    admitted: bool = Field(description="A claim may rest on it.")
    paywalled: bool = False
    reason: str
    rule: str
    effective_url: str = ""


def source_tier(verdict: TierVerdict) -> SourceTier:
    """Return the result of a verdict on a URL."""
    return SourceTier(
        url=verdict.url, tier=verdict.tier, admitted=verdict.admitted, paywalled=verdict.paywalled,
        reason=verdict.justification, rule=verdict.rule,
        effective_url=verdict.effective_url if verdict.effective_url != verdict.url else "",
    )  # fmt: skip


class Finding(Part):
    """A citation that does not hold."""

    line: int
    column: int
    level: str
    rule: str
    message: str
    artifact: str = ""


class TextCheck(Result):
    """What is wrong with the citations of a text."""

    ok: bool = Field(description="Nothing is wrong, and every citation was looked up.")
    citations: int = Field(description="Citations found in the text.")
    artifacts: int = Field(description="Artifacts they led to, each checked.")
    findings: tuple[Finding, ...] = ()


def text_check(report: Report) -> TextCheck:
    """Return the result of a check."""
    left = len(report.findings) - MOST_FINDINGS
    shown = sorted(report.findings, key=lambda each: each.level != "error")[:MOST_FINDINGS]
    return TextCheck(
        ok=report.ok, citations=report.links, artifacts=report.artifacts,
        findings=[
            Finding(line=f.line, column=f.column, level=f.level, rule=f.rule, message=f.message,
                    artifact=f.artifact or "")
            for f in shown
        ],
        could_not_tell=[UNJUDGED, *(f.message for f in shown if f.not_read),
                        *([f"{left} further findings are not listed"] if left > 0 else [])],
    )  # fmt: skip
