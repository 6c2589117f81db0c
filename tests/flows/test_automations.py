"""The automations on a real server: a run that falls silent is crashed, and a webhook hears of what went wrong."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from veritas import InputError
from veritas.use_cases.living import Change, Entry

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


@contextmanager
def hook() -> Iterator[tuple[str, list[Any]]]:
    """A receiver of webhooks on loopback: its address, and what it was sent."""
    heard: list[Any] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            heard.append((self.headers["Content-Type"], json.loads(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: Any) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/hook", heard
        server.shutdown()


async def test_silence_crashes_a_run_of_ours_and_the_webhook_hears_of_it_and_of_a_budget() -> None:
    from prefect import flow
    from prefect.blocks.webhook import Webhook
    from prefect.client.orchestration import get_client
    from prefect.events import emit_event
    from prefect.states import Running

    from veritas_flows.server_automations import automations
    from veritas_flows.server_events import BUDGET, CHANGED, emit_changed

    @flow(name="long")
    async def long() -> None: ...

    with hook() as (url, heard):
        block: Any = Webhook(url=url)
        document = await block.save("of-a-test", overwrite=True)
        async with get_client() as client:
            installed = [await client.create_automation(each) for each in automations(10, None, document)]
            ours = await client.create_flow_run(long, name='a "quoted" {{ name }}', state=Running(), tags=["veritas"])
            other = await client.create_flow_run(long, name="of others", state=Running(), tags=["other"])
            try:
                await asyncio.sleep(2)  # the server hears of new automations a moment later
                for run, tag in ((ours, "veritas"), (other, "other")):
                    emit_event(
                        "prefect.flow-run.heartbeat",
                        resource={"prefect.resource.id": f"prefect.flow-run.{run.id}"},
                        related=[{"prefect.resource.id": f"prefect.tag.{tag}", "prefect.resource.role": "tag"}],
                    )
                emit_event(
                    BUDGET,
                    resource={"prefect.resource.id": "veritas.run.r1"},
                    payload={"run": "r1", "question": 'Why "so"?\n{% raw %}', "reasons": ["12 calls", "two\nlines"]},
                )
                change = Change(kind="answer", what="55 litres", before="", after="in it")
                of = {"id": "e", "name": "pump", "question": "How much?", "run": "r2", "status": "answered"}
                emit_changed(Entry(**of, run_before="r1", at=datetime.now(UTC), changes=(change,)))
                for _ in range(240):
                    if len(heard) >= 3:
                        break
                    await asyncio.sleep(0.25)
                crashed = (await client.read_flow_run(ours.id)).state
                left = (await client.read_flow_run(other.id)).state
            finally:
                for each in installed:
                    await client.delete_automation(each)
    assert crashed is not None
    assert crashed.is_crashed()
    assert "No heartbeat for 10 seconds" in (crashed.message or "")
    assert left is not None
    assert left.is_running()
    by_event = {document["event"]: document for _, document in heard}
    assert set(by_event) == {"prefect.flow-run.Crashed", BUDGET, CHANGED}
    assert "the answer changed: How much? (r2): answer: 55 litres" in by_event[CHANGED]["text"]
    assert 'a "quoted" {{ name }} is Crashed' in by_event["prefect.flow-run.Crashed"]["text"]
    assert by_event["prefect.flow-run.Crashed"]["flow_run"] == str(ours.id)
    assert by_event["veritas.run.budget"]["reasons"] == ["12 calls", "two\nlines"]
    assert 'Why "so"?' in by_event["veritas.run.budget"]["text"]


async def test_installing_again_changes_nothing_that_somebody_set() -> None:
    from prefect.blocks.webhook import Webhook
    from prefect.client.orchestration import get_client

    from veritas_flows.server_automations import BLOCK, install

    async def there() -> dict[str, Any]:
        async with get_client() as client:
            found = [a for a in await client.read_automations() if a.name.startswith("VERITAS")]
        assert len({a.name for a in found}) == len(found)
        return {a.name.removeprefix("VERITAS · "): a for a in found}

    said = await install(600)
    assert any("nobody is notified" in line for line in said)
    assert set(await there()) == {"crash a run that fell silent"}
    await install(600, "http://127.0.0.1:9/one")
    assert len(await there()) == 5
    silent = (await there())["crash a run that fell silent"]
    try:
        async with get_client() as client:
            await client.pause_automation(silent.id)
        said = await install(900)
        made = await there()
        assert len(made) == 5
        assert made["crash a run that fell silent"].enabled is False
        assert made["crash a run that fell silent"].trigger.within.total_seconds() == 900
        assert made["notify of a failure"].enabled is True
        kept: Any = await Webhook.load(BLOCK)
        assert kept.url.get_secret_value() == "http://127.0.0.1:9/one"
        with pytest.raises(InputError, match="too short"):
            await install(200)  # shorter than what lies between two heartbeats, as this machine has it
        with pytest.raises(InputError, match="http://"):
            await install(900, "hooks.example.org")
    finally:
        async with get_client() as client:
            for each in (await there()).values():
                await client.delete_automation(each.id)

