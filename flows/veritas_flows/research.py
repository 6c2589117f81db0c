"""The flow of a research run from a form: from a question to a verified answer."""

from __future__ import annotations

import functools
from datetime import date
from typing import Literal

from prefect import flow

from veritas.claims.graph import ClaimGraph
from veritas.policy.cost_tiers import Budget
from veritas.use_cases import runs
from veritas_flows.carry_out import begun, carry_out, own_run_id, task_runner
from veritas_flows.run_names import named


@flow(name="research", flow_run_name=named("{tier} · {question}"), persist_result=False, task_runner=task_runner())
async def research(
    question: str,
    tier: Literal["quick", "standard", "deep"] = "standard",
    corpus: list[str] | None = None,
    policy: str | None = None,
    council: str | None = None,
    budget: Budget | None = None,
    since: date | None = None,
    web: bool = False,
    seed: int = 0,
    wait_for_person: float = 0,
    preflight: bool = True,
) -> ClaimGraph:
    """Answer a question so that every claim traces to a verbatim passage of an admitted source.

    Args:
        question: Your question, in a sentence or two.
        tier: quick = one pass, no debate; standard = peers may contest claims; deep = three rounds, two judges per
            claim.
        corpus: Folders or files (a .jsonl too) of documents to search, as paths on the machine that runs this.
        policy: Path of a source policy (YAML). Empty for policies/source_tiers.yaml.
        council: A council file or the name of a built-in council; empty for the one that `veritas council` names.
        budget: Limits of this run. The run is made smaller to fit, never aborted.
        since: Only sources published on or after this day.
        web: Search the web beside the corpus. Without a corpus the web is always searched.
        seed: Decides the rotation of search providers; the same seed gives the same run.
        wait_for_person: Minutes to wait for a person if nobody could confirm a finding. 0 leaves it out at once.
        preflight: First check, free of charge, which models and search providers are available. Without any, the run
            does not start.
    """
    request = runs.make_request(
        question=question,
        tier=tier,
        corpus=corpus,
        policy=policy or None,
        council=council or None,
        budget=budget,
        since=since,
        web=web,
        seed=seed,
    )
    run_id, start = own_run_id(), functools.partial(runs.start, request)
    return await carry_out(
        request.question,
        run_id,
        lambda **how: begun(run_id, start, preflight=preflight, **how),
        wait_for_person=wait_for_person,
    )
