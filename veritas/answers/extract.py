"""Stage 2, extract: members' drafts become claim envelopes, if I1 and I2 hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veritas.answers._turn_moves import moved
from veritas.answers.gather import Research
from veritas.answers.runtime import Runtime
from veritas.claims.envelope import Badge, ClaimEnvelope, Provenance, claim_id
from veritas.claims.graph import Event, EventKind, SubQuery
from veritas.claims.sources import Passage
from veritas.council.seated_council import Seat
from veritas.council.succession import Taken, in_succession, taken
from veritas.council.turns import Draft, Quote
from veritas.engine.units import Step, asked
from veritas.frozen import Frozen, content_id
from veritas.gate.quote_grounding import Ground, Ungrounded, foreign_address
from veritas.store.call_record import Outcome


class ExtractUnit(Frozen):
    """One member's reading of one sub-query."""

    member: str
    sub_query: SubQuery
    passages: tuple[Passage, ...]


class Drafts(Taken):
    """Unchecked claims, and the member that made them."""

    drafts: tuple[Draft, ...]


class Extraction(Frozen):
    """Output of the stage: grounded envelopes, in the order of council and question."""

    claims: tuple[ClaimEnvelope, ...]
    events: tuple[Event, ...] = ()


async def _extract(unit: ExtractUnit, runtime: Runtime) -> Drafts:
    async def take(seat: Seat) -> Drafts:
        return await asked(
            seat.member.assert_claims(unit.sub_query, unit.passages),
            lambda drafts: Drafts(drafts=tuple(drafts)),
            who=seat.name,
            turn="assert",
            stage="extract",
            about=(unit.sub_query.sub_query_id, [p.passage_id for p in unit.passages]),
        )

    return taken(await in_succession(runtime.council.speakers(unit.member), take))


EXTRACT = Step("extract", "extract", _extract, lambda unit: f"{unit.member}: {unit.sub_query.text[:60]}")


SHARED = 4
"""Passages of a sub-query that every language model is shown, those that answer it best. Of the others each goes to one
of them, so that they do not all read the same."""


def units(research: Research, sub_queries: Sequence[SubQuery], models: Sequence[str] = ()) -> list[ExtractUnit]:
    """Return a unit for every reading that has passages; a member with nothing to read is not asked. `models` are the
    members that are language models: further passages are dealt among them, each once."""
    passages = {p.passage_id: p for p in research.passages}
    named = {q.sub_query_id: q for q in sub_queries}
    orders = {(r.member, r.sub_query_id): list(r.passage_ids) for r in research.readings if r.passage_ids}
    for query in named:
        reading = [m for m in models if (m, query) in orders]
        taken = {i for m in reading for i in orders[m, query][:SHARED]}
        rest = {m: [i for i in orders[m, query][SHARED:] if i not in taken] for m in reading}
        dealt: dict[str, list[str]] = {m: [] for m in reading}
        while any(rest.values()):
            for m in reading:
                if mine := next((i for i in rest[m] if i not in taken), None):
                    dealt[m].append(mine)
                    taken.add(mine)
                rest[m] = [i for i in rest[m] if i not in taken]
        for m in reading:
            first = orders[m, query][:SHARED] + dealt[m]
            orders[m, query] = [*first, *(i for i in orders[m, query] if i not in first)]
    return [
        ExtractUnit(member=member, sub_query=named[query], passages=tuple(passages[i] for i in order))
        for (member, query), order in orders.items()
    ]


def envelope(
    seat: Seat,
    ground: Ground,
    allowed: frozenset[str],
    sub_query_id: str,
    claim: str,
    claim_type: str,
    confidence: float,
    quotes: Sequence[Quote],
    *,
    refines: str | None = None,
    stands_on: Sequence[str] = (),
) -> ClaimEnvelope:
    """Make an envelope from a member's draft. Raises `Ungrounded`."""
    grounded = ground.ground(quotes, allowed)
    text = ground.worded(claim, grounded)
    named = foreign_address(text, " ".join(grounded.texts))
    if named is not None:
        raise Ungrounded(f"it names a source of its own ({named[:80]}), which its quotes do not")
    misplaced = ground.misplaced(text, grounded)
    if misplaced is not None:
        raise Ungrounded(misplaced)
    badges: list[Badge] = []
    if all(ground.documents[c.document_id].abstract_only for c in grounded.citations):
        badges.append("abstract-only")
    if any((s := ground.sources.get(c.document_id)) and s.note for c in grounded.citations):
        badges.append("planted")
    return ClaimEnvelope.model_validate(
        {
            "claim_id": claim_id(text, seat.name, grounded.spans, refines),
            "claim": text,
            "claim_type": claim_type,
            "confidence": confidence,
            "citations": grounded.citations,
            "source_passages": grounded.texts,
            "asserted_by": seat.name,
            "spans": grounded.spans,
            "refines": refines,
            "stands_on": tuple(dict.fromkeys(stands_on)),
            "badges": tuple(badges),
            "provenance": Provenance(
                member=seat.name,
                family=seat.member.family,
                sub_query_id=sub_query_id,
                stage="debate" if refines else "extract",
                prompt=getattr(seat.member, "prompt", None),
            ),
        }
    )


