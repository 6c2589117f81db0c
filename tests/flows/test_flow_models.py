"""Language models asked by tasks, beside the flow and in other processes: every call is in the graph and the ledger."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path

import pytest

from tests.council.test_model_runs import NAMES, THREE, council
from tests.loopback.scripted import failing, honest
from tests.loopback.server import Asked, Loopback, Reply, fault, loopback
from tests.pumps import QUESTION
from veritas import InputError, aio
from veritas.council._race import OVERTAKEN
from veritas.store import RunStore


def priced(folder: Path, server: Loopback) -> str:
    """A council of three on the server, at a dollar a million tokens."""
    file = council(folder, server, THREE, **NAMES)
    said = file.read_text(encoding="utf-8")
    price = "    price: {input: 1, output: 1}\n"
    file.write_text(said.replace("    structured:", price + "    structured:"), encoding="utf-8")
    return str(file)


pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def test_tasks_in_other_processes_send_what_they_paid_for_to_the_ledger_of_the_flow(
    corpus: Path, own_home: Path, tmp_path: Path
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.task_runners import ProcessPoolTaskRunner

    from veritas_flows.research import research

    elsewhere = research.with_options(task_runner=ProcessPoolTaskRunner(max_workers=1))
    with loopback(honest, tuple(NAMES.values())) as server:
        file = priced(tmp_path, server)
        graph = await elsewhere(QUESTION, tier="standard", corpus=[str(corpus)], council=file)
        asked = len(server.asked)
        here = await aio.research(QUESTION, tier="standard", corpus=[str(corpus)], council=file)
    assert graph.answer.status == "answered"
    assert graph.content_hash() == here.content_hash()
    called = [c for c in graph.calls if c.model]
    assert asked == sum(not c.from_ledger for c in called)
    with RunStore.open(own_home, graph.run.run_id, read_only=True) as store:
        entries = {e.request_hash: e for e in store.ledger.entries()}
    assert set(entries) == {c.request_hash for c in called}
    assert all(e.request["messages"] and e.cost_usd for e in entries.values())
    async with get_client() as client:
        shown = [a for a in await client.read_artifacts() if a.type == "progress" and QUESTION in (a.description or "")]
    spent = sum(c.cost_usd or 0 for c in called if not c.from_ledger)
    assert any(f"${spent:,.4f}" in (a.description or "") and "tokens" in (a.description or "") for a in shown)


async def test_answers_that_do_not_fit_are_in_the_graph_with_their_cost_and_what_cannot_pass_is_hardly_tried(
    corpus: Path, own_home: Path, tmp_path: Path
) -> None:
    from veritas_flows.research import research

    with loopback(failing(chatty=NAMES["green"], locked=NAMES["blue"]), tuple(NAMES.values())) as server:
        file = priced(tmp_path, server)
        graph = await research(QUESTION, tier="quick", corpus=[str(corpus)], council=file)
        asked = Counter(a.model for a in server.asked)
    lost = [c for c in graph.calls if c.who == "green" and c.turn == "assert"]
    assert lost
    assert {e.member for e in graph.events if e.kind == "turn-moved" and e.stage == "extract"} >= {"green"}
    assert all(c.input_tokens and c.cost_usd and not c.from_ledger for c in lost)
    made = [c for c in graph.calls if (c.model or "").endswith(NAMES["green"]) and not c.from_ledger]
    # One that was overtaken on its way may have been cut off before the server saw it. It is in the graph as well.
    assert len(made) - sum(c.error == OVERTAKEN for c in made) <= asked[NAMES["green"]] <= len(made)
    assert asked[NAMES["blue"]] <= 4
    assert any(c.who == "blue" and c.error for c in graph.calls)
    with RunStore.open(own_home, graph.run.run_id, read_only=True) as store:
        assert {c.request_hash for c in lost if c.output_tokens} <= {e.request_hash for e in store.ledger.entries()}


async def test_a_call_that_failed_stays_in_the_graph_and_another_answers_in_its_place(
    corpus: Path, own_home: Path, tmp_path: Path
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.sorting import LogSort
    from prefect.logging.handlers import APILogHandler

    from veritas_flows.research import research
    from veritas_tasks import STAGE_TASKS

    seen: Counter[str] = Counter()

    def script(asked: Asked) -> Reply:
        seen[asked.model] += 1
        return fault(500) if asked.model == NAMES["green"] and seen[asked.model] == 1 else honest(asked)

    assert STAGE_TASKS["extract"].retries == 2
    with loopback(script, tuple(NAMES.values())) as server:
        file = priced(tmp_path, server)
        graph = await research(QUESTION, tier="quick", corpus=[str(corpus)], council=file)
    assert [c.error for c in graph.calls if c.who == "green" and c.error], "the call that failed stays in the graph"
    await APILogHandler.aflush()
    async with get_client() as client:
        logs = await client.read_logs(sort=LogSort.TIMESTAMP_DESC)
    warned = [log.message for log in logs if log.level >= logging.WARNING]
    assert not [line for line in warned if "forecast: " in line], "what a run is going to take is no warning"
    assert not any(e.kind == "member-unavailable" for e in graph.events)
    assert graph.answer.status == "answered"


def test_where_units_run_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    from veritas_flows.carry_out import task_runner

    def made(said: str) -> str:
        monkeypatch.setenv("VERITAS_TASK_RUNNER", said)
        return type(task_runner()).__name__

    assert made("") == "ThreadPoolTaskRunner"
    assert made("processes") == made("processes:3") == "ProcessPoolTaskRunner"
    for wrong in ("threads", "processes:0", "processes:x"):
        with pytest.raises(InputError, match="VERITAS_TASK_RUNNER"):
            made(wrong)
