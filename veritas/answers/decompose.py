"""Stage 0, decompose: a question becomes two to six sub-queries that together cover it, or is kept as one."""

from __future__ import annotations

from veritas.answers._turn_moves import moved
from veritas.answers.runtime import Runtime
from veritas.claims.graph import Event, SubQuery
from veritas.council.seated_council import Seat
from veritas.council.succession import Taken, in_succession, taken
from veritas.council.turns import SubQueryDraft
from veritas.engine.units import Step, asked
from veritas.frozen import Frozen, content_id
from veritas.policy.cost_tiers import Plan
from veritas.store.call_record import Outcome
from veritas.text.tokens import terms

MAX_SUB_QUERIES = 6


class DecomposeUnit(Frozen):
    """The question, and the seat that decomposes it."""

    question: str
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
            seat.member.decompose(unit.question),
            lambda drafts: SubQueryDrafts(drafts=tuple(drafts)),
            who=seat.name,
            turn="decompose",
            stage="decompose",
            about=unit.question,
        )

    return taken(await in_succession(runtime.council.speakers(unit.member, writes=True), take))


DECOMPOSE = Step("decompose", "decompose", _decompose, lambda unit: unit.member)


def settle(question: str, outcome: Outcome[SubQueryDrafts], plan: Plan, member: str) -> Decomposition:
    """Return the sub-queries that count: distinct, at most six. Without any, the question itself is the only one, and
    an event says so (the run goes on: I10)."""
    events: list[Event] = []
    texts: dict[str, SubQueryDraft] = {}
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
        for draft in outcome.value.drafts:
            text = " ".join(draft.text.split())
            if any(c.isalnum() for c in text):
                texts.setdefault(text.casefold(), draft.model_copy(update={"text": text}))
    as_asked = SubQueryDraft(text=question, facet="as asked")
    drafts = list(texts.values()) or [as_asked]
    about = set(terms(question))
    if about and not any(about & set(terms(d.text)) for d in drafts):
        # A writer that wanders off must not decide alone what is searched for.
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
