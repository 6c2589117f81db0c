"""Automations of a Prefect server for VERITAS: mark a silent run as crashed, sweep up after it, and notify.

    python -m veritas_flows.server_automations   waits until the deployments are served, then installs (`veritas up`)
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

import httpx
from prefect.blocks.webhook import Webhook
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.objects import StateType
from prefect.events.actions import CallWebhook, ChangeFlowRunState, RunDeployment
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification
from prefect.exceptions import ObjectNotFound
from prefect.settings import get_current_settings

from veritas.errors import InputError, Unavailable
from veritas_flows.server_events import BUDGET, CHANGED, DEGRADED
from veritas_flows.sweep import HEARTBEAT, SILENCE, TAG, sweep_once

BLOCK = "veritas-notify"
"""Name of the webhook block that notifications go through; its address can be changed in the UI under Blocks."""
WEBHOOK = "VERITAS_WEBHOOK"
"""Variable with the address that notifications are posted to."""
PATIENCE = 60.0
"""Seconds that `veritas up` waits for its deployments."""

_MATCH: dict[str, Any] = {
    "match": ResourceSpecification({"prefect.resource.id": ["prefect.flow-run.*"]}),
    "match_related": ResourceSpecification(
        {"prefect.resource.id": [f"prefect.tag.{TAG}"], "prefect.resource.role": ["tag"]}
    ),
    "for_each": {"prefect.resource.id"},
}
"""Match for VERITAS's flow runs alone: the server may have others."""

_OF_A_STATE = """{
  "text": {{ ("VERITAS: " ~ flow_run.name ~ " is " ~ flow_run.state.name ~ ". " ~ (flow_run.state.message or "") ~ " " ~ (flow_run|ui_url or ""))|tojson }},
  "event": {{ event.event|tojson }},
  "flow_run": {{ (flow_run.id|string)|tojson }}
}"""  # noqa: E501
_OF_A_RUN = """{
  "text": {{ ("VERITAS: " ~ what ~ event.payload.question ~ " (" ~ event.payload.run ~ "): " ~ event.payload.reasons|join("; ") ~ " " ~ (flow_run|ui_url or ""))|tojson }},
  "event": {{ event.event|tojson }},
  "run": {{ event.payload.run|tojson }},
  "reasons": {{ event.payload.reasons|tojson }}
}"""  # noqa: E501


def automations(silence: float, sweep: UUID | None, webhook: UUID | None) -> list[AutomationCore]:
    """Return every possible automation: sweeping needs the deployment `sweep`, notifying a webhook block."""
    made = [
        AutomationCore(
            name="VERITAS · crash a run that fell silent",
            description=f"A flow run without a heartbeat for {silence:g} seconds was killed: it is marked as crashed.",
            tags=[TAG],
            trigger=EventTrigger(
                **_MATCH,
                after={HEARTBEAT},
                expect={"prefect.flow-run.*"},  # another heartbeat, an end, a pause: any sign of it
                posture=Posture.Proactive,
                threshold=1,
                within=timedelta(seconds=silence),
            ),
            actions=[
                ChangeFlowRunState(
                    state=StateType.CRASHED,
                    message=f"No heartbeat for {silence:g} seconds: its process was killed, or its machine stopped.",
                )
            ],
        )
    ]
    if sweep is not None:
        made.append(
            AutomationCore(
                name="VERITAS · sweep up after a crash",
                description="The task runs that a killed flow run left open are ended, by the deployment sweep.",
                tags=[TAG],
                trigger=_on({"prefect.flow-run.Crashed"}, **_MATCH),
                actions=[RunDeployment(source="selected", deployment_id=sweep, parameters={"silence": silence})],
            )
        )
    if webhook is not None:
        of_asked = {"match": ResourceSpecification({"prefect.resource.id": ["veritas.question.*"]})}
        of_runs = {"match": ResourceSpecification({"prefect.resource.id": ["veritas.run.*"]})}
        failed = {f"prefect.flow-run.{state}" for state in ("Failed", "Crashed", "TimedOut")}
        spent, without = '"the budget cut " ~ ', '"it did without somebody: " ~ '
        anew = '"the answer changed: " ~ '
        for name, trigger, payload in (
            ("VERITAS · notify of a failure", _on(failed, **_MATCH), _OF_A_STATE),
            ("VERITAS · notify of a budget", _on({BUDGET}, **of_runs), _OF_A_RUN.replace("what ~ ", spent)),
            ("VERITAS · notify of a degraded run", _on({DEGRADED}, **of_runs), _OF_A_RUN.replace("what ~ ", without)),
            ("VERITAS · notify of a changed answer", _on({CHANGED}, **of_asked), _OF_A_RUN.replace("what ~ ", anew)),
        ):
            made.append(
                AutomationCore(
                    name=name,
                    description=f"Posts to the webhook block {BLOCK}.",
                    tags=[TAG],
                    trigger=trigger,
                    actions=[CallWebhook(block_document_id=webhook, payload=payload)],
                )
            )
    return made


