"""How the planted sources fared: for each one, what caught it, or that nothing did."""

from __future__ import annotations

from dataclasses import dataclass

from veritas.claims.graph import Event
from veritas.claims.sources import Source
from veritas.report.index import GraphIndex


@dataclass(frozen=True)
class Planted:
    """One planted source. `steps` are (stage, what happened) in order; `escaped` when the answer cites it after all."""

    source: Source
    steps: tuple[tuple[str, str], ...]
    escaped: bool

    @property
    def verdict(self) -> str:
        """Three words for the list: where it ended."""
        if self.escaped:
            return "Cited in the answer"
        return f"Caught: {self.steps[-1][0]}" if self.steps else "Read, nothing claimed"


def planted(index: GraphIndex) -> tuple[list[Planted], list[Event]]:
    """The planted sources in graph order, and the events marked as planted that belong to none of them."""
    marked = {event.subject_id for event in index.graph.events if event.planted}
    cases, told = [], set()
    for source in index.graph.sources:
        names = {source.source_id, source.url, source.document_id}
        claims = [c for c in index.graph.claims if source.document_id
                  and any(x.document_id == source.document_id for x in c.citations)]
        names |= {claim.claim_id for claim in claims if "planted" in claim.badges or source.note is not None}
        if source.note is None and not marked & {source.source_id, source.url, source.document_id}:
            continue
        told |= names & marked
        cases.append(_case(index, source, names))
    return cases, [event for event in index.graph.events if event.planted and event.subject_id not in told]


def _case(index: GraphIndex, source: Source, names: set[str | None]) -> Planted:
    steps = [("source policy", f"{source.justification} (rule: {source.rule})")] if source.status == "rejected" else []
    if source.status == "unavailable":
        steps.append(("reading", source.problem or "it could not be read"))
    escaped = False
    for name in sorted(n for n in names if n and n not in index.claims):
        told = (event for event in index.events.get(name, ()) if event.kind != "source-rejected")
        steps += [(event.stage, event.reason) for event in told]
    for claim in index.graph.claims:
        if claim.claim_id not in names:
            continue
        outcome = index.outcome(claim)
        number = index.claim_number[claim.claim_id]
        if outcome.key == "cited":
            escaped = True
        stage = next((event.stage for event in reversed(index.events.get(claim.claim_id, []))), "synthesize")
        steps.append((stage, f"Claim {number}, “{claim.claim}”: {outcome.words}. {outcome.reason}".strip()))
    return Planted(source, tuple(steps), escaped)
