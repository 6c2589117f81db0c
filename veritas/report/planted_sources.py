"""Fates of the planted sources: for each one, what caught it, or that nothing did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from veritas.claims.answer import Sentence
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import Event, EventKind, StageName
from veritas.claims.sources import Source
from veritas.report import wording
from veritas.report.graph_index import GraphIndex

_CATCHES: frozenset[EventKind] = frozenset({
    "source-rejected", "draft-rejected", "instruction-ignored", "claim-refuted", "claim-dropped",
    "claim-uncorroborated", "contestation-invalid", "defence-invalid", "sentence-removed",
})
_STOPPED = {"refuted", "conceded", "refined", "dropped", "uncorroborated"}

Fate = Literal["caught", "idle", "disclosed", "escaped"]


@dataclass(frozen=True)
class Step:
    """An event in the life of a planted source, or of equal claims made of it. `caught` is True if it was stopped
    there.

    `orders` is True if only the orders in its text were stopped: the source itself may be used.
    """

    stage: StageName
    what: str
    caught: bool
    claims: tuple[ClaimEnvelope, ...] = ()
    orders: bool = False

    @property
    def where(self) -> str:
        """The stage's name; for a source that was rejected, the policy's."""
        turned_away = self.stage == "research" and self.caught and not self.orders
        return "Source policy" if turned_away else wording.STAGE_NAMES[self.stage]


@dataclass(frozen=True)
class Planted:
    """A planted source. `steps` are in the order of the stages; `warnings` accompany its use in the answer.

    Its fate is `caught`; `idle`, when it was not stopped and yet nothing of it is cited; `disclosed`, when each
    sentence that cites it carries a warning; or `escaped`, when the answer states it as it states anything else.
    """

    source: Source
    steps: tuple[Step, ...]
    fate: Fate
    warnings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """A few words on where it was caught, or that it was not; and that its orders were ignored, if it gave any."""
        places = dict.fromkeys(wording.CAUGHT[s.stage] for s in self.steps if s.caught and not s.orders)
        if not any(step.orders for step in self.steps):
            return self._verdict(places)
        if self.fate == "caught" and not places:
            return "Its orders were seen and ignored"
        return f"{self._verdict(places)}; its orders were seen and ignored"

    def _verdict(self, places: Iterable[str]) -> str:
        if self.fate == "escaped":
            return "Not caught: the answer cites it"
        if self.fate == "disclosed":
            return f"Cited, with {' and '.join(self.warnings)}"
        if self.fate == "idle":
            return "Not cited" if self.steps else f"{wording.STATUSES[self.source.status]}; no claim rests on it"
        return f"Caught {' and '.join(places)}"


def planted(index: GraphIndex) -> tuple[list[Planted], list[Event]]:
    """Return the planted sources in graph order, and the events marked as planted that belong to none of them."""
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
        Step(event.stage, event.reason, event.kind in _CATCHES, orders=event.kind == "instruction-ignored")
        for event in index.graph.events if event.subject_id in names and event.kind != "source-rejected"
    ]
    if source.status in {"rejected", "orientation"}:
        steps.insert(0, Step("research", f"{source.justification} (rule {source.rule})", True))
    alike: dict[tuple[str, StageName, str, bool], list[ClaimEnvelope]] = {}
    for claim in claims:
        outcome = index.outcome(claim)
        what = f"{outcome.words}{': ' if outcome.reason else ''}{outcome.reason}"
        alike.setdefault((claim.claim, _stage(index, claim), what, outcome.key in _STOPPED), []).append(claim)
    steps += [Step(stage, what, caught, tuple(same)) for (_, stage, what, caught), same in alike.items()]
    said = {s.sentence_id: s for claim in claims for s in index.sentences_of.get(claim.claim_id, ())}
    warnings = [_warnings(index, sentence) for sentence in said.values() if sentence.kind == "claim"]
    fate: Fate = "caught" if any(step.caught for step in steps) else "idle"
    if warnings:
        fate = "disclosed" if all(warnings) else "escaped"
    return Planted(source, tuple(steps), fate, tuple(dict.fromkeys(w for each in warnings for w in each)))


def _stage(index: GraphIndex, claim: ClaimEnvelope) -> StageName:
    """Return the stage at which the outcome of a claim was decided."""
    key, events = index.outcome(claim).key, index.events.get(claim.claim_id, [])
    if key == "cited" or not events:
        return "debate" if key in {"conceded", "refined"} else "verify" if key in {"refuted", "unavailable"} \
            else "synthesize"
    return events[-1].stage


def _warnings(index: GraphIndex, sentence: Sentence) -> list[str]:
    """Return the warnings about a sentence: its badges, and the objections to the claims it rests on."""
    found = [f"the badge “{wording.badge(badge).label}”" for badge in sentence.badges if badge != "planted"]
    dissent = (s for s in index.graph.answer.sentences if s.kind == "dissent")
    if any(set(s.claim_ids) & set(sentence.claim_ids) for s in dissent):
        found.append("the dissent against it")
    return found
