"""The form of a paused flow run, as the UI sees it: found, read and sent."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID


async def paused_run() -> tuple[UUID, Any]:
    """The flow run that is paused, and the schema of its form."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType
    from prefect.client.schemas.objects import StateType

    paused = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.PAUSED])))
    async with get_client() as client:
        for _ in range(120):
            for run in await client.read_flow_runs(flow_run_filter=paused):
                keyset = run.state.state_details.run_input_keyset if run.state else None
                if keyset:
                    try:
                        shown = await client.read_flow_run_input(run.id, keyset["schema"])
                        text = await client.read_flow_run_input(run.id, keyset["description"])
                    except Exception:  # noqa: BLE001  the form is saved a moment after the pause
                        await asyncio.sleep(0.2)
                        continue
                    return run.id, (json.loads(shown), json.loads(text))
            await asyncio.sleep(0.25)
    raise AssertionError("no flow run was paused")


async def send(flow_run: UUID, **sent: Any) -> None:
    from prefect.client.orchestration import get_client

    async with get_client() as client:
        answer = await client.resume_flow_run(flow_run, run_input=sent)
    assert answer.status.value == "ACCEPT", answer.details
