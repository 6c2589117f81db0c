"""The list of runs, and the lookup of a run by its name on the command line."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator

from veritas.claims import StageName
from veritas.claims.graph import STAGES
from veritas.errors import StoreUnavailable, UnknownRun, VeritasError
from veritas.frozen import Frozen
from veritas.store.catalogue import query
from veritas.store.journal import is_live, read_journal
from veritas.store.open_file import StoreLocked
from veritas.store.paths import LATEST, run_ids, run_path, runs_folder, unknown_run
from veritas.store.run_file import RunStore, is_written_here

logger = logging.getLogger(__name__)

RunStatus = Literal["finished", "interrupted", "running", "unreadable"]

UtcTime = Annotated[datetime, AfterValidator(lambda moment: moment.replace(tzinfo=moment.tzinfo or UTC))]

CATALOGUE_PATIENCE = 2.0
"""Seconds to wait for the catalogue. Somebody may have it open in a shell; all that it holds is in the run files."""

FILE_PATIENCE = 0.1
"""Seconds to wait for a run's file; a process that holds it for longer is running it."""


class RunSummary(Frozen):
    """A run as a line of a list. If its file cannot be read now, little more than the id is known.

    `finished`; `interrupted`: not finished and not active, so it can be resumed; `running`: a process executes it
    (question and stage come from its journal) or reads it (`stage` is None); `unreadable`: `problem` says why.
    """

    run_id: str
    status: RunStatus
    question: str | None = None
    tier: str | None = None
    parent_run_id: str | None = None
    replayed_from: StageName | None = None
    started_at: UtcTime | None = None
    finished_at: UtcTime | None = None
    version: str | None = None
    answer_status: str | None = None
    claims: int | None = None
    """Distinct claims in the graph, with any outcome; None until finished."""
    cost_usd: float | None = None
    """None until finished, or where a price was unknown."""
    stages_done: int | None = None
    stage: str | None = None
    """The present stage of a run that is going on."""
    stage_since: UtcTime | None = None
    problem: str | None = None


_SUMMARY = """
    SELECT run_id, CASE status WHEN 'running' THEN 'interrupted' ELSE status END AS status, question, tier,
           parent_run_id, replayed_from, started_at, finished_at, version, answer_status,
           CASE WHEN status = 'finished' THEN coalesce(claim_count, 0) END AS claims,
           CASE WHEN status = 'finished' AND coalesce(unpriced, 0) = 0 THEN coalesce(cost, 0) END AS cost_usd,
           coalesce(stage_count, 0) AS stages_done
    FROM runs
    LEFT JOIN (SELECT run_id, count(DISTINCT claim) AS claim_count FROM claims GROUP BY run_id) USING (run_id)
    LEFT JOIN (SELECT run_id, sum(cost_usd) AS cost, count(*) - count(cost_usd) AS unpriced FROM calls GROUP BY run_id)
        USING (run_id)
    LEFT JOIN (SELECT run_id, count(*) AS stage_count FROM stages GROUP BY run_id) USING (run_id)
"""


def list_runs(home: Path) -> list[RunSummary]:
    """Return all runs, newest first: from the catalogue, and from the files of the others.

    A single run never makes it fail: one that another process holds is `running`, a damaged one `unreadable`.
    """
    known = catalogued(home)
    runs = [known.get(run_id) or summary_of(home, run_id) for run_id in run_ids(home)]
    return sorted(runs, key=lambda run: (_begun(home, run), run.run_id), reverse=True)


def find_run(home: Path, name: str) -> str:
    """Return the id for an id, an unambiguous beginning of one, or `latest`. `home` may be of audits as well.

    `latest` is the newest readable run: others are skipped, and named in the log. Raises UnknownRun, with near matches,
    if there is none or several; for `latest` StoreLocked if all runs are in use, StoreUnavailable if none can be read.
    """
    ids = run_ids(home)
    if name == LATEST:
        return _latest(home)
    if name in ids:
        return name
    matches = [run_id for run_id in ids if name and run_id.startswith(name)]
    if len(matches) > 1:
        some = ", ".join(matches[:5]) + (", …" if len(matches) > 5 else "")
        raise UnknownRun(f"{len(matches)} runs begin with {name!r}: {some}. Give more of the id")
    if not matches:
        raise unknown_run(home, name)
    return matches[0]


