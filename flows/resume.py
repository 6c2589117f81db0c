"""The flow that goes on with a run that was cut off."""

from __future__ import annotations

from typing import Any

from prefect import flow

from flows.ending import no_latest, nothing_to_do
from flows.running import carry_out, task_runner
from veritas import runs
from veritas.claims.graph import ClaimGraph


@flow(name="resume", flow_run_name="resume · {run}", persist_result=False, task_runner=task_runner())
async def resume(run: str, wait_for_person: float = 0) -> ClaimGraph | Any:
    """Goes on with a run that was cut off, from its last finished stage; no answered call is made again.

    Args:
        run: The run's id, a beginning of it, or `latest`.
        wait_for_person: Minutes to wait for a person where nobody could confirm a finding. 0 leaves it out at once.
    """
    if why := no_latest(run):
        return nothing_to_do(why)
    return await carry_out(f"resume of {run}", lambda **how: runs.resume(run, **how), wait_for_person=wait_for_person)
