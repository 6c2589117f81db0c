"""Removal of what a killed process left on the Prefect server: runs that stay RUNNING for ever, and their task runs.

A flow run lives as long as its heartbeat does. No run is ended by a clock alone: one that looks dead is checked again
after a whole time of silence, in which the server was there to receive a heartbeat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_table_artifact
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas import OrchestrationResult
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterId,
    FlowRunFilterState,
    FlowRunFilterStateType,
    FlowRunFilterTags,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, State, StateType, TaskRun
from prefect.events.filters import EventFilter, EventNameFilter, EventOccurredFilter, EventResourceFilter
from prefect.states import Crashed

from veritas_flows.run_names import named

T = TypeVar("T")

SILENCE = 300.0
"""Seconds without a heartbeat after which a run counts as dead. Prefect's runs send one every 180 seconds unless
`PREFECT_FLOWS_HEARTBEAT_FREQUENCY` says otherwise."""
HEARTBEAT = "prefect.flow-run.heartbeat"
TAG = "veritas"
"""Tag of every deployment of deployments/prefect.yaml, and of every run of the command line."""

_UNDER_WAY = [StateType.RUNNING, StateType.CANCELLING]
_ENDED = [StateType.COMPLETED, StateType.FAILED, StateType.CANCELLED, StateType.CRASHED]
_OPEN = [StateType.PENDING, StateType.RUNNING, StateType.SCHEDULED, StateType.PAUSED, StateType.CANCELLING]
_PAGE = 200


@flow(name="sweep", flow_run_name=named("sweep"), persist_result=False)
async def sweep(silence: float = SILENCE) -> dict[str, int]:
    """End runs whose process was killed, and the task runs that they left open. Live runs are not touched.

    Args:
        silence: Seconds without a heartbeat after which a run counts as dead. Must exceed the heartbeat interval.
    """
    logger = get_run_logger()
    ended = await sweep_once(silence, logger.info)
    if ended:
        await acreate_table_artifact(ended, key="swept", description="What a killed process had left open")
    return {kind: sum(each["what"] == kind for each in ended) for kind in ("flow run", "task run")}


async def sweep_once(
    silence: float, told: Callable[[str], None], *, rest: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> list[dict[str, str]]:
    """End dead runs and return a row for each. Takes `silence` seconds if any run looks dead, no time otherwise."""
    async with get_client() as client:
        suspects = await _silent(client, silence)
        before = datetime.now(UTC) - timedelta(seconds=silence)
        waiting = {run: state for run, state in (await _pending(client)).items() if state.timestamp < before}
        if not suspects and not waiting:
            told("nothing looks dead")
            return []
        told(f"{len(suspects) + len(waiting)} run(s) look dead; looking again in {silence:g} seconds")
        await rest(silence)
        dead = [run for run, beat in suspects.items() if await _last_beat(client, run) == beat]
        still = await _pending(client)
        unmoved = [run for run, state in waiting.items() if run in still and still[run].id == state.id]
        told(f"{len(dead) + len(unmoved)} of them gave no sign of life")
        rows: list[dict[str, str]] = []
        message = f"no heartbeat within {silence:g} seconds: its process was killed, or its machine stopped"
        begun = await _flow_runs(client, dead, _UNDER_WAY) if dead else []
        for run in [*begun, *(await _flow_runs(client, unmoved, [StateType.PENDING]) if unmoved else [])]:
            answer: OrchestrationResult[Any] = await client.set_flow_run_state(run.id, Crashed(message=message))
            if answer.status.value == "ACCEPT":
                rows.append({"what": "flow run", "name": run.name, "flow run": str(run.id)})
        for task_run in await _open_task_runs(client, dead):
            left = f"left open by a flow run that ended: {message}"
            await client.set_task_run_state(task_run.id, Crashed(message=left), force=True)
            rows.append({"what": "task run", "name": task_run.name, "flow run": str(task_run.flow_run_id)})
    told(f"ended {len(rows)}")
    return rows


async def _silent(client: PrefectClient, silence: float) -> dict[UUID, datetime | None]:
    """Return flow runs that look dead, with their last heartbeat: in progress and silent, or ended and silent with task
    runs open. A run in progress without any heartbeat is left out: nothing is known of it."""
    before = datetime.now(UTC) - timedelta(seconds=silence)
    found: dict[UUID, datetime | None] = {}
    for run in await _flow_runs(client, None, _UNDER_WAY):
        beat = await _last_beat(client, run.id)
        if beat is not None and beat < before:
            found[run.id] = beat
    for run_id in {t.flow_run_id for t in await _open_task_runs(client, None)} - {None}:
        assert run_id is not None
        beat = await _last_beat(client, run_id)
        if beat is None or beat < before:
            found[run_id] = beat
    return found


async def _pending(client: PrefectClient) -> dict[UUID, State[Any]]:
    """Return the states of our pending flow runs. One that stays pending lost its worker before it was started, and
    occupies a place of its pool."""
    found = await _flow_runs(client, None, [StateType.PENDING])
    return {run.id: run.state for run in found if run.state is not None}


async def _last_beat(client: PrefectClient, run: UUID) -> datetime | None:
    page = await client.read_events(
        EventFilter(
            event=EventNameFilter(name=[HEARTBEAT]),
            resource=EventResourceFilter(id=[f"prefect.flow-run.{run}"]),
            # The clock of the machine that beats may be ahead of this one's.
            occurred=EventOccurredFilter(until=datetime.now(UTC) + timedelta(days=1)),
        ),
        limit=1,
    )
    return page.events[0].occurred if page.events else None


def _ours(runs: Sequence[UUID] | None, states: list[StateType]) -> FlowRunFilter:
    wanted = FlowRunFilter(
        tags=FlowRunFilterTags(all_=[TAG]), state=FlowRunFilterState(type=FlowRunFilterStateType(any_=states))
    )
    if runs is not None:
        wanted.id = FlowRunFilterId(any_=list(runs))
    return wanted


async def _flow_runs(client: PrefectClient, runs: Sequence[UUID] | None, states: list[StateType]) -> list[FlowRun]:
    """Return our flow runs in those states; of `runs` alone, if given."""
    wanted = _ours(runs, states)
    return await _all(lambda at: client.read_flow_runs(flow_run_filter=wanted, limit=_PAGE, offset=at))


async def _open_task_runs(client: PrefectClient, runs: Sequence[UUID] | None) -> list[TaskRun]:
    """Return the open task runs of our flow runs that have ended; of `runs` alone, if given."""
    wanted = _ours(runs, _ENDED)
    open_ones = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=_OPEN)))
    return await _all(
        lambda at: client.read_task_runs(
            flow_run_filter=wanted, task_run_filter=open_ones, limit=_PAGE, offset=at
        )
    )


async def _all(page: Callable[[int], Awaitable[Sequence[T]]]) -> list[T]:
    found: list[T] = []
    while True:
        more = await page(len(found))
        found.extend(more)
        if len(more) < _PAGE:
            return found
