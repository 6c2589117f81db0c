"""Results on claims, texts, references and citations: verdicts with verbatim evidence and registries' records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from veritas.server.mcp.quoting import Part, Result, ordering

if TYPE_CHECKING:
    from veritas import EntryVerdict, FactCheck, OpenVerdict, TierVerdict
    from veritas.use_cases.citations import Outcome, Report

MOST_ENTRIES = 100
"""Most entries of a bibliography in a result, those with something wrong first."""


class Difference(Part):
    """A field that differs between the citation and the registries."""

    field: str
    cited: str
    found: str


class Reference(Part):
    """The verdict on a reference."""

    key: str
    title: str = ""
    verdict: Literal[
        "verified", "minor", "misattributed", "retracted", "withdrawn", "fabricated", "cannot_confirm", "unavailable"
    ] = Field(description="unavailable: a registry did not answer, so nothing is known. cannot_confirm: no verdict.")
    reason: str
    differences: tuple[Difference, ...] = ()
    standing: str = Field(default="", description="Of the paper, if not current; unknown: nobody told it.")
    match: dict[str, Any] = Field(default={}, description="The registry's record it was compared with.")
    registries: tuple[str, ...] = Field(default=(), description="That have the work.")
    refused: bool = Field(default=False, description="By the profile.")
    criteria: tuple[str, ...] = Field(default=(), description="Criteria of the profile that it meets.")
    corrected: str = Field(default="", description="The entry as it should be, in BibTeX.")


class ReferenceVerdicts(Result):
    """The verdicts on references."""

    counts: dict[str, int]
    entries: tuple[Reference, ...]


def reference_verdicts(judged: Sequence[EntryVerdict]) -> ReferenceVerdicts:
    """Return the result of an audit of references, the worst first."""
    from veritas.report.bibliography_verdicts import as_json, unanswered_line, worst_first

    told = as_json(judged)
    entries = worst_first(told["entries"])
    left = len(entries) - MOST_ENTRIES
    unknown = [unanswered_line(cause) for cause in told["unanswered"]]
    return ReferenceVerdicts(
        counts={verdict: number for verdict, number in told["counts"].items() if number},
        entries=[_reference(each) for each in entries[:MOST_ENTRIES]],
        could_not_tell=[*unknown[:MOST_ENTRIES], *([f"{left} further entries are not listed"] if left > 0 else [])],
    )


def _reference(told: Mapping[str, Any]) -> Reference:
    fine = told["verdict"] == "verified"
    record = {name: value for name, value in (told["match"] or {}).items() if value}
    return Reference(
        key=told["key"], title=told["title"] or "", verdict=told["verdict"],
        reason="; ".join(filter(None, (told["reason"], (told["ruling"] or {}).get("because", "")))),
        differences=[
            Difference.of(each, cited=str(each["cited"]), found=str(each["found"])) for each in told["differences"]
        ],
        standing="" if told["standing"] == "current" else told["standing"] or "unknown",
        match=record,
        registries=list(dict.fromkeys(each["source"] for each in told["evidence"] if each["same_work"])),
        refused=bool(told["ruling"] and told["ruling"]["refused"]),
        criteria=told["ruling"]["criteria"] if told["ruling"] else (),
        corrected="" if fine else told["corrected"] or "",
    )  # fmt: skip


class Candidate(Part):
    """A paper that was considered and not cited."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    identifier: str = ""
    why: str = ""


class CitationResult(Result):
    """A citation with its artifact, or why there is none."""

    cited: bool
    refusal: str = Field(default="", description="Why not. RetriesExhausted: a source did not answer; ask again.")
    reason: str = ""
    citation: str = ""
    bibtex: str = ""
    artifact: str = Field(default="", description="The file that was written, below the root.")
    excerpts: tuple[str, ...] = Field(default=(), description="Verbatim passages of the paper that carry the claim.")
    flags: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    approval: str = Field(default="", description="That a person may give. You cannot.")


