"""`veritas runs`: the stored runs."""

from __future__ import annotations

import json as json_text
import sys
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated

import typer


def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many, newest first.", min=1)] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    clean: Annotated[
        bool,
        typer.Option(
            "--clean",
            help="List what nobody can use (files whose making was cut off, damaged ones), of runs and of audits, and "
            "remove it. Never a run that is in use, can be resumed, or is finished.",
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --clean: remove it without asking.")] = False,
) -> None:
    """List the stored runs, newest first; unfinished ones too.

    `veritas paper --list` lists audits of papers, `veritas review --list` reviews.
    """
    if clean:
        _clean(json, yes)
        return
    from veritas.approvals import every, signed_here
    from veritas.papers.audit_runs import papers_home
    from veritas.reviews.review_store import review_ids
    from veritas.settings import home
    from veritas.store import list_runs
    from veritas.store.catalogue import query
    from veritas.store.paths import run_ids
    from veritas.text.printable import printable

    found = list_runs(home())[:limit]
    asked: dict[str | None, Counter[str]] = {}
    for approval in (a for a in every() if a.recorded):
        asked.setdefault(approval.run_id, Counter())[approval.state()] += 1

    unsigned = "count(*) FILTER (WHERE NOT signed)"
    rows = query(home(), f"SELECT run_id, count(*) AS n, {unsigned} AS unsigned FROM overrides GROUP BY run_id")
    taken_in = {row["run_id"]: (row["n"], row["unsigned"]) for row in rows}
    local = "" if signed_here() else ", unsigned"

    def before_a_person(run_id: str) -> dict[str, int]:
        """Return how many findings wait, were let in since or before, and are in the answer as overrides."""
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
    audits, reviews = len(run_ids(papers_home())), len(review_ids())
    elsewhere = [f"{audits} audit{'s' if audits > 1 else ''} of papers: veritas paper --list"] if audits else []
    elsewhere += [f"{reviews} review{'s' if reviews > 1 else ''}: veritas review --list"] if reviews else []
    if not found:
        print(f"no runs in {home()}: ask something with veritas research, or try veritas demo")
    for summary in found:
        origin = f"  (replay of {summary.parent_run_id} from {summary.replayed_from})" if summary.parent_run_id else ""
        question = printable(" ".join((summary.question or "").split()))
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
        at = stands_at(summary.stage, summary.stage_since)
        print(f"{summary.run_id}  {status:<11} {summary.tier or '':<9} {line}{at}{origin}{persons}")
    for said in elsewhere:
        print(said)


def stands_at(stage: str | None, since: datetime | None) -> str:
    """Return the stage of a run in progress, and since when."""
    if stage is None or since is None:
        return ""
    seconds = max(0, int((datetime.now(UTC) - since).total_seconds()))
    lasted = f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"
    if seconds >= 7200:
        lasted = f"{seconds // 3600} h"
    return f"  ({stage}, since {since.astimezone():%H:%M:%S}, {lasted})"


def _clean(json: bool, yes: bool) -> None:
    """List unusable files, and remove them if told to."""
    from veritas.papers.audit_runs import papers_home
    from veritas.settings import home
    from veritas.store.unusable import find_unusable, remove_unusable

    found = [(place, each) for place in (home(), papers_home()) for each in find_unusable(place)]
    removed: list[bool] = [False] * len(found)
    if not json:
        for _, each in found:
            does = "to be set aside as .damaged" if each.action == "set aside" else "to be removed"
            print(f"{each.run_id}  {does}: {each.why}")
            for file in each.files:
                print(f"    {file}")
        if not found:
            print("nothing to clean")
    if found and (yes or (not json and typer.confirm("Go on?", default=False, err=True))):
        removed = [remove_unusable(place, each) for place, each in found]
        print(f"{sum(removed)} of {len(found)} cleaned", file=sys.stderr)
    if json:
        for (_, each), done in zip(found, removed, strict=True):
            print(json_text.dumps(each.model_dump(mode="json") | {"done": done}))
