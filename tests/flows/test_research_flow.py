"""The research flow on a real Prefect server finds what the same run in process finds, and shows it there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.pumps import QUESTION
from veritas import runs
from veritas.claims import ClaimGraph
from veritas.errors import InputError, Unavailable

pytestmark = [
    pytest.mark.server,
    pytest.mark.usefixtures("prefect_server"),
]


async def _artifacts(run_id: str) -> dict[str, Any]:
    from prefect.client.orchestration import get_client

    async with get_client() as client:
        found = await client.read_artifacts()
    return {a.key.removesuffix(f"-{run_id}"): a for a in found if a.key and a.key.endswith(run_id)}


async def _task_runs(flow_run: str) -> list[Any]:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterName

    async with get_client() as client:
        for _ in range(60):
            found = await client.read_task_runs(flow_run_filter=FlowRunFilter(name=FlowRunFilterName(any_=[flow_run])))
            if any(t.name.startswith("write") for t in found):
                return list(found)
            await asyncio.sleep(0.5)  # the server records task runs a little after they ran
    return []


async def test_orchestrated_run_gives_the_claim_graph_of_the_run_in_process(corpus: Path) -> None:
    from flows.research import research

    here: ClaimGraph = await runs.research(QUESTION, corpus=[corpus], tier="deep")
    there = await research(QUESTION, tier="deep", corpus=[str(corpus)])
    assert there.content_hash() == here.content_hash()
    assert there.answer.status == "answered"
    assert there.run.run_id != here.run.run_id

    shown = await _artifacts(there.run.run_id)
    assert set(shown) == {"answer", "claims", "rejected", "report"}
    assert QUESTION in shown["answer"].data
    assert "reddit.com" in shown["rejected"].data
    assert "planted: a forum thread" in shown["rejected"].data

    tasks = await _task_runs(f"deep · {QUESTION[:80]}")
    names = {t.name.split(" · ")[0] for t in tasks}
    assert {"decompose", "research", "extract", "judge", "contest", "respond", "write"} <= names
    assert not any(t.tags for t in tasks), "search on this machine needs no limit, and a tag costs a round trip"
    assert len(tasks) < 200


async def test_progress_artifact_ends_at_one_hundred(corpus: Path) -> None:
    from prefect.client.orchestration import get_client

    from flows.research import research

    question = "Does the Borealis pump need oil?"
    await research(question, tier="quick", corpus=[str(corpus)])
    async with get_client() as client:
        found = [a for a in await client.read_artifacts() if a.type == "progress" and question in (a.description or "")]
    assert [float(a.data) for a in found] == [100.0]


async def test_replay_flow_makes_a_child_of_a_run_in_process(corpus: Path) -> None:
    from flows.replay import replay

    parent = await runs.research(QUESTION, corpus=[corpus], tier="quick")
    child = await replay(parent.run.run_id, "decompose", tier="deep")
    assert child.run.parent_run_id == parent.run.run_id
    assert child.run.tier == "deep"
    assert len(child.rounds) == 3
    assert child.content_hash() == (await runs.research(QUESTION, corpus=[corpus], tier="deep")).content_hash()


async def test_bad_input_fails_the_flow_at_once_and_leaves_no_run(corpus: Path, own_home: Path) -> None:
    from flows.research import research

    with pytest.raises(InputError, match="the question is empty"):
        await research("   ", corpus=[str(corpus)])
    with pytest.raises(InputError, match="does not exist"):
        await research(QUESTION, corpus=[str(corpus.parent / "nowhere")])
    assert not (own_home / "runs").exists()


async def test_unit_that_was_unavailable_is_tried_again_and_a_wrong_one_is_not(corpus: Path) -> None:
    from prefect import flow

    from tasks import STAGE_TASKS
    from tasks.running import OrchestratedWork, lend
    from veritas.council.turns import SubQueryDraft
    from veritas.stages.decompose import DECOMPOSE, DecomposeUnit
    from veritas.testing import FakeMember, fake_runtime

    tries: list[str] = []

    def flaky(question: str) -> list[SubQueryDraft]:
        tries.append(question)
        if len(tries) < 3:
            raise Unavailable("overloaded")
        return [SubQueryDraft(text=question)]

    def broken(question: str) -> list[SubQueryDraft]:
        tries.append(question)
        raise InputError("no such model")

    @flow(name="one-unit", validate_parameters=False)
    async def one(member: Any) -> Any:
        runtime = fake_runtime([], members=[member])
        lend(runtime)
        quick = {
            name: made.with_options(retry_delay_seconds=0, retry_jitter_factor=0) for name, made in STAGE_TASKS.items()
        }
        return await OrchestratedWork(quick)(DECOMPOSE, [DecomposeUnit(question="?", member=member.name)], runtime)

    (outcome,) = await one(FakeMember("m", on_decompose=flaky))
    assert outcome.value is not None
    assert len(tries) == 3

    tries.clear()
    with pytest.raises(InputError):
        await one(FakeMember("m", on_decompose=broken))
    assert len(tries) == 1


async def test_no_more_searches_ask_a_provider_at_once_than_its_limit_allows() -> None:
    from prefect import flow
    from prefect.client.orchestration import get_client

    from flows.limits import ensure_limits
    from tasks import STAGE_TASKS
    from tasks.running import OrchestratedWork, lend
    from tasks.turns import limit_name
    from veritas.claims import Binding, SubQuery
    from veritas.search.provider import SearchHit
    from veritas.stages.gathering import RESEARCH, ResearchUnit
    from veritas.testing import FakeProvider, fake_runtime

    now = most = 0

    class Slow(FakeProvider):
        async def search(self, query: str, **_: Any) -> list[SearchHit]:
            nonlocal now, most
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.2)
            now -= 1
            return []

    units = [
        ResearchUnit(
            member=f"m{i}",
            sub_query=SubQuery(sub_query_id="q", text="water"),
            bindings=(Binding(member=f"m{i}", sub_query_id="q", slot=0, provider="slow"),),
        )
        for i in range(4)
    ]

    @flow(name="four-searches")
    async def four() -> Any:
        runtime = fake_runtime([], providers=[Slow("slow")])
        lend(runtime)
        return await OrchestratedWork(STAGE_TASKS)(RESEARCH, units, runtime)

    async with get_client() as client:
        await client.upsert_global_concurrency_limit_by_name(limit_name("slow"), limit=1)
    await ensure_limits([FakeProvider("slow"), FakeProvider("other")])
    async with get_client() as client:
        kept = await client.read_global_concurrency_limit_by_name(limit_name("slow"))
        made = await client.read_global_concurrency_limit_by_name(limit_name("other"))
    assert (kept.limit, made.limit) == (1, 4)
    outcomes = await four()
    assert len(outcomes) == 4
    assert most == 1


def test_every_deployment_of_the_file_can_be_served(own_home: Path) -> None:
    from prefect.utilities.schema_tools.validation import validate

    from flows.serving import deployments

    made = {d.name: d for d in deployments()}
    for deployment in made.values():  # as the server does: one that is refused stops all of `veritas up`
        schema = deployment._parameter_openapi_schema.model_dump_for_openapi()
        assert validate(deployment.parameters, schema, ignore_required=True) == [], deployment.name
    assert {"quick", "standard", "deep", "replay", "resume", "nightly", "citation-audit"} <= set(made)
    assert {made[t].parameters["tier"] for t in ("quick", "standard", "deep")} == {"quick", "standard", "deep"}
    assert made["deep"].parameters["corpus"] == ["docs"]
    schema = made["deep"]._parameter_openapi_schema
    assert schema.properties["tier"]["enum"] == ["quick", "standard", "deep"]
    assert all(schema.properties[p].get("description") for p in ("question", "tier", "corpus", "policy", "budget"))
    assert made["nightly"].schedules[0].active is False
    assert made["nightly"].concurrency_options.collision_strategy == "CANCEL_NEW"
