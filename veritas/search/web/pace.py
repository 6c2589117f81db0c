"""Pacing of requests: a limited number for each host, intervals between them, and pauses that a host asks for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from threading import Lock
from weakref import WeakKeyDictionary

from veritas.errors import Unavailable

SHORT_WAIT = 5.0
"""Longest wait in seconds that a server may ask for; a longer one is reported, not waited for."""
FAILURES = 3
"""Failures in a row after which a host is left alone for a while. Then one request tries it, and if that fails as well
it rests again, twice as long."""
REST = 60.0
LONGEST_REST = 8 * REST


@dataclass
class _Host:
    """The state of one host. Times are of `time.monotonic`."""

    free_at: float = 0.0
    rest_until: float = 0.0
    why: str = ""
    failures: int = 0
    rest: float = field(default_factory=lambda: REST)
    turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = field(default_factory=WeakKeyDictionary)


class Pace:
    """The pace for any number of hosts; may be shared by threads and event loops."""

    def __init__(self) -> None:
        self._hosts: dict[str, _Host] = {}
        self._lock = Lock()

    @asynccontextmanager
    async def turn(self, host: str, interval: float, at_once: int = 1) -> AsyncIterator[None]:
        """Occupy one of `at_once` requests to a host, at least `interval` seconds after the end of the previous one.
        Raises `Unavailable` at once during a pause of the host."""
        with self._lock:
            state = self._hosts.setdefault(host, _Host())
            turn = state.turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(at_once))
        self._check(state)
        async with turn:
            self._check(state)
            wait = state.free_at - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                yield
            finally:
                state.free_at = time.monotonic() + interval

    def rest(self, host: str, seconds: float, why: str) -> None:
        """Send the host no request for so many seconds; callers get the reason."""
        with self._lock:
            state = self._hosts.setdefault(host, _Host())
            state.failures = FAILURES - 1  # half open afterwards
            state.rest_until = time.monotonic() + seconds
            state.why = why

    def failed(self, host: str, why: str) -> None:
        """Count a failure of the host; after several in a row it is paused."""
        with self._lock:
            state = self._hosts.setdefault(host, _Host())
            state.failures += 1
            seconds, last = state.rest, state.failures >= FAILURES
            state.rest = min(2 * seconds, LONGEST_REST) if last else seconds
        if last:
            self.rest(host, seconds, f"{why}, {FAILURES} times in a row")

    def rests(self, host: str) -> bool:
        """Return whether the host is paused now."""
        with self._lock:
            state = self._hosts.get(host)
            return state is not None and state.rest_until > time.monotonic()

    def answered(self, host: str) -> None:
        """Forget the host's failures, because it answered."""
        with self._lock:
            state = self._hosts.setdefault(host, _Host())
            state.failures, state.rest = 0, REST

    def _check(self, state: _Host) -> None:
        if state.rest_until > time.monotonic():
            raise Unavailable(state.why)


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a `Retry-After` header asks for, given in seconds or as a date; None if it is not
    usable."""
    said = (header or "").strip()
    if said.isascii() and said.replace(".", "", 1).isdigit() and len(said) < 10:
        return float(said)
    try:
        when = parsedate_to_datetime(said)
    except (ValueError, TypeError, IndexError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def moment(seconds: float) -> str:
    """Return when so many seconds will be over, for display."""
    then = datetime.now(UTC) + timedelta(seconds=min(seconds, 1e9))
    return f"{then:%H:%M} UTC" if seconds < 43_200 else f"{then:%Y-%m-%d %H:%M} UTC"


def spoken(seconds: float) -> str:
    """Return a duration for display: `40 s`, `5 min`, `3 h`, `2 days`."""
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size or (size < 86_400 and seconds >= size):
            return f"{seconds / size:.0f} {unit}"
    return f"{max(1, round(seconds))} s"
