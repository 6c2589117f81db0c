"""Connections to exactly the checked address, or through a proxy."""

from __future__ import annotations

import urllib.request
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpcore
import httpx

from veritas.errors import Unavailable
from veritas.reading.web.destination import Destinations
from veritas.search.web.api import tls

MAX_ADDRESSES = 3
"""Limit of a host's addresses that are tried."""

NETWORK_ERRORS = (httpx.HTTPError, httpx.InvalidURL, httpcore.NetworkError, httpcore.TimeoutException,
                  httpcore.ProtocolError, httpcore.ProxyError, httpcore.UnsupportedProtocol, OSError)  # fmt: skip


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """A backend that resolves a name once, checks every address, and connects to one of these, so that a second look-up
    cannot differ. TLS still verifies the certificate of the name."""

    def __init__(self, destinations: Destinations) -> None:
        self._destinations = destinations
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failure: Exception | None = None
        for address in (await self._destinations.addresses(host, port))[:MAX_ADDRESSES]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.NetworkError, httpcore.TimeoutException) as error:
                failure = error
        raise failure or httpcore.ConnectError(f"no address of {host} answers")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise Unavailable("a socket of this machine is nothing to read from")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class CheckedTransport(httpx.AsyncBaseTransport):
    """An httpx transport over connections of a `CheckedBackend`."""

    def __init__(self, destinations: Destinations) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls(), max_connections=4, network_backend=CheckedBackend(destinations)
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        response = await self._pool.handle_async_request(asked)
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Stream(response.stream),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Stream(httpx.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def proxy_for(url: httpx.URL) -> str | None:
    """Return the environment's proxy for a URL (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, less `NO_PROXY`), or None."""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(url.host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def transport_for(url: httpx.URL, destinations: Destinations) -> httpx.AsyncBaseTransport:
    """Return the transport for a URL that `Destinations.check` accepted.

    A proxy resolves names itself: literal private addresses and local names are still refused, but only the proxy can
    ensure that a public name does not lead into the local network. Raises `Unavailable` for an unusable proxy.
    """
    proxy = proxy_for(url)
    if proxy is None:
        return CheckedTransport(destinations)
    try:
        return httpx.AsyncHTTPTransport(proxy=proxy, verify=tls(), limits=httpx.Limits(max_connections=4))
    except (ValueError, ImportError, httpx.InvalidURL) as error:
        raise Unavailable(f"the proxy named in the environment cannot be used: {error}") from error
