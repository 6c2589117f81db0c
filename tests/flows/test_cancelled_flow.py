"""A run that somebody asked to stop ends its flow run cancelled, which is no failure; it can be gone on with."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.test_cli_outage import MODELS, council
from tests.loopback.scripted import honest
from tests.loopback.server import Asked, Reply, loopback
from tests.papers.pump_papers import write_paper
from tests.papers.test_paper_cancelled import one_call_at_a_time, stopped_at
from tests.papers.test_paper_models import SOUND, graph, script, turn
from veritas.errors import Cancelled
from veritas.papers import audit_runs
from veritas.store import list_runs
from veritas.store.journal import ask_to_cancel
from veritas.store.paths import run_ids

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def test_cancelled_run_ends_its_flow_run_and_stage_cancelled(
    corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import TaskRunFilter
    from prefect.client.schemas.objects import StateType

    from veritas_flows.research import research
    from veritas_flows.resume import resume

    def asked_to_stop(asked: Asked) -> Reply:
        for run_id in run_ids(own_home):
            ask_to_cancel(own_home, run_id)
        return honest(asked)

    with loopback(asked_to_stop, models=tuple(f"model-{name}" for name in MODELS)) as server:
        made = str(council(tmp_path, server))
        question = "What moves forty litres of water?"
        ended = await research(question, "quick", corpus=[str(corpus)], council=made, return_state=True)  # type: ignore[call-overload]
        (row,) = list_runs(own_home)
        assert ended.is_cancelled()
        assert f"veritas research --resume {row.run_id}" in ended.message
        async with get_client() as client:
            of_this = {"flow_run_id": {"any_": [str(ended.state_details.flow_run_id)]}}
            tasks = await client.read_task_runs(task_run_filter=TaskRunFilter.model_validate(of_this))
        assert StateType.FAILED not in {task.state_type for task in tasks}

        with pytest.raises(Cancelled, match=r"research --resume"):
            await resume(row.run_id)
        server.script = honest
        again = await resume(row.run_id)
    assert again.answer.status == "answered"


async def test_cancelled_paper_makes_no_further_call_and_ends_its_flow_run_cancelled(
    tmp_path: Path, own_home: Path
) -> None:
    from veritas_flows.paper import paper

    written = str(write_paper(tmp_path))
    with loopback(stopped_at("assess"), ("model-red", "model-green")) as server:
        made = str(one_call_at_a_time(tmp_path, server))
        ended = await paper(written, graphs=1, samples=2, council=made, return_state=True)  # type: ignore[call-overload]
        (audit_id,) = run_ids(audit_runs.papers_home())
        assert ended.is_cancelled()
        assert f"veritas paper --resume {audit_id}" in ended.message
        assert Counter(turn(asked) for asked in server.asked) == {"argument": 1, "assess": 1}
        server.script = script(lambda a: graph(SOUND))
        audit = await audit_runs.resume(audit_id)
    assert all(node.grounding is not None for node in audit.nodes)


async def test_flow_run_that_is_stopped_from_outside_logs_how_to_go_on(
    corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    from prefect.client.orchestration import get_client

    from veritas_flows.research import research

    question = "What moves forty litres of water?"
    with loopback(lambda asked: Reply(seconds=3), models=tuple(f"model-{name}" for name in MODELS)) as server:
        made = str(council(tmp_path, server))
        begun = asyncio.ensure_future(research(question, "quick", corpus=[str(corpus)], council=made, preflight=False))
        while not server.asked:  # noqa: ASYNC110  what changes is a server
            await asyncio.sleep(0.05)
        begun.cancel()
        with pytest.raises(asyncio.CancelledError):
            await begun
    (row,) = list_runs(own_home)
    assert row.status == "interrupted"
    async with get_client() as client:
        for _ in range(100):
            said = [log.message for log in await client.read_logs() if row.run_id in log.message]
            if said:
                break
            await asyncio.sleep(0.2)
    assert f"Continue: veritas research --resume {row.run_id}" in said[0]
