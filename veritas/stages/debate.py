"""Stage 4, debate: over claims, not opinions (section VII).

R1: everybody's verified claims stand side by side. R2: each member sees its peers' claims without their citations and
may contest one, if a counter-source that passes I1 and the verifier supports the contesting position. R3: the asserter
defends with further sources, concedes, or refines; what it brings is verified like anything else.
"""

from __future__ import annotations

from collections.abc import Sequence

from veritas.claims.debate import Contestation, Resolution, Round
from veritas.claims.envelope import ClaimEnvelope, DebateStatus
from veritas.claims.graph import Event
from veritas.claims.judgment import ClaimJudgment, Purpose
from veritas.claims.sources import Passage
from veritas.council.turns import ContestedClaim, Defence, Objection, PeerClaim, Quote, Refinement, Response
from veritas.frozen import Frozen, content_id
from veritas.stages.extract import envelope
from veritas.stages.grounding import Ground, Grounded, Ungrounded
from veritas.stages.judging import Question, judge_all
from veritas.stages.research import Research
from veritas.stages.runtime import Runtime
from veritas.stages.steps import Outcome, Step, Work, asked
from veritas.stages.verify import Verification, question, settle
from veritas.verifying.equivalence import cluster, equivalent
from veritas.verifying.quorum import Mode


class ContestUnit(Frozen):
    """R2 for one member: its peers' claims, stripped, and its own passages."""

    member: str
    peer_claims: tuple[PeerClaim, ...]
    passages: tuple[Passage, ...]


class Objections(Frozen):
    """What the member objects to, unchecked."""

    objections: tuple[Objection, ...]


class RespondUnit(Frozen):
    """R3 for one contested claim, put to its asserter."""

    member: str
    contestation_id: str
    contested: ContestedClaim
    passages: tuple[Passage, ...]


class Reply(Frozen):
    """What the asserter says, unchecked."""

    response: Response


class Debate(Frozen):
    """Output of the stage. `live` are the ids of the claims that may be cited."""

    claims: tuple[ClaimEnvelope, ...]
    live: tuple[str, ...]
    contestations: tuple[Contestation, ...] = ()
    rounds: tuple[Round, ...] = ()
    judgments: tuple[ClaimJudgment, ...] = ()
    events: tuple[Event, ...] = ()


async def _contest(unit: ContestUnit, runtime: Runtime) -> Objections:
    member = runtime.council.seat(unit.member).member
    objections = await asked(
        member.contest(unit.peer_claims, unit.passages),
        who=unit.member,
        turn="contest",
        stage="debate",
        about=[c.claim_id for c in unit.peer_claims],
    )
    return Objections(objections=tuple(objections))


async def _respond(unit: RespondUnit, runtime: Runtime) -> Reply:
    member = runtime.council.seat(unit.member).member
    reply = await asked(
        member.respond(unit.contested, unit.passages),
        who=unit.member,
        turn="respond",
        stage="debate",
        about=unit.contestation_id,
    )
    return Reply(response=reply)


CONTEST = Step("contest", "debate", _contest, lambda unit: f"{unit.member}: {len(unit.peer_claims)} peer claims")
RESPOND = Step("respond", "debate", _respond, lambda unit: f"{unit.member}: {unit.contested.claim[:60]}")


def meter(round: int, live: Sequence[ClaimEnvelope], contested: frozenset[str]) -> Round:
    """The agreement meter: of the clusters of equivalent live claims, the share that at least two members assert and
    no open contestation touches."""
    clusters = cluster([c.claim for c in live])
    agreed = 0
    for indices in clusters:
        members = {live[i].asserted_by for i in indices}
        if len(members) >= 2 and not any(live[i].claim_id in contested for i in indices):
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
    """`part / whole` to four decimals; None of nothing."""
    return round(part / whole, 4) if whole else None


