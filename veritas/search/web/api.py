"""A remote API: one request gives one answer in JSON or text, or `Unavailable` with what went wrong."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from veritas.errors import Unavailable, UnreadableAnswer
from veritas.keys import withheld_from_bytes, withheld_from_message
from veritas.policy.search_providers import user_agent
from veritas.search.web.pace import SHORT_WAIT, Pace, retry_after, spoken
from veritas.search.web.response_body import ACCEPT_ENCODING, read_body
from veritas.text.visible import quoted

MAX_ANSWER = 20_000_000
"""Most bytes of an answer that are read."""
LONGEST_REST = 86_400.0
_PASSES = frozenset({429, 500, 502, 503, 504})
_pace = Pace()


class Api:
    """An API under one base URL. The operator chooses its host, so any address is allowed, loopback included; redirects
    are not followed."""

    def __init__(
        self,
        name: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        interval: float = 0.0,
        at_once: int = 1,
        seconds: float = 20.0,
        key_names: tuple[str, ...] = (),
        pace: Pace | None = None,
    ) -> None:
        self.name, self.url = name, url.rstrip("/")
        self._headers = dict(headers or {})
        self._interval, self._at_once, self._seconds, self._key_names = interval, at_once, seconds, key_names
        self._pace = pace or _pace
        # Not the host alone: several services may be behind one gateway, and only one of them may rest.
        self._host = urlsplit(self.url)._replace(scheme="", query="", fragment="").geturl().lstrip("/")

    async def json(
        self, path: str, *, params: Mapping[str, Any] | None = None, body: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the answer to a GET, or with `body` to a POST. Raises `UnreadableAnswer` if it is no JSON."""
        data, media = await self._ask(path, params, body)
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            what = "an HTML page" if data.lstrip()[:1] == b"<" else f"no JSON ({media or 'of no declared type'})"
            raise UnreadableAnswer(f"{self.name} answers with {what} at {self.url}{path}") from error

    async def text(self, path: str, *, params: Mapping[str, Any] | None = None) -> str:
        """Return the answer to a GET as UTF-8 text. Raises `UnreadableAnswer` if it is none."""
        data, _ = await self._ask(path, params, None)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UnreadableAnswer(f"{self.name} answers with what is no UTF-8 text at {self.url}{path}") from error

    async def _ask(
        self, path: str, params: Mapping[str, Any] | None, body: Mapping[str, Any] | None
    ) -> tuple[bytes, str]:
        """Return the body and media type of an answer. A temporary failure without a long requested wait is repeated
        once."""
        for last in (False, True):
            try:
                async with self._pace.turn(self._host, self._interval, self._at_once):
                    status, headers, data = await self._once(path, params, body)
            except Unavailable as error:
                raise type(error)(f"{self.name} {error}") from error
            if status == 200:
                self._pace.answered(self._host)
                return data, headers.get("content-type", "").partition(";")[0]
            wait = retry_after(headers.get("retry-after"))
            if status >= 500:
                self._pace.failed(self._host, f"answered with an error ({status})")
                last = last or self._pace.rests(self._host)
            if status in _PASSES and not last and (wait or 0.0) <= SHORT_WAIT:
                await asyncio.sleep(0.5 if wait is None else wait)
                continue
            raise self._refused(status, wait, data, headers)
        raise AssertionError("unreachable")

    async def _once(
        self, path: str, params: Mapping[str, Any] | None, body: Mapping[str, Any] | None
    ) -> tuple[int, httpx.Headers, bytes]:
        headers = {"User-Agent": user_agent(), "Accept-Encoding": ACCEPT_ENCODING, **self._headers}
        try:
            async with (
                asyncio.timeout(self._seconds),
                httpx.AsyncClient(verify=tls(), timeout=self._seconds, follow_redirects=False) as client,
                client.stream(
                    "GET" if body is None else "POST", f"{self.url}{path}", params=params, json=body, headers=headers
                ) as response,
            ):
                # The answer may repeat what was sent, the key with it; the key goes no further than here.
                answer = withheld_from_bytes(await read_body(response, MAX_ANSWER))
                return response.status_code, response.headers, answer
        except TimeoutError:
            why = f"did not answer within {self._seconds:g} s"
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            timed_out = isinstance(error, httpx.TimeoutException)
            why = "did not answer in time" if timed_out else f"cannot be reached: {reason(error)}"
        self._pace.failed(self._host, why)
        raise Unavailable(f"{why} ({self.url})")

    def _refused(self, status: int, wait: float | None, data: bytes, headers: httpx.Headers) -> Unavailable:
        where = f"{self.name} ({self.url})"
        if status == 429:
            asked = f"asks to wait {spoken(wait)}" if wait else "asks to wait"
            self._rest(wait)
            return Unavailable(f"{where} {asked}: too many requests, or the allowance is used up (429)")
        if status in (401, 403):
            mend = f": check {' or '.join(self._key_names)}" if self._key_names else ""
            return Unavailable(f"{where} refuses the request ({status}{error_message(data)}){mend}")
        if 300 <= status < 400:
            target = withheld_from_message(headers.get("location", ""))[:200]
            return Unavailable(f"{where} sends elsewhere ({status} to {target!r}): correct its base URL")
        if status >= 500 and wait and wait > SHORT_WAIT:
            self._rest(wait)
            return Unavailable(f"{where} asks to wait {spoken(wait)} ({status})")
        return Unavailable(f"{where} answers with an error ({status}{error_message(data)})")

    def _rest(self, wait: float | None) -> None:
        if wait and wait > SHORT_WAIT:
            self._pace.rest(self._host, min(wait, LONGEST_REST), f"asked on an earlier request to wait {spoken(wait)}")


@lru_cache(maxsize=1)
def tls() -> ssl.SSLContext:
    """Return one TLS context for all: making one takes as long as a short request."""
    return httpx.create_ssl_context()


_ERRNO = re.compile(r"\[Errno -?\d+\] ")
_NO_ADDRESS = re.compile(
    r"Name or service not known|Temporary failure in name resolution|No address associated with hostname"
    r"|nodename nor servname provided, or not known|getaddrinfo failed|Name does not resolve"
)

NO_SERVER = "its server was not found, which is so without a network"


def reason(error: BaseException) -> str:
    """Return an exception's message in one line, in plain words; its name where it has none."""
    said = _ERRNO.sub("", " ".join(withheld_from_message(str(error)).split()))[:200]
    if _NO_ADDRESS.search(said):
        return NO_SERVER
    return said or type(error).__name__


def error_message(data: bytes) -> str:
    """Return the message in an error's body, in quotation marks led by ": ", if it is a JSON one; else ""."""
    try:
        answer = json.loads(data[:100_000])
    except (ValueError, RecursionError):
        return ""
    for key in ("message", "error", "detail", "title"):
        said = answer.get(key) if isinstance(answer, dict) else None
        said = said.get("message") or said.get("error") if isinstance(said, dict) else said
        if isinstance(said, str) and said.strip():
            line = " ".join(withheld_from_message(said).split())
            return f": {quoted(''.join(c for c in line if c.isprintable())[:160])}"
    return ""
