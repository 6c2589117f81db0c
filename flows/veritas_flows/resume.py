"""The flow that resumes an interrupted run."""

from __future__ import annotations

from prefect import flow

from veritas.claims.graph import ClaimGraph
from veritas.settings import home
from veritas.store import find_run
from veritas.use_cases import runs
from veritas_flows.carry_out import carry_out, task_runner
from veritas_flows.nothing_to_do import no_latest, nothing_to_do
from veritas_flows.run_names import named


@flow(name="resume", flow_run_name=named("resume · {run}"), persist_result=False, task_runner=task_runner())
async def resume(run: str, wait_for_person: float = 0, preflight: bool = True) -> ClaimGraph:
    """Resume an interrupted run from its last finished stage; no answered call is made again.

    Args:
        run: The run's id or its beginning, or `latest`.
        wait_for_person: Minutes to wait for a person if nobody could confirm a finding. 0 leaves it out at once.
        preflight: First check, free of charge, which models and search providers are available. Without any, the run
            does not start.
    """
    if why := no_latest(run):
        return nothing_to_do(why, ClaimGraph)
    run_id = find_run(home(), run)
    return await carry_out(
        f"resume of {run}",
        run_id,
        lambda **how: runs.resume(run_id, preflight=preflight, **how),
        wait_for_person=wait_for_person,
    )
