"""The process that carries out a run of the background: `python -m veritas.use_cases.background_run RUN [LOCK]`."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Sequence

from veritas.errors import CRASHED, Cancelled, StoreUnavailable, VeritasError
from veritas.sinks import withhold_in_logs, withhold_on_streams
from veritas.store import jobs as stored
from veritas.store._process_lock import ProcessLock
from veritas.store.paths import run_path
from veritas.use_cases.background import Wanted, advance
from veritas.use_cases.background_progress import Writing
from veritas.use_cases.events import Ended, Failed, Stopped
from veritas.use_cases.runners import Asked, runner


def main(arguments: Sequence[str]) -> int:
    """Carry out the run, tell how it ended, and begin the next in line; return the exit code. `LOCK` is the number of
    the file whose lock the process was started with."""
    from veritas.settings import home

    withhold_on_streams()
    withhold_in_logs()
    place, run_id = home(), arguments[0]
    if len(arguments) > 1:
        lock: ProcessLock | None = ProcessLock(stored.job_folder(place, run_id) / "lock", int(arguments[1]))
    else:
        lock = stored.hold_job(place, run_id)
    if lock is None:
        return 0  # another process carries it out
    told = Writing(place, run_id)
    ended = _carried_out(told)
    try:
        told.tell(ended)
        stored.mark_done(place, run_id)
    finally:
        lock.release()
    advance(home=place)
    return ended.exit_code if isinstance(ended, Failed) else 0


def _carried_out(told: Writing) -> Ended | Failed | Stopped:
    try:
        if stored.job_asked_to_stop(told.home, told.run_id):
            return Stopped()
        return _run(told)
    except Cancelled as stopped:
        return Stopped(said=str(stopped))
    except VeritasError as error:
        return Failed(error=type(error).__name__, said=str(error), exit_code=error.exit_code)
    except BaseException as error:  # noqa: BLE001 - whoever follows must learn of it, whatever it is
        traceback.print_exc()
        said = f"the run crashed ({type(error).__name__}): this is a defect of veritas, and its log says where"
        return Failed(error="Crash", said=said, exit_code=CRASHED)


def _run(told: Writing) -> Ended:
    wanted: Wanted = stored.read_job(told.home, told.run_id, Wanted)
    if wanted.work == "research":
        return _research(told, wanted)
    from veritas.use_cases.background_work import carry_out

    return asyncio.run(carry_out(Writing(told.home, told.run_id, details=False), wanted))


def _research(told: Writing, wanted: Wanted) -> Ended:
    from veritas.use_cases.reports import write_report

    if wanted.resume is not None or run_path(told.home, told.run_id).exists():  # cut off before, or stopped
        asked = Asked(resume=told.run_id, preflight=wanted.preflight)
    else:
        asked = Asked(
            question=wanted.question, settings=wanted.settings, replay=wanted.replay, start_stage=wanted.start_stage,
            preflight=wanted.preflight, run_id=told.run_id,
        )  # fmt: skip
    graph = asyncio.run(runner()(asked, told, None))
    try:
        write_report(graph, told.home / "reports" / graph.run.run_id)
    except StoreUnavailable as problem:  # the answer is paid for and stored all the same
        told.noted(str(problem))
    costs = [call.cost_usd for call in graph.calls if not call.from_ledger]
    return Ended(
        run_id=graph.run.run_id, status=graph.answer.status, reason=graph.answer.reason,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
