"""`veritas runs`: what is in the store."""

from __future__ import annotations

import json as json_text
from collections import Counter
from typing import Annotated

import typer


def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many, newest first.", min=1)] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List the stored runs, newest first; unfinished ones too. `veritas paper --list` lists audits of papers."""
    from veritas.approvals import every, signed_here
    from veritas.papers.audit_runs import papers_home
    from veritas.settings import home
    from veritas.store import list_runs
    from veritas.store.catalogue import query
    from veritas.store.paths import run_ids

    found = list_runs(home())[:limit]
    asked: dict[str | None, Counter[str]] = {}
    for approval in (a for a in every() if a.recorded):
        asked.setdefault(approval.run_id, Counter())[approval.state()] += 1

    unsigned = "count(*) FILTER (WHERE NOT signed)"
    rows = query(home(), f"SELECT run_id, count(*) AS n, {unsigned} AS unsigned FROM overrides GROUP BY run_id")
    taken_in = {row["run_id"]: (row["n"], row["unsigned"]) for row in rows}
    local = "" if signed_here() else ", unsigned"

    def before_a_person(run_id: str) -> dict[str, int]:
        """How many findings wait, were let in since or before, and are in the answer as overrides."""
        states = asked.get(run_id, Counter())
        let_in, unsigned = taken_in.get(run_id, (0, 0))
        return {
            "waiting": states["pending"],
            "approved": states["approved"],
            "overrides": let_in,
            "unsigned_overrides": unsigned,
        }

    if json:
        for summary in found:
            print(json_text.dumps(summary.model_dump(mode="json") | before_a_person(summary.run_id)))
        return
    audits = len(run_ids(papers_home()))
    elsewhere = f"{audits} audit{'s' if audits > 1 else ''} of papers: veritas paper --list" if audits else ""
    if not found:
        print(f"no runs in {home()}: ask something with veritas research, or try veritas demo")
    for summary in found:
        origin = f"  (replay of {summary.parent_run_id} from {summary.replayed_from})" if summary.parent_run_id else ""
        question = " ".join((summary.question or "").split())
        line = question if len(question) <= 70 else question[:69] + "…"
        counted = before_a_person(summary.run_id)
        words = {
            "waiting": "waiting for a person",
            "approved": f"approved by a person{local}",
            "overrides": "let in",
            "unsigned_overrides": "of them unsigned",
        }
        persons = "".join(f"  ({counted[key]} {said})" for key, said in words.items() if counted[key])
        status = "unavailable" if summary.answer_status == "unavailable" else summary.status
        print(f"{summary.run_id}  {status:<11} {summary.tier or '':<9} {line}{origin}{persons}")
    if elsewhere:
        print(elsewhere)
