"""Safe fetching: public addresses only, at every redirect; limits on size, unpacked size, time and redirects."""

from __future__ import annotations

import asyncio
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import httpx

from veritas.errors import InputError, Unavailable
from veritas.keys import withheld, withheld_from_bytes
from veritas.policy.search_providers import ReadingEntry, user_agent
from veritas.reading.web.destination import Destinations
from veritas.reading.web.page_cache import Page, PageCache
from veritas.reading.web.pinned_connection import NETWORK_ERRORS, transport_for
from veritas.reading.web.robots import MAX_BYTES, NOTHING_ALLOWED, Robots, read_robots
from veritas.search.web.api import LONGEST_REST, reason
from veritas.search.web.pace import SHORT_WAIT, Pace, retry_after, spoken
from veritas.search.web.response_body import ACCEPT_ENCODING, read_body
from veritas.settings import home

ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def loopback_allowed() -> frozenset[str]:
    """Return the `host:port` pairs of loopback in `VERITAS_FETCH_ALLOW` that tests may fetch from; by default none.

    Raises `InputError` for an entry that is no host:port.
    """
    pairs = frozenset(part for part in os.environ.get("VERITAS_FETCH_ALLOW", "").replace(",", " ").split() if part)
    for pair in pairs:
        if not pair.rpartition(":")[0] or not pair.rpartition(":")[2].isdecimal():
            raise InputError(f"VERITAS_FETCH_ALLOW holds {pair[:60]!r}, which is no host:port")
    return pairs


