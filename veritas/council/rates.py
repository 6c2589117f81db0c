"""A provider's limits: requests and tokens a minute, parallel calls, and pauses that it asks for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from veritas.event_loop import OfLoop
from veritas.policy.council_policy import RateLimits

MINUTE = 60.0
HOUSE, OWN_SERVER = 16, 4
"""Calls at once where nothing else is set: to a provider, and to a server of one's own. A provider that finds 16 too
many answers 429, and everybody waits."""


@dataclass
class Spent:
    """A request's tokens: an estimate while it is active, then the provider's count."""

    at: float
    tokens: int


class Rates:
    """A provider's limits in a run, shared by all of its models."""

    def __init__(self, limits: RateLimits, at_once: int = OWN_SERVER, *, minute: float = MINUTE) -> None:
        self.limits, self._minute = limits, minute
        self._gate = OfLoop(lambda: asyncio.Semaphore(limits.at_once or at_once))
        self._order = OfLoop(asyncio.Lock)
        self._window: deque[Spent] = deque()
        self._not_before = 0.0

    def pause(self, seconds: float) -> None:
        """Send no request for so many seconds, as the provider asked."""
        self._not_before = max(self._not_before, monotonic() + seconds)

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[Spent]:
        """Wait for room for one request of about `tokens`, and occupy one of the parallel calls."""
        async with self._gate.here():
            async with self._order.here():  # first come, first served
                while True:
                    wait = self._wait(tokens)
                    if wait <= 0:
                        break
                    await asyncio.sleep(wait)
                spent = Spent(monotonic(), tokens)
                self._window.append(spent)
            yield spent

    def _wait(self, tokens: int) -> float:
        now = monotonic()
        while self._window and self._window[0].at <= now - self._minute:
            self._window.popleft()
        wait = self._not_before - now
        requests, budget = self.limits.requests_per_minute, self.limits.tokens_per_minute
        if requests is not None and len(self._window) >= requests:
            wait = max(wait, self._window[len(self._window) - requests].at + self._minute - now)
        if budget is not None:
            held = sum(s.tokens for s in self._window) + tokens
            for spent in self._window:  # a request larger than the whole budget goes when nothing else is held
                if held <= budget:
                    break
                held -= spent.tokens
                wait = max(wait, spent.at + self._minute - now)
        return wait
