"""Events for a Prefect server's automations: a run was made smaller, or lacked somebody; an answer changed."""

from __future__ import annotations

from typing import Any

from prefect.events import emit_event

from veritas.claims.graph import ClaimGraph
from veritas.engine.budget import Spending
from veritas.report.wording import cut_back
from veritas.text.visible import one_line
from veritas.use_cases.living import Entry
from veritas.use_cases.runs import request_of

BUDGET = "veritas.run.budget"
"""Event of a run that was made smaller to fit its budget, or used it up; `reasons` says how, in sentences."""
DEGRADED = "veritas.run.degraded"
"""Event of a run that lacked a member, a search provider or a judge that gave no answer, also if others did its work;
`reasons` names them."""

CHANGED = "veritas.question.changed"
"""Event of a living question of which an answer, a verdict, a source or a standing changed; `reasons` says what."""

_DID_WITHOUT = ("member-unavailable", "search-unavailable", "claim-unavailable")
MOST = 20
"""Limit of reasons in an event; the report has all of them."""


def emit_outcome(graph: ClaimGraph) -> None:
    """Emit the events of a finished run; none for one that went as asked."""
    run = graph.run
    # Rows are of what was lost altogether; the answer's lines also name those in whose place others spoke.
    without = graph.answer.missing or [e.reason for e in graph.events if e.kind in _DID_WITHOUT]
    for name, reasons in ((BUDGET, [*cut_back(graph), *_spent(graph)]), (DEGRADED, without)):
        if reasons:
            payload: dict[str, Any] = {
                "run": run.run_id,
                "question": run.question[:300],
                "count": len(reasons),
                "reasons": [reason[:300] for reason in dict.fromkeys(reasons)][:MOST],
            }
            emit_event(
                name,
                resource={"prefect.resource.id": f"veritas.run.{run.run_id}", "prefect.resource.name": run.run_id},
                payload=payload,
            )


def emit_changed(entry: Entry) -> None:
    """Emit the event of an entry of a living question."""
    reasons = [f"{each.kind}: {each.what} ({each.before} → {each.after})" for each in entry.changes]
    emit_event(
        CHANGED,
        resource={"prefect.resource.id": f"veritas.question.{entry.name}", "prefect.resource.name": entry.name},
        payload={
            "run": entry.run, "question": entry.question[:300], "count": len(reasons),
            "reasons": [one_line(reason)[:300] for reason in reasons][:MOST],
        },
    )  # fmt: skip


def _spent(graph: ClaimGraph) -> list[str]:
    """Return which limit of its budget the run reached, if any."""
    budget = request_of(graph.run).budget
    spending = Spending(budget)
    spending.add(graph.calls)
    took = sum(t.seconds for t in graph.run.timings if not t.from_store)
    over = spending.over()
    if over is None and budget.seconds is not None and took >= budget.seconds:
        over = f"{took:.0f} of {budget.seconds:g} seconds were taken"
    return [f"the budget is used up: {over}"] if over else []
