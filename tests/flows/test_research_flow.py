"""The research flow on a real Prefect server finds what the same run in process finds, and shows it there."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.pumps import QUESTION, write_corpus, write_disputed
from veritas import ClaimGraph, InputError, Unavailable, aio
from veritas.claims.graph import STAGES

pytestmark = [
    pytest.mark.server,
    pytest.mark.usefixtures("prefect_server"),
]


async def _artifacts(flow_run: str) -> list[Any]:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterName

    async with get_client() as client:
        named = FlowRunFilter(name=FlowRunFilterName(any_=[flow_run]))
        return list(await client.read_artifacts(flow_run_filter=named))


async def _task_runs(flow_run: str) -> list[Any]:
    """The task runs, once the server has all of them under the names they got while they ran: it records them a little
    later, each for itself."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterName

    async with get_client() as client:
        for _ in range(240):
            found = await client.read_task_runs(flow_run_filter=FlowRunFilter(name=FlowRunFilterName(any_=[flow_run])))
            stages = [t for t in found if t.name.startswith("stage ")]
            ended = all(t.state is not None and t.state.is_final() and t.start_time for t in found)
            if len(stages) == len(STAGES) and ended and all(" · " in t.name for t in found):
                break
            await asyncio.sleep(0.5)
        return list(found)


