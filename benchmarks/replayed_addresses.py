"""The `sitecustomize` module of `bib_tools.py`: another tool's requests go to the replay of recorded answers."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any
from urllib.parse import urlsplit

BASE = os.environ.get("REPLAY_AT", "http://127.0.0.1:9")
HOSTS = {
    "api.crossref.org": "/crossref", "api.openalex.org": "/openalex", "api.semanticscholar.org": "/semantic_scholar",
    "dblp.org": "/dblp", "doi.org": "/doi_org", "dx.doi.org": "/doi_org",
}  # fmt: skip


def there(url: Any) -> str:
    """The address of the replay for one of a registry; nowhere for any other."""
    parts = urlsplit(str(url))
    if parts.hostname in ("127.0.0.1", "localhost"):
        return str(url)
    return BASE + HOSTS.get(parts.hostname or "", "/nowhere") + parts.path + (f"?{parts.query}" if parts.query else "")


def _requests() -> None:
    from requests.adapters import HTTPAdapter

    send = HTTPAdapter.send

    def sent(self: Any, request: Any, *args: Any, **more: Any) -> Any:
        request.url = there(request.url)
        return send(self, request, *args, **more)

    HTTPAdapter.send = sent  # type: ignore[method-assign, assignment]


def _httpx() -> None:
    import httpx

    def wrapped(handle: Any) -> Any:
        def handled(self: Any, request: Any) -> Any:
            request.url = httpx.URL(there(request.url))
            request.headers["Host"] = request.url.netloc.decode()
            return handle(self, request)

        return handled

    for owner, name in ((httpx.HTTPTransport, "handle_request"), (httpx.AsyncHTTPTransport, "handle_async_request")):
        setattr(owner, name, wrapped(getattr(owner, name)))


def _urllib() -> None:
    import urllib.request

    opened = urllib.request.OpenerDirector.open

    def open_(self: Any, url: Any, *args: Any, **more: Any) -> Any:
        if isinstance(url, str):
            url = there(url)
        else:
            url.full_url = there(url.full_url)
        return opened(self, url, *args, **more)

    urllib.request.OpenerDirector.open = open_  # type: ignore[method-assign]


def _aiohttp() -> None:
    import aiohttp

    asked = aiohttp.ClientSession._request

    async def request(self: Any, method: str, url: Any, **more: Any) -> Any:
        return await asked(self, method, there(url), **more)

    aiohttp.ClientSession._request = request  # type: ignore[method-assign, assignment]


def _waits() -> None:
    """A server on this machine has no limits to keep. The clock goes on by what was not slept, for limits that count
    the requests of a minute."""
    slept, told = time.sleep, time.time
    skipped = [0.0]

    def sleep(seconds: float) -> None:
        slept(min(seconds, 0.01))
        skipped[0] += max(0.0, seconds - 0.01)

    time.sleep = sleep
    time.time = lambda: told() + skipped[0]


if "REPLAY_AT" in os.environ:
    for patch in (_requests, _httpx, _urllib, _aiohttp, _waits):
        with contextlib.suppress(ImportError):
            patch()
