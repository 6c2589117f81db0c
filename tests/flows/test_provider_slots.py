"""A search behind its provider's limit on the server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

import pytest

from veritas.answers.runtime import UnderWay
from veritas.search.provider import SearchHit
from veritas.testing import FakeProvider
from veritas_tasks.provider_slots import InTurn


async def test_who_waits_for_another_run_is_at_work_and_who_waits_for_an_answer_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So a provider that another run holds is waited for, and one that does not answer is given up."""
    free, answered, searching = asyncio.Event(), asyncio.Event(), UnderWay()

    async def held(self: InTurn, gate: asyncio.Future[asyncio.Semaphore], *_: asyncio.Event) -> None:
        await free.wait()
        gate.set_result(asyncio.Semaphore(1))

    class Slow(FakeProvider):
        async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
            await answered.wait()
            return await super().search(query, limit=limit, since=since)

    monkeypatch.setattr(InTurn, "_hold", held)
    task = asyncio.create_task(InTurn(Slow("slow"), searching, asyncio.Lock()).search("pumps", limit=3))
    await asyncio.sleep(0.01)
    assert searching.units == 1
    free.set()
    await asyncio.sleep(0.01)
    assert searching.units == 0
    answered.set()
    assert await task == []


async def test_reserved_slots_go_to_the_first_search_and_are_given_back_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held: list[str] = []

    async def hold(
        self: InTurn, gate: asyncio.Future[asyncio.Semaphore], done: asyncio.Event, tried: asyncio.Event
    ) -> None:
        held.append(f"{self.name} taken")
        gate.set_result(asyncio.Semaphore(1))
        tried.set()
        await done.wait()
        held.append(f"{self.name} given back")

    monkeypatch.setattr(InTurn, "_hold", hold)
    asking = asyncio.Lock()
    asked = InTurn(FakeProvider("asked"), UnderWay(), asking)
    unasked = InTurn(FakeProvider("unasked"), UnderWay(), asking)
    for provider in (asked, unasked):
        await provider.reserve()
    assert held == ["asked taken", "unasked taken"]
    assert await asked.search("pumps", limit=3) == []
    await asyncio.sleep(0.01)
    assert held[2:] == ["asked given back"]
    for provider in (asked, unasked):
        provider.unreserve()
    await asyncio.sleep(0.01)
    assert held[3:] == ["unasked given back"]
