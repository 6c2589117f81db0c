"""The sweep ends what a killed process left on the server, and nothing of a run that is alive."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def beat(ago: dict[UUID, float]) -> None:
    """Heartbeats of runs, each so many seconds ago; returns when the server can tell of them."""
    from prefect.client.orchestration import get_client
    from prefect.events import emit_event
    from prefect.events.filters import EventFilter, EventNameFilter, EventResourceFilter

    name, now = "prefect.flow-run.heartbeat", datetime.now(UTC)
    resources = {f"prefect.flow-run.{run}": now - timedelta(seconds=seconds) for run, seconds in ago.items()}
    made = {emit_event(name, resource={"prefect.resource.id": r}, occurred=at).id for r, at in resources.items()}
    wanted = EventFilter(event=EventNameFilter(name=[name]), resource=EventResourceFilter(id=list(resources)))
    async with get_client() as client:
        for _ in range(150):
            if made <= {each.id for each in (await client.read_events(wanted, limit=50)).events}:
                return
            await asyncio.sleep(0.2)
    raise AssertionError("a heartbeat never came to the server")


async def test_a_run_whose_worker_died_before_it_began_is_ended_and_one_that_begins_meanwhile_is_not() -> None:
    from prefect import flow
    from prefect.client.orchestration import get_client
    from prefect.states import Pending, Running

    from veritas_flows.sweep import sweep_once

    @flow(name="long")
    async def long() -> None: ...

    async with get_client() as client:
        names = ("stuck", "begins", "of others")
        tags = {"of others": "other"}
        runs = {
            name: (await client.create_flow_run(long, name=name, state=Pending(), tags=[tags.get(name, "veritas")])).id
            for name in names
        }

        async def rest(seconds: float) -> None:
            await client.set_flow_run_state(runs["begins"], Running())

        told: list[str] = []
        ended = await sweep_once(0, told.append, rest=rest)
        assert {each["flow run"] for each in ended} & {str(run) for run in runs.values()} == {str(runs["stuck"])}
        states = {name: (await client.read_flow_run(run)).state_name for name, run in runs.items()}
        assert states == {"stuck": "Crashed", "begins": "Running", "of others": "Pending"}


async def test_the_dead_and_their_task_runs_are_ended_and_the_living_are_left_alone() -> None:
    from prefect import flow, task
    from prefect.client.orchestration import get_client
    from prefect.states import Crashed, Running

    from veritas_flows.sweep import sweep_once

    @flow(name="long")
    async def long() -> None: ...

    @task(name="unit")
    async def unit() -> None: ...

    async def made(client: Any, name: str, *, tag: str = "veritas", ended: bool = False) -> tuple[UUID, UUID]:
        run = await client.create_flow_run(long, name=name, state=Running(), tags=[tag])
        open_one = await client.create_task_run(unit, run.id, dynamic_key=name, name=f"of {name}", state=Running())
        if ended:
            await client.set_flow_run_state(run.id, Crashed(), force=True)
        return run.id, open_one.id

    async with get_client() as client:
        runs = {
            "killed": await made(client, "killed"),
            "killed, and crashed already": await made(client, "killed, and crashed already", ended=True),
            "beats": await made(client, "beats"),
            "beats after a pause of the server": await made(client, "beats after a pause of the server"),
            "crashed by mistake": await made(client, "crashed by mistake", ended=True),
            "never beat": await made(client, "never beat"),
            "of others": await made(client, "of others", tag="other"),
        }
        await beat({run: 1 if n == "beats" else 900 for n, (run, _) in runs.items() if n != "never beat"})

        async def rest(seconds: float) -> None:
            assert seconds == 300
            await beat({runs[name][0]: 0 for name in ("beats after a pause of the server", "crashed by mistake")})

        ended = await sweep_once(300, lambda line: None, rest=rest)
        ours = [each for each in ended if each["flow run"] in {str(run) for run, _ in runs.values()}]
        assert sorted(each["name"] for each in ours) == ["killed", "of killed", "of killed, and crashed already"]
        for name, (run, open_one) in runs.items():
            dead = name.startswith("killed")
            states = (await client.read_flow_run(run)).state, (await client.read_task_run(open_one)).state
            assert states[1] is not None
            assert states[1].is_crashed() == dead, name
            assert states[0] is not None
            assert states[0].is_running() == (not dead and name != "crashed by mistake"), name