class _Debate:
    """One debate: the claims as they stand, and the record of how they came to."""

    def __init__(
        self, verified: Verification, research: Research, ground: Ground, mode: Mode, runtime: Runtime, work: Work
    ) -> None:
        self.runtime, self.work, self.mode, self.ground = runtime, work, mode, ground
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

    # -- record ---------------------------------------------------------------------------------------------------

    def say(self, kind: str, subject: str, reason: str, member: str | None = None, planted: bool = False) -> None:
        self.events.append(
            Event.model_validate(
                {
                    "stage": "debate",
                    "kind": kind,
                    "subject_id": subject,
                    "reason": reason,
                    "member": member,
                    "planted": planted,
                }
            )
        )

    def set_status(self, claim_id: str, status: DebateStatus) -> None:
        self.claims[claim_id] = self.claims[claim_id].model_copy(update={"debate_status": status})

    def open_claims(self) -> frozenset[str]:
        return frozenset(c.claim_id for c in self.contestations.values() if c.resolution == "open")

    def measure(self, round: int) -> None:
        self.rounds.append(meter(round, [self.claims[i] for i in self.live], self.open_claims()))

    # -- R2 -------------------------------------------------------------------------------------------------------

    async def contest(self) -> None:
        """R2: collect the flags, keep those whose counter-source stands up."""
        live = [self.claims[i] for i in self.live]
        units = [
            ContestUnit(
                member=seat.name,
                peer_claims=tuple(
                    PeerClaim(claim_id=c.claim_id, claim=c.claim, claim_type=c.claim_type)
                    for c in live
                    if c.asserted_by != seat.name
                ),
                passages=self.read.get(seat.name, ()),
            )
            for seat in self.runtime.council.seats
        ]
        units = [u for u in units if u.peer_claims and u.passages]
        outcomes = await self.work(CONTEST, units, self.runtime)
        candidates: list[tuple[Objection, Contestation, Grounded]] = []
        for unit, outcome in zip(units, outcomes, strict=True):
            candidates.extend(self._flags(unit, outcome))
        questions: list[Question] = []
        for objection, contestation, grounded in candidates:
            seat = self.runtime.council.seat(contestation.challenger)
            for purpose, text in (("contest", objection.counter_claim), ("contested-claim", self._text(objection))):
                questions.append(
                    Question(
                        subject_id=contestation.contestation_id,
                        claim=text,
                        passages=grounded.texts,
                        spans=grounded.spans,
                        author=seat.name,
                        family=seat.member.family,
                        purpose="contest" if purpose == "contest" else "contested-claim",
                        round=2,
                    )
                )
        verdicts, judgments = await judge_all(questions, self.mode, self.runtime, self.work, "debate")
        self.judgments.extend(judgments)
        for _, contestation, _ in candidates:
            position = verdicts[contestation.contestation_id, "contest"]
            claim = verdicts[contestation.contestation_id, "contested-claim"]
            if position.label != "supports" or not position.agreed:
                self._invalid(contestation, f"its counter-source does not support it: {position.rationale}")
            elif claim.label == "supports":
                self._invalid(contestation, f"its counter-source supports the contested claim: {claim.rationale}")
            elif claim.label == "unavailable":
                self._invalid(contestation, f"nobody could judge it: {claim.rationale}")
            else:
                self.contestations[contestation.contestation_id] = contestation.model_copy(
                    update={"resolution": "open", "ruling": f"counter-source verified: {position.rationale}"}
                )
                self.set_status(contestation.claim_id, "contested")

    def _text(self, objection: Objection) -> str:
        return self.claims[objection.claim_id].claim

    def _invalid(self, contestation: Contestation, why: str) -> None:
        ruled = contestation.model_copy(update={"resolution": "invalid", "ruling": why})
        self.contestations[ruled.contestation_id] = ruled
        self.say("contestation-invalid", ruled.contestation_id, why, ruled.challenger)

    def _flags(
        self, unit: ContestUnit, outcome: Outcome[Objections]
    ) -> list[tuple[Objection, Contestation, Grounded]]:
        """The member's flags that have a counter-source standing verbatim in what it read; the rest is logged."""
        if outcome.value is None:
            self.say("member-unavailable", unit.member, f"no part in R2: {outcome.unavailable}", unit.member)
            return []
        shown = {c.claim_id for c in unit.peer_claims}
        allowed = frozenset(p.passage_id for p in unit.passages)
        flags: dict[str, tuple[Objection, Contestation, Grounded]] = {}
        for objection in outcome.value.objections:
            key = content_id("x", unit.member, objection.model_dump(mode="json"))
            if objection.claim_id not in shown:
                self.say("contestation-invalid", key, "it contests a claim the member was not shown", unit.member)
                continue
            blank = Contestation(
                contestation_id=key,
                claim_id=objection.claim_id,
                challenger=unit.member,
                objection=objection.objection,
                counter_claim=objection.counter_claim,
                resolution="invalid",
                ruling="",
            )
            if not objection.quotes:
                self._invalid(blank, "it names no counter-source")
                continue
            try:
                grounded = self.ground.ground(objection.quotes, allowed)
            except Ungrounded as reason:
                self._invalid(blank, str(reason))
                continue
            made = blank.model_copy(
                update={
                    "counter_citations": grounded.citations,
                    "counter_passages": grounded.texts,
                    "counter_spans": grounded.spans,
                }
            )
            own = {c.document_id for c in self.claims[objection.claim_id].citations}
            if {s.document_id for s in grounded.spans} <= own:
                self._invalid(made, "its counter-source is the very document the claim rests on")
                continue
            flags[key] = (objection, made, grounded)
        return list(flags.values())

    # -- R3 -------------------------------------------------------------------------------------------------------

    async def respond(self) -> None:
        """R3: each open contestation goes back to the claim's asserter."""
        opened = [c for c in self.contestations.values() if c.resolution == "open"]
        units = []
        for contestation in opened:
            claim = self.claims[contestation.claim_id]
            units.append(
                RespondUnit(
                    member=claim.asserted_by,
                    contestation_id=contestation.contestation_id,
                    contested=ContestedClaim(
                        claim_id=claim.claim_id,
                        claim=claim.claim,
                        claim_type=claim.claim_type,
                        own_passages=claim.source_passages,
                        own_tier=claim.best_tier,
                        objection=contestation.objection,
                        counter_claim=contestation.counter_claim,
                        counter_passages=contestation.counter_passages,
                        counter_tier=min(c.tier for c in contestation.counter_citations),
                    ),
                    passages=self.read.get(claim.asserted_by, ()),
                )
            )
        outcomes = await self.work(RESPOND, units, self.runtime)
        for contestation, unit, outcome in zip(opened, units, outcomes, strict=True):
            if outcome.value is None:
                why = f"no answer in R3: {outcome.unavailable}"
                self.say("member-unavailable", contestation.contestation_id, why, unit.member)
                continue
            reply = outcome.value.response
            allowed = frozenset(p.passage_id for p in unit.passages)
            if isinstance(reply, Defence):
                await self._defend(contestation, reply, allowed)
            elif isinstance(reply, Refinement):
                await self._refine(contestation, reply, allowed)
            else:
                self._resolve(contestation, "conceded", "the asserter concedes", reply.statement)
        self._drop_conceded_positions()
        self._settle_statuses(opened)

    def _drop_conceded_positions(self) -> None:
        """A position that its own asserter gave up in this round no longer stands against anybody's claim."""
        given_up = [
            self.claims[c.claim_id].claim for c in self.contestations.values() if c.resolution == "conceded"
        ]
        for contestation in list(self.contestations.values()):
            if contestation.resolution == "open" and any(equivalent(contestation.counter_claim, t) for t in given_up):
                self._resolve(
                    contestation,
                    "defended",
                    "the position it was contested with was itself conceded in R3, by its own asserter",
                    contestation.response or "",
                )

    def _resolve(self, contestation: Contestation, how: Resolution, ruling: str, response: str, **more: object) -> None:
        self.contestations[contestation.contestation_id] = contestation.model_copy(
            update={"resolution": how, "ruling": ruling, "response": response, **more}
        )

    def _void(self, contestation: Contestation, response: str, why: str) -> None:
        """A defence or refinement that does not stand up: the contestation stays open and is shown as dissent."""
        self.say("defence-invalid", contestation.contestation_id, why, self.claims[contestation.claim_id].asserted_by)
        self._resolve(contestation, "open", f"unresolved: {why}", response)

    async def _judge(
        self, subject: str, claim: ClaimEnvelope, text: str, grounded: Grounded, purpose: Purpose
    ) -> tuple[bool, str]:
        asked_about = Question(
            subject_id=subject,
            claim=text,
            passages=grounded.texts,
            spans=grounded.spans,
            author=claim.asserted_by,
            family=claim.provenance.family,
            purpose=purpose,
            round=3,
        )
        verdicts, judgments = await judge_all([asked_about], self.mode, self.runtime, self.work, "debate")
        self.judgments.extend(judgments)
        verdict = verdicts[subject, purpose]
        return verdict.label == "supports" and verdict.agreed, verdict.rationale

    async def _defend(self, contestation: Contestation, reply: Defence, allowed: frozenset[str]) -> None:
        claim = self.claims[contestation.claim_id]
        try:
            grounded = self._additional(claim, self.ground.ground(reply.quotes, allowed))
        except Ungrounded as reason:
            self._void(contestation, reply.statement, f"the defence does not stand: {reason}")
            return
        stands, why = await self._judge(contestation.contestation_id, claim, claim.claim, grounded, "defend")
        if not stands:
            self._void(contestation, reply.statement, f"the defence's source does not support the claim: {why}")
            return
        self._resolve(
            contestation,
            "defended",
            f"the asserter's further source supports the claim: {why}",
            reply.statement,
            response_citations=grounded.citations,
            response_passages=grounded.texts,
            response_spans=grounded.spans,
        )
        cited = {c.document_id for c in claim.citations}
        known = set(claim.spans)
        fresh = [(s, t) for s, t in zip(grounded.spans, grounded.texts, strict=True) if s not in known]
        self.claims[claim.claim_id] = claim.model_copy(
            update={
                "spans": (*claim.spans, *(s for s, _ in fresh)),
                "source_passages": (*claim.source_passages, *(t for _, t in fresh)),
                "citations": (*claim.citations, *(c for c in grounded.citations if c.document_id not in cited)),
            }
        )

    def _additional(self, claim: ClaimEnvelope, grounded: Grounded) -> Grounded:
        """What of the quotes lies outside the claim's own documents: repeating oneself is no defence."""
        own = {c.document_id for c in claim.citations}
        kept = [(s, t) for s, t in zip(grounded.spans, grounded.texts, strict=True) if s.document_id not in own]
        if not kept:
            raise Ungrounded("it brings no source beyond those the claim already rests on")
        return Grounded(
            tuple(s for s, _ in kept),
            tuple(t for _, t in kept),
            tuple(c for c in grounded.citations if c.document_id not in own),
        )

    async def _refine(self, contestation: Contestation, reply: Refinement, allowed: frozenset[str]) -> None:
        claim = self.claims[contestation.claim_id]
        seat = self.runtime.council.seat(claim.asserted_by)
        try:
            successor = envelope(
                seat,
                self.ground,
                allowed,
                claim.provenance.sub_query_id,
                reply.claim,
                reply.claim_type,
                reply.confidence,
                tuple(Quote(passage_id=q.passage_id, quote=q.quote) for q in reply.quotes),
                refines=claim.claim_id,
            )
        except Ungrounded as reason:
            self._void(contestation, reply.statement, f"the refinement does not stand: {reason}")
            return
        if successor.claim == claim.claim:
            self._void(contestation, reply.statement, "the refinement says what the claim said")
            return
        # Whatever its type, a successor is judged: a claim under objection must not escape by being relabelled.
        verdicts, judgments = await judge_all(
            [question(successor, purpose="refine", round=3)], self.mode, self.runtime, self.work, "debate"
        )
        self.judgments.extend(judgments)
        verdict = verdicts[successor.claim_id, "refine"]
        judged, event = settle(successor, verdict, "debate")
        self.claims[successor.claim_id] = judged
        if verdict.label != "supports" or not verdict.agreed:
            if event is not None:
                self.events.append(event)
            self._void(contestation, reply.statement, f"the refined claim is not supported: {verdict.rationale}")
            return
        self.claims[successor.claim_id] = judged.model_copy(update={"debate_status": "uncontested"})
        self.live[successor.claim_id] = None
        self._resolve(
            contestation,
            "refined",
            f"the asserter's narrower claim is supported: {verdict.rationale}",
            reply.statement,
            successor_id=successor.claim_id,
            response_citations=judged.citations,
            response_passages=judged.source_passages,
            response_spans=judged.spans,
        )

    def _settle_statuses(self, opened: Sequence[Contestation]) -> None:
        """A claim's status after all that was said of it: one concession outweighs any defence, one standing
        contestation keeps it contested."""
        for claim_id in dict.fromkeys(c.claim_id for c in opened):
            mine = [c for c in self.contestations.values() if c.claim_id == claim_id]
            outcomes = {c.resolution for c in mine}
            claim = self.claims[claim_id]
            planted = "planted" in claim.badges
            if "conceded" in outcomes:
                self.set_status(claim_id, "conceded")
                self.live.pop(claim_id, None)
                why = next(c.response or "" for c in mine if c.resolution == "conceded")
                self.say("claim-dropped", claim_id, f"conceded: {why}", claim.asserted_by, planted)
            elif "refined" in outcomes:
                self.set_status(claim_id, "refined")
                self.live.pop(claim_id, None)
                heir = next(c.successor_id for c in mine if c.resolution == "refined")
                self.say("claim-dropped", claim_id, f"refined into {heir}", claim.asserted_by, planted)
            elif "open" in outcomes:
                self.set_status(claim_id, "contested")
            else:
                self.set_status(claim_id, "defended")


async def debate(
    verified: Verification,
    research: Research,
    rounds: int,
    mode: Mode,
    runtime: Runtime,
    work: Work,
) -> Debate:
    """The debate up to `rounds` (1 to 3). With one round nobody sees a peer's claim: the meter alone is read."""
    ground = Ground(research.documents, research.passages, research.sources)
    state = _Debate(verified, research, ground, mode, runtime, work)
    state.measure(1)
    if rounds >= 2:
        await state.contest()
        state.measure(2)
    if rounds >= 3:
        await state.respond()
        state.measure(3)
    return Debate(
        claims=tuple(state.claims.values()),
        live=tuple(state.live),
        contestations=tuple(state.contestations.values()),
        rounds=tuple(state.rounds),
        judgments=tuple(state.judgments),
        events=tuple(state.events),
    )



