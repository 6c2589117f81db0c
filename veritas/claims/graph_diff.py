"""What changed between two claim graphs: in sources, claims, verdicts and answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from veritas.claims.graph import ClaimGraph
from veritas.frozen import Frozen


class Change(Frozen):
    """One thing that is in both graphs and differs: field by field, before and after."""

    id: str
    about: str
    fields: dict[str, tuple[Any, Any]]


class Part(Frozen):
    """One part of the graph: what is in the second alone, in the first alone, and in both but different."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


class GraphDiff(Frozen):
    """The whole comparison, from `first` to `second` (run ids)."""

    first: str
    second: str
    settings: dict[str, tuple[Any, Any]]
    sources: Part
    claims: Part
    verdicts: Part
    answer: Part
    status: tuple[str, str]
    agreement: tuple[tuple[float | None, ...], tuple[float | None, ...]]

    @property
    def same(self) -> bool:
        """Whether the findings are the same."""
        return not (self.sources or self.claims or self.verdicts or self.answer) and self.status[0] == self.status[1]


def _fields(before: BaseModel, after: BaseModel, names: tuple[str, ...]) -> dict[str, tuple[Any, Any]]:
    a, b = before.model_dump(mode="json"), after.model_dump(mode="json")
    return {name: (a[name], b[name]) for name in names if a[name] != b[name]}


Table = dict[str, tuple[str, BaseModel]]
"""Id to what a person calls a thing, and the thing itself."""


def _part(before: Table, after: Table, names: tuple[str, ...]) -> Part:
    changed = []
    for key in before:
        if key in after:
            fields = _fields(before[key][1], after[key][1], names)
            if fields:
                changed.append(Change(id=key, about=after[key][0], fields=fields))
    return Part(
        added=tuple(after[k][0] for k in after if k not in before),
        removed=tuple(before[k][0] for k in before if k not in after),
        changed=tuple(changed),
    )


def _sources(graph: ClaimGraph) -> Table:
    return {s.source_id: (s.url, s) for s in graph.sources}


def _claims(graph: ClaimGraph) -> Table:
    return {c.claim_id: (c.claim, c) for c in graph.claims}


def _verdicts(graph: ClaimGraph) -> Table:
    claims = {c.claim_id: c.claim for c in graph.claims}
    claims |= {x.contestation_id: x.counter_claim for x in graph.contestations}
    return {
        f"{j.subject_id} {j.purpose} {j.round} {j.lens}": (
            f"{j.lens}: {j.label} · {claims.get(j.subject_id, j.subject_id)[:120]}",
            j,
        )
        for j in graph.judgments
    }


def _answer(graph: ClaimGraph) -> Table:
    return {s.sentence_id: (s.text, s) for s in graph.answer.sentences}


def diff_graphs(first: ClaimGraph, second: ClaimGraph) -> GraphDiff:
    """What changed from `first` to `second`. Claims are matched by content: the same words on the same passage by the
    same member are the same claim in both."""
    a, b = first, second
    settings = {
        key: (a.run.settings.get(key), b.run.settings.get(key))
        for key in sorted({*a.run.settings, *b.run.settings})
        if a.run.settings.get(key) != b.run.settings.get(key)
    }
    if a.run.policy_hash != b.run.policy_hash:
        settings["policy_hash"] = (a.run.policy_hash[:12], b.run.policy_hash[:12])
    if a.run.question != b.run.question:
        settings["question"] = (a.run.question, b.run.question)
    return GraphDiff(
        first=a.run.run_id,
        second=b.run.run_id,
        settings=settings,
        sources=_part(
            _sources(a), _sources(b), ("status", "tier", "paywalled", "admitted", "rule", "document_id")
        ),
        claims=_part(_claims(a), _claims(b), ("citations", "debate_status", "verifier_judgment", "badges")),
        verdicts=_part(_verdicts(a), _verdicts(b), ("label", "score", "rationale")),
        answer=_part(_answer(a), _answer(b), ("claim_ids", "references", "kind", "footnote", "badges")),
        status=(a.answer.status, b.answer.status),
        agreement=(tuple(r.agreement for r in a.rounds), tuple(r.agreement for r in b.rounds)),
    )