async def test_orchestrated_run_gives_the_claim_graph_of_the_run_in_process(
    tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_disputed(tmp_path)
    from veritas_flows.replay import replay
    from veritas_flows.research import research

    made = await replay.ato_deployment("replay")
    replaying = await made.apply()
    monkeypatch.setenv("VERITAS_REPORTS_URL", "http://127.0.0.1:9999/")
    here: ClaimGraph = await aio.research(QUESTION, corpus=[corpus], tier="deep")
    there = await research(QUESTION, tier="deep", corpus=[str(corpus)])
    assert there.content_hash() == here.content_hash()
    assert there.answer.status == "answered"
    assert there.run.run_id != here.run.run_id

    name, run_id = f"deep · {QUESTION[:79]}…", there.run.run_id
    artifacts = await _artifacts(name)
    shown = {a.key.split("-")[0]: a for a in artifacts if a.key}
    assert set(shown) == {"answer", "claims", "rejected", "report"}
    assert not [a.key for a in artifacts if a.key and run_id in a.key], "a key of the run's own has no history"
    assert QUESTION in shown["answer"].data
    assert "reddit.com" in shown["rejected"].data
    assert "planted: a forum thread" in shown["rejected"].data
    assert f"(http://127.0.0.1:9999/{run_id}/report.html)" in shown["report"].data
    assert "file:" not in shown["report"].data
    form = f"../../deployments/deployment/{replaying}/run?parameters="
    assert shown["answer"].data.count(form) == 7

    tasks = await _task_runs(name)
    names = {t.name.split(" · ")[0] for t in tasks}
    assert {"decompose", "research", "extract", "judge", "contest", "respond", "write"} <= names
    assert not any(t.tags for t in tasks), "search on this machine needs no limit, and a tag costs a round trip"
    assert len(tasks) < 200
    assert all(" · " in t.name for t in tasks), "every task run has a name that a person can read"

    stages = {t.id: t for t in tasks if t.name.startswith("stage ")}
    order = sorted(stages.values(), key=lambda t: t.start_time)
    assert [t.name for t in order] == [f"stage {n} · {stage}" for n, stage in enumerate(STAGES)]
    for each in tasks:
        if each.id in stages or each.name.startswith("report"):
            continue
        (above,) = {parent.id for parent in each.task_inputs["__parents__"]}
        belongs = {"judge": {"verify", "debate", "synthesize"}, "contest": {"debate"}, "write": {"synthesize"}}
        step = each.name.split(" · ")[0]
        assert stages[above].name.split(" · ")[1] in belongs.get(step, {"debate"} if step == "respond" else {step})
    for t in stages.values():
        (note,) = [a for a in artifacts if a.task_run_id == t.id]
        given = quote(json.dumps({"run": run_id, "start": t.name.split(" · ")[1]}), safe="")
        assert f"[Replay from here]({form}{given})" in note.data


async def test_progress_ends_at_one_hundred_and_a_spent_budget_is_an_event(corpus: Path) -> None:
    from prefect.client.orchestration import get_client
    from prefect.events.filters import EventFilter, EventNameFilter, EventResourceFilter

    from veritas import Budget
    from veritas_flows.research import research

    question = "Does the Borealis pump need oil?"
    made = await research(question, tier="quick", corpus=[str(corpus)], budget=Budget(calls=4))
    async with get_client() as client:
        found = [a for a in await client.read_artifacts() if a.type == "progress" and question in (a.description or "")]
        assert [float(a.data) for a in found] == [100.0]
        of_this = EventFilter(
            event=EventNameFilter(prefix=["veritas.run."]),
            resource=EventResourceFilter(id=[f"veritas.run.{made.run.run_id}"]),
        )
        for _ in range(100):
            events = (await client.read_events(of_this, limit=50)).events
            if events:
                break
            await asyncio.sleep(0.2)
    (event,) = events
    assert event.event == "veritas.run.budget"
    assert made.run.degraded
    assert set(made.run.degraded) <= set(event.payload["reasons"])
    assert any("the budget is used up" in reason for reason in event.payload["reasons"])
    assert "flow-run" in {related.role for related in event.related}


async def test_a_question_asked_again_adds_to_its_history_and_another_corpus_has_its_own(
    corpus: Path, tmp_path: Path
) -> None:
    from veritas_tasks.render import history_key

    first = await aio.research(QUESTION, corpus=[corpus], tier="quick")
    again = await aio.research(f"  {QUESTION} ", corpus=[corpus], tier="standard")
    elsewhere = await aio.research(QUESTION, corpus=[write_corpus(tmp_path)], tier="quick")
    assert history_key(first) == history_key(again) != history_key(elsewhere)
    odd = first.model_copy(update={"run": first.run.model_copy(update={"question": "¿Qué 水? " + "Wort" * 90})})
    for graph in (first, odd):
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", history_key(graph))


async def test_bad_input_fails_the_flow_at_once_and_leaves_no_run(corpus: Path, own_home: Path) -> None:
    from veritas_flows.research import research

    with pytest.raises(InputError, match="the question is empty"):
        await research("   ", corpus=[str(corpus)])
    with pytest.raises(InputError, match="does not exist"):
        await research(QUESTION, corpus=[str(corpus.parent / "nowhere")])
    state: Any = await research(QUESTION, corpus=[str(corpus.parent / "nowhere")], return_state=True)
    assert state.is_failed()
    assert state.message == f"{corpus.parent / 'nowhere'} does not exist", "a sentence, and nothing of a traceback"
    assert not (own_home / "runs").exists()


async def test_unit_that_was_unavailable_is_tried_again_and_a_wrong_one_is_not(corpus: Path) -> None:
    from prefect import flow

    from veritas.answers.decompose import DECOMPOSE, DecomposeUnit
    from veritas.council.turns import SubQueryDraft
    from veritas.testing import FakeMember, fake_runtime
    from veritas_tasks import STAGE_TASKS
    from veritas_tasks.task_work import OrchestratedWork, lend

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
        return await OrchestratedWork(quick)(DECOMPOSE, [DecomposeUnit(member=member.name)], runtime)

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

    from veritas.answers.member_search import RESEARCH
    from veritas.answers.searches import ResearchUnit
    from veritas.claims import Binding, SubQuery
    from veritas.search.provider import SearchHit
    from veritas.testing import FakeProvider, fake_runtime
    from veritas_flows.limits import ensure_limits
    from veritas_tasks import STAGE_TASKS
    from veritas_tasks.provider_slots import limit_name
    from veritas_tasks.task_work import OrchestratedWork, lend

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
