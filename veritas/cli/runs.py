"""`veritas runs` and `cancel`, and what lists of runs, audits and reviews share."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic import BaseModel

from veritas.errors import StoreUnavailable
from veritas.text.visible import printable

M = TypeVar("M", bound=BaseModel)


def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", help="Number of runs.", min=1)] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
    clean: Annotated[
        bool,
        typer.Option(
            "--clean",
            help="List and remove unusable files of runs, audits and reviews (incomplete, damaged). "
            "Never a run that is in use, can be resumed, or is finished.",
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --clean: remove without asking.")] = False,
) -> None:
    """List the stored runs, newest first; unfinished ones too.

    `veritas paper --list` lists audits of papers, `veritas review --list` reviews.
    """
    if clean:
        _clean(json, yes)
        return
    from veritas.approvals import signed_here
    from veritas.settings import home
    from veritas.use_cases.run_archive import BeforePersons, before_persons, count_stored, list_runs
    from veritas.use_cases.run_states import run_states

    found = list_runs()[:limit]
    states = {each.run_id: each.state for each in run_states(limit=sys.maxsize)}
    persons = before_persons()
    local = "" if signed_here() else ", unsigned"
    if json:
        for summary in found:
            had = persons.get(summary.run_id, BeforePersons())
            state = {"state": states.get(summary.run_id, summary.status)}
            print(json_text.dumps(summary.model_dump(mode="json") | state | had.model_dump()))
        return
    stored = count_stored()
    audits, reviews = stored["audit"], stored["review"]
    elsewhere = [f"{audits} audit{'s' if audits > 1 else ''} of papers: veritas paper --list"] if audits else []
    elsewhere += [f"{reviews} review{'s' if reviews > 1 else ''}: veritas review --list"] if reviews else []
    if not found:
        print(f"no runs in {home()}: ask something with veritas research, or try veritas demo")
    for summary in found:
        origin = f"  (replay of {summary.parent_run_id} from {summary.replayed_from})" if summary.parent_run_id else ""
        line = in_a_line(summary.question or "")
        counted = persons.get(summary.run_id, BeforePersons()).model_dump()
        words = {
            "waiting": "waiting for a person",
            "approved": f"approved by a person{local}",
            "overrides": "let in",
            "unsigned_overrides": "of them unsigned",
        }
        had_to = "".join(f"  ({counted[key]} {said})" for key, said in words.items() if counted[key])
        status = "unavailable" if summary.answer_status == "unavailable" else states.get(summary.run_id, summary.status)
        at = stands_at(summary.stage, summary.stage_since)
        print(f"{summary.run_id}  {status:<11} {summary.tier or '':<9} {line}{at}{origin}{had_to}")
    for said in elsewhere:
        print(said)


def print_list(found: Sequence[M], as_json: bool, none: str, line: Callable[[M], str]) -> None:
    """Print a line for each, or its JSON; `none` where there is none."""
    for each in found:
        print(each.model_dump_json() if as_json else line(each))
    if not found and not as_json:
        print(none)


def report_of(made: Any, out: Path | None = None) -> tuple[Path | None, StoreUnavailable | None]:
    """Write the report of a run, an audit or a review, and return its page, or why there is none: what is paid for and
    stored is said all the same."""
    from veritas.use_cases.reports import write_report

    try:
        return write_report(made, out)["report.html"], None
    except StoreUnavailable as problem:
        return None, problem


def limits(**given: float | None) -> dict[str, float] | None:
    """Return the limits of a budget that are given; None without any."""
    return {name: limit for name, limit in given.items() if limit is not None} or None


def in_a_line(words: str) -> str:
    """Return a stranger's words on one line of 70 characters at most."""
    line = printable(" ".join(words.split()))
    return line if len(line) <= 70 else line[:69] + "…"


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
    from veritas.use_cases.housekeeping import clean_up, unusable_runs

    found = unusable_runs()
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
        removed = clean_up(found)
        print(f"{sum(removed)} of {len(found)} cleaned", file=sys.stderr)
    if json:
        for (_, each), done in zip(found, removed, strict=True):
            print(json_text.dumps(each.model_dump(mode="json") | {"done": done}))


def cancel(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id of a run, an audit or a review, or its beginning; or `latest`.")
    ],
) -> None:
    """Ask a run in progress to stop, even in another process or on another terminal.

    It makes no further call. Paid calls in progress are waited for; stored stages stay, and the run can be resumed. Its
    own command ends in exit code 130. `latest` is the newest run in progress.
    """
    from veritas.use_cases.run_archive import cancel as ask_to_stop

    asked = ask_to_stop(run)
    print(f"{asked.kind} {asked.run_id} was asked to stop; resume it with: {asked.resume}")
