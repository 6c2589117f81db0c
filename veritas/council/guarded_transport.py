"""The HTTP transport for LiteLLM: it follows no redirect to another server, and limits the length of an answer and its
number of pieces.

LiteLLM itself follows redirects with the headers that hold some providers' keys (`x-api-key`, `x-goog-api-key`), and
reads every answer whole, however long it is when unpacked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

LONGEST = 16_000_000
"""Most bytes of an unpacked answer that are read: many times the longest that any model gives."""
MOST_PIECES = 20_000
"""Most objects and lists in an answer to the council, brackets of its text counted too: LiteLLM takes a second for some
thousands."""
_UNPACKED = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})
_FRAMING = ("content-encoding", "content-length", "transfer-encoding")


_ours: ContextVar[bool] = ContextVar("veritas_asks", default=False)


@contextmanager
def few_pieces() -> Iterator[None]:
    """Limit answers to `MOST_PIECES` pieces for requests in the `with` block. Other users of LiteLLM in this process
    may stream."""
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)


def guard() -> None:
    """Make LiteLLM use the transport below for its connections. Needs `aiohttp`, which LiteLLM is loaded with."""
    from litellm.llms.custom_httpx import aiohttp_transport

    if not hasattr(aiohttp_transport.LiteLLMAiohttpTransport, "guarded"):
        aiohttp_transport.LiteLLMAiohttpTransport = guarded(aiohttp_transport.LiteLLMAiohttpTransport)


def guarded(base: type[httpx.AsyncBaseTransport]) -> type[httpx.AsyncBaseTransport]:
    """Return a transport that sends by `base`, within the limits of this module."""

    class Guarded(base):  # type: ignore[valid-type,misc]
        guarded = True

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            request.headers["Accept-Encoding"] = "gzip, deflate"
            response = await super().handle_async_request(request)
            response.request = request
            packed = [part.strip().lower() for part in response.headers.get("Content-Encoding", "").split(",")]
            if len(packed) > 1 or not set(packed) <= _UNPACKED:
                # Packed twice, some thousand bytes become gigabytes at once.
                await response.aclose()
                raise httpx.ReadError("its answer is packed in a way that was not asked for")
            there = response.headers.get("Location")
            if 300 <= response.status_code < 400 and there and not _same_server(str(request.url), there):
                await response.aclose()
                return httpx.Response(response.status_code, json=_refused(there), request=request)
            headers = [(k, v) for k, v in response.headers.multi_items() if k.lower() not in _FRAMING]
            return httpx.Response(response.status_code, headers=headers, stream=_Capped(response), request=request)

    return Guarded


class _Capped(httpx.AsyncByteStream):
    def __init__(self, response: httpx.Response) -> None:
        self._response, self._most = response, MOST_PIECES if _ours.get() else inf

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = pieces = 0
        async for part in self._response.aiter_bytes():
            size += len(part)
            if size > LONGEST:
                raise httpx.ReadError(f"its answer is longer than {LONGEST:,} bytes")
            pieces += part.count(b"{") + part.count(b"[")
            if pieces > self._most:
                raise httpx.ReadError(f"its answer is in more than {self._most:,} pieces")
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


def _same_server(here: str, there: str) -> bool:
    """Return whether a redirect stays on the server, or goes to the same name over TLS."""
    try:
        one, other = _server(here), _server(urljoin(here, there))
    except ValueError:
        return False
    return one == other or (one[1] == other[1] and (one[0], one[2], other[0], other[2]) == ("http", 80, "https", 443))


def _server(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _refused(there: str) -> dict[str, Any]:
    host = urlsplit(there).hostname or "no address"
    return {"error": {"message": f"it redirects to another server ({host}), which is sent nothing", "code": None}}
