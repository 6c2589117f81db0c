"""What is told of a run whose result is asked for before there is one: how it stands, where it stopped, and why."""

from __future__ import annotations

from pathlib import Path

from veritas.errors import NotFinished, UnknownRun

_STANDS = {
    "queued": "it waits for its turn", "running": "it is under way", "interrupted": "it was cut off",
    "cancelled": "it was stopped", "failed": "it failed", "unreadable": "it cannot be read",
}  # fmt: skip
_RESUME = "veritas research --resume {run}"


def not_finished(run: str, reached: str | None, home: Path, *, what: str = "run", resume: str = _RESUME) -> NotFinished:
    """Return the error of a run, an audit or a review that has no result yet. `reached` is its last stored stage,
    `resume` the command that goes on with it, "" for none."""
    from veritas.use_cases import background
    from veritas.use_cases.events import StageDone, StageStarted

    state, begun, reason = "interrupted", reached, None
    try:
        job = background.find_job(run, home=home)
    except UnknownRun:
        pass
    else:
        state = job.state
        reason = job.failed.said if job.failed is not None and state == "failed" else None
        for told in background.read_events(run, home=home):
            if isinstance(told.event, StageStarted | StageDone):
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
