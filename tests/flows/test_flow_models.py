"""Language models asked by tasks, beside the flow and in other processes: every call is in the graph and the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.council.test_model_runs import NAMES, THREE, council
from tests.loopback.scripted import honest
from tests.loopback.server import Loopback, loopback
from tests.pumps import QUESTION
from veritas import InputError, aio
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
