"""How runs stand: those that are stored, and those of the background that are not yet."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from veritas.claims.graph import ClaimGraph
from veritas.errors import UnknownRun
from veritas.frozen import Frozen
from veritas.store import find_run, merge_run
from veritas.store.listing import RunSummary, catalogued, running, summary_of
from veritas.store.merge_queue import BATCH, MergeQueue
from veritas.store.paths import LATEST, beside, cancel_path, catalogue_path, run_ids, run_path
from veritas.use_cases import background
from veritas.use_cases.given import given_home, given_text
from veritas.use_cases.run_archive import Stamp, Stored, stamp_of, stored_graph

State = Literal["queued", "running", "finished", "failed", "cancelled", "interrupted", "unreadable"]

if TYPE_CHECKING:
    from veritas.claims.run_diff import RunDiff


class RunState(Frozen):
    """How a run stands, however it was begun.

    `place` counts those before it in the line of the background, None unless it is queued; `last_event` is the number
    of its last event there, None where it has none. `stopping`: it runs, and was asked to stop.
    `goes_on_as` is another run that was made of this one, which had ended unavailable. Costs
    are in US dollars, None while they are not known.
    """

    run_id: str
    state: State
    question: str | None = None
    tier: str | None = None
    stage: str | None = None
    parent_run_id: str | None = None
    replayed_from: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    answer_status: str | None = None
    claims: int | None = None
    cost_usd: float | None = None
    place: int | None = None
    last_event: int | None = None
    goes_on_as: str | None = None
    stopping: bool = False
    problem: str | None = None


def run_state(run: str, *, home: str | Path | None = None) -> RunState:
    """Return how a run stands: of an id, an unambiguous beginning of one, or `latest`. Raises `UnknownRun`."""
    place = given_home(home)
    if run == LATEST:
        run = find_run(place, run)
    try:
        job = background.find_job(run, home=place)
    except UnknownRun:
        found = _merged(_summary(place, find_run(place, run)), None)
        asked = found.state == "running" and cancel_path(place, found.run_id).exists()
        return found.model_copy(update={"stopping": True}) if asked else found
    return _merged(_summary(place, run) if run_path(place, run).exists() else None, job)


def run_states(
    *,
    state: State | None = None,
    text: str = "",
    limit: int = 50,
    after: str | None = None,
    home: str | Path | None = None,
) -> list[RunState]:
    """Return how runs stand, the newest first: those in a `state`, and with `text` in their question; at most `limit`,
    behind the run `after`. Those that `coming_runs` counts are not among them. Raises `UnknownRun` for an `after` that
    is not among all of them."""
    place = given_home(home)
    stored = _summaries(place)[0]
    jobs = _jobs(place, stored)
    names = sorted({*stored, *jobs}, key=lambda name: (_begun(stored.get(name), jobs.get(name)), name), reverse=True)
    if after is not None:
        if after not in names:
            raise UnknownRun(f"no run {after!r} to go on behind")
        names = names[names.index(after) + 1 :]
    wanted = text.casefold()
    found = []
    for each in (_merged(stored.get(name), jobs.get(name)) for name in names):
        if state in (None, each.state) and wanted in (each.question or "").casefold():
            found.append(each)
            if len(found) == limit:
                break
    return found


def unfinished_runs(*, limit: int = 20, home: str | Path | None = None) -> list[RunState]:
    """Return the newest runs that are not finished, however they were begun: under way, in line, stopped, cut off or
    unreadable."""
    place = given_home(home)
    stored = _summaries(place)[0]
    jobs = _jobs(place, stored)
    open_ones = {name for name, run in stored.items() if run.status != "finished"}
    found = (_merged(stored.get(name), jobs.get(name)) for name in sorted({*open_ones, *jobs}, reverse=True))
    return [state for state in found if state.state != "finished"][:limit]


def coming_runs(*, home: str | Path | None = None) -> int:
    """Return how many runs no list knows yet, because nobody has read their files: `catalogue_runs` does."""
    return _summaries(given_home(home))[1]


def catalogue_runs(*, home: str | Path | None = None) -> None:
    """Read the files that no list knows yet, a batch at a time, and enter the finished runs into the catalogue. Raises
    `StoreUnavailable` where that is not possible now."""
    place = given_home(home)
    known = catalogued(place)
    new = [name for name in run_ids(place) if name not in known]
    for start in range(0, len(new), BATCH):
        done = [name for name in new[start : start + BATCH] if _summary(place, name).status == "finished"]
        for name in done[1:]:
            MergeQueue(place).enter(name)
        if done:
            merge_run(place, done[0])


READ_FOR = 0.2
"""Seconds for which a list reads files that it does not know. In a server they are read beside the requests."""
_read: dict[Path, tuple[Stamp, RunSummary]] = {}
"""What was read of runs that are not catalogued, while their files stay the same."""
_catalogued: dict[Path, tuple[Stamp, dict[str, RunSummary]]] = {}


def _known(home: Path, run_id: str) -> RunSummary | None:
    """Return what is known of a run without reading its file."""
    path = run_path(home, run_id).absolute()
    known = _read.get(path)
    return known[1] if known is not None and known[0] == stamp_of(*beside(path)) else running(home, run_id)


def _summary(home: Path, run_id: str) -> RunSummary:
    known = _known(home, run_id)
    if known is not None:
        return known
    path = run_path(home, run_id).absolute()
    stamp = stamp_of(*beside(path))
    read = summary_of(home, run_id)
    if read.status in ("finished", "interrupted"):
        _read[path] = (stamp, read)
    return read


def _summaries(home: Path) -> tuple[dict[str, RunSummary], int]:
    """Return what is known of the stored runs, and of how many nothing is."""
    stamp, until = stamp_of(*beside(catalogue_path(home).absolute())), time.monotonic() + READ_FOR
    kept = _catalogued.get(home)
    if kept is None or kept[0] != stamp:
        kept = _catalogued[home] = (stamp, catalogued(home))
    found, coming = {}, 0
    for name in reversed(run_ids(home)):
        known = kept[1].get(name) or (_summary if time.monotonic() < until else _known)(home, name)
        if known is None:
            coming += 1
        else:
            found[name] = known
    return found, coming


def _jobs(home: Path, stored: Mapping[str, RunSummary]) -> dict[str, background.Job]:
    """Return the background's work on runs that are not finished."""
    done = {name for name, run in stored.items() if run.status == "finished"}
    begun = [name for name in background.job_ids(home=home) if name not in done]
    return {job.run_id: job for job in background.list_jobs(of=begun, work="research", home=home)}


