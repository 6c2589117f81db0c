"""A model within its limits: the calls at once, pace and pauses of its server, a time limit for each request, and
bounded retries. A model that keeps failing is left out of the run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic

import tenacity
from pydantic import BaseModel

from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.context_window import tokens
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.turn_calls import who_asks
from veritas.event_loop import OfLoop
from veritas.long_waits import waiting_for
from veritas.policy.council_policy import ModelPolicy, RateLimits
from veritas.search.web.pace import moment, spoken

FAILURES = 3
"""Calls in a row that must fail, in spite of retries, before a model is left out."""
LONELY = 3
"""Further retries of a model of whose family all models are: up to another 28 s."""
TOLD = 20.0
"""Seconds without an answer, or a third of the time limit, after which the user is told who is waited for."""
HOUSE, OWN_SERVER = 16, 4
"""Calls at once where nothing else is set: to a provider, and to a server of one's own. A provider that finds 16 too
many answers 429, and everybody waits."""


class Server:
    """The limits of a provider in a run, shared by all of its models. Requests are sent evenly over a minute where it
    has limits a minute."""

    def __init__(self, limits: RateLimits, at_once: int = OWN_SERVER, *, minute: float = 60.0) -> None:
        self.limits, self._minute, self._next = limits, minute, 0.0
        self._gate, self._order = OfLoop(lambda: asyncio.Semaphore(limits.at_once or at_once)), OfLoop(asyncio.Lock)

    def pause(self, seconds: float) -> None:
        """Send no request for so many seconds, as the provider asked."""
        self._next = max(self._next, monotonic() + seconds)

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[None]:
        """Wait for room for one request of about `tokens`, and occupy one of the parallel calls."""
        async with self._gate.here():
            async with self._order.here():  # first come, first served
                await asyncio.sleep(max(0.0, self._next - monotonic()))
                allowed = (self.limits.requests_per_minute, 1), (self.limits.tokens_per_minute, tokens)
                self.pause(max(self._minute * spent / most if most else 0.0 for most, spent in allowed))
            yield


class Health:
    """What a run knows of a model: its answers, its failed tries and calls in a row, since when it gives no answer at
    all, and why it is left out."""

    def __init__(self) -> None:
        self.answers = self.failures = self.failed_calls = 0
        self.silent_since: float | None = None
        self.out: str | None = None

    def answered(self) -> None:
        """Count an answer."""
        self.answers, self.failures, self.failed_calls, self.silent_since = self.answers + 1, 0, 0, None

    def silent(self, said: str, sent: float, before: int, *, unhurried: bool) -> CallFailed:
        """Return the error for a request without an answer. A model that answered others meanwhile may be asked again.
        One that answered nothing hangs if it was silent before, or never answered and is no model of one's own."""
        if self.answers > before:
            return CallFailed(said, may_pass=True, may_be_billed=True)
        again = self.silent_since is not None and sent >= self.silent_since
        self.silent_since = self.silent_since or monotonic()
        lasting = again or not (self.answers or unhurried)
        return CallFailed(said, may_pass=unhurried, lasting=lasting, may_be_billed=True)


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
        except (TimeoutError, CallFailed) as failure:
            ours = isinstance(failure, TimeoutError) and limit.expired()
            if not ours and not (isinstance(failure, CallFailed) and failure.silent and not failure.lasting):
                raise
            said = f"{policy.model} gave no answer within {given:.3g} s" if ours else str(failure)
            raise health.silent(said, sent, before, unhurried=policy.unhurried) from failure
        health.answered()
        return answer


class Limited:
    """A model with its server's limits, and retries of what may pass: `limits.retries`, and `LONELY` more where no
    other model can answer (`others`).

    After `FAILURES` failed calls in a row, or a failure that lasts, the model is left out of the run.
    """

    def __init__(
        self,
        inner: ChatModel,
        policy: ModelPolicy,
        server: Server,
        health: Health,
        others: Callable[[], bool] = lambda: False,
    ) -> None:
        self._inner, self._policy, self._server, self._health, self._others = inner, policy, server, health, others

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed`, or `LeftOut` when the model is left out of the run."""
        limits, size = self._policy.limits, sum(tokens(m.content) for m in messages)
        more = LONELY if limits.retries and not self._others() else 0
        grown = tenacity.wait_random_exponential(multiplier=limits.backoff, max=limits.patience)
        tries = 0
        try:
            async for attempt in tenacity.AsyncRetrying(
                stop=tenacity.stop_after_attempt(1 + limits.retries + more),
                wait=lambda state: 0.0 if _asked_to_wait(state) else grown(state),
                retry=tenacity.retry_if_exception(lambda e: isinstance(e, CallFailed) and e.may_pass),
                reraise=True,
            ):
                with attempt:
                    tries += 1
                    return await self._asked(messages, schema, size)
        except CallFailed as failure:
            if not failure.may_pass:
                raise
            self._health.failed_calls += 1
            told = f"{failure} ({tries} tries)" if tries > 1 else str(failure)
            if self._health.failed_calls >= FAILURES:
                raise self._left_out(f"{FAILURES} calls in a row failed: {told}", failure) from failure
            raise CallFailed(told, may_pass=True, said=failure.said) from failure
        raise AssertionError("unreachable")

    async def _asked(self, messages: Sequence[Message], schema: type[BaseModel] | None, size: int) -> Completion:
        async with self._server.turn(size):
            if self._health.out is not None:
                raise LeftOut(self._health.out)
            try:
                return await self._inner.complete(messages, schema=schema)
            except CallFailed as failure:
                self._health.failures += 1
                if failure.lasting:
                    raise self._left_out(str(failure), failure) from failure
                if failure.wait is not None and failure.wait > self._policy.limits.patience:
                    wait = f"it asks to wait {spoken(failure.wait)}, until {moment(failure.wait)}"
                    raise self._left_out(f"{failure}; {wait}", failure) from failure
                if failure.wait is not None:
                    self._server.pause(failure.wait)
                raise

    def _left_out(self, why: str, failure: CallFailed) -> LeftOut:
        self._health.out = f"{self._policy.name} is left out from here on: {why}"
        return LeftOut(self._health.out, failure.said)


def _asked_to_wait(state: tenacity.RetryCallState) -> bool:
    """Return whether the server asked for a pause, which all of its calls keep."""
    failure = state.outcome.exception() if state.outcome is not None else None
    return isinstance(failure, CallFailed) and failure.wait is not None
