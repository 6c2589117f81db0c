"""The outcome of a source, a claim or a sentence in a run, in words for the comparison of two runs."""

from __future__ import annotations

from veritas.claims.chain import Chains
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.judgment import ClaimJudgment
from veritas.claims.sources import Search, Source


def source_fate(source: Source) -> str:
    """Return the outcome of a source, and the rule behind it."""
    tier = source.tier if source.tier == "wikipedia" else f"tier {source.tier}"
    if not source.admitted and source.tier != "wikipedia":
        return f"turned away, {tier}, by {source.rule}: {source.justification}"
    status = {"unread": "not read", "orientation": "read for orientation"}.get(source.status, source.status)
    paid = ", behind a paywall" if source.paywalled else ""
    text = f", text {source.document_id[:12]}" if source.document_id else ""
    problem = f": {source.problem}" if source.problem else ""
    return f"{status}, {tier}{paid}, by {source.rule}{text}{problem}"


def source_change(a: Source, b: Source) -> str:
    """Return how a source differs between two runs, in words."""
    if a.admitted != b.admitted:
        return "is turned away" if a.admitted else "is admitted"
    if a.status != b.status:
        words = {"unread": "is no longer read", "unavailable": "could not be read", "read": "is read"}
        return words.get(b.status, f"is {b.status}")
    if (a.tier, a.paywalled, a.rule) != (b.tier, b.paywalled, b.rule):
        return "is classified otherwise"
    return "has another text"


def request_of(search: Search) -> tuple[str, str, str]:
    """Return which member asked which provider what."""
    return search.member, search.provider, search.query


def essence(claim: ClaimEnvelope) -> object:
    """Return what identifies a claim's outcome in a run: its sources, verdict, debate and badges."""
    citations = [(c.url, c.tier, c.document_id, c.paywalled) for c in claim.citations]  # the day tells nothing
    return citations, claim.verifier_judgment, claim.debate_status, claim.badges


def verdicts_on(chains: Chains, claim: str) -> tuple[ClaimJudgment, ...]:
    """Return the judgments of the claim itself."""
    return tuple(
        j for j in chains.graph.judgments if j.subject_id == claim and j.purpose in ("verify", "refine")
    )


def judged_otherwise(one: tuple[ClaimJudgment, ...], two: tuple[ClaimJudgment, ...]) -> bool:
    """Return whether a lens that judged in both runs gave another label. Other lenses alone are no difference."""
    labels = {j.lens: j.label for j in one}
    return any(labels.get(j.lens, j.label) != j.label for j in two)


def verdicts_said(verdicts: tuple[ClaimJudgment, ...]) -> str:
    """Return judgments in words."""
    return "; ".join(f"{j.lens}: {j.label}, {j.rationale}" for j in verdicts) or "not judged"


def debate_on(chains: Chains, claim: ClaimEnvelope) -> list[tuple[str, str, str]]:
    """Return the contestations of a claim, for comparison."""
    found = [x for x in chains.graph.contestations if x.claim_id == claim.claim_id]
    return sorted((x.counter_claim, x.resolution, x.ruling) for x in found)


def debate_said(chains: Chains, claim: ClaimEnvelope) -> str:
    """Return the debate on a claim in words."""
    found = [x for x in chains.graph.contestations if x.claim_id == claim.claim_id]
    said = "; ".join(f"{x.challenger}: “{x.objection}” ({x.resolution}: {x.ruling})" for x in found)
    return f"{claim.debate_status}{f': {said}' if said else ''}"


def claim_fate(chains: Chains, claim: ClaimEnvelope | None) -> str:
    """Return the outcome of a claim, in words."""
    if claim is None:
        return "not there"
    chain = chains.claim(claim)
    return "cited" if chain.let_in else chain.because


def sentence_fate(sentence: object) -> str:
    """Return whether a sentence is in the answer, in words."""
    return "in the answer" if sentence is not None else "not in the answer"
