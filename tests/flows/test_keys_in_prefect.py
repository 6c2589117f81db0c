"""Keys that servers echo, in orchestrated runs: the Prefect server keeps none, in whatever part of its database."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.leaks import leaks
from tests.loopback.echoing import ECHOES, council, echo
from tests.loopback.server import loopback
from tests.pumps import QUESTION

KEY = "Kx4-Tn%7y/Pq2+Lw9=Zb5&Rm8_hD6c"

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


@pytest.fixture(autouse=True)
def with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THIS_HOUSE", KEY)


def database() -> Path:
    """The folder in which the server keeps its database."""
    from prefect.settings import get_current_settings

    url = get_current_settings().server.database.connection_url
    assert url is not None
    return Path(url.get_secret_value().partition("///")[2]).parent


async def all_sent() -> None:
    """Waits until the server has every log and event of this process."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogHandler

    await APILogHandler.aflush()
    await asyncio.to_thread(lambda: EventsWorker.instance().wait_until_empty())
    await asyncio.sleep(1.0)  # the server writes events of task runs in batches


async def test_a_run_with_ten_echoing_servers_leaves_no_key_with_the_server_or_at_home(
    corpus: Path, own_home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from prefect.client.orchestration import get_client

    from veritas_flows.research import research

    with loopback(echo, ()) as server:
        file = tmp_path / "council.yaml"
        file.write_text(council(list(ECHOES), server.url, "OF_THIS_HOUSE"))
        graph = await research(QUESTION, tier="quick", corpus=[str(corpus)], council=str(file))
    assert graph.answer.status == "answered"
    assert {c.who for c in graph.calls if c.error} >= {"refusal", "base64", "url", "html"}
    await all_sent()
    printed = capfd.readouterr()
    assert leaks([KEY], folders=[own_home, database()], texts=[printed.out, printed.err]) == []
    async with get_client() as client:
        logs = [log.message for log in await client.read_logs()]
    said = [*logs, *graph.answer.missing, *(call.error or "" for call in graph.calls)]
    assert any("refuses the key (status 401)" in line and "OF_THIS_HOUSE-withheld" in line for line in said)


async def test_errors_logs_and_parameters_of_any_flow_of_ours_reach_the_server_without_keys() -> None:
    from prefect import flow, get_run_logger, task
    from prefect.artifacts import acreate_markdown_artifact
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.sorting import LogSort

    import veritas_flows  # noqa: F401  what a flow of ours does first
    from veritas.keys import key

    said = key(("OF_THIS_HOUSE",))

    @task(persist_result=False)
    async def fails() -> None:
        get_run_logger().warning("asked with %s", {"authorization": f"Bearer {said}"})
        raise RuntimeError(f"a library's own error: Bearer {said}")

    @flow(persist_result=False)
    async def tried(about: str) -> Any:
        await acreate_markdown_artifact(f"the key is {said}", description=f"{said}")
        try:
            await fails()
        except RuntimeError:
            get_run_logger().exception("it failed")
        raise ValueError(f"and again, {about}")

    with pytest.raises(ValueError, match="and again"):
        await tried(f"key {said}")
    await all_sent()
    assert leaks([KEY], folders=[database()]) == []
    async with get_client() as client:
        logs = [log.message for log in await client.read_logs(sort=LogSort.TIMESTAMP_DESC)]
        runs = await client.read_flow_runs()
    assert any("Bearer OF_THIS_HOUSE-withheld" in line and "Traceback" in line for line in logs)
    assert any(r.state and "OF_THIS_HOUSE-withheld" in (r.state.message or "") for r in runs)
