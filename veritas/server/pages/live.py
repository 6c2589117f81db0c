"""The state of a run from its events, for display: stages, sources, claims, agreement and cost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from veritas.claims.contestation import Round
from veritas.claims.graph import STAGES
from veritas.use_cases import events
from veritas.use_cases.events import Told


@dataclass
class Stage:
    """A stage of the timeline. `state` is waiting, under-way, done or stopped; the units are those of its last step."""

    name: str
    state: str = "waiting"
    seconds: float | None = None
    said: str = ""
    from_store: bool = False
    done: int = 0
    total: int = 0


@dataclass
class Live:
    """A run as described by its events, up to event number `last`."""

    stages: dict[str, Stage] = field(default_factory=lambda: {name: Stage(name) for name in STAGES})
    sources: dict[str, events.SourceSeen] = field(default_factory=dict)
    more_sources: int = 0
    claims: dict[str, events.ClaimSeen] = field(default_factory=dict)
    more_claims: int = 0
    left_out: list[events.OutSeen] = field(default_factory=list)
    rounds: tuple[Round, ...] = ()
    notes: list[str] = field(default_factory=list)
    outage: bool = False
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0
    last: int = 0

    @property
    def said(self) -> list[tuple[events.ClaimSeen, tuple[str, ...]]]:
        """The claims, equal ones once, with all members that assert them; of several, one that is not dropped."""
        alike: dict[str, list[events.ClaimSeen]] = {}
        for claim in self.claims.values():
            alike.setdefault(claim.claim, []).append(claim)
        return [
            (next((each for each in group if each.live), group[0]), tuple(dict.fromkeys(c.asserted_by for c in group)))
            for group in alike.values()
        ]

    def named(self, subject: str) -> str:
        """Return a readable name: the text of a claim, the title of a source; "" for another id."""
        if subject in self.claims:
            return f"“{self.claims[subject].claim}”"
        if subject in self.sources:
            return self.sources[subject].title or self.sources[subject].url
        return "" if re.fullmatch(r"[a-z]+-[0-9a-f]+", subject) else subject

    @property
    def out(self) -> list[tuple[events.OutSeen, str]]:
        """What was left out, each with a readable name; equal texts with the same reason once, because several members
        make one claim."""
        told = {(self.named(each.subject_id), each.kind, each.reason): each for each in reversed(self.left_out)}
        return [(each, about) for (about, _, _), each in reversed(told.items())]

    @property
    def begun(self) -> bool:
        """True if a stage has begun; before that, documents are opened and providers checked."""
        return any(stage.state != "waiting" for stage in self.stages.values())

    @property
    def agreement(self) -> float | None:
        """The agreement after the last round, from 0 to 1; None before any."""
        return next((each.agreement for each in reversed(self.rounds) if each.agreement is not None), None)


def live(told: Iterable[Told], stages: Iterable[str] = STAGES) -> Live:
    """Return the state after events, in their order. `stages` are those known in advance. Repeated events of a resumed
    run replace the earlier ones."""
    view, under_way = Live({name: Stage(name) for name in stages}), ""
    for each in told:
        view.last, event = each.number, each.event
        match event:
            case events.Queued():  # what another attempt was told is not news of this one
                view.notes, view.outage = [], False
            case events.Noted():
                view.notes.append(event.text)
                view.outage |= event.outage
            case events.StageStarted():
                under_way = event.stage
                view.stages[under_way] = Stage(under_way, "under-way")
            case events.UnitsBegun():
                if not under_way:  # work that has no stages: its steps are
                    under_way = event.step
                    view.stages[under_way] = Stage(under_way, "under-way")
                view.stages[under_way].done, view.stages[under_way].total = 0, event.total
            case events.UnitDone():
                if under_way:
                    view.stages[under_way].done += 1
                _spend(view, event)
            case events.StageDone():
                view.stages[event.stage] = Stage(event.stage, "done", event.seconds, event.said, event.from_store)
                under_way = ""
            case events.SourcesFound():
                view.sources |= {source.source_id: source for source in event.sources}
                view.more_sources = event.more
            case events.ClaimsSeen():
                view.claims |= {claim.claim_id: claim for claim in event.claims}
                view.more_claims = event.more
            case events.LeftOut():
                view.left_out += event.out
            case events.Agreement():
                view.rounds = event.rounds
            case events.Failed() | events.Stopped() if under_way:
                view.stages[under_way].state = "stopped"
            case events.Begun() if under_way:  # its process was killed in the middle of it
                view.stages[under_way].state, under_way = "waiting", ""
    return view


def _spend(view: Live, event: events.UnitDone) -> None:
    for call in event.calls:
        view.calls += call.model is not None
        if call.from_ledger:
            continue
        view.tokens += call.input_tokens + call.output_tokens
        view.usd += call.cost_usd or 0.0
        view.unpriced += call.cost_usd is None