def _on(events: set[str], **matching: Any) -> EventTrigger:
    return EventTrigger(**matching, expect=events, posture=Posture.Reactive, threshold=1, within=timedelta(0))


async def install(silence: float = SILENCE, webhook: str | None = None) -> list[str]:
    """Install the automations on the server that `PREFECT_API_URL` names, or update them; return what was done and what
    is missing, a line each.

    An automation that somebody switched off stays off, and a webhook address set in the UI stays, unless `webhook` is
    given. Raises `InputError` for a silence that is too short.
    """
    between = get_current_settings().flows.heartbeat_frequency or 0
    if silence < max(60, 1.5 * between):
        raise InputError(
            f"{silence:g} seconds of silence are too short: a heartbeat may take {between} seconds, and be late. Let "
            "runs beat more often (PREFECT_FLOWS_HEARTBEAT_FREQUENCY=30, for the workers and for this command)"
        )
    async with get_client() as client:
        block = await _block(client, webhook)
        sweeping = await _deployment(client)
        for automation in automations(silence, sweeping, block):
            there = await client.read_automations_by_name(automation.name)
            if there:
                automation.enabled = there[0].enabled
                await client.update_automation(there[0].id, automation)
            else:
                await client.create_automation(automation)
    said = [f"a run that gives no heartbeat for {silence:g} seconds is marked as crashed"]
    said.append(
        "what a killed run left open is swept up by the deployment sweep/sweep"
        if sweeping
        else "task runs that a killed run left open stay open: deploy sweep/sweep and install again"
    )
    said.append(
        f"failures, budgets, degraded runs and changed answers are posted to the webhook block {BLOCK}"
        if block
        else f"nobody is notified: name a webhook with --webhook or {WEBHOOK}"
    )
    return said


async def _block(client: PrefectClient, webhook: str | None) -> UUID | None:
    if webhook:
        parts = urlsplit(webhook)
        if parts.scheme not in ("http", "https") or not parts.hostname or not _port(parts):
            raise InputError(f"the webhook (--webhook, {WEBHOOK}) is no address that begins with http:// or https://")
        made: Any = Webhook(url=webhook, headers={"Content-Type": "application/json"})
        await made.save(BLOCK, overwrite=True)
    try:
        document = await client.read_block_document_by_name(BLOCK, Webhook.get_block_type_slug())
    except ObjectNotFound:
        return None
    return document.id


def _port(parts: SplitResult) -> bool:
    try:
        return parts.port != 0
    except ValueError:
        return False


async def _deployment(client: PrefectClient) -> UUID | None:
    try:
        return (await client.read_deployment_by_name("sweep/sweep")).id
    except ObjectNotFound:
        return None


def on_server(silence: float, webhook: str | None, sweep_now: bool) -> Sequence[str]:
    """Carry out `veritas automations` on the server that `PREFECT_API_URL` names; return lines to print."""

    async def done() -> Sequence[str]:
        if not sweep_now:
            return await install(silence, webhook)
        ended = await sweep_once(silence, lambda line: print(line, file=sys.stderr, flush=True))
        return [f"{each['what']}: {each['name']} (of flow run {each['flow run']})" for each in ended]

    try:
        return asyncio.run(done())
    except httpx.HTTPError as problem:
        where = os.environ.get("PREFECT_API_URL", "")
        raise Unavailable(f"the Prefect server at {where} did not do it: {problem}") from problem


async def _when_served() -> None:
    async with get_client() as client:
        for _ in range(int(PATIENCE)):
            if await _deployment(client) is not None:
                break
            await asyncio.sleep(1)
    try:
        await install(webhook=os.environ.get(WEBHOOK) or None)
    except InputError as problem:  # a slip in an address must not cost the rest
        print(f"veritas: {problem}; nobody is notified", file=sys.stderr, flush=True)
        await install()


if __name__ == "__main__":
    try:
        asyncio.run(_when_served())
    except (httpx.HTTPError, InputError) as problem:
        raise SystemExit(f"veritas: the automations are not installed: {problem}") from problem