def settle(
    seats: Mapping[str, Seat],
    ground: Ground,
    asked_units: Sequence[ExtractUnit],
    outcomes: Sequence[Outcome[Drafts]],
    claims_per_turn: int,
) -> Extraction:
    """Return the envelopes that hold, and a row for every draft that does not (I7)."""
    claims: dict[str, ClaimEnvelope] = {}
    events: list[Event] = []
    for unit, outcome in zip(asked_units, outcomes, strict=True):
        speaker = (outcome.value.by if outcome.value is not None else "") or unit.member

        def say(kind: EventKind, subject: str, reason: str, member: str = speaker) -> None:
            events.append(Event(stage="extract", kind=kind, subject_id=subject, member=member, reason=reason))

        if outcome.value is None:
            say("member-unavailable", unit.sub_query.sub_query_id, f"no claims: {outcome.unavailable}")
            continue
        what = f"{speaker} read “{unit.sub_query.text[:80]}” in its place"
        events.extend(moved(outcome.value, "extract", unit.sub_query.sub_query_id, what))
        for part in outcome.unfit:
            say("draft-rejected", unit.sub_query.sub_query_id, part)
        allowed = frozenset(p.passage_id for p in unit.passages)
        made: dict[int, ClaimEnvelope] = {}
        drafts = outcome.value.drafts
        bases = [_bases(drafts, at) for at in range(len(drafts))]
        # Claims that others stand on come first; each keeps the place that its member gave it.
        for at in sorted(range(len(drafts)), key=lambda i: (bool(bases[i]), i)):
            draft = drafts[at]
            subject = content_id("d", speaker, unit.sub_query.sub_query_id, draft.model_dump(mode="json"))
            if len(made) == claims_per_turn:
                say("draft-rejected", subject, f"beyond {claims_per_turn} claims a turn: “{draft.claim[:200]}”")
                continue
            try:
                fallen = [f"“{drafts[i].claim[:80]}”" for i in bases[at] if i not in made]
                if fallen:
                    raise Ungrounded(f"it rests on claims that were not admitted ({', '.join(fallen)})")
                made[at] = envelope(
                    seats[speaker],
                    ground,
                    allowed,
                    unit.sub_query.sub_query_id,
                    draft.claim,
                    draft.claim_type,
                    draft.confidence,
                    (*draft.quotes, *(q for i in bases[at] for q in drafts[i].quotes)),
                    stands_on=[made[i].claim_id for i in bases[at]],
                )
            except Ungrounded as reason:
                say("draft-rejected", subject, f"{reason}; the claim was “{draft.claim[:200]}”")
        for _, claim in sorted(made.items()):
            known = claims.setdefault(claim.claim_id, claim)
            answers = (known.provenance.sub_query_id, *known.provenance.also)
            if unit.sub_query.sub_query_id not in answers:
                also = (*known.provenance.also, unit.sub_query.sub_query_id)
                sure = (*known.provenance.also_confidence, claim.confidence)
                provenance = known.provenance.model_copy(update={"also": also, "also_confidence": sure})
                claims[claim.claim_id] = known.model_copy(update={"provenance": provenance})
    return Extraction(claims=tuple(claims.values()), events=tuple(events))


def _bases(drafts: Sequence[Draft], at: int) -> tuple[int, ...]:
    """Return the indices of the drafts that a draft is drawn from and that rest only on quotes.

    Only an interpretation or a prediction is drawn from others. An invalid index is ignored, and the draft then rests
    on its own quotes.
    """
    if drafts[at].claim_type in ("factual", "numerical"):
        return ()
    named = dict.fromkeys(place - 1 for place in drafts[at].stands_on)
    return tuple(i for i in named if 0 <= i < len(drafts) and i != at and not drafts[i].stands_on)
