"""Stage 0, decompose: a question becomes two to six sub-queries that together cover it, or is kept as one."""

from __future__ import annotations

from veritas.answers._turn_moves import moved
from veritas.answers.runtime import Runtime
from veritas.claims.graph import Event, SubQuery
from veritas.council.embedded.questions import AS_ASKED
from veritas.council.families import EMBEDDED
from veritas.council.seated_council import Seat
from veritas.council.succession import Taken, in_succession, taken
from veritas.council.turns import SubQueryDraft
from veritas.engine.units import Step, Work, asked
from veritas.frozen import Frozen, content_id
from veritas.policy.cost_tiers import Plan
from veritas.text.tokens import terms

MAX_SUB_QUERIES = 6


class DecomposeUnit(Frozen):
    """The seat that decomposes the run's question."""

    member: str


class SubQueryDrafts(Taken):
    """The proposed sub-queries."""

    drafts: tuple[SubQueryDraft, ...]


class Decomposition(Frozen):
    """Output of the stage: the sub-queries, and the plan of the run's size."""

    sub_queries: tuple[SubQuery, ...]
    plan: Plan
    events: tuple[Event, ...] = ()


async def _decompose(unit: DecomposeUnit, runtime: Runtime) -> SubQueryDrafts:
    async def take(seat: Seat) -> SubQueryDrafts:
        return await asked(
            seat.member.decompose(runtime.request.question),
            lambda drafts: SubQueryDrafts(drafts=tuple(drafts)),
            who=seat.name,
            turn="decompose",
            stage="decompose",
        )

    return taken(await in_succession(runtime.council.speakers(unit.member, writes=True), take))


DECOMPOSE = Step("decompose", "decompose", _decompose, lambda unit: unit.member)


async def decompose(runtime: Runtime, work: Work, plan: Plan) -> Decomposition:
    """Split the run's question. The sub-queries that count are distinct, and at most six. Without any, the question
    itself is the only one, and an event says so (the run goes on: I10)."""
    question, member = runtime.request.question, runtime.council.writer
    (outcome,) = await work(DECOMPOSE, [DecomposeUnit(member=member)], runtime)
    events: list[Event] = []
    texts: dict[str, SubQueryDraft] = {}
    by_rules = False
    if outcome.value is None:
        events.append(
            Event(
                stage="decompose",
                kind="member-unavailable",
                subject_id=member,
                member=member,
                reason=f"the question was not split: {outcome.unavailable}",
            )
        )
    else:
        by = outcome.value.by or member
        events.extend(moved(outcome.value, "decompose", member, f"{by} split the question in its place"))
        member = by
        by_rules = runtime.council.seat(by).member.family.startswith(f"{EMBEDDED}:")
        for draft in outcome.value.drafts:
            text = " ".join(draft.text.split())
            # Only rules take over a person's own words, which an answer may quote.
            facet = draft.facet if by_rules or draft.facet != AS_ASKED else ""
            if any(c.isalnum() for c in text):
                texts.setdefault(text.casefold(), SubQueryDraft(text=text, facet=facet))
    as_asked = SubQueryDraft(text=question, facet=AS_ASKED)
    drafts = list(texts.values()) or [as_asked]
    # A writer that wanders off must not decide alone what is searched for. Rules keep the question's own words.
    about = set() if by_rules else set(terms(question))
    if about and not any(about & set(terms(d.text)) for d in drafts):
        reason = f"no sub-query shares a word with the question, so it is asked itself too: {drafts[0].text[:200]}"
        events.append(Event(stage="decompose", kind="note", subject_id=member, member=member, reason=reason))
        drafts.insert(0, as_asked)
    for dropped in drafts[MAX_SUB_QUERIES:]:
        events.append(
            Event(
                stage="decompose",
                kind="note",
                subject_id=content_id("q", dropped.text),
                member=member,
                reason=f"beyond {MAX_SUB_QUERIES} sub-queries: {dropped.text}",
            )
        )
    return Decomposition(
        sub_queries=tuple(
            SubQuery(sub_query_id=content_id("q", d.text), text=d.text, facet=d.facet) for d in drafts[:MAX_SUB_QUERIES]
        ),
        plan=plan,
        events=tuple(events),
    )
