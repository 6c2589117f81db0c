"""A model behind retries, rate limits and a circuit breaker."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic

from pydantic import BaseModel

from veritas.council._race import late, superseded
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.context_window import tokens
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.pace import Pace
from veritas.council.rates import Rates
from veritas.event_loop import OfLoop
from veritas.policy.council_policy import ModelPolicy

FAILURES = 3
"""Calls in a row that must fail, in spite of retries, before the circuit opens."""


class Limited:
    """A model held to its provider's rates; it is asked again only for errors that may pass.

    While the circuit is open, calls fail at once where others can answer (`others`), and wait where nobody can; after a
    rest one of them is tried. If it is answered, the others follow; if not, the model is left out of the rest of the
    run.
    """

    def __init__(
        self,
        inner: ChatModel,
        policy: ModelPolicy,
        rates: Rates,
        pace: Pace,
        others: Callable[[], bool] = lambda: False,
    ) -> None:
        self._inner, self._policy, self._rates, self._pace, self._others = inner, policy, rates, pace, others
        self._why = ""
        self._failed = 0
        self._out: str | None = None
        self._open_until: float | None = None
        self._trial = OfLoop(asyncio.Lock)

    @property
    def rest(self) -> float:
        """Seconds the circuit stays open: as long as further retries would have waited, and no longer than patience."""
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
        """Return the answer, after retries if need be. None if the circuit opened meanwhile; a trial is made all the
        same."""
        limits = self._policy.limits
        size = sum(tokens(m.content) for m in messages)
        failure: CallFailed | None = None
        attempt = 0
        try:
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
                        self._pace.failures += 1
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
                late()  # others that can answer are asked meanwhile
                if failure.wait is None:
                    await asyncio.sleep(limits.backoff * 2**attempt * random.uniform(0.5, 1.0))
                attempt += 1
        except asyncio.CancelledError:
            if failure is not None and superseded():
                self._count(failure, trial)  # a further try would probably have failed too
            raise
        self._count(failure, trial)
        tries = f" ({attempt + 1} tries)" if attempt else ""
        raise CallFailed(f"{failure}{tries}", may_pass=True) from failure

    def _count(self, failure: CallFailed, trial: bool) -> None:
        self._failed += 1
        self._why = str(failure)
        if self._failed >= FAILURES and not trial:
            self._open_until = monotonic() + self.rest

    def readmit(self) -> None:
        """Let one more call through, because nobody else is left to ask. If it fails, the circuit opens again."""
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
