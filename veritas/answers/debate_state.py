"""The state of a debate: claims, contestations, the agreement meter, and the record of omissions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veritas.answers.admission import setting
from veritas.answers.claim_judging import Question, judge_all
from veritas.answers.gather import Research
from veritas.answers.runtime import Runtime
from veritas.answers.verify import Verification
from veritas.claims.contestation import Contestation, Round
from veritas.claims.envelope import ClaimEnvelope, DebateStatus
from veritas.claims.graph import Event, EventKind
from veritas.claims.judgment import ClaimJudgment, Purpose
from veritas.claims.sources import Source
from veritas.council.families import EMBEDDED, voices
from veritas.engine.units import Work
from veritas.gate import Decision, OracleSetup, oracle_for
from veritas.gate.quote_grounding import Ground
from veritas.judging.sameness import cluster


def meter(
    round: int, live: Sequence[ClaimEnvelope], sources: Mapping[str, Source], contested: frozenset[str]
) -> Round:
    """Measure agreement: the share of clusters of equivalent live claims that at least two members assert and no open
    contestation touches."""
    clusters = cluster([c.claim for c in live], [setting(c, sources) for c in live])
    agreed = 0
    for indices in clusters:
        # Members of one family are one voice: they err alike.
        heard = voices((live[i].provenance.family for i in indices), author=EMBEDDED)
        if heard >= 2 and not any(live[i].claim_id in contested for i in indices):
            agreed += 1
    return Round(
        round=round,
        live_claims=len(live),
        clusters=len(clusters),
        agreed=agreed,
        agreement=round_share(agreed, len(clusters)),
        open_contestations=len(contested),
    )


def round_share(part: int, whole: int) -> float | None:
    """Return `part / whole` to four decimals; None if `whole` is 0."""
    return round(part / whole, 4) if whole else None


class Floor:
    """A debate under way: the current claims, and the record of how they came about."""

    def __init__(
        self, verified: Verification, research: Research, ground: Ground, rule: str, runtime: Runtime, work: Work
    ) -> None:
        self.runtime, self.work, self.rule, self.ground = runtime, work, rule, ground
        self.sources = {s.document_id: s for s in research.sources if s.document_id}
        setup = OracleSetup(kind="research-claim", documents=tuple(ground.documents.values()))
        self.oracle = oracle_for(setup, runtime.gate)
        self.waiting: list[Decision] = []
        self.claims = {c.claim_id: c for c in verified.claims}
        self.live = dict.fromkeys(verified.live)
        self.contestations: dict[str, Contestation] = {}
        self.rounds: list[Round] = []
        self.judgments: list[ClaimJudgment] = []
        self.events: list[Event] = []
        read: dict[str, dict[str, None]] = {}
        for reading in research.readings:
            read.setdefault(reading.member, {}).update(dict.fromkeys(reading.passage_ids))
        self.read = {
            member: tuple(ground.passages[i] for i in ids if i in ground.passages) for member, ids in read.items()
        }

    async def judge(self, questions: Sequence[Question]) -> dict[tuple[str, Purpose], Decision]:
        """Return the gate's decisions; record the judgments, and which lens judged in place of another."""
        found = await judge_all(questions, self.rule, self.oracle, self.runtime, self.work, "debate")
        self.judgments.extend(found.judgments)
        self.events.extend(found.moved)
        return found.decisions

    def say(
        self, kind: EventKind, subject: str, reason: str, member: str | None = None, planted: bool = False
    ) -> None:
        self.events.append(
            Event(stage="debate", kind=kind, subject_id=subject, reason=reason, member=member, planted=planted)
        )

    def set_status(self, claim_id: str, status: DebateStatus) -> None:
        self.claims[claim_id] = self.claims[claim_id].model_copy(update={"debate_status": status})

    def open_claims(self) -> frozenset[str]:
        return frozenset(c.claim_id for c in self.contestations.values() if c.resolution == "open")

    def measure(self, round: int) -> None:
        self.rounds.append(meter(round, [self.claims[i] for i in self.live], self.sources, self.open_claims()))
