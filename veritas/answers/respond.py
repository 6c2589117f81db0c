"""R3 of the debate: an asserter defends, concedes or refines; whatever it brings is verified (section VII)."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.answers.bearing import bearing
from veritas.answers.claim_judging import Question
from veritas.answers.debate_state import Floor
from veritas.answers.extract import envelope
from veritas.answers.runtime import Runtime
from veritas.answers.verify import question, settle
from veritas.claims.contestation import Contestation, Resolution
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.judgment import Purpose
from veritas.claims.sources import Passage
from veritas.council.seated_council import Seat
from veritas.council.succession import in_succession
from veritas.council.turns import ContestedClaim, Defence, Quote, Refinement, Response
from veritas.engine.units import Step, asked
from veritas.frozen import Frozen
from veritas.gate.quote_grounding import Grounded, Ungrounded
from veritas.judging.sameness import same


class RespondUnit(Frozen):
    """R3 for one contested claim, put to its asserter."""

    member: str
    contestation_id: str
    contested: ContestedClaim
    passages: tuple[Passage, ...]


class Reply(Frozen):
    """The asserter's response, unchecked."""

    response: Response


async def _respond(unit: RespondUnit, runtime: Runtime) -> Reply:
    async def take(seat: Seat) -> Reply:
        return await asked(
            seat.member.respond(unit.contested, unit.passages),
            lambda reply: Reply(response=reply),
            who=seat.name,
            turn="respond",
            stage="debate",
            about=unit.contestation_id,
        )

    # Nobody else may give up or narrow a member's claim.
    return (await in_succession([runtime.council.seat(unit.member)], take)).value


RESPOND = Step("respond", "debate", _respond, lambda unit: f"{unit.member}: {unit.contested.claim[:60]}")


async def respond(floor: Floor) -> None:
    """Run R3: each open contestation goes back to the claim's asserter."""
    opened = [c for c in floor.contestations.values() if c.resolution == "open"]
    units = []
    for contestation in opened:
        claim = floor.claims[contestation.claim_id]
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
                passages=_passages(floor, claim, contestation),
            )
        )
    outcomes = await floor.work(RESPOND, units, floor.runtime)
    for contestation, unit, outcome in zip(opened, units, outcomes, strict=True):
        if outcome.value is None:
            why = f"no answer in R3: {outcome.unavailable}"
            floor.say("member-unavailable", contestation.contestation_id, why, unit.member)
            continue
        reply = outcome.value.response
        allowed = frozenset(p.passage_id for p in unit.passages)
        if isinstance(reply, Defence):
            await _defend(floor, contestation, reply, allowed)
        elif isinstance(reply, Refinement):
            await _refine(floor, contestation, reply, allowed)
        else:
            _resolve(floor, contestation, "conceded", "the asserter concedes", reply.statement)
    _drop_conceded_positions(floor)
    _settle_statuses(floor, opened)


def _passages(floor: Floor, claim: ClaimEnvelope, contestation: Contestation) -> tuple[Passage, ...]:
    """Return the passages that the asserter may quote: all it read, or, for a language model, those that bear on the
    claim or the counter-claim. A defence comes from another document, so those are searched on their own."""
    read = floor.read.get(claim.asserted_by, ())
    if floor.runtime.council.seat(claim.asserted_by).model is None:
        return read
    own = {c.document_id for c in claim.citations}
    about = [claim.claim, contestation.counter_claim]
    inside = bearing(about, [p for p in read if p.document_id in own])
    outside = bearing(about, [p for p in read if p.document_id not in own])
    shown = {p.passage_id for p in (*inside, *outside)}
    if len(shown) < len(read):
        why = (
            f"R3: {len(shown)} of the {len(read)} passages it had read were shown to its asserter again; the others "
            "are not about what is disputed"
        )
        floor.say("note", contestation.contestation_id, why, claim.asserted_by)
    return tuple(p for p in read if p.passage_id in shown)


def _drop_conceded_positions(floor: Floor) -> None:
    """Close contestations whose counter-claim its own asserter gave up in this round. Where each side gave up for the
    other nothing is settled: both stay, and the reader hears of both."""
    conceded = [c for c in floor.contestations.values() if c.resolution == "conceded"]
    left = [floor.claims[c.claim_id].claim for c in conceded]
    mutual = [c for c in conceded if any(same(c.counter_claim, text) for text in left)]
    for contestation in mutual:
        ruling = "unresolved: each side gave up its claim for the other's"
        _resolve(floor, contestation, "open", ruling, contestation.response or "")
    given_up = [floor.claims[c.claim_id].claim for c in conceded if c not in mutual]
    for contestation in list(floor.contestations.values()):
        if contestation.resolution == "open" and any(same(contestation.counter_claim, t) for t in given_up):
            _resolve(floor,
                contestation,
                "defended",
                "the member that had asserted it gave it up in the third round",
                contestation.response or "",
            )


def _resolve(
    floor: Floor, contestation: Contestation, how: Resolution, ruling: str, response: str, **more: object
) -> None:
    floor.contestations[contestation.contestation_id] = contestation.model_copy(
        update={"resolution": how, "ruling": ruling, "response": response, **more}
    )


