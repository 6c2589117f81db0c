"""Who opens connections and sends no request keeps nobody out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from veritas.server.connections import bounded

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Sent = Callable[[bytes], Awaitable[Streams]]
HALF, WHOLE = b"GET / HTTP/1.1\r\nHost: x", b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@asynccontextmanager
async def serving(held: asyncio.Event, most: int, patience: float) -> AsyncIterator[Sent]:
    """A server that answers when `held` is set; gives what opens a connection to it and sends something."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await held.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answered"})

    config, kind, state = Config(answer, log_config=None), bounded(most, patience), ServerState()
    loop = asyncio.get_running_loop()
    opened: list[Streams] = []

    async def sent(text: bytes) -> Streams:
        host, port = server.sockets[0].getsockname()
        opened.append(await asyncio.open_connection(host, port))
        opened[-1][1].write(text)
        return opened[-1]

    server = await loop.create_server(lambda: kind(config, state, {}), "127.0.0.1", 0)
    try:
        yield sent
    finally:
        for _, writer in opened:
            writer.close()
        server.close()


async def gone(reader: asyncio.StreamReader) -> bool:
    """Whether the server ended a connection without an answer."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


async def test_half_a_request_makes_room_for_a_whole_one() -> None:
    held = asyncio.Event()
    async with serving(held, most=3, patience=3_600) as sent:
        under_way, _ = await sent(WHOLE)
        halves = [await sent(HALF) for _ in range(6)]
        assert all([await gone(reader) for reader, _ in halves[:3]])
        last, _ = await sent(WHOLE)
        held.set()
        assert (await last.read()).count(b"answered")
        assert (await under_way.read()).count(b"answered")  # however long ago it was sent


async def test_half_a_request_has_its_time() -> None:
    async with serving(asyncio.Event(), most=100, patience=0.01) as sent:
        half, _ = await sent(HALF)
        assert await gone(half)
