"""Work away from the loop that serves clients, so that it hears them meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from veritas.long_waits import ended_when

P = ParamSpec("P")
T = TypeVar("T")
E = TypeVar("E")

AT_ONCE = 4
"""Calls that are worked on at once; the others wait in line."""


class Work:
    """Threads for calls. Made inside a running loop's program, used by any number of calls."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._limiter: anyio.CapacityLimiter | None = None

    async def done(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a function that waits returns. Of a call that is given up, it ends at its next document or
        file."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._at_once)
        given_up = threading.Event()

        def call() -> T:
            with ended_when(given_up.is_set):
                return function(*args, **kwargs)

        try:
            return await anyio.to_thread.run_sync(call, limiter=self._limiter, abandon_on_cancel=True)
        finally:
            given_up.set()


async def followed(made: Callable[[], AsyncIterator[E]]) -> AsyncGenerator[E, None]:
    """Yield what an asynchronous iterator yields that is carried out on a loop in a thread of its own.

    Whoever stops listening cancels it there, and waits until it has ended: nothing half-done goes on unseen.
    """
    here = asyncio.get_running_loop()
    heard: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    there: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []
    begun = threading.Event()

    def tell(kind: str, what: Any = None) -> None:
        here.call_soon_threadsafe(heard.put_nowait, (kind, what))

    async def listen() -> None:
        task = asyncio.current_task()
        assert task is not None
        there.append((asyncio.get_running_loop(), task))
        begun.set()
        async for event in made():
            tell("event", event)

    def carry_out() -> None:
        try:
            asyncio.run(listen())
        except BaseException as error:  # noqa: BLE001 (raised again where it is listened to)
            tell("failed", error)
        else:
            tell("ended")

    thread = threading.Thread(target=carry_out, name="veritas-mcp-run", daemon=True)
    thread.start()
    ended = False
    try:
        while True:
            kind, what = await heard.get()
            if kind == "event":
                yield what
                continue
            ended = True
            if kind == "failed":
                raise what
            return
    finally:
        if not ended:
            begun.wait()
            loop, task = there[0]
            with suppress(RuntimeError):  # its loop is closed: it has just ended by itself
                loop.call_soon_threadsafe(task.cancel)
            with anyio.CancelScope(shield=True):
                while (await heard.get())[0] == "event":
                    pass
        thread.join()
