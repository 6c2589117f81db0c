"""R2 of the debate: peers contest; only a counter-source that passes I1 and the verifier counts (section VII)."""

from __future__ import annotations

from pydantic import Field

from veritas.answers._turn_moves import moved
from veritas.answers.admission import setting
from veritas.answers.bearing import bearing
from veritas.answers.claim_judging import Question
from veritas.answers.debate_state import Floor
from veritas.answers.runtime import Runtime
from veritas.claims.contestation import Contestation
from veritas.claims.sources import Passage
from veritas.council.seated_council import Seat
from veritas.council.succession import Taken, in_succession, taken
from veritas.council.turns import Objection, PeerClaim
from veritas.engine.units import Step, asked
from veritas.errors import Unavailable
from veritas.frozen import Frozen, content_id
from veritas.gate.quote_grounding import Grounded, Ungrounded, foreign_address
from veritas.judging.sameness import other_value
from veritas.store.call_record import Outcome


class ContestUnit(Frozen):
    """R2 for one member: its peers' claims without citations, and its own passages about them.

    `authors` maps a claim to its author. It is never shown; a replacement for the member does not get its own claims.
    """

    member: str
    peer_claims: tuple[PeerClaim, ...]
    passages: tuple[Passage, ...]
    authors: dict[str, str] = Field(default_factory=dict)


class Objections(Taken):
    """Unchecked objections, and the member that made them."""

    objections: tuple[Objection, ...]


async def _contest(unit: ContestUnit, runtime: Runtime) -> Objections:
    async def take(seat: Seat) -> Objections:
        peers = tuple(c for c in unit.peer_claims if unit.authors.get(c.claim_id) != seat.name)
        if not peers:
            raise Unavailable(f"{seat.name} would have only its own claims to contest")
        return await asked(
            seat.member.contest(peers, unit.passages),
            lambda objections: Objections(objections=tuple(objections)),
            who=seat.name,
            turn="contest",
            stage="debate",
            about=[c.claim_id for c in peers],
        )

    return taken(await in_succession(runtime.council.speakers(unit.member), take))


CONTEST = Step("contest", "debate", _contest, lambda unit: f"{unit.member}: {len(unit.peer_claims)} peer claims")


def contest_values(floor: Floor) -> None:
    """Contest each model's claim whose document gives another value of its quantity in another live claim: no peer may,
    since a counter-source is another document, and of two values in one page a reader has to know."""
    live = [floor.claims[i] for i in floor.live]
    made = [c for c in live if floor.runtime.council.seat(c.asserted_by).model is not None]
    for claim in made:
        cited = {c.document_id for c in claim.citations}
        beside = (c for c in made if c.claim != claim.claim and cited == {one.document_id for one in c.citations})
        where = setting(claim, floor.sources)
        other = next((c for c in beside if other_value(claim.claim, c.claim, where)), None)
        if other is None:
            continue
        key = content_id("x", "value", claim.claim_id, other.claim_id)
        floor.contestations[key] = Contestation(
            contestation_id=key,
            claim_id=claim.claim_id,
            challenger=other.asserted_by,
            objection="The same source gives another value.",
            counter_claim=other.claim,
            counter_citations=other.citations,
            counter_passages=other.source_passages,
            counter_spans=other.spans,
            resolution="open",
            ruling="counter-source verified: the judge finds another value of the same quantity in one document",
        )
        floor.set_status(claim.claim_id, "contested")


async def contest(floor: Floor) -> None:
    """Run R2: collect the objections, keep those whose counter-source holds."""
    units = [u for seat in floor.runtime.council.seats if (u := _unit(floor, seat)).peer_claims and u.passages]
    outcomes = await floor.work(CONTEST, units, floor.runtime)
    candidates: list[tuple[Objection, Contestation, Grounded]] = []
    for unit, outcome in zip(units, outcomes, strict=True):
        candidates.extend(_flags(floor, unit, outcome))
    questions: list[Question] = []
    for objection, contestation, grounded in candidates:
        seat = floor.runtime.council.seat(contestation.challenger)
        for purpose, text in (("contest", objection.counter_claim), ("contested-claim", _text(floor, objection))):
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
    decisions = await floor.judge(questions)
    for _, contestation, _ in candidates:
        position = decisions[contestation.contestation_id, "contest"]
        claim = decisions[contestation.contestation_id, "contested-claim"].grounded
        if not position.admitted:
            _invalid(floor, contestation, f"its counter-source does not support it: {position.reason}")
        elif claim.label == "supports":
            _invalid(floor, contestation, f"its counter-source supports the contested claim: {claim.rationale}")
        elif claim.label == "unavailable":
            _invalid(floor, contestation, f"it could not be checked: {claim.rationale}")
        else:
            floor.contestations[contestation.contestation_id] = contestation.model_copy(
                update={"resolution": "open", "ruling": f"counter-source verified: {position.reason}"}
            )
            floor.set_status(contestation.claim_id, "contested")