def _void(floor: Floor, contestation: Contestation, response: str, why: str) -> None:
    """Reject a defence or refinement that does not hold: the contestation stays open and is shown as dissent."""
    floor.say("defence-invalid", contestation.contestation_id, why, floor.claims[contestation.claim_id].asserted_by)
    _resolve(floor, contestation, "open", f"unresolved: {why}", response)


async def _judge(
    floor: Floor, subject: str, claim: ClaimEnvelope, text: str, grounded: Grounded, purpose: Purpose
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
    decisions = await floor.judge([asked_about])
    decision = decisions[subject, purpose]
    return decision.admitted, decision.reason


async def _defend(floor: Floor, contestation: Contestation, reply: Defence, allowed: frozenset[str]) -> None:
    claim = floor.claims[contestation.claim_id]
    try:
        grounded = _additional(floor, claim, floor.ground.ground(reply.quotes, allowed))
    except Ungrounded as reason:
        _void(floor, contestation, reply.statement, f"the defence is invalid: {reason}")
        return
    stands, why = await _judge(floor, contestation.contestation_id, claim, claim.claim, grounded, "defend")
    if not stands:
        _void(floor, contestation, reply.statement, f"the defence's source does not support the claim: {why}")
        return
    _resolve(floor,
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
    floor.claims[claim.claim_id] = claim.model_copy(
        update={
            "spans": (*claim.spans, *(s for s, _ in fresh)),
            "source_passages": (*claim.source_passages, *(t for _, t in fresh)),
            "citations": (*claim.citations, *(c for c in grounded.citations if c.document_id not in cited)),
        }
    )


def _additional(floor: Floor, claim: ClaimEnvelope, grounded: Grounded) -> Grounded:
    """Return the quotes outside the claim's own documents. Raises `Ungrounded` without any: repeating is no defence."""
    own = {c.document_id for c in claim.citations}
    kept = [(s, t) for s, t in zip(grounded.spans, grounded.texts, strict=True) if s.document_id not in own]
    if not kept:
        raise Ungrounded("it brings no source beyond those the claim already rests on")
    return Grounded(
        tuple(s for s, _ in kept),
        tuple(t for _, t in kept),
        tuple(c for c in grounded.citations if c.document_id not in own),
    )


async def _refine(floor: Floor, contestation: Contestation, reply: Refinement, allowed: frozenset[str]) -> None:
    claim = floor.claims[contestation.claim_id]
    seat = floor.runtime.council.seat(claim.asserted_by)
    try:
        successor = envelope(
            seat,
            floor.ground,
            allowed,
            claim.provenance.sub_query_id,
            reply.claim,
            reply.claim_type,
            reply.confidence,
            tuple(Quote(passage_id=q.passage_id, quote=q.quote) for q in reply.quotes),
            refines=claim.claim_id,
        )
    except Ungrounded as reason:
        _void(floor, contestation, reply.statement, f"the refinement is invalid: {reason}")
        return
    if successor.claim == claim.claim:
        _void(floor, contestation, reply.statement, "the refinement says what the claim said")
        return
    # A successor of any type is judged: a claim must not escape an objection by being relabelled.
    asked_about = question(successor, purpose="refine", round=3)
    decisions = await floor.judge([asked_about])
    decision = decisions[successor.claim_id, "refine"]
    if decision.needs_person:
        floor.waiting.append(decision)
    judged, event = settle(successor, decision, "debate")
    floor.claims[successor.claim_id] = judged
    if not decision.admitted or event is not None:
        if event is not None:
            floor.events.append(event)
        _void(floor, contestation, reply.statement, f"the refined claim is not supported: {decision.reason}")
        return
    floor.claims[successor.claim_id] = judged.model_copy(update={"debate_status": "uncontested"})
    floor.live[successor.claim_id] = None
    _resolve(floor,
        contestation,
        "refined",
        f"the asserter's narrower claim is supported: {decision.reason}",
        reply.statement,
        successor_id=successor.claim_id,
        response_citations=judged.citations,
        response_passages=judged.source_passages,
        response_spans=judged.spans,
    )


def _settle_statuses(floor: Floor, opened: Sequence[Contestation]) -> None:
    """Set each claim's final status: one concession outweighs any defence, one open contestation keeps it contested."""
    for claim_id in dict.fromkeys(c.claim_id for c in opened):
        mine = [c for c in floor.contestations.values() if c.claim_id == claim_id]
        outcomes = {c.resolution for c in mine}
        claim = floor.claims[claim_id]
        planted = "planted" in claim.badges
        if "conceded" in outcomes:
            floor.set_status(claim_id, "conceded")
            floor.live.pop(claim_id, None)
            why = next(c.response or "" for c in mine if c.resolution == "conceded")
            floor.say("claim-dropped", claim_id, f"conceded: {why}", claim.asserted_by, planted)
        elif "refined" in outcomes:
            floor.set_status(claim_id, "refined")
            floor.live.pop(claim_id, None)
            heir = next(c.successor_id for c in mine if c.resolution == "refined")
            floor.say("claim-dropped", claim_id, f"refined into {heir}", claim.asserted_by, planted)
        elif "open" in outcomes:
            floor.set_status(claim_id, "contested")
        else:
            floor.set_status(claim_id, "defended")