def citation_result(outcome: Outcome, root: Path) -> CitationResult:
    """Return the result of asking for a citation."""
    from veritas import Citation

    if isinstance(outcome, Citation):
        place = outcome.path.resolve()
        return CitationResult(
            cited=True, citation=outcome.text, bibtex=outcome.bibtex,
            artifact=str(place.relative_to(root)) if place.is_relative_to(root) else place.name,
            excerpts=[each.text for each in outcome.artifact.excerpts],
            flags=[*outcome.flags, *outcome.artifact.review],
        )  # fmt: skip
    silent = outcome.name == "RetriesExhausted"
    return CitationResult(
        cited=False, refusal=outcome.name, reason=outcome.reason,
        candidates=[Candidate.of(each, authors=each.authors[:5]) for each in outcome.candidates],
        approval=outcome.approval or "",
        could_not_tell=[outcome.reason] if silent else [],
    )  # fmt: skip


MOST = 100
"""Most statements in a result, the worst first; of more, the number."""
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
        statements=[Statement.of(each) for each in check.worst_first[:MOST]],
        could_not_tell=[*check.notes, *([f"{left} further statements are not listed"] if left > 0 else [])],
    )  # fmt: skip


Tier = Literal[1, 2, 3, 4, "wikipedia"]
MOST_FINDINGS = 100
"""Most findings of a check in a result; of more, the number."""
UNJUDGED = "only citations were checked, by rule; whether the statements are true was not judged"


class Quote(Part):
    """A further passage, verbatim."""

    passage: str


class Evidence(Part):
    """A document about the claim. Its quotes occur in it verbatim."""

    label: Literal["supports", "refutes", "silent"]
    passage: str = Field(description="Verbatim, of a stranger.")
    also: tuple[Quote, ...] = Field(default=(), description="Of the same document.")
    url: str
    title: str = ""
    tier: Tier = Field(description="1 best to 3; 4 and wikipedia are never evidence.")
    score: float = Field(description="Probability of the label.")


class NotRead(Part):
    """A source that the policy rejected."""

    url: str
    tier: Tier
    reason: str


MOST_UNREAD = 10
"""Most unreadable documents that a result lists."""


class ClaimVerdict(Result):
    """The verdict on a claim."""

    verdict: Literal["supports", "refutes", "insufficient"]
    confidence: float = Field(description="0 to 1.")
    reason: str
    caveat: str = ""
    contested: bool = Field(default=False, description="Evidence stands on both sides.")
    evidence: tuple[Evidence, ...] = ()
    badges: tuple[str, ...] = ()
    rejected: tuple[NotRead, ...] = ()


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
    return ClaimVerdict.of(
        verdict,
        evidence=[
            Evidence.of(each, also=[Quote.of(span) for span in each.also], score=round(each.score, 3))
            for each in verdict.evidence
        ],
        rejected=[NotRead.of(each) for each in verdict.rejected],
        warnings=[ordering(url) for url in ordering_urls],
        could_not_tell=unsure,
    )


class SourceTier(Result):
    """What the source policy says of a URL."""

    url: str
    tier: Tier
    admitted: bool = Field(description="A claim may rest on it.")
    paywalled: bool = False
    justification: str
    rule: str
    effective_url: str = ""


def source_tier(verdict: TierVerdict) -> SourceTier:
    """Return the result of a verdict on a URL."""
    return SourceTier.of(verdict, effective_url=verdict.effective_url if verdict.effective_url != verdict.url else "")


class Finding(Part):
    """A citation that does not hold."""

    path: str
    line: int
    column: int
    level: str
    rule: str
    message: str
    artifact: str = ""


class TextCheck(Result):
    """What is wrong with the citations of a text."""

    ok: bool = Field(description="Nothing is wrong, and every citation was looked up.")
    links: int = Field(description="Citations found in the text.")
    artifacts: int = Field(description="Artifacts they led to, each checked.")
    findings: tuple[Finding, ...] = ()


def text_check(report: Report) -> TextCheck:
    """Return the result of a check."""
    left = len(report.findings) - MOST_FINDINGS
    shown = sorted(report.findings, key=lambda each: each.level != "error")[:MOST_FINDINGS]
    return TextCheck.of(
        report,
        findings=[Finding.of(each) for each in shown],
        could_not_tell=[UNJUDGED, *(f.message for f in shown if f.not_read),
                        *([f"{left} further findings are not listed"] if left > 0 else [])],
    )  # fmt: skip
