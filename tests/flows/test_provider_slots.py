"""A search behind its provider's limit on the server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

import pytest

from veritas.answers.under_way import UnderWay
from veritas.search.provider import SearchHit
from veritas.testing import FakeProvider
from veritas_tasks.provider_slots import InTurn


async def test_who_waits_for_another_run_is_at_work_and_who_waits_for_an_answer_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So a provider that another run holds is waited for, and one that does not answer is given up."""
    free, answered, searching = asyncio.Event(), asyncio.Event(), UnderWay()

    async def held(self: InTurn, gate: asyncio.Future[asyncio.Semaphore], done: asyncio.Event) -> None:
        await free.wait()
        gate.set_result(asyncio.Semaphore(1))

    class Slow(FakeProvider):
        async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
            await answered.wait()
            return await super().search(query, limit=limit, since=since)

    monkeypatch.setattr(InTurn, "_hold", held)
    task = asyncio.create_task(InTurn(Slow("slow"), searching).search("pumps", limit=3))
    await asyncio.sleep(0.01)
    assert searching.units == 1
    free.set()
    await asyncio.sleep(0.01)
    assert searching.units == 0
    answered.set()
    assert await task == []
