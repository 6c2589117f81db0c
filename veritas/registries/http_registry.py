"""A registry over HTTP: cached, paced, retried; an answer in an undocumented form is rejected."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx
import tenacity

from veritas.errors import Unavailable
from veritas.keys import withheld, withheld_from_bytes
from veritas.policy.citation_policy import CitationPolicy, SourceEntry
from veritas.policy.search_providers import email, user_agent
from veritas.registries.answers_cache import AnswersCache, Kept, cache_key
from veritas.registries.offline import NOT_ASKED
from veritas.search.web.api import reason, tls
from veritas.search.web.pace import Pace, retry_after, spoken
from veritas.search.web.response_body import ACCEPT_ENCODING, read_body

MAX_ANSWER = 20_000_000
"""Largest answer that is read, in bytes."""
LONGEST_REST = 86_400.0
SOON = 5
"""Seconds within which a connection is made, and after which a registry without an answer is told of."""
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504})


class _Again(Unavailable):
    """Raised for a temporary failure; `after` is the wait that the registry asks for, in seconds. `down`: the registry
    fails, whatever it is asked."""

    def __init__(self, message: str, after: float | None = None, *, down: bool = False) -> None:
        super().__init__(message)
        self.after, self.down = after, down


class Refused(Unavailable):
    """Raised for a permanent error that is not the registry's "not found": a bad request, a proxy's page."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class _NotKept(Unavailable):
    """Raised offline for an answer that is not in the cache.

    Its text contains only a registry's name, so keys need not be removed from it; offline, an entry raises dozens of
    them.
    """

    def __init__(self, name: str) -> None:
        Exception.__init__(self, f"{name}: {NOT_ASKED}")


@dataclass
class Network:
    """The settings, cache and pace that all registries share. `offline` answers from the cache alone."""

    policy: CitationPolicy
    cache: AnswersCache
    offline: bool = False
    pace: Pace = field(default_factory=Pace)
    requests: int = 0
    """Number of requests sent so far."""
    told: Callable[[str], None] = field(default=lambda said: None)
    """Hears of a registry that does not answer, once for each pause of it."""
    silent: set[str] = field(default_factory=set)
    """Registries that were told of and have not answered since."""

    def tell(self, name: str, said: str) -> None:
        """Say that a registry does not answer, unless that was said."""
        if name not in self.silent:
            self.silent.add(name)
            self.told(f"{name} {said}")


