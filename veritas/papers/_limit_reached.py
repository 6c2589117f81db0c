"""Describe in one event what a limit of money, calls or time left undone in an audit."""

from __future__ import annotations

from veritas.papers.audit import PaperAudit, PaperEvent


def limit_reached(audit: PaperAudit, over: str, verified_before: bool) -> PaperEvent:
    """Return the event. `over` names the limit, as `Spending.over` does. `verified_before`: it was reached after the
    stage `verify`, whose successors ask nobody and are always done."""
    limit = over.rpartition(" of ")[2]
    statements = sum(e.kind == "budget-degraded" for e in audit.events)
    readings = sum(any(error.startswith("not read:") for error in g.errors) for g in audit.graphs)
    assessed = sum(e.kind == "assessor-unavailable" and limit in e.reason for e in audit.events)
    parts = [
        f"{statements} of {len(audit.nodes)} statements were not verified" if statements else "",
        f"{assessed} of {len(audit.nodes)} statements were assessed by models less often" if assessed else "",
        f"{readings} of {len(audit.graphs)} readings were not made" if readings else "",
    ]
    said = ", ".join(part for part in parts if part)
    if not said:
        said = f"no statement was left out for it, all were {'verified' if verified_before else 'begun'} by then"
    return PaperEvent(stage="report", kind="budget-reached", subject="paper", reason=f"{over}: {said}")
