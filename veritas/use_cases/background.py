"""Runs in the background: each is carried out by a process of its own, which outlives whoever asked for it.

    from veritas.use_cases import background

    job = background.begin("Does Prefect retry failed tasks?", corpus="docs/")
    async for told in background.follow(job.run_id):
        print(told.number, told.event)

What was asked and all events are files (`veritas.store.jobs`), so that any number of processes can follow a run from
any event on. A run that was cut off goes on with the next `advance`; at most `at_once` are carried out at a time, the
others wait in line.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from pydantic import Field

from veritas.errors import InputError, NotFinished, StoreUnavailable, UnknownRun
from veritas.frozen import Frozen, content_hash
from veritas.store import jobs as stored
from veritas.store.paths import LATEST, new_run_id, run_path
from veritas.tracing import for_child
from veritas.use_cases import events, run_archive
from veritas.use_cases.background_checks import check_replay, check_work
from veritas.use_cases.events import Told, all_typed, tell, typed
from veritas.use_cases.given import given_budget, given_corpus, given_home

logger = logging.getLogger(__name__)

AT_ONCE = 2
"""Runs that are carried out at a time, unless `VERITAS_RUNS_AT_ONCE` says otherwise."""
ATTEMPTS = 3
"""Times that a run is begun; if its process was killed as often, something is wrong with the run."""
POLL, CARE = 0.25, 5.0
"""Seconds between two looks of `follow` at the events, and between two looks whether a run was cut off."""

State = Literal["queued", "running", "finished", "failed", "cancelled", "interrupted"]
_ENDS: Mapping[str, State] = {"ended": "finished", "failed": "failed", "stopped": "cancelled"}
UNDER_WAY = frozenset(("queued", "running", "interrupted"))
ENDS = frozenset(_ENDS)
"""The kinds of the events after which there are no more, unless the run goes on."""


_RESUMES = {
    "paper": "veritas paper --resume {run}", "research": "veritas research --resume {run}",
    "review": "veritas review --resume {run}",
}  # fmt: skip


class AskedBefore(InputError):
    """Something else was asked for under the same idempotency key before."""


Work = Literal["research", "bibliography", "cite", "corpus", "factcheck", "living", "paper", "review"]


class Wanted(Frozen):
    """What a run in the background is to be. One of research is of a question with its settings, a replay of `replay`
    from `start_stage` with changed settings, or the rest of `resume`; other `work` has the parameters of its use case
    as `settings`. `owner` names who asked for it."""

    work: Work = "research"
    question: str | None = None
    settings: Mapping[str, Any] = Field(default_factory=dict)
    replay: str | None = None
    start_stage: str = ""
    resume: str | None = None
    preflight: bool = True
    owner: str = ""
    asked_at: datetime


class Job(Frozen):
    """A run in the background, as it stands.

    `place` counts those before it in the line, None unless it is queued; `last_event` is its number, 0 without any.
    `stopping`: it runs, and was asked to stop.
    """

    run_id: str
    state: State
    wanted: Wanted
    place: int | None = None
    attempts: int = 0
    last_event: int = 0
    ended: events.Ended | None = None
    failed: events.Failed | None = None
    stopping: bool = False


def new_id() -> str:
    """Return a fresh id for a run."""
    return new_run_id()


# -- begin ------------------------------------------------------------------------------------------------------------


def begin(
    question: str,
    *,
    preflight: bool = True,
    run_id: str | None = None,
    owner: str = "",
    at_once: int | None = None,
    home: str | Path | None = None,
    **settings: Any,
) -> Job:
    """Begin a run on `question` in the background, and return it; `settings` are parameters of `veritas.research`.

    `run_id` is the id it gets; a run that was begun under that id already is returned as it stands. Raises
    `InputError`; what is found wrong later, such as a corpus without documents, is the run's `Failed`.
    """
    from veritas.use_cases.runs import make_request

    corpus, budget = given_corpus(settings.pop("corpus", ())), given_budget(settings.pop("budget", None))
    request = make_request(question=question, corpus=corpus, budget=budget, **settings)
    asked = request.model_dump(mode="json", exclude={"question"}, exclude_none=True)
    wanted = Wanted(
        question=request.question, settings=asked, preflight=preflight, owner=owner, asked_at=datetime.now(UTC)
    )
    return _begun(wanted, run_id, at_once, given_home(home))


def begin_replay(
    run: str,
    from_stage: str,
    *,
    changes: Mapping[str, Any] | None = None,
    preflight: bool = True,
    run_id: str | None = None,
    owner: str = "",
    at_once: int | None = None,
    home: str | Path | None = None,
) -> Job:
    """Begin a replay of `run` in the background, and return it. `changes` are parameters of `begin` that replace those
    of `run`. Raises `UnknownRun`, `InputError`."""
    from veritas.answers.pipeline import RESEARCH_RUNS
    from veritas.store import find_run

    place = given_home(home)
    check_replay(changes or {})
    wanted = Wanted(
        replay=find_run(place, run), start_stage=RESEARCH_RUNS.check(from_stage), settings=dict(changes or {}),
        preflight=preflight, owner=owner, asked_at=datetime.now(UTC),
    )  # fmt: skip
    return _begun(wanted, run_id, at_once, place)


def begin_work(
    work: Work,
    settings: Mapping[str, Any],
    *,
    about: str = "",
    run_id: str | None = None,
    owner: str = "",
    at_once: int | None = None,
    home: str | Path | None = None,
) -> Job:
    """Begin something else than research in the background, and return it: `settings`, JSON values, are the parameters
    of its use case, and `about` says in words what it is of. `result` gives what it came to. Raises `InputError` for
    what cannot be done whatever its documents say, such as a review of a corpus that is not there."""
    if run_id is None or not stored.has_job(given_home(home), run_id):
        check_work(work, settings, given_home(home))
    asked = Wanted(work=work, question=about, settings=dict(settings), owner=owner, asked_at=datetime.now(UTC))
    name = run_id or (f"review-{new_run_id()}" if work == "review" else new_run_id())
    return _begun(asked, name, at_once, given_home(home))


def result(run: str, *, home: str | Path | None = None) -> Any:
    """Return what work in the background came to, JSON values; an audit and a review are in their own stores, and their
    id is in it. Raises `UnknownRun`, and `NotFinished` for work that is not finished."""
    job = find_job(run, home=home)
    if job.state != "finished":
        raise not_finished(run, None, given_home(home), what=job.wanted.work, resume=_RESUMES.get(job.wanted.work, ""))
    return json.loads(stored.read_file(given_home(home), run, "result.json"))


def result_file(run: str, name: str, *, home: str | Path | None = None) -> str:
    """Return the text of a file that work in the background made beside its result: `corrected.bib`, `report.html`.
    Raises `UnknownRun`."""
    find_job(run, home=home)
    return stored.read_file(given_home(home), run, name)


def go_on(
    run: str,
    *,
    preflight: bool = True,
    budget: Mapping[str, Any] | None = None,
    owner: str = "",
    at_once: int | None = None,
    home: str | Path | None = None,
) -> Job:
    """Let a run that stopped, failed or was cut off go on in the background, and return it; one that is under way, or
    finished with an answer, as it stands.

    One that ended `unavailable` goes on as another, a replay: the id of the job is that of the new run, and `budget`
    are limits of that one, in place of those of the old. Raises `UnknownRun`.
    """
    from veritas.store import RunStore, find_run

    place = given_home(home)
    if run in stored.job_ids(place):
        job = find_job(run, home=place)
        if job.state in ("queued", "running"):
            return job
    else:
        run = find_run(place, run)
        job = None
    if job is not None and job.wanted.work != "research":
        silent = job.ended is not None and job.ended.status == "unavailable"  # what was answered is kept
        return _begun(job.wanted, run, at_once, place, again=job.state != "finished" or silent)
    if run_path(place, run).exists():
        with RunStore.open(place, run, read_only=True) as store:
            done = store.graph()
        if done is not None and done.answer.unavailable_at is not None:
            return begin_replay(
                run, done.answer.unavailable_at, changes={"budget": dict(budget)} if budget else None,
                preflight=preflight, owner=owner, at_once=at_once, home=place,
            )  # fmt: skip
    wanted = Wanted(resume=run, preflight=preflight, owner=owner, asked_at=datetime.now(UTC))
    return _begun(wanted, run, at_once, place, again=job is not None and job.state != "finished")


def _begun(wanted: Wanted, run_id: str | None, at_once: int | None, home: Path, *, again: bool = False) -> Job:
    run_id = run_id or new_run_id()
    with stored.hold_line(home):
        if again or not stored.has_job(home, run_id):
            stored.mark_open(home, run_id)  # first: what is killed on the way leaves no run that nobody begins
            stored.write_job(home, run_id, wanted)
            stored.take_away_mark(home, run_id)
            tell(home, run_id, events.Queued())
    advance(home=home, at_once=at_once)
    return find_job(run_id, home=home)


def same_as_before(owner: str, key: str, asked: Any, run_id: str, *, home: str | Path | None = None) -> str:
    """Return the id of the run that `owner` asked for under an idempotency key: `run_id` the first time, later the one
    of then. Raises `AskedBefore` when something else was `asked` under it then."""
    name = content_hash([owner, key])
    now = {"asked": content_hash(asked), "run_id": run_id}
    first = json.loads(stored.remembered(given_home(home), name, json.dumps(now)))
    if first["asked"] != now["asked"]:
        raise AskedBefore("the idempotency key was used for another request before: choose a new one")
    return str(first["run_id"])


def forget_key(owner: str, key: str, *, home: str | Path | None = None) -> None:
    """Let an idempotency key be as if `owner` had never used it."""
    stored.forget(given_home(home), content_hash([owner, key]))


# -- how they stand ---------------------------------------------------------------------------------------------------


def find_job(run: str, *, home: str | Path | None = None) -> Job:
    """Return a run in the background as it stands. Raises `UnknownRun` for one that was begun in another way."""
    place = given_home(home)
    job, line = _job(place, run), _line(place)
    return job.model_copy(update={"place": line.index(run)}) if run in line else job


def spent_by(owner: str, *, home: str | Path | None = None) -> float:
    """Return the US dollars that the runs of an owner have cost or may still cost: of those that wait or are carried
    out, the whole budget counts where they have one. Calls without a known price count nothing."""
    place = given_home(home)
    total = 0.0
    for run_id in stored.job_ids(place):
        try:
            if _asked(place, run_id).owner == owner:
                job = _job(place, run_id)
                spent = _spent(place, run_id)
                total += max(spent, limit_of(job) or 0.0) if job.state in UNDER_WAY else spent
        except (UnknownRun, StoreUnavailable) as problem:  # it cannot be carried out either
            logger.warning("a run in the background is passed over: %s", problem)
    return total


def to_reserve(job: Job, *, home: str | Path | None = None) -> float:
    """Return the US dollars that a run which stopped or failed may still cost when it goes on, 0 for any other: what it
    has spent counts against its limit."""
    if job.state not in ("failed", "cancelled"):
        return 0.0
    return max(0.0, (limit_of(job) or 0.0) - _spent(given_home(home), job.run_id))


def limit_of(job: Job) -> float | None:
    """Return the most that a run may cost, in US dollars; None for one without a limit of its own."""
    settings = job.wanted.settings
    changed = (settings.get("changes") or {}).get("budget")
    usd = (settings.get("budget") or changed or {}).get("usd")
    return float(usd) if usd is not None else None


def _spent(home: Path, run_id: str) -> float:
    return sum(
        call.get("cost_usd") or 0.0
        for line in stored.read_events(home, run_id) if line.kind == "unit_done"
        for call in line.fields.get("calls", ()) if not call.get("from_ledger")
    )  # fmt: skip


@lru_cache(maxsize=20_000)
def _asked(home: Path, run_id: str) -> Wanted:
    """Return what was asked, which never changes, of a run that is known to be there."""
    wanted: Wanted = stored.read_job(home, run_id, Wanted)
    return wanted


def job_ids(*, home: str | Path | None = None) -> list[str]:
    """Return the ids of all runs that were begun in the background, the oldest first."""
    return stored.job_ids(given_home(home))


def list_jobs(
    *,
    unfinished: bool = False,
    of: Sequence[str] | None = None,
    work: Work | None = None,
    home: str | Path | None = None,
) -> list[Job]:
    """Return the runs in the background, the oldest first: all, those `of` these ids, those of a kind of `work`; with
    `unfinished` those that wait or are carried out. One that cannot be read is left out."""
    place = given_home(home)
    ids = of if of is not None else stored.open_jobs(place) if unfinished else stored.job_ids(place)
    line = _line(place)
    return [
        job.model_copy(update={"place": line.index(job.run_id)}) if job.run_id in line else job
        for job in _readable(place, ids, work)
    ]


def _job(home: Path, run_id: str) -> Job:
    wanted: Wanted = stored.read_job(home, run_id, Wanted)
    held = stored.is_carried_out(home, run_id)  # before its events are read: it may end between the two
    lines = stored.read_events(home, run_id)
    told = [line for line in lines if line.kind in ("queued", "begun", *_ENDS)]
    attempts = 0
    for line in told:
        attempts = 0 if line.kind == "queued" else attempts + (line.kind == "begun")
    last = told[-1] if told else None
    state: State = "queued"
    if last is not None and last.kind in _ENDS:
        state = _ENDS[last.kind]
    elif last is not None and last.kind == "begun":
        state = "running" if held else "interrupted"
    made = typed(last) if last is not None else None
    return Job(
        run_id=run_id, state=state, wanted=wanted, attempts=attempts, last_event=lines[-1].number if lines else 0,
        ended=made if isinstance(made, events.Ended) else None,
        failed=made if isinstance(made, events.Failed) else None,
        stopping=state == "running" and stored.job_asked_to_stop(home, run_id),
    )  # fmt: skip


def _readable(home: Path, ids: Sequence[str], work: Work | None = None) -> list[Job]:
    """Return the jobs of these ids as they stand, all or those of a kind of `work`. Those that cannot be read hold up
    none of the others."""
    found = []
    for run_id in ids:
        try:
            if work is None or _asked(home, run_id).work == work:
                found.append(_job(home, run_id))
        except UnknownRun:
            continue
        except StoreUnavailable as problem:
            logger.warning("a run in the background is passed over: %s", problem)
    return found


def _line(home: Path) -> list[str]:
    """Return the ids of the runs that wait for their turn, in order; a run that was cut off comes before them."""
    waiting = []
    for job in _readable(home, stored.open_jobs(home)):
        if job.state in ("queued", "interrupted"):
            queued = [each.at for each in stored.read_events(home, job.run_id) if each.kind == "queued"]
            waiting.append((job.state == "queued", queued[-1] if queued else job.wanted.asked_at, job.run_id))
    return [run_id for _, _, run_id in sorted(waiting)]


# -- events -----------------------------------------------------------------------------------------------------------


def read_events(run: str, after: int = 0, *, home: str | Path | None = None) -> list[Told]:
    """Return the events of a run in the background behind number `after`, in order. Raises `UnknownRun`."""
    place = given_home(home)
    stored.read_job(place, run, Wanted)
    return all_typed(stored.read_events(place, run, after))


def event_reader(run: str, *, home: str | Path | None = None) -> stored.EventReader:
    """Return a reader of the events of a run in the background as plain lines, for a door that hands them on. Raises
    `UnknownRun`."""
    place = given_home(home)
    stored.read_job(place, run, Wanted)
    return stored.EventReader(place, run)


async def follow(run: str, after: int = 0, *, home: str | Path | None = None) -> AsyncIterator[Told]:
    """Yield the events of a run in the background behind number `after`, as they come, until its end. Whoever stops
    listening stops nothing. Raises `UnknownRun`."""
    place = given_home(home)
    stored.read_job(place, run, Wanted)
    reader, looked = stored.EventReader(place, run), monotonic()
    while True:
        lines = await asyncio.to_thread(reader.more)
        for told in all_typed(lines):
            if told.number > after:
                yield told
        if lines and lines[-1].kind in _ENDS:
            return
        if monotonic() - looked > CARE:
            looked = monotonic()
            await asyncio.to_thread(advance, home=place)
        await asyncio.sleep(POLL)


# -- carry on, stop ---------------------------------------------------------------------------------------------------

_children: list[subprocess.Popen[bytes]] = []
"""Processes that this one started, until their end is seen."""


def advance(*, home: str | Path | None = None, at_once: int | None = None) -> list[str]:
    """Begin the runs that wait, and those that were cut off, as far as there is room; return their ids.

    Each process that ends does so for the next; whoever runs for long does so from time to time.
    """
    _children[:] = [child for child in _children if child.poll() is None]
    place = given_home(home)
    if not stored.open_jobs(place):
        return []
    limit = at_once or int(os.environ.get("VERITAS_RUNS_AT_ONCE") or AT_ONCE)
    begun: list[str] = []
    with stored.hold_line(place):
        running = sum(stored.is_carried_out(place, run_id) for run_id in stored.open_jobs(place))
        for run_id in _line(place):
            if running + len(begun) < limit and _start(place, run_id, limit):
                begun.append(run_id)
        for run_id in stored.open_jobs(place):  # its process was killed after the last event
            if not stored.has_job(place, run_id):  # or was killed before it was asked for
                stored.mark_done(place, run_id)
        for job in _readable(place, stored.open_jobs(place)):
            if job.state in _ENDS.values():
                stored.mark_done(place, job.run_id)
    return begun


def _start(home: Path, run_id: str, limit: int) -> bool:
    """Start the process of a run, which is given its lock; return whether that was done."""
    job = _job(home, run_id)
    if job.attempts >= ATTEMPTS:
        said = f"its process was killed {job.attempts} times: it may need more memory than there is"
        tell(home, run_id, events.Failed(error="CutOff", said=said))
        stored.mark_done(home, run_id)
        return False
    lock = stored.hold_job(home, run_id)
    if lock is None or lock.file is None:
        return False
    passed = () if sys.platform == "win32" else (lock.file,)
    place = str(home.resolve())
    environment = {**os.environ, "VERITAS_HOME": place, "VERITAS_RUNS_AT_ONCE": str(limit), **for_child()}
    try:
        tell(home, run_id, events.Begun(attempt=job.attempts + 1))
        with stored.log_path(home, run_id).open("ab") as log:
            _children.append(
                subprocess.Popen(
                    [sys.executable, "-P", "-m", "veritas.use_cases.background_run", run_id, *map(str, passed)],
                    env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                    pass_fds=passed,
                )
            )  # fmt: skip
    finally:
        if passed:
            lock.hand_over()
        else:
            lock.release()
    return True


def cancel(run: str, *, home: str | Path | None = None) -> Job:
    """Ask a run in the background to stop, and return it as it stands; one that waits in line stops at once.

    It makes no further paid call, and can go on later (`go_on`). Raises `UnknownRun`, and `InputError` for one that is
    not under way.
    """
    place = given_home(home)
    if run == LATEST:
        raise InputError("name the run that is to stop by its id")
    with stored.hold_line(place):
        job = _job(place, run)
        if job.state in ("queued", "interrupted"):
            tell(place, run, events.Stopped())
            stored.mark_done(place, run)
        elif job.state == "running":
            stored.ask_job_to_stop(place, run)
            with suppress(InputError):  # its stages have not begun, or it has none: the mark is seen
                run_archive.cancel(run, home=place)
        else:
            raise InputError(f"run {run} is not under way: there is nothing to cancel")
    return find_job(run, home=place)


_STANDS = {
    "queued": "it waits for its turn", "running": "it is under way", "interrupted": "it was cut off",
    "cancelled": "it was stopped", "failed": "it failed", "unreadable": "it cannot be read",
}  # fmt: skip
_RESUME_RUN = "veritas research --resume {run}"


def not_finished(
    run: str, reached: str | None, home: Path, *, what: str = "run", resume: str = _RESUME_RUN
) -> NotFinished:
    """Return the error of a run, an audit or a review that has no result yet. `reached` is its last stored stage,
    `resume` the command that goes on with it, "" for none."""
    state, begun, reason = "interrupted", reached, None
    try:
        job = find_job(run, home=home)
    except UnknownRun:
        pass
    else:
        state = job.state
        reason = job.failed.said if job.failed is not None and state == "failed" else None
        for told in read_events(run, home=home):
            if isinstance(told.event, events.StageStarted | events.StageDone):
                begun = told.event.stage
    parts = [f"{what} {run} is not finished: {_STANDS.get(state, state)}"]
    if begun:
        parts.append(f" in {begun}" if state == "failed" else f", and got as far as {begun}")
    elif state != "queued":
        parts.append(" before its first stage")
    parts.append(f": {reason}" if reason else "")
    if resume and state in ("cancelled", "failed", "interrupted"):
        parts.append(f". To go on: {resume.format(run=run)}")
    return NotFinished("".join(parts), run_id=run, state=state, stage=begun, reason=reason)