def _unit(floor: Floor, seat: Seat) -> ContestUnit:
    """Return the unit of one member. A language model gets only passages about the claims, and only claims that one of
    another document may contradict."""
    peers = [c for c in (floor.claims[i] for i in floor.live) if c.asserted_by != seat.name]
    passages = floor.read.get(seat.name, ())
    if seat.model is not None:
        own = [frozenset(c.document_id for c in claim.citations) for claim in peers]
        bear = bearing([c.claim for c in peers], passages, own)
        if len(bear) < len(passages):
            why = (
                f"R2: {len(bear)} of the {len(passages)} passages it had read were shown to it again; the others are "
                "not about what its peers claim"
            )
            floor.say("note", seat.name, why, seat.name)
        shown = {p.document_id for p in bear}
        passages, peers = bear, [c for c, documents in zip(peers, own, strict=True) if shown - documents]
    peer_claims = tuple(PeerClaim(claim_id=c.claim_id, claim=c.claim, claim_type=c.claim_type) for c in peers)
    authors = {c.claim_id: c.asserted_by for c in peers}
    return ContestUnit(member=seat.name, peer_claims=peer_claims, passages=passages, authors=authors)


def _text(floor: Floor, objection: Objection) -> str:
    return floor.claims[objection.claim_id].claim


def _invalid(floor: Floor, contestation: Contestation, why: str) -> None:
    ruled = contestation.model_copy(update={"resolution": "invalid", "ruling": why})
    floor.contestations[ruled.contestation_id] = ruled
    floor.say("contestation-invalid", ruled.contestation_id, why, ruled.challenger)


def _flags(
    floor: Floor, unit: ContestUnit, outcome: Outcome[Objections]
) -> list[tuple[Objection, Contestation, Grounded]]:
    """Return the member's objections whose counter-source occurs verbatim in what it read; log the others."""
    if outcome.value is None:
        floor.say("member-unavailable", unit.member, f"no part in R2: {outcome.unavailable}", unit.member)
        return []
    challenger = outcome.value.by or unit.member
    floor.events.extend(moved(outcome.value, "debate", unit.member, f"{challenger} contested in its place"))
    for part in outcome.unfit:
        floor.say("contestation-invalid", challenger, part, challenger)
    shown = {c.claim_id for c in unit.peer_claims if unit.authors.get(c.claim_id) != challenger}
    allowed = frozenset(p.passage_id for p in unit.passages)
    flags: dict[str, tuple[Objection, Contestation, Grounded]] = {}
    for objection in outcome.value.objections:
        key = content_id("x", challenger, objection.model_dump(mode="json"))
        if objection.claim_id not in shown:
            floor.say("contestation-invalid", key, "it contests a claim the member was not shown", challenger)
            continue
        blank = Contestation(
            contestation_id=key,
            claim_id=objection.claim_id,
            challenger=challenger,
            objection=objection.objection,
            counter_claim=objection.counter_claim,
            resolution="invalid",
            ruling="",
        )
        if not objection.quotes:
            _invalid(floor, blank, "it names no counter-source")
            continue
        try:
            grounded = floor.ground.ground(objection.quotes, allowed)
        except Ungrounded as reason:
            _invalid(floor, blank, str(reason))
            continue
        named = foreign_address(f"{objection.counter_claim} {objection.objection}", " ".join(grounded.texts))
        if named is not None:
            _invalid(floor, blank, f"it names a source of its own ({named[:80]}), which its quotes do not")
            continue
        made = blank.model_copy(
            update={
                "counter_citations": grounded.citations,
                "counter_passages": grounded.texts,
                "counter_spans": grounded.spans,
            }
        )
        own = {c.document_id for c in floor.claims[objection.claim_id].citations}
        if {s.document_id for s in grounded.spans} <= own:
            _invalid(floor, made, "its counter-source is the very document the claim rests on")
            continue
        flags[key] = (objection, made, grounded)
    return list(flags.values())
