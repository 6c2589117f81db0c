"""`veritas store`: backup, check, vacuum and retention of the store."""

from __future__ import annotations

import json as json_text
import re
import sys
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from veritas.errors import InputError, StoreUnavailable
from veritas.frozen import Frozen
from veritas.text.plural import plural

store = typer.Typer(
    name="store", add_completion=False, rich_markup_mode=None, no_args_is_help=True,
    help="Back up, check, shrink and clean the store. With --json, one JSON object per line.",
)  # fmt: skip

Json = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]


@store.command("backup")
def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder.")],
    json: Json = False,
) -> None:
    """Copy catalogue, runs, audits, reviews, corpora and approvals into a folder; copy it back to restore them.

    Each file is copied while nothing can write it. Files in use are named and left out; the exit code is then 3.
    """
    from veritas.settings import home
    from veritas.store.backup import back_up

    made = back_up(home(), folder)
    if json:
        print(made.model_dump_json())
    else:
        for left in made.left_out:
            print(f"left out: {left.name}: {left.why}", file=sys.stderr)
        print(f"{plural(len(made.files), 'file')} copied to {folder}, {len(made.left_out)} left out")
    if made.left_out:
        raise SystemExit(StoreUnavailable.exit_code)


@store.command("check")
def check(json: Json = False) -> None:
    """Open every database and read it to its end; nothing is changed. Exit code 1 when something is damaged or
    unusable, 3 when something could not be checked."""
    from veritas.settings import home
    from veritas.store.checking import check_store

    found = check_store(home())
    if json:
        _lines(found)
    else:
        for each in found:
            if each.state != "ok":
                print(f"{each.state}: {each.name}: {each.why}")
        print(f"{sum(each.state == 'ok' for each in found)} of {len(found)} files are whole")
    states = {each.state for each in found}
    if states & {"damaged", "unusable"}:
        raise SystemExit(1)
    if states & {"in use", "unavailable"}:
        raise SystemExit(StoreUnavailable.exit_code)


@store.command("vacuum")
def vacuum(json: Json = False) -> None:
    """Rewrite the databases that become smaller by a quarter or more. Exit code 3 when one was in use."""
    from veritas.settings import home
    from veritas.store.vacuum import vacuum as rewrite

    found = rewrite(home())
    if json:
        _lines(found)
    else:
        for each in found:
            if each.left_out:
                print(f"left as it is: {each.name}: {each.left_out}", file=sys.stderr)
            elif each.after != each.before:
                print(f"{each.name}: {each.before / 1e6:.1f} MB, now {each.after / 1e6:.1f} MB")
        print(f"{sum(each.before - each.after for each in found) / 1e6:.1f} MB gained in {plural(len(found), 'file')}")
    if any(each.left_out for each in found):
        raise SystemExit(StoreUnavailable.exit_code)


@store.command("retain")
def retain(
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="AGE", help="Remove runs older than this: 90d, 12w, 2y.")
    ] = None,
    keep: Annotated[int, typer.Option("--keep", min=0, help="Number of newest runs to keep, however old.")] = 0,
    with_children: Annotated[
        bool,
        typer.Option("--with-children", help="Remove a run together with its replays; otherwise a replay keeps it."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be removed.")] = False,
    json: Json = False,
) -> None:
    """Remove old runs, audits of papers and reviews with their reports and their rows in the catalogue, and list them.

    A run stays if it is in use, cannot be read, waits for a person, or has a replay that stays. --keep counts each
    kind separately. Corpora stay. Exit code 3 if a run should be removed and could not be.
    """
    from veritas.text.visible import printable
    from veritas.use_cases.housekeeping import retain as thin_out

    found = thin_out(older_than=_age(older_than), keep=keep, with_children=with_children, dry_run=dry_run)
    if json:
        _lines(found)
    else:
        for each in found:
            question = printable(" ".join((each.question or "").split()))[:60]
            if each.kept_because:
                print(f"kept: {each.kind} {each.run_id}  {question}: {each.kept_because}", file=sys.stderr)
            else:
                print(f"{'would be removed' if dry_run else 'removed'}: {each.kind} {each.run_id}  {question}")
        gone = sum(not each.kept_because for each in found)
        print(f"{gone} {'would be removed' if dry_run else 'removed'}, {len(found) - gone} old ones kept")
    if any(each.failed for each in found):
        raise SystemExit(StoreUnavailable.exit_code)


def _age(text: str | None) -> timedelta | None:
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,5})([dwy])", text.strip())
    if match is None:
        raise InputError(f"--older-than {text!r}: give a number of days, weeks or years, as in 90d, 12w or 2y")
    return timedelta(days=int(match[1]) * {"d": 1, "w": 7, "y": 365}[match[2]])


def _lines(found: Iterable[Frozen]) -> None:
    for each in found:
        print(json_text.dumps(each.model_dump(mode="json")))