class Service:
    """A registry's HTTP interface."""

    def __init__(
        self, name: str, entry: SourceEntry, network: Network, headers: Mapping[str, str] | None = None
    ) -> None:
        self.name, self.entry, self._network = name, entry, network
        self._headers = dict(headers or {})
        self._lane = entry.url
        stranger = entry.without_contact is not None and email() is None
        interval = entry.without_contact if stranger else entry.interval
        self._interval = 0.0 if _on_this_machine(entry.url) else interval or 0.0

    def lane(self, name: str) -> Service:
        """Return the same registry with pauses of its own: one that limits its searches still answers free requests."""
        other = copy.copy(self)
        other._lane = f"{self._lane} ({name})"
        return other

    def kept(self, path: str, params: Mapping[str, str] | None = None) -> Kept | None:
        """Return the cached answer, if it is still valid."""
        return self._network.cache.get(cache_key(self.entry.url, path, params or {}), offline=self._network.offline)

    def keep(self, path: str, params: Mapping[str, str] | None, text: str | None, *, nothing: bool = False) -> None:
        """Cache an answer that came together with others like a single one."""
        self._network.cache.put(cache_key(self.entry.url, path, params or {}), text, nothing=nothing)

    async def many(
        self, path: str, params: Mapping[str, str], read: Callable[[Any], Any], *, body: Any = None, form: str = "json"
    ) -> Any:
        """Return `read` of an answer about several things, which is not cached as such; `body` is sent as JSON.

        Raises `Unavailable`, also for a request that the registry refuses as wrong: the things are then asked for one
        by one.
        """

        def answer(status: int, text: str) -> Any:
            self._fine(status, text)
            try:
                return read(json.loads(text) if form == "json" else text)
            except (ValueError, RecursionError) as error:
                raise _Again("answers with no JSON, or with incomplete JSON") from error

        return (await self._attempts(path, params, answer, body))[2]

    async def json(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        missing: Callable[[int, str], bool] = lambda status, text: False,
        empty: Callable[[Any], bool] = lambda answer: False,
    ) -> Any:
        """Return the answer in JSON, or None if `missing(status, text)` recognises the registry's "not found".

        `empty` recognises an answer that found nothing: it is returned, and cached as briefly as a miss. Raises
        `Unavailable` for everything else, after as many attempts as the policy allows.
        """

        def read(status: int, text: str) -> Any:
            if missing(status, text):
                return None
            self._fine(status, text)
            try:
                return json.loads(text)
            except (ValueError, RecursionError) as error:
                what = "an HTML page" if text.lstrip()[:1] == "<" else "no JSON, or a part of it"
                raise _Again(f"answers with {what}") from error

        return await self._kept(path, params or {}, read, empty)

    async def text(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        check: Callable[[int, str], str | None],
        empty: Callable[[Any], bool] = lambda answer: False,
    ) -> str | None:
        """Return the answer as text. `check(status, text)` returns what is wrong with it, or None. Raises
        `Unavailable`."""

        def read(status: int, text: str) -> str:
            if why := check(status, text):
                self._fine(status, text)
                raise _Again(why)
            return text

        found: str | None = await self._kept(path, params or {}, read, empty)
        return found

    async def status(self, path: str) -> tuple[int, str, str]:
        """Return the status, the target of a redirect and the text, without caching. Raises `Unavailable`."""
        if self._network.offline:
            raise _NotKept(self.name)
        status, headers, text = await self._attempts(path, {}, lambda status, text: text)
        return status, withheld(headers.get("location", "")), str(text)

    async def _kept(
        self, path: str, params: Mapping[str, str], read: Callable[[int, str], Any], empty: Callable[[Any], bool]
    ) -> Any:
        network = self._network
        key = cache_key(self.entry.url, path, params)
        kept = network.cache.get(key, offline=network.offline)
        if kept is not None:
            try:
                return None if kept.text is None else read(200, kept.text)
            except Unavailable:
                pass  # the cached answer can no longer be read, so it is asked for anew
        if network.offline:
            raise _NotKept(self.name)
        _, _, (answer, text) = await self._attempts(path, params, lambda status, text: (read(status, text), text))
        network.cache.put(key, None if answer is None else text, nothing=answer is None or empty(answer))
        return answer

    async def _attempts(
        self, path: str, params: Mapping[str, str], read: Callable[[int, str], Any], body: Any = None
    ) -> tuple[int, httpx.Headers, Any]:
        policy = self._network.policy
        grown = tenacity.wait_random_exponential(multiplier=policy.backoff, max=30)

        def wait(state: tenacity.RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            asked = error.after if isinstance(error, _Again) else None
            return asked if asked is not None else grown(state)

        try:
            async for attempt in tenacity.AsyncRetrying(
                stop=tenacity.stop_after_attempt(policy.attempts),
                wait=wait,
                retry=tenacity.retry_if_exception_type(_Again),
                reraise=True,
            ):
                with attempt:
                    status, headers, text = await self._once(path, params, body)
                    return status, headers, read(status, text)
        except _Again as error:
            if error.down:  # a whole bibliography would wait for each of its entries
                self._failed(str(error))
            raise Unavailable(f"{self.name} {error} (after {policy.attempts} attempts)") from error
        raise AssertionError("unreachable")

    async def _once(self, path: str, params: Mapping[str, str], body: Any) -> tuple[int, httpx.Headers, str]:
        seconds = self.entry.seconds
        headers = {"User-Agent": user_agent(), "Accept-Encoding": ACCEPT_ENCODING, **self._headers}
        try:
            async with self._network.pace.turn(self._lane, self._interval):
                self._network.requests += 1
                told = asyncio.get_running_loop().call_later(
                    SOON, self._network.tell, self.name, f"has not answered for {SOON} s"
                )
                try:
                    limits = httpx.Timeout(seconds, connect=min(seconds, SOON))
                    async with (
                        asyncio.timeout(seconds),
                        httpx.AsyncClient(verify=tls(), timeout=limits, follow_redirects=False) as client,
                        client.stream(
                            "GET" if body is None else "POST",
                            f"{self.entry.url}{path}",
                            params=params,
                            headers=headers,
                            json=body,
                        ) as response,
                    ):
                        # An answer may echo the request, with the key: it is withheld here.
                        data = withheld_from_bytes(await read_body(response, MAX_ANSWER))
                        status, answered = response.status_code, response.headers
                except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
                    slow = isinstance(error, TimeoutError | httpx.TimeoutException)
                    why = f"did not answer within {seconds:g} s" if slow else f"failed: {reason(error)}"
                    absent = slow or isinstance(error, httpx.ConnectError)
                    if absent:
                        self._failed(why)
                    raise _Again(why, down=not absent) from error
                finally:
                    told.cancel()
                if status < 500:
                    self._network.pace.answered(self._lane)
                    self._network.silent.discard(self.name)
        except _Again:
            raise
        except Unavailable as error:
            raise Unavailable(f"{self.name} {error}") from error
        if status in _MAY_PASS:
            raise self._later(status, answered)
        try:
            return status, answered, data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _Again("answers with what is no UTF-8 text") from error

    def _later(self, status: int, headers: httpx.Headers) -> Unavailable:
        """Return the error for a temporary status: `_Again` for a short wait; for a wait of hours, the registry is
        paused."""
        wait = retry_after(headers.get("retry-after"))
        if wait is not None and wait > self._network.policy.patience:
            why = f"asks to wait {spoken(wait)} ({status})"
            self._network.pace.rest(self._lane, min(wait, LONGEST_REST), why)
            return Unavailable(f"{self.name} {why}")
        return _Again(f"answers with an error ({status})", wait, down=status >= 500)

    def _failed(self, why: str) -> None:
        self._network.pace.failed(self._lane, why)
        self._network.tell(self.name, why)

    def _fine(self, status: int, text: str) -> None:
        if status == 200:
            return
        said = " ".join(text.split())[:120] if not text.lstrip().startswith("<") else "an HTML page"
        said = "".join(sign for sign in said if sign.isprintable())
        raise Refused(f"{self.name} answers with an error ({status}: {said})", status)


def _on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
