"""Retention: old runs are selected and removed, with all their files."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from veritas.errors import InputError, VeritasError
from veritas.frozen import Frozen
from veritas.store.catalogue import forget_runs
from veritas.store.journal import kept_from_running
from veritas.store.listing import RunSummary, list_runs
from veritas.store.open_file import StoreLocked
from veritas.store.paths import beside, cancel_path, catalogue_path, journal_path, run_path
from veritas.store.run_file import RunStore

_AT_ONCE = 100
"""Runs that are taken out of the catalogue together; the journal of each is held meanwhile."""


class Retained(Frozen):
    """The outcome of retention for an old run. `removed` are its files and folders (in a dry run, those to be removed);
    `kept_because` says why it stays."""

    kind: str = "run"
    run_id: str
    started_at: datetime | None
    question: str | None
    status: str
    removed: tuple[str, ...] = ()
    kept_because: str | None = None
    failed: bool = False
    """True if it was to go, and could not be removed."""


def retain(
    home: Path,
    *,
    reports: Path | None = None,
    name: str = "run",
    older_than: timedelta | None = None,
    keep: int = 0,
    waiting: Collection[str] = (),
    with_children: bool = False,
    dry_run: bool = False,
    now: datetime | None = None,
) -> list[Retained]:
    """Remove the runs that began longer ago than `older_than` and are not among the newest `keep`: their files, reports
    and rows in the catalogue.

    Returns the outcome for each old run, newest first. `home` may be of audits or reviews; `reports` holds a folder for
    each run with a report, and `name` is the word for one run. Never removed: a run that is in use or cannot be read;
    one of `waiting`, the runs that wait for a person; one with a replay that stays (`with_children` removes its replays
    too). Raises InputError without a limit.
    """
    if older_than is None and not keep:
        raise InputError("retention needs a limit: how old a run must be, how many are kept, or both")
    runs = list_runs(home)
    before = (now or datetime.now(UTC)) - (older_than or timedelta())
    old = [run for run in runs[keep:] if run.started_at is None or run.started_at < before]
    stay = _staying(runs, old, set(waiting), with_children, name)
    going = {run.run_id for run in old}
    if with_children:
        going = _with_children(runs, going)
    due = [run for run in runs if run.run_id in going]
    removable = [run.run_id for run in due if run.run_id not in stay]
    removed: dict[str, tuple[str, ...]] = {}
    failed: dict[str, str] = {}
    for start in range(0, len(removable), _AT_ONCE):
        _remove(home, reports or home / "reports", removable[start : start + _AT_ONCE], removed, failed, dry_run)
    return [
        Retained(
            kind=name, run_id=run.run_id, started_at=run.started_at, question=run.question, status=run.status,
            removed=removed.get(run.run_id, ()), kept_because=stay.get(run.run_id) or failed.get(run.run_id),
            failed=run.run_id in failed,
        )
        for run in due
    ]  # fmt: skip


def _with_children(runs: Sequence[RunSummary], going: set[str]) -> set[str]:
    """Return the runs, their replays, the replays of those, and so on."""
    while True:
        more = {run.run_id for run in runs if run.parent_run_id in going} - going
        if not more:
            return going
        going = going | more


def _staying(
    runs: Sequence[RunSummary], old: Sequence[RunSummary], waiting: set[str], with_children: bool, name: str
) -> dict[str, str]:
    """Return why runs stay, by id. A run that stays keeps its ancestors, because it depends on their stages."""
    going = {run.run_id for run in old}
    if with_children:
        going = _with_children(runs, going)
    stay: dict[str, str] = {}
    for run in runs:
        if run.run_id in waiting:
            stay[run.run_id] = "it waits for a person"
        elif run.status == "running":
            stay[run.run_id] = run.problem or "it is in use"
        elif run.status == "unreadable":
            stay[run.run_id] = f"it cannot be read: {run.problem}"
        elif run.run_id not in going:
            stay[run.run_id] = "it is not old enough"
    parents = {run.run_id: run.parent_run_id for run in runs}
    for child in list(stay):
        parent = parents.get(child)
        while parent is not None and parent not in stay:
            stay[parent] = f"{name} {child} is a replay of it and stays"
            child, parent = parent, parents.get(parent)
    return stay


def _remove(
    home: Path,
    reports: Path,
    run_ids: Sequence[str],
    removed: dict[str, tuple[str, ...]],
    failed: dict[str, str],
    dry_run: bool,
) -> None:
    """Remove runs: first from the catalogue, so that after a kill they are listed from their files."""
    with ExitStack() as held:
        ours = []
        for run_id in run_ids:
            try:
                if not dry_run and not held.enter_context(kept_from_running(home, run_id)):
                    raise StoreLocked(f"run {run_id} is going on")
                RunStore.open(home, run_id, read_only=True, patience=0.5).close()
                ours.append(run_id)
            except VeritasError as error:
                failed[run_id] = str(error)
        try:
            if not dry_run and catalogue_path(home).exists():
                forget_runs(home, ours)
        except VeritasError as error:
            failed.update(dict.fromkeys(ours, str(error)))
            return
        for run_id in ours:
            try:
                removed[run_id] = _remove_files(home, reports / run_id, run_id, dry_run)
            except OSError as error:
                failed[run_id] = f"{error.filename} cannot be removed: {error.strerror}"


def _remove_files(home: Path, report: Path, run_id: str, dry_run: bool) -> tuple[str, ...]:
    """Remove the run's files, the journal last, because its lock tells others that the run is in use."""
    files = (*beside(run_path(home, run_id)), cancel_path(home, run_id), journal_path(home, run_id))
    there = tuple(str(path) for path in (report, *files) if path.exists())
    if not dry_run:
        if report.is_dir() and not report.is_symlink():
            shutil.rmtree(report)
        for path in files:
            path.unlink(missing_ok=True)
    return there
