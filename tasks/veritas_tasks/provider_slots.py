"""Search providers that runs use in turn: a run asks one only while it holds its slots on the server.

A slot a search, or a tag on each task run, costs a round trip to the server each time and, when there is none, seconds
of waiting. So a run takes all slots of a provider with its first search, limits itself to their number, and gives them
back when it has no search in progress.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from uuid import UUID

import httpx
from httpx import HTTPStatusError
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.responses import ConcurrencyLimitWithLeaseResponse
from prefect.settings import PREFECT_API_URL

from veritas.answers.runtime import Runtime, UnderWay
from veritas.search.provider import SearchHit, SearchProvider

DEFAULT = 4
LEASE = 300.0
"""Seconds after which the server frees slots whose holder renews them no more."""
REFUSALS = 8
"""Times that a busy server may refuse, at growing distances, before Prefect's client has its way: two seconds."""


def limit_name(provider: str) -> str:
    """Return the name of a provider's global concurrency limit on the server."""
    return f"provider:{provider}"


def slots(provider: SearchProvider) -> int | None:
    """Return how many searches a provider may be asked at the same time, over all runs: its `at_once`, by default 4;
    None for no limit."""
    return getattr(provider, "at_once", DEFAULT)


class InTurn:
    """A provider behind its limit on the server."""

    def __init__(self, provider: SearchProvider, searching: UnderWay, asking: asyncio.Lock) -> None:
        self._provider, self._searching, self._asking = provider, searching, asking
        self._inside = 0
        self._done = asyncio.Event()
        self._held: asyncio.Task[None] | None = None
        self._gate: asyncio.Future[asyncio.Semaphore] | None = None
        self._tried = asyncio.Event()
        self._reserved = False

    @property
    def name(self) -> str:
        return self._provider.name

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """Search while holding the provider's slots (see `SearchProvider`)."""
        async with self._turn() as gate, gate:
            return await self._provider.search(query, limit=limit, since=since)

    async def reserve(self) -> None:
        """Take the slots for the first search to come, if no other run has them; `unreserve` ends it."""
        if not self._reserved:
            self._reserved = True
            self._entered()
            await self._tried.wait()

    def unreserve(self) -> None:
        """Give the slots back that no search came for."""
        if self._reserved:
            self._reserved = False
            self._left()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[asyncio.Semaphore]:
        gate_to_be = self._entered()
        self.unreserve()  # from now on this search holds them
        try:
            with self._searching.one():  # who waits for another run is not late
                gate = await asyncio.shield(gate_to_be)
            yield gate
        finally:
            self._left()

    def _entered(self) -> asyncio.Future[asyncio.Semaphore]:
        self._inside += 1
        if self._gate is None:
            self._gate, self._done = asyncio.get_running_loop().create_future(), asyncio.Event()
            self._tried = asyncio.Event()
            self._held = asyncio.create_task(self._hold(self._gate, self._done, self._tried))
        return self._gate

    def _left(self) -> None:
        self._inside -= 1
        if not self._inside and self._gate is not None:
            self._done.set()
            if self._gate.done():
                self._gate.exception()  # if no search came, nobody has heard of it
            self._gate = None

    async def _hold(
        self, gate: asyncio.Future[asyncio.Semaphore], done: asyncio.Event, tried: asyncio.Event
    ) -> None:
        name = limit_name(self.name)
        try:
            async with _client() as client:
                async with self._asking:
                    free = (await client.read_global_concurrency_limit_by_name(name)).limit
                    lease = await _taken(client, name, free, wait=False)
                tried.set()
                held = lease or await _taken(client, name, free, wait=True)
                assert held is not None, "who waits is given them"
                try:
                    gate.set_result(asyncio.Semaphore(free))
                    while not await _set_within(done, LEASE * 0.75):
                        await client.renew_concurrency_lease(held, LEASE)
                finally:
                    await client.release_concurrency_slots_with_lease(held)
        except Exception as problem:  # whatever keeps the slots from us, whoever waits must hear of it
            if gate.done():
                raise
            gate.set_exception(problem)
        finally:
            tried.set()


async def _taken(client: PrefectClient, name: str, free: int, *, wait: bool) -> UUID | None:
    """Take all slots of a limit; return their lease. None if another run has them and they are not waited for."""
    while True:
        try:
            answer = await client.increment_concurrency_slots_with_lease([name], free, "concurrency", LEASE)
            return ConcurrencyLimitWithLeaseResponse.model_validate(answer.json()).lease_id
        except HTTPStatusError as problem:
            if problem.response.status_code != HTTPStatus.LOCKED:
                raise
            if not wait:
                return None
            await asyncio.sleep(float(problem.response.headers.get("Retry-After", 1)))


class _Soon(httpx.AsyncHTTPTransport):
    """Asks a server that was writing something else again at once.

    A server on SQLite then says that it is unavailable, and Prefect's client comes again two to six seconds later.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for refused in range(REFUSALS):
            answer = await super().handle_async_request(request)
            if answer.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                break
            await answer.aclose()
            await asyncio.sleep(0.05 * (1 + refused))
        return answer


def _client() -> PrefectClient:
    # Certificates are the default transport's business; a server that has some is not on SQLite.
    plain = (PREFECT_API_URL.value() or "").startswith("http://")
    return get_client(httpx_settings={"transport": _Soon()} if plain else None)


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    """Return whether the event is set within so many seconds."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


@asynccontextmanager
async def reserved(runtime: Runtime, names: Iterable[str]) -> AsyncIterator[None]:
    """Hold the slots of these providers until their first searches take them over.

    They are taken before the task runs of the searches begin: a server on SQLite that is writing the events of twenty
    task runs refuses slots for seconds.
    """
    found = [p for name in dict.fromkeys(names) if isinstance(p := runtime.providers.get(name), InTurn)]
    try:
        await asyncio.gather(*(provider.reserve() for provider in found))
        yield
    finally:
        for provider in found:
            provider.unreserve()


def in_turn(runtime: Runtime) -> Runtime:
    """Return the runtime with every limited provider behind its limit."""
    asking = asyncio.Lock()
    providers: Mapping[str, SearchProvider] = {
        name: provider if slots(provider) is None else InTurn(provider, runtime.searching, asking)
        for name, provider in runtime.providers.items()
    }
    return replace(runtime, providers=providers)
