"""Work whose caller waits for the answer: it ends when the caller has left, and nothing is read for nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from veritas.long_waits import ended_when

P = ParamSpec("P")
T = TypeVar("T")

LOOK = 0.5
"""Seconds between two looks whether the caller is still there."""


async def while_there(request: Request, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a function that waits returns; it is carried out in a thread.

    If the caller closes the connection, the function is told to end, which it does at its next document or file. Raises
    `ClientDisconnect` once it has. The body of the request has to be read before.
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
