"""How the planted sources fared: for each one, what caught it, or that nothing did."""

from __future__ import annotations

from dataclasses import dataclass

from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import Event, EventKind, StageName
from veritas.claims.sources import Source
from veritas.report import words
from veritas.report.index import GraphIndex

_CATCHES: frozenset[EventKind] = frozenset({
    "source-rejected", "draft-rejected", "instruction-ignored", "claim-refuted", "claim-dropped",
    "claim-uncorroborated", "contestation-invalid", "defence-invalid", "sentence-removed",
})


@dataclass(frozen=True)
class Step:
    """One thing that befell a planted source or a claim made of it. `caught` says that it was stopped there."""

    stage: StageName
    what: str
    caught: bool
    claim: ClaimEnvelope | None = None

    @property
    def where(self) -> str:
        """The stage's name; for a source that was turned away, the policy's."""
        return "Source policy" if self.stage == "research" and self.caught else words.STAGE_NAMES[self.stage]


@dataclass(frozen=True)
class Planted:
    """One planted source. `steps` are in the order of the stages; `escaped` when the answer cites it after all."""

    source: Source
    steps: tuple[Step, ...]
    escaped: bool

    @property
    def verdict(self) -> str:
        """In a few words, where it was caught, or that it was not."""
        if self.escaped:
            return "Not caught: the answer cites it"
        caught = dict.fromkeys(words.CAUGHT[step.stage] for step in self.steps if step.caught)
        if caught:
            return f"Caught {' and '.join(caught)}"
        return "Not cited" if self.steps else "Read, but no claim rests on it"


def planted(index: GraphIndex) -> tuple[list[Planted], list[Event]]:
    """The planted sources in graph order, and the events marked as planted that belong to none of them."""
    marked = {event.subject_id for event in index.graph.events if event.planted}
    cases: list[Planted] = []
    told: set[str] = set()
    for source in index.graph.sources:
        names = {name for name in (source.source_id, source.url, source.document_id) if name}
        if source.note is None and not marked & names:
            continue
        claims = [claim for claim in index.graph.claims if names & {c.document_id for c in claim.citations}]
        told |= names | {claim.claim_id for claim in claims}
        cases.append(_case(index, source, names, claims))
    return cases, [event for event in index.graph.events if event.planted and event.subject_id not in told]


def _case(index: GraphIndex, source: Source, names: set[str], claims: list[ClaimEnvelope]) -> Planted:
    steps = [
        Step(event.stage, event.reason, event.kind in _CATCHES)
        for event in index.graph.events if event.subject_id in names and event.kind != "source-rejected"
    ]
    if source.status == "rejected":
        steps.insert(0, Step("research", f"{source.justification} (rule {source.rule})", True))
    escaped = False
    for claim in claims:
        outcome, events = index.outcome(claim), index.events.get(claim.claim_id, [])
        escaped = escaped or outcome.key == "cited"
        stage: StageName = events[-1].stage if events else "debate" if outcome.key in {"conceded", "refined"} \
            else "verify" if outcome.key in {"refuted", "unavailable"} else "synthesize"
        caught = outcome.key in {"refuted", "conceded", "refined", "dropped", "uncorroborated"}
        steps.append(Step(stage, f"{outcome.words}. {outcome.reason}".strip(), caught, claim))
    return Planted(source, tuple(steps), escaped)
