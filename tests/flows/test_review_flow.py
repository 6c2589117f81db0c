"""The flow that writes a review: the same review as the command's, artifacts, the form, and waiting for a person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.flows.forms import paused_run, send
from tests.reviews.papers import library
from veritas import approvals
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_runs import start


@pytest.mark.usefixtures("prefect_server", "own_home")
def test_the_flow_writes_what_the_command_writes_and_waits_for_a_person(tmp_path: Path) -> None:
    from veritas_flows.review import review

    asyncio.run(add_wanted(Wanted(name="drying", paths=(library(tmp_path / "papers"),))))
    alone = asyncio.run(start(ReviewRequest(topic="drying", corpus="drying")))

    async def with_a_person() -> dict[str, object]:
        async def approve_all() -> None:
            while True:
                for asked in approvals.pending():
                    approvals.settle(asked.approval_id, "approve", "Ada Lovelace", "I read it")
                await asyncio.sleep(0.2)

        person = asyncio.ensure_future(approve_all())
        try:
            made: dict[str, object] = await review("drying", "drying", wait_for_person=5)
        finally:
            person.cancel()
        return made

    made = asyncio.run(with_a_person())
    assert made["layers"] == alone.layers.model_dump()
    assert made["approved"] is True
    files = made["files"]
    assert isinstance(files, dict)
    assert "Ada Lovelace" in Path(files["manuscript.md"]).read_text(encoding="utf-8")

    async def at_the_form() -> dict[str, object]:
        task = asyncio.ensure_future(review("storing", "drying", wait_for_person=5))
        for _ in range(40):  # each stop is a pause of its own, and each twelve findings a form
            if task.done():
                break
            waiting = asyncio.ensure_future(paused_run())
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                run, (schema, text) = waiting.result()
                assert "approve: " in text
                count = sum(name.startswith("let_in_") for name in schema["properties"])
                said = {f"let_in_{n}": True for n in range(1, count + 1)}
                await send(run, name="Grace Hopper", **said, **{f"reason_{n}": "read" for n in range(1, count + 1)})
                await asyncio.sleep(0.5)
            waiting.cancel()
        return await task

    made = asyncio.run(at_the_form())
    assert made["approved"] is True
    files = made["files"]
    assert isinstance(files, dict)
    assert "Grace Hopper" in Path(files["manuscript.md"]).read_text(encoding="utf-8")

    late = asyncio.run(review("freezing", "drying", wait_for_person=0.001))
    assert late["approved"] is False
