"""Search providers that runs use in turn: a run asks one only while it holds its slots on the server.

A slot a search, or a tag on each task run, costs a round trip to the server each time and, when there is none, seconds
of waiting. So a run takes all slots of a provider with its first search, limits itself to their number, and gives them
back when it has no search in progress.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date

from prefect.client.orchestration import get_client
from prefect.concurrency.asyncio import concurrency

from veritas.answers.runtime import Runtime
from veritas.answers.under_way import UnderWay
from veritas.search.provider import SearchHit, SearchProvider

DEFAULT = 4


def limit_name(provider: str) -> str:
    """Return the name of a provider's global concurrency limit on the server."""
    return f"provider:{provider}"


def slots(provider: SearchProvider) -> int | None:
    """Return how many searches a provider may be asked at the same time, over all runs: its `at_once`, by default 4;
    None for no limit."""
    return getattr(provider, "at_once", DEFAULT)


class InTurn:
    """A provider behind its limit on the server."""

    def __init__(self, provider: SearchProvider, searching: UnderWay) -> None:
        self._provider, self._searching = provider, searching
        self._inside = 0
        self._done = asyncio.Event()
        self._held: asyncio.Task[None] | None = None
        self._gate: asyncio.Future[asyncio.Semaphore] | None = None

    @property
    def name(self) -> str:
        return self._provider.name

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`."""
        async with self._turn() as gate, gate:
            return await self._provider.search(query, limit=limit, since=since)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[asyncio.Semaphore]:
        self._inside += 1
        if self._gate is None:
            self._gate, self._done = asyncio.get_running_loop().create_future(), asyncio.Event()
            self._held = asyncio.create_task(self._hold(self._gate, self._done))
        try:
            with self._searching.one():  # who waits for another run is not late
                gate = await asyncio.shield(self._gate)
            yield gate
        finally:
            self._inside -= 1
            if not self._inside:
                self._done.set()
                self._gate = None

    async def _hold(self, gate: asyncio.Future[asyncio.Semaphore], done: asyncio.Event) -> None:
        name = limit_name(self.name)
        try:
            async with get_client() as client:
                free = (await client.read_global_concurrency_limit_by_name(name)).limit
            async with concurrency(name, occupy=free, strict=True):
                gate.set_result(asyncio.Semaphore(free))
                await done.wait()
        except Exception as problem:  # whatever keeps the slots from us, whoever waits must hear of it
            if gate.done():
                raise
            gate.set_exception(problem)


def in_turn(runtime: Runtime) -> Runtime:
    """Return the runtime with every limited provider behind its limit."""
    providers: Mapping[str, SearchProvider] = {
        name: provider if slots(provider) is None else InTurn(provider, runtime.searching)
        for name, provider in runtime.providers.items()
    }
    return replace(runtime, providers=providers)
