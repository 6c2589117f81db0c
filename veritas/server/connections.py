"""Connections: those without a request are closed, and work ends when its caller has left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from veritas.long_waits import ended_when

WAITING = 256
"""Most connections without a request under way."""
PATIENCE = 20.0
"""Seconds in which a connection has to send the headers of a request."""


def bounded(most: int = WAITING, patience: float = PATIENCE) -> type[H11Protocol]:
    """Return the protocol of one server: at most `most` connections wait for a request, each for `patience` seconds."""
    waiting: dict[Bounded, asyncio.TimerHandle] = {}  # the one that has waited longest comes first

    class Bounded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._look()

        def handle_events(self) -> None:
            super().handle_events()
            self._look()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            self._leave()
            super().connection_lost(exc)

        def _look(self) -> None:
            if self.transport.is_closing() or (self.cycle is not None and not self.cycle.response_complete):
                return self._leave()
            if self not in waiting:
                waiting[self] = self.loop.call_later(patience, self.transport.abort)
                if len(waiting) > most:
                    oldest = next(iter(waiting))
                    oldest._leave()
                    oldest.transport.abort()

        def _leave(self) -> None:
            if (timer := waiting.pop(self, None)) is not None:
                timer.cancel()

    return Bounded


P = ParamSpec("P")
T = TypeVar("T")

LOOK = 0.5
"""Seconds between two looks whether the caller is still there."""


async def while_there(request: Request, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a blocking function in a thread and return its result.

    If the caller closes the connection, the function is told to end at its next document or file, and
    `ClientDisconnect` is raised. The body of the request must be read before.
    """
    left = threading.Event()

    def carry_out() -> T:
        with ended_when(left.is_set):
            return function(*args, **kwargs)

    work = asyncio.ensure_future(run_in_threadpool(carry_out))
    try:
        while not (await asyncio.wait({work}, timeout=LOOK))[0]:
            if await request.is_disconnected():
                left.set()
                await asyncio.wait({work})
                work.exception()  # it is told to nobody
                raise ClientDisconnect
        return work.result()
    finally:
        left.set()
