"""Reachability of a search provider's host, without a search, which could cost money."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from veritas.search.web.api import NO_SERVER

K = TypeVar("K")
V = TypeVar("V")

_CLOSED = frozenset({errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH})


async def at_the_same_time(asks: Mapping[K, Callable[[], V]], seconds: float) -> dict[K, V]:
    """Return the results that arrive within so many seconds in all; late or failed ones are left out.

    Each request runs in a daemon thread: a name look-up cannot be cancelled, and a hanging one must not delay the end
    of the program.
    """
    loop = asyncio.get_running_loop()
    futures = {key: loop.create_future() for key in asks}

    def settle(future: asyncio.Future[V], value: V) -> None:
        if not future.done():
            future.set_result(value)

    def answer(future: asyncio.Future[V], ask: Callable[[], V]) -> None:
        try:
            value = ask()
            loop.call_soon_threadsafe(settle, future, value)
        except Exception:  # noqa: BLE001 - nobody listens any more, or it broke: then it was not found out
            return

    for key, ask in asks.items():
        threading.Thread(target=answer, args=(futures[key], ask), daemon=True).start()
    if futures:
        await asyncio.wait(futures.values(), timeout=seconds)
    found = {key: future.result() for key, future in futures.items() if future.done()}
    for future in futures.values():
        future.cancel()
    return found


def again_if_unsure(ask: Callable[[], V]) -> V:
    """Return the result of `ask`; ask once more after a temporary failure of name resolution."""
    try:
        return ask()
    except Exception as problem:
        if not any(isinstance(at, socket.gaierror) and at.errno == socket.EAI_AGAIN for at in _causes(problem)):
            raise
    time.sleep(0.5)
    return ask()


def _causes(problem: BaseException) -> list[BaseException]:
    """Return an error and its causes."""
    found: list[BaseException] = []
    at: BaseException | None = problem
    while at is not None and at not in found:
        found.append(at)
        at = at.__cause__ or at.__context__
    return found


def refused(problem: BaseException) -> str | None:
    """Return the reason if a connection error proves that no server listens at an address; else None."""
    for at in _causes(problem):
        if isinstance(at, socket.gaierror):
            return NO_SERVER
        if isinstance(at, OSError) and at.errno in _CLOSED:
            return "the connection is refused" if at.errno == errno.ECONNREFUSED else "there is no way to it"
    return None


async def unreachable(urls: Mapping[str, str], seconds: float) -> dict[str, str]:
    """Return the base URLs that certainly cannot be reached now, by name, with the reason. A connection is only opened
    and closed; behind a proxy nothing is certain."""
    asks = {name: partial(_knock, url) for name, url in urls.items() if not by_proxy(url)}
    return {name: why for name, why in (await at_the_same_time(asks, seconds)).items() if why is not None}


def by_proxy(url: str) -> bool:
    """Return whether requests to an address use a proxy of the environment."""
    proxies = getproxies()
    parts = urlsplit(url)
    return bool(proxies.get(parts.scheme) or proxies.get("all")) and not proxy_bypass(parts.hostname or "")


def _knock(url: str) -> str | None:
    parts = urlsplit(url)
    port = parts.port or (80 if parts.scheme == "http" else 443)
    try:
        again_if_unsure(lambda: socket.create_connection((parts.hostname or "", port), timeout=30)).close()
        return None
    except OSError as problem:
        why = refused(problem)
        return f"{parts.scheme}://{parts.hostname}:{port} cannot be reached: {why}" if why else None
