"""A flow run that waits for a person: paused in the Prefect UI with the cases and a form, resumed when all is settled.

However a finding is settled (the form, `veritas approve`, Python), the decision is written to its approval's files, so
a worker or a server that stops loses nothing. With a roster of approvers a form only drafts: it has no key, and the run
waits until the draft is signed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
from prefect import get_run_logger
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.flow_runs import apause_flow_run
from prefect.input import RunInput
from prefect.input.run_input import keyset_from_base_key
from pydantic import Field, create_model

from veritas.approvals import Approval, draft, find, settle, signed_here
from veritas.approvals.render_case import drafted, markdown, plain, shortened
from veritas.errors import InputError, StoreUnavailable

AT_ONCE = 12
"""Limit of findings on one form; the next form follows."""
POLL = 2
"""Seconds between two checks of the server and of the approvals."""
GRACE = 3600
"""Seconds that the server waits longer than the flow, which resumes itself: a pause ended by the server fails it."""

UNSIGNED = "What is sent here is unsigned: no approver is on a roster."
DRAFTS = "What is sent here is a draft: it takes effect once an approver on the roster has signed it."


class AtTheForm:
    """A `veritas.approvals.Person` of a flow run: waits up to `minutes`, then goes on without undecided claims."""

    def __init__(self, minutes: float) -> None:
        self.minutes = minutes

    def until(self) -> datetime:
        """Return the end of the wait, counted from now."""
        return datetime.now(UTC) + timedelta(minutes=self.minutes)

    async def wait(self, asked: Sequence[Approval]) -> None:
        """Wait until none of the cases is pending, the form was sent, or the time is up."""
        deadline = max((a.expires_at for a in asked if a.expires_at), default=self.until())
        waiting = [a.approval_id for a in asked]
        limit = f"{deadline:%Y-%m-%d %H:%M} UTC"
        get_run_logger().info("%d finding(s) wait for a person until %s", len(waiting), limit)
        fault = ""
        while waiting and datetime.now(UTC) < deadline:
            batch = _pending(waiting[:AT_ONCE])
            sent = await _paused(form(batch, fault), batch, deadline) if batch else None
            fault = take(sent, batch) if sent is not None else ""
            if fault:
                get_run_logger().warning("the form was sent, and cannot be taken: %s", fault)
            elif sent is not None and _says_something(sent) and any(a.draft for a in _pending(waiting[:AT_ONCE])):
                get_run_logger().info("what the form drafted waits for a signature: veritas approve ID --draft")
            else:
                waiting = waiting[AT_ONCE:]


def form(batch: Sequence[Approval], fault: str = "") -> type[RunInput]:
    """Return the form for some findings: a name, and for each whether it is let in and why. `fault` is the fault of the
    form before."""
    fields: dict[str, Any] = {
        "name": (str, Field("", title="Your name", description="Who answers for what is let in.", max_length=200))
    }
    for number, approval in enumerate(batch, 1):
        claim = shortened(approval.case.claim, 120)
        tick = Field(False, title=f"{number} · Let it in: {claim}", description="Off: it stays as it is.")
        why = Field("", title=f"{number} · Reason", description="Needed to let it in; shown with it.", max_length=4000)
        fields |= {f"let_in_{number}": (bool, tick), f"reason_{number}": (str, why)}
    cases = [f"**{number}**\n\n{markdown(approval)}{_draft(approval)}" for number, approval in enumerate(batch, 1)]
    told = [f"**Not taken: {fault}**"] if fault else []
    told += [DRAFTS] if signed_here() else [UNSIGNED]
    made = create_model("Settle", __base__=RunInput, **fields)
    return made.with_initial_data(description="\n\n---\n\n".join([*told, *cases]))


def _draft(approval: Approval) -> str:
    if approval.draft is None:
        return ""
    return f"\n\n**{plain(drafted(approval.draft))}**\n\n`veritas approve {approval.approval_id} --draft` signs it"


def _says_something(sent: RunInput) -> bool:
    given = sent.model_dump()
    return any(value for field, value in given.items() if field.startswith(("let_in_", "reason_")))


def take(sent: RunInput, batch: Sequence[Approval]) -> str:
    """Settle the findings of a form, all or none; draft them if a signature is needed. Return the form's fault, or "".

    A finding that was settled elsewhere meanwhile stays so; one that is neither let in nor given a reason stays open
    until its time is up.
    """
    given = sent.model_dump()
    name = given["name"].strip()
    pending = {a.approval_id for a in _pending([a.approval_id for a in batch])}
    said = [
        (number, a.approval_id, given[f"let_in_{number}"], given[f"reason_{number}"].strip())
        for number, a in enumerate(batch, 1)
        if a.approval_id in pending
    ]
    for number, _, let_in, reason in said:
        if (let_in or reason) and not name:
            return "give the name of the person who decides"
        if let_in and not any(c.isalnum() for c in reason):
            return f"finding {number} is let in without a reason"
    for _, approval, let_in, reason in said:
        if let_in or reason:
            try:
                (draft if signed_here() else settle)(approval, "approve" if let_in else "reject", name, reason)
            except InputError as problem:
                if _pending([approval]):
                    return str(problem)
    return ""


def _pending(ids: Sequence[str]) -> list[Approval]:
    """Return the cases that still wait. One whose files cannot be read is left out: it admits nothing."""
    found = []
    for name in ids:
        try:
            found.append(find(name))
        except StoreUnavailable as problem:
            get_run_logger().warning("%s", problem)
    return [a for a in found if a.state() == "pending"]


async def _paused(wanted: type[RunInput], batch: Sequence[Approval], deadline: datetime) -> RunInput:
    """Return the form as it was sent; an empty one when all was settled elsewhere, or the time was up."""
    context = FlowRunContext.get()
    if context is None or context.flow_run is None:
        raise RuntimeError("only a flow run can be paused")
    flow_run = context.flow_run.id
    seconds = max(1.0, (deadline - datetime.now(UTC)).total_seconds())
    pause = asyncio.ensure_future(_until_resumed(flow_run, wanted, int(seconds) + GRACE))
    watch = asyncio.ensure_future(_until_settled([a.approval_id for a in batch]))
    try:
        await asyncio.wait({pause, watch}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        while not pause.done():
            await _wake(flow_run)
            await asyncio.wait({pause}, timeout=POLL)
        return await pause
    finally:
        watch.cancel()
        pause.cancel()


async def _until_settled(ids: Sequence[str]) -> None:
    while await asyncio.to_thread(_pending, ids):  # noqa: ASYNC110  what changes are files, of other processes
        await asyncio.sleep(POLL)


async def _wake(flow_run: UUID) -> None:
    """Resume the paused flow run, if it is paused and the server answers."""
    try:
        async with get_client() as client:
            await client.resume_flow_run(flow_run, run_input={})
    except httpx.HTTPError as problem:
        get_run_logger().warning("the server could not be told to go on: %s", problem)


async def _until_resumed(flow_run: UUID, wanted: type[RunInput], seconds: int) -> RunInput:
    """Pause and wait for the form, even if the server goes away and comes back."""
    while True:
        key = f"person-{secrets.token_hex(4)}"
        try:
            return await apause_flow_run(wait_for_input=wanted, timeout=seconds, poll_interval=POLL, key=key)
        except httpx.HTTPError as problem:
            get_run_logger().warning("the server went away while a person was waited for: %s", problem)
        while True:
            await asyncio.sleep(POLL)
            try:
                async with get_client() as client:
                    run = await client.read_flow_run(flow_run)
                    if run.state is not None and run.state.is_paused():
                        continue
                    if key in (run.empirical_policy.pause_keys or ()):
                        return await wanted.aload(keyset_from_base_key(f"paused-{key}"), flow_run_id=flow_run)
                    break
            except httpx.HTTPError:
                continue
