"""The flow that makes a new run of an earlier one, from one of its stages on."""

from __future__ import annotations

import functools
from typing import Any, Literal

from prefect import flow

from veritas.claims.graph import ClaimGraph
from veritas.policy.cost_tiers import Budget
from veritas.use_cases import runs
from veritas_flows.carry_out import begun, carry_out, own_run_id, task_runner
from veritas_flows.nothing_to_do import no_latest, nothing_to_do
from veritas_flows.run_names import named


@flow(
    name="replay",
    flow_run_name=named("replay · {run} from {start}"),
    persist_result=False,
    task_runner=task_runner(),
)
async def replay(
    run: str,
    start: Literal["decompose", "research", "extract", "verify", "debate", "synthesize", "render"],
    tier: Literal["quick", "standard", "deep"] | None = None,
    policy: str | None = None,
    council: str | None = None,
    budget: Budget | None = None,
    seed: int | None = None,
    wait_for_person: float = 0,
    preflight: bool = True,
) -> ClaimGraph:
    """Repeat an earlier run from a stage, as a new run that keeps the stages before it.

    Args:
        run: The earlier run's id or its beginning, or `latest`. The run is read and never changed.
        start: The first stage to repeat.
        tier: Another cost tier. Empty to keep the earlier run's.
        policy: Path of another source policy (YAML). Empty to keep the earlier run's.
        council: Path of another council (YAML). Empty to keep the earlier run's.
        budget: Another budget. Empty to keep the earlier run's.
        seed: Another seed. Empty to keep the earlier run's.
        wait_for_person: Minutes to wait for a person if nobody could confirm a finding. 0 leaves it out at once.
        preflight: First check, free of charge, which models and search providers are available. Without any, the run
            does not start.
    """
    if why := no_latest(run):
        return nothing_to_do(why, ClaimGraph)
    changes: dict[str, Any] = {"tier": tier, "policy": policy, "council": council, "budget": budget, "seed": seed}
    given = {key: value for key, value in changes.items() if value not in (None, "")}
    run_id, anew = own_run_id(), functools.partial(runs.replay, run, start, changes=given)
    return await carry_out(
        f"replay of {run}",
        run_id,
        lambda **how: begun(run_id, anew, preflight=preflight, **how),
        wait_for_person=wait_for_person,
    )