def _begun(summary: RunSummary | None, job: background.Job | None) -> str:
    at = summary.started_at if summary is not None and summary.started_at is not None else None
    at = at or (job.wanted.asked_at if job is not None else None)
    return at.isoformat() if at is not None else ""


def _merged(summary: RunSummary | None, job: background.Job | None) -> RunState:
    told = _of_summary(summary) if summary is not None else {}
    if job is None:
        return RunState(**told)
    ended, failed = job.ended, job.failed
    asked = {
        "run_id": job.run_id, "question": job.wanted.question, "tier": job.wanted.settings.get("tier"),
        "parent_run_id": job.wanted.replay, "replayed_from": job.wanted.start_stage or None,
        "started_at": job.wanted.asked_at,
    }  # fmt: skip
    told = asked | {name: value for name, value in told.items() if value is not None}
    if told.get("state") not in ("finished", "unreadable"):
        told["state"] = job.state
    return RunState(**{
        **told, "place": job.place, "last_event": job.last_event, "stopping": job.stopping,
        "problem": failed.said if failed is not None and job.state == "failed" else None,
        "goes_on_as": ended.run_id if ended is not None and ended.run_id != job.run_id else None,
    })  # fmt: skip


def _of_summary(summary: RunSummary) -> dict[str, object]:
    same: Iterable[str] = RunState.model_fields.keys() & RunSummary.model_fields.keys()
    return {name: getattr(summary, name) for name in same} | {"state": summary.status}


def load_run(run: str = "latest", *, home: str | Path | None = None) -> ClaimGraph:
    """Return the claim graph of a finished run, with what persons have settled about it since.

    Raises `UnknownRun`, and `NotFinished` for one that has no answer.
    """
    from veritas.approvals.notes import noted_in

    place = given_home(home)
    try:
        run_id = find_run(place, given_text(run, "run"))
    except UnknownRun:
        if run in background.job_ids(home=place):  # it waits, or failed before it stored anything
            raise background.not_finished(run, None, place) from None
        raise
    found = stored_graph(place, run_id)
    if not isinstance(found, Stored):
        raise background.not_finished(run_id, found[-1] if found else None, place)
    return noted_in(found.graph, place, found.lineage)


def loaded(run: str | ClaimGraph, home: str | Path | None = None) -> ClaimGraph:
    """Return a claim graph as it is, and that of a run by its id. Raises as `load_run` does."""
    return run if isinstance(run, ClaimGraph) else load_run(run, home=home)


def diff_runs(
    run: str | ClaimGraph, other: str | ClaimGraph, *, home: str | Path | None = None
) -> RunDiff:
    """Return what changed from one run to another, cause by cause, each with what it took with it."""
    from veritas.claims.run_diff import diff_runs as compared

    return compared(loaded(run, home), loaded(other, home))
