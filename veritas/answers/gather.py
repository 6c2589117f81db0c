"""Stage 1, research: every member's findings on each sub-query (`gathering`), in one table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from veritas.answers.member_search import Findings
from veritas.answers.searches import ResearchUnit
from veritas.claims.graph import Binding, Event
from veritas.claims.sources import Passage, Search, Source
from veritas.documents.document import Document
from veritas.frozen import Frozen
from veritas.search.ranking import best
from veritas.store.call_record import Outcome


class Reading(Frozen):
    """The passages that a member was given for a sub-query, best first."""

    member: str
    sub_query_id: str
    passage_ids: tuple[str, ...]


class Research(Frozen):
    """Output of the stage. Sources, documents and passages are distinct, in the order of question and council."""

    schedule: tuple[Binding, ...]
    searches: tuple[Search, ...]
    sources: tuple[Source, ...]
    documents: tuple[Document, ...]
    passages: tuple[Passage, ...]
    readings: tuple[Reading, ...]
    events: tuple[Event, ...] = ()

    @property
    def unanswered(self) -> int:
        """Number of planned searches without an answer."""
        first: dict[tuple[str, str], str] = {}
        for search in self.searches:
            first.setdefault((search.member, search.sub_query_id), search.query)
        asked = [search for search in self.searches if search.query == first[search.member, search.sub_query_id]]
        return max(0, len(self.schedule) - sum(search.unavailable is None for search in asked))


_RANK = {"read": 0, "orientation": 1, "unavailable": 2, "unread": 3, "rejected": 4}


def gather(
    schedule: tuple[Binding, ...],
    units: Sequence[ResearchUnit],
    outcomes: Sequence[Outcome[Findings]],
    problems: Sequence[Event],
    together: Collection[str] = (),
) -> Research:
    """Merge the findings of all units. A source that one member read and another did not counts as read.

    The members in `together` share what any of them found for a sub-query, because they rank by one rule, and a chance
    is comparable only over the same passages.
    """
    searches: list[Search] = []
    sources: dict[str, Source] = {}
    documents: dict[str, Document] = {}
    passages: dict[str, Passage] = {}
    readings: list[Reading] = []
    events: dict[Event, None] = dict.fromkeys(problems)
    for unit, outcome in zip(units, outcomes, strict=True):
        if outcome.value is None:
            events[
                Event(
                    stage="research",
                    kind="member-unavailable",
                    subject_id=unit.sub_query.sub_query_id,
                    member=unit.member,
                    reason=f"no research on “{unit.sub_query.text[:120]}”: {outcome.unavailable}",
                )
            ] = None
            continue
        found = outcome.value
        searches.extend(found.searches)
        for source in found.sources:
            known = sources.get(source.source_id)
            if known is None or _RANK[source.status] < _RANK[known.status]:
                sources[source.source_id] = source
        documents.update((d.document_id, d) for d in found.documents)
        passages.update((p.passage_id, p) for p in found.passages)
        readings.append(
            Reading(
                member=found.member,
                sub_query_id=found.sub_query_id,
                passage_ids=tuple(p.passage_id for p in found.passages),
            )
        )
        for event in found.events:
            # A source's fate is the same for all who met it: one row.
            own = event.kind in ("search-unavailable", "search-moved")
            events[event if own else event.model_copy(update={"member": None})] = None
    planted = {s.source_id for s in sources.values() if s.note}
    return Research(
        schedule=schedule,
        searches=tuple(searches),
        sources=tuple(sources.values()),
        documents=tuple(documents.values()),
        passages=tuple(passages.values()),
        readings=_joined(
            readings, frozenset(together), passages, {u.sub_query.sub_query_id: u.sub_query.text for u in units}
        ),
        events=tuple(e.model_copy(update={"planted": True}) if e.subject_id in planted else e for e in events),
    )


def _joined(
    readings: Sequence[Reading], together: frozenset[str], passages: Mapping[str, Passage], asked: Mapping[str, str]
) -> tuple[Reading, ...]:
    """Return the readings. Those of the members in `together` for one sub-query hold the same passages, ranked again if
    the members found different ones."""
    shared: dict[str, dict[str, None]] = {}
    apart: set[str] = set()
    for each in readings:
        if each.member in together:
            known = shared.setdefault(each.sub_query_id, dict.fromkeys(each.passage_ids))
            if tuple(known) != each.passage_ids:
                apart.add(each.sub_query_id)
                known.update(dict.fromkeys(each.passage_ids))
    for query in apart:
        found = [passages[name] for name in shared[query]]
        first = [one.passage_id for one in best(asked[query], found, len(found))]
        shared[query] = dict.fromkeys((*first, *shared[query]))
    return tuple(
        each.model_copy(update={"passage_ids": tuple(shared[each.sub_query_id])}) if each.member in together else each
        for each in readings
    )