def _latest(home: Path) -> str:
    passed: list[str] = []
    runs = list_runs(home)
    for run in runs:
        if run.status in ("finished", "interrupted"):
            if passed:
                logger.warning("latest is %s; passed over: %s", run.run_id, "; ".join(passed))
            return run.run_id
        at = f" (at {run.stage})" if run.stage else ""
        passed.append(f"{run.run_id}, which is {run.status}{at}")
    if not passed:
        raise UnknownRun(f"there is no run yet in {runs_folder(home)}")
    kind = StoreLocked if all(run.status == "running" for run in runs) else StoreUnavailable
    raise kind(f"no run in {runs_folder(home)} can be taken for latest: {'; '.join(passed)}")


def running(home: Path, run_id: str) -> RunSummary | None:
    """Return an active run, from its journal; None if it is not active. `home` may be of audits, or any other folder
    with journals. The run's file is not opened."""
    if not is_live(home, run_id):
        return None
    question: str | None = None
    stage: str | None = None
    begun = since = None
    for event in read_journal(home, run_id):
        named = str(event.fields.get("stage", ""))
        if event.event == "begun":
            question, begun = str(event.fields.get("question", "")), event.at
            stage, since = (STAGES[0] if event.fields.get("kind") == "research" else None), event.at
        elif event.event == "stage":
            stage, since = named, event.at
        elif event.event == "stored" and named in STAGES[:-1]:
            stage, since = STAGES[STAGES.index(named) + 1], event.at
        elif event.event == "stored":
            stage, since = f"after {named}", event.at
        elif event.event == "resumed":
            since = event.at
    return RunSummary(
        run_id=run_id, status="running", question=question, started_at=begun, stage=stage, stage_since=since,
        problem=f"run {run_id} is going on in another process",
    )  # fmt: skip


def held(home: Path, run_id: str, problem: StoreLocked) -> RunSummary:
    """Return a run whose file another process holds, as far as its journal describes it. `home`: as in `running`."""
    known = running(home, run_id) or RunSummary(run_id=run_id, status="running")
    return known.model_copy(update={"problem": str(problem)})


def catalogued(home: Path) -> dict[str, RunSummary]:
    """Return the runs that the catalogue knows, by id; none where it cannot be read."""
    try:
        return {row["run_id"]: RunSummary(**row) for row in query(home, _SUMMARY, patience=CATALOGUE_PATIENCE)}
    except StoreUnavailable as error:
        logger.warning("listing the runs from their files: %s", error)
        return {}


def summary_of(home: Path, run_id: str) -> RunSummary:
    """Return one run, from its file. Never fails on it: one that another process holds is `running`, a damaged one
    `unreadable`."""
    going_on = running(home, run_id)
    if going_on is not None and not is_written_here(run_path(home, run_id)):
        return going_on
    try:
        with RunStore.open(home, run_id, read_only=True, patience=FILE_PATIENCE) as run:
            summary = RunSummary(**run.query(_SUMMARY)[0])
    except StoreLocked as error:
        return held(home, run_id, error)
    except VeritasError as error:
        return RunSummary(run_id=run_id, status="unreadable", problem=str(error))
    if summary.status == "interrupted" and is_written_here(run_path(home, run_id)):
        told = going_on and {"stage": going_on.stage, "stage_since": going_on.stage_since}
        return summary.model_copy(update={"status": "running", **(told or {})})
    return summary


def _begun(home: Path, run: RunSummary) -> datetime:
    """Return when a run began; for an unreadable one, when its file last changed."""
    if run.started_at is not None:
        return run.started_at
    try:
        return datetime.fromtimestamp(run_path(home, run.run_id).stat().st_mtime, UTC)
    except OSError:
        return datetime.min.replace(tzinfo=UTC)
