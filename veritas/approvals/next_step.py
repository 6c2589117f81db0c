"""The next step after a decision: a command, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from veritas.approvals.approval import Approval
from veritas.errors import UnknownRun, VeritasError
from veritas.store import RunStore
from veritas.store.open_file import StoreLocked

PATIENCE = 0.2
"""Seconds to wait for the file of a run; a process that holds it for longer is running it."""


class NextStep(NamedTuple):
    """`command` is empty if there is nothing to run; `why` explains it in a sentence."""

    command: str
    why: str


def next_step(approval: Approval, home: Path) -> NextStep:
    """Return how the decision on an approval gets into the answer."""
    if not approval.recorded:  # nor is a command of its own printed: nobody here knows who wrote it
        return NextStep("", "it takes effect in the store that has the record of the question, which is not this one")
    if approval.state() == "pending" and approval.decisions:
        return NextStep("", _lacking(approval))
    if approval.kind != "research-claim" or approval.run_id is None:
        why = "this command applies the decision" if approval.then else "it applies when this is asked again"
        return NextStep(approval.then, why)
    run = approval.run_id
    state = approval.state()
    if state in ("rejected", "expired"):
        return NextStep("", f"it stays left out of run {run}")
    try:
        with RunStore.open(home, run, read_only=True, patience=PATIENCE) as store:
            finished = store.status == "finished"
    except StoreLocked:
        return NextStep("", f"run {run} is in progress and applies the decision before it writes its answer")
    except UnknownRun:
        return NextStep("", f"run {run} is not in the store any more")
    except VeritasError as problem:
        return NextStep("", f"run {run} cannot be read now: {problem}")
    if not finished:
        return NextStep(f"veritas research --resume {run}", f"run {run} was cut off; resuming it applies the decision")
    effect = "leaves the claim out again" if state == "withdrawn" else "uses the claim"
    why = f"run {run} is finished and stays as it is; a replay {effect}"
    return NextStep(f"veritas replay {run} --from synthesize", why)


def _lacking(approval: Approval) -> str:
    """Return why an approval with decisions still waits."""
    more = approval.required - len(approval.voices)
    return f"it waits for {more} more {'person' if more == 1 else 'persons'} to approve it"
