"""A model within its limits: requests and tokens a minute, calls at once, pauses that the provider asks for, a time
limit for each request, retries, and a circuit breaker."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic

from pydantic import BaseModel

from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.context_window import tokens
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.turn_calls import who_asks
from veritas.event_loop import OfLoop
from veritas.long_waits import waiting_for
from veritas.policy.council_policy import ModelPolicy, RateLimits

FAILURES = 3
"""Calls in a row that must fail, in spite of retries, before the circuit opens."""
MINUTE = 60.0
TOLD = 20.0
"""Seconds without an answer, or a third of the time limit, after which the user is told who is waited for."""
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


class Health:
    """What a run knows of a model: its answers, its failed tries in a row, and since when it gives no answer at all."""

    def __init__(self) -> None:
        self.answers = self.failures = 0
        self.silent_since: float | None = None

    def answered(self) -> None:
        """Count an answer."""
        self.answers, self.failures, self.silent_since = self.answers + 1, 0, None


class Timed:
    """A model that is given a time limit for each request: half of it until it has answered once in the run, unless it
    may still be loading on the user's own machine."""

    def __init__(self, inner: ChatModel, policy: ModelPolicy, health: Health) -> None:
        self._inner, self._policy, self._health = inner, policy, health

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed`, a `lasting` one for a model that hangs."""
        policy, health = self._policy, self._health
        if (ready := getattr(self._inner, "ready", None)) is not None:
            await ready()  # the loading time of this process says nothing about the model
        given = policy.limits.timeout / (1 if health.answers or policy.unhurried else 2)
        sent, before = monotonic(), health.answers
        try:
            with waiting_for(f"{policy.model} ({who_asks().turn})", given, min(TOLD, given / 3)):
                async with asyncio.timeout(given) as limit:
                    answer = await self._inner.complete(messages, schema=schema)
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._silence(f"{policy.model} gave no answer within {given:.3g} s", sent, before) from None
        except CallFailed as failure:
            if not failure.silent or failure.lasting:
                raise
            raise self._silence(str(failure), sent, before) from failure
        health.answered()
        return answer

    def _silence(self, said: str, sent: float, before: int) -> CallFailed:
        """Return the error for a request without an answer. A model that answered others meanwhile may be asked again.
        One that answered nothing hangs if it was silent before, or never answered and is no model of one's own."""
        health = self._health
        if health.answers > before:
            return CallFailed(said, may_pass=True, may_be_billed=True)
        again = health.silent_since is not None and sent >= health.silent_since
        health.silent_since = health.silent_since or monotonic()
        lasting = again or not (health.answers or self._policy.unhurried)
        return CallFailed(said, may_pass=self._policy.unhurried, lasting=lasting, may_be_billed=True)


class Limited:
    """A model with its provider's rate limits and retries for temporary errors.

    While the circuit is open, calls fail at once if other models can answer (`others`), and wait otherwise. After a
    pause one call is tried. If it succeeds, the others follow; if not, the model is excluded for the rest of the run.
    """

    def __init__(
        self,
        inner: ChatModel,
        policy: ModelPolicy,
        rates: Rates,
        health: Health,
        others: Callable[[], bool] = lambda: False,
    ) -> None:
        self._inner, self._policy, self._rates, self._health, self._others = inner, policy, rates, health, others
        self._why = ""
        self._failed = 0
        self._out: str | None = None
        self._open_until: float | None = None
        self._trial = OfLoop(asyncio.Lock)

    @property
    def rest(self) -> float:
        """Seconds for which the circuit stays open: as long as further retries would have waited, at most `patience`.
        """
        limits = self._policy.limits
        return float(min(limits.patience, limits.backoff * 2 ** (limits.retries + FAILURES)))

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed`, or `LeftOut` when the model is left out of the run."""
        while True:
            if self._open_until is None:
                answer = await self._asked(messages, schema, trial=False)
                if answer is not None:
                    return answer
                continue
            if self._others() and (monotonic() < self._open_until or self._trial.here().locked()):
                why = f"{FAILURES} calls in a row failed, and it rests for {self.rest:.3g} s: {self._why}"
                raise CallFailed(f"{self._policy.name} is not asked: {why}")
            async with self._trial.here():  # one trial at a time: the others wait for its outcome
                if self._open_until is None:
                    continue
                await asyncio.sleep(max(0.0, self._open_until - monotonic()))
                try:
                    answer = await self._asked(messages, schema, trial=True)
                except CallFailed as failure:
                    if failure.may_pass:
                        later = f"and one more {self.rest:.3g} s later"
                        self._leave_out(f"{FAILURES} calls in a row failed, {later}: {failure}")
                    self._open_until = None  # the model refuses this request, so it works
                    raise
                assert answer is not None
                return answer

    async def _asked(
        self, messages: Sequence[Message], schema: type[BaseModel] | None, *, trial: bool
    ) -> Completion | None:
        """Return the answer, after retries if necessary. None if the circuit opened meanwhile; a trial is made all the
        same."""
        limits = self._policy.limits
        size = sum(tokens(m.content) for m in messages)
        attempt = 0
        while True:
            async with self._rates.turn(size) as spent:
                if self._out is not None:
                    raise LeftOut(self._out)
                if self._open_until is not None and not trial:
                    return None
                try:
                    answer = await self._inner.complete(messages, schema=schema)
                except CallFailed as problem:
                    failure = problem
                    self._health.failures += 1
                else:
                    spent.tokens = answer.input_tokens + answer.output_tokens or spent.tokens
                    self._failed, self._open_until = 0, None
                    return answer
            if failure.lasting:
                self._leave_out(str(failure))
            if not failure.may_pass:
                raise failure
            if failure.wait is not None and failure.wait > limits.patience:
                self._leave_out(f"{failure}; it asks to wait {_span(failure.wait)}, until {_until(failure.wait)}")
            if failure.wait is not None:
                self._rates.pause(failure.wait)
            if trial or attempt >= limits.retries:
                break
            if failure.wait is None:
                await asyncio.sleep(limits.backoff * 2**attempt * random.uniform(0.5, 1.0))
            attempt += 1
        self._count(failure, trial)
        tries = f" ({attempt + 1} tries)" if attempt else ""
        raise CallFailed(f"{failure}{tries}", may_pass=True) from failure

    def _count(self, failure: CallFailed, trial: bool) -> None:
        self._failed += 1
        self._why = str(failure)
        if self._failed >= FAILURES and not trial:
            self._open_until = monotonic() + self.rest

    def readmit(self) -> None:
        """Allow one more call, because no other model is left. If it fails, the circuit opens again."""
        self._out, self._open_until = None, None
        self._failed = max(0, min(self._failed, FAILURES - 1))

    def _leave_out(self, why: str) -> None:
        self._open_until = None
        self._out = f"{self._policy.name} is left out from here on: {why}"
        raise LeftOut(self._out)


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def _until(seconds: float) -> str:
    try:
        return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M UTC")
    except OverflowError:
        return "further than the calendar goes"