class Fetcher:
    """A fetcher of pages, shared by all readers of a run; usable from several event loops.

    Every request makes its own connection, because pages of one host come seconds apart.
    """

    def __init__(
        self, limits: ReadingEntry, *, destinations: Destinations | None = None, folder: Path | None = None
    ) -> None:
        self.limits = limits
        self._destinations = destinations or Destinations(frozenset(limits.ports), loopback_allowed())
        self._cache = PageCache(
            folder or home() / "cache" / "fetched",
            fresh_seconds=limits.fresh_hours * 3600,
            keep_seconds=limits.keep_days * 86_400,
        )
        self._pace = Pace()
        self._robots: dict[str, Robots] = {}
        self._cleared = False

    async def fetch(self, url: str, *, anew: bool = False) -> Page:
        """Fetch `url`, whatever its status; redirects are followed. `anew` asks the server even if a fresh copy is
        cached.

        Raises `Unavailable` with the reason if there is no complete answer within the limits, if robots.txt forbids it,
        or if an address on the way may not be connected to.
        """
        asked = str(self._destinations.check(url))
        kept = await asyncio.to_thread(self._cache.get, asked)
        if kept is not None and self._cache.is_fresh(kept) and not anew:
            return kept
        page = await self._follow(asked, kept, robots=self.limits.robots, limit=int(self.limits.megabytes * 1_000_000))
        if page.status == 200 and "no-store" not in page.headers.get("cache-control", "").lower():
            await asyncio.to_thread(self._keep, page)
        return page

    def vouched(self, url: str, seconds: float) -> bool:
        """Return whether the server of `url` confirmed the cached copy within the last `seconds`."""
        kept = self._cache.get(url)
        return kept is not None and 0 <= time.time() - kept.fetched_at < seconds

    def _keep(self, page: Page) -> None:
        if not self._cleared:
            self._cleared = True
            self._cache.clear_old()
        self._cache.put(page)
        if page.final_url != page.url:  # the document goes by this one
            self._cache.put(replace(page, url=page.final_url))

    async def _follow(self, url: str, kept: Page | None, *, robots: bool, limit: int) -> Page:
        """Return the page at the end of the redirects. The limit of network time is for all of them together."""
        cookies = httpx.Cookies()
        at, left = url, self.limits.seconds
        seen: set[str] = set()
        for _ in range(self.limits.redirects + 1):
            parts = self._destinations.check(at)
            delay = await self._delay(parts) if robots else self._interval(parts.host)
            # Some sites set a cookie and redirect to the same page once more.
            if (key := f"{at} {len(cookies.jar)}") in seen:
                raise Unavailable(f"redirects in a circle, by way of {at[:200]}")
            seen.add(key)
            async with self._pace.turn(parts.netloc.decode("ascii"), delay):
                start = time.monotonic()
                page = await self._once(parts, kept if kept and kept.final_url == at else None, left, limit, cookies)
                left -= time.monotonic() - start
            if page.status not in _REDIRECTS or not page.headers.get("location"):
                return replace(page, url=url)
            if left <= 0:
                raise Unavailable(f"takes longer than {self.limits.seconds:g} s, redirects included")
            at = _joined(parts, page.headers["location"])
        raise Unavailable(f"redirects more than {self.limits.redirects} times")

    async def _once(
        self, url: httpx.URL, kept: Page | None, seconds: float, limit: int, cookies: httpx.Cookies
    ) -> Page:
        host = url.netloc.decode("ascii")
        headers = {"User-Agent": user_agent(), "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING}
        if kept is not None:
            headers |= {
                asked: kept.headers[said]
                for asked, said in (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified"))
                if said in kept.headers
            }
        transport = transport_for(url, self._destinations)
        try:
            async with (
                asyncio.timeout(seconds),
                httpx.AsyncClient(
                    transport=transport, timeout=seconds, follow_redirects=False, trust_env=False, cookies=cookies
                ) as client,
                client.stream("GET", url, headers=headers) as response,
            ):
                cookies.update(response.cookies)
                status = response.status_code
                if status == 304 and kept is not None:
                    self._pace.answered(host)
                    return replace(kept, fetched_at=time.time())
                self._heed(host, response)
                # A page may be of a provider to which a search key was sent.
                body = b"" if status in _REDIRECTS else withheld_from_bytes(await read_body(response, limit))
                self._pace.answered(host)
                said = {name.lower(): withheld(value) for name, value in response.headers.items()}
                return Page(str(url), str(url), status, said, body, time.time())
        except TimeoutError:
            why = f"takes longer than {self.limits.seconds:g} s"
        except NETWORK_ERRORS as error:
            why = f"cannot be reached or breaks off: {reason(error)}"
        self._pace.failed(host, f"{host} {why}")
        raise Unavailable(why)

    def _heed(self, host: str, response: httpx.Response) -> None:
        """Raise `Unavailable` if a server asks for a longer pause, and observe that pause; a short one is ignored."""
        if response.status_code not in (429, 503):
            return
        wait = retry_after(response.headers.get("retry-after"))
        if wait and wait > SHORT_WAIT:
            why = f"{host} asks to wait {spoken(wait)} ({response.status_code})"
            self._pace.rest(host, min(wait, LONGEST_REST), why)
            raise Unavailable(why)

    def _interval(self, host: str) -> float:
        hosts = (host, *(host.partition(".")[2],))
        return next((self.limits.intervals[h] for h in hosts if h in self.limits.intervals), self.limits.interval)

    async def _delay(self, url: httpx.URL) -> float:
        """Return the seconds between requests to this host. Raises `Unavailable` if robots.txt forbids the path."""
        origin = f"{url.scheme}://{url.netloc.decode('ascii')}"
        async with self._pace.turn(f"robots of {origin}", 0.0):  # one reads it, the others wait
            robots = self._robots.get(origin)
            if robots is None:
                robots = self._robots[origin] = await self._read_robots(origin)
        path = url.raw_path.decode("ascii")
        if not robots.allows(path):
            if robots is NOTHING_ALLOWED:
                raise Unavailable(f"robots.txt of {url.host} cannot be had, so nothing there may be read")
            raise Unavailable(f"robots.txt of {url.host} keeps this page from automatic readers")
        return max(self._interval(url.host), min(robots.delay or 0.0, self.limits.longest_delay))

    async def _read_robots(self, origin: str) -> Robots:
        """Read robots.txt (RFC 9309, 2.3.1): a missing file forbids nothing, a failing server forbids everything."""
        url = f"{origin}/robots.txt"
        kept = await asyncio.to_thread(self._cache.get, url)
        if kept is None or not self._cache.is_fresh(kept):
            page = await self._follow(url, kept, robots=False, limit=4 * MAX_BYTES)
            if page.status >= 500 or page.status == 429:
                return NOTHING_ALLOWED
            kept = page if page.status == 200 else replace(page, body=b"")
            await asyncio.to_thread(self._keep, kept)
        return read_robots(kept.body)


def _joined(base: httpx.URL, location: str) -> str:
    """Return the target of a redirect, without the fragment."""
    try:
        return str(base.join(location).copy_with(fragment=None))
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError) as error:
        raise Unavailable(f"redirects to what is no address ({location[:100]!r})") from error


class ArchivedCopies:
    """Finds the archived copy of a page, to be shown to people; it is never read in place of the page."""

    def __init__(self, fetcher: Fetcher, base: str) -> None:
        """`base` is the archive's address: `archive` in `providers.yaml`."""
        self._fetcher, self._base = fetcher, base.rstrip("/")

    async def find(self, url: str) -> str | None:
        """Return the address of the newest copy; None if the archive has none or did not answer."""
        try:
            page = await self._fetcher.fetch(f"{self._base}/wayback/available?url={quote(url, safe='')}")
            found = json.loads(page.body) if page.status == 200 else {}
            closest = found["archived_snapshots"]["closest"]
            copy = closest["url"]
            there = closest["available"] is True and str(closest.get("status", "200")) == "200"
        except (Unavailable, ValueError, KeyError, TypeError, RecursionError):
            return None
        if not there or not isinstance(copy, str) or not copy.startswith(("http://", "https://")) or len(copy) > 4_000:
            return None
        return copy
