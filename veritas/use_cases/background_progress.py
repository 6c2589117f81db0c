"""What the process of a run in the background tells its followers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from veritas.claims.graph import Call
from veritas.errors import Cancelled
from veritas.frozen import Frozen
from veritas.store.jobs import job_asked_to_stop
from veritas.use_cases import events
from veritas.use_cases.background_events import tell

MOST, LONGEST = 300, 400
"""Most things of a kind in one event, and most characters of a text: the claim graph has all of it."""


class Writing:
    """A `Progress` that appends each event to those of a run in the background, for the process that carries it out."""

    def __init__(self, home: Path, run_id: str, details: bool = True) -> None:
        """`details` are told of research: the stages of other work have other outputs."""
        self.home, self.run_id, self._details = home, run_id, details

    def stop_if_asked(self) -> None:
        """Raise `Cancelled` if somebody has asked the run to stop."""
        if job_asked_to_stop(self.home, self.run_id):
            raise Cancelled(f"run {self.run_id} was stopped on request")

    def tell(self, event: Frozen) -> None:
        """Append an event. Raises `StoreUnavailable`."""
        tell(self.home, self.run_id, event)

    def noted(self, text: str) -> None:
        self.tell(events.Noted(text=text))

    warned = noted

    def stage_started(self, stage: str) -> None:
        self.stop_if_asked()  # it may have been asked before there was a run to be asked
        self.tell(events.StageStarted(stage=stage))

    def units_begun(self, step: str, total: int) -> None:
        self.tell(events.UnitsBegun(step=step, total=total))

    def unit_done(self, calls: Sequence[Call] = ()) -> None:
        self.tell(events.UnitDone(calls=tuple(calls)))

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        self.tell(events.StageDone(stage=stage, seconds=seconds, said=said, from_store=from_store))

    def stage_output(self, stage: str, output: Any) -> None:
        """Tell what a stage found, judged and left out."""
        if not self._details:
            return
        for event in _DETAILS.get(stage, _nothing)(output):
            self.tell(event)
        if out := getattr(output, "events", ()):
            seen = [
                events.OutSeen(kind=each.kind, subject_id=_short(each.subject_id), reason=_short(each.reason))
                for each in out[:MOST]
            ]
            self.tell(events.LeftOut(stage=stage, out=tuple(seen), more=max(0, len(out) - MOST)))


def _nothing(output: Any) -> list[Frozen]:
    return []


def _sources(output: Any) -> list[Frozen]:
    sources = output.sources
    seen = [
        events.SourceSeen(
            source_id=each.source_id, title=_short(each.title), url=_short(each.url), status=each.status,
            tier=each.tier, rule=_short(each.rule), reason=_short(each.problem or each.justification),
        )
        for each in sources[:MOST]
    ]  # fmt: skip
    return [events.SourcesFound(sources=tuple(seen), more=max(0, len(sources) - MOST))]


def _claims(stage: str, output: Any) -> events.ClaimsSeen:
    claims = output.claims
    live = set(getattr(output, "live", [each.claim_id for each in claims]))
    seen = [
        events.ClaimSeen(
            claim_id=each.claim_id, claim=_short(each.claim), asserted_by=each.asserted_by,
            label=each.verifier_judgment, debate_status=each.debate_status, badges=each.badges,
            live=each.claim_id in live,
        )
        for each in claims[:MOST]
    ]  # fmt: skip
    return events.ClaimsSeen(stage=stage, claims=tuple(seen), more=max(0, len(claims) - MOST))


def _debate(output: Any) -> list[Frozen]:
    rounds = [events.RoundSeen.model_validate(each.model_dump()) for each in output.rounds]
    return [events.Agreement(rounds=tuple(rounds)), _claims("debate", output)]


_DETAILS: Mapping[str, Callable[[Any], list[Frozen]]] = {
    "research": _sources,
    "extract": lambda output: [_claims("extract", output)],
    "verify": lambda output: [_claims("verify", output)],
    "debate": _debate,
}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
