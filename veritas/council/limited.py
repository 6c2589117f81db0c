"""A model that is asked with patience and within limits, and left alone once it is clear that it will not answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel

from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.rates import Rates
from veritas.council.window import tokens
from veritas.policy.council_policy import ModelPolicy

FAILURES = 3
"""Calls in a row that fail, in spite of retries, before a model is left out of the rest of the run."""


class Limited:
    """Holds a model to its provider's rates; asks again only what may pass; breaks the circuit.

    The circuit stays broken for the rest of the run: a member that comes and goes would be heard on some claims and
    not on others, for no reason that lies in them.
    """

    def __init__(self, inner: ChatModel, policy: ModelPolicy, rates: Rates) -> None:
        self._inner, self._policy, self._rates = inner, policy, rates
        self._failed = 0
        self._out: str | None = None

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed`, or `LeftOut` when nothing more is to be had from the model."""
        limits = self._policy.limits
        size = sum(tokens(m.content) for m in messages)
        attempt = 0
        while True:
            async with self._rates.turn(size) as spent:
                if self._out is not None:
                    raise LeftOut(self._out)
                try:
                    answer = await self._inner.complete(messages, schema=schema)
                except CallFailed as problem:
                    failure = problem
                else:
                    spent.tokens = answer.input_tokens + answer.output_tokens or spent.tokens
                    self._failed = 0
                    return answer
            if failure.lasting:
                self._leave_out(str(failure))
            if not failure.may_pass:
                raise failure
            if failure.wait is not None and failure.wait > limits.patience:
                self._leave_out(f"{failure}; it asks to wait {_span(failure.wait)}, until {_until(failure.wait)}")
            if failure.wait is not None:
                self._rates.pause(failure.wait)
            if attempt >= limits.retries:
                break
            if failure.wait is None:
                await asyncio.sleep(limits.backoff * 2**attempt * random.uniform(0.5, 1.0))
            attempt += 1
        self._failed += 1
        tries = f" ({attempt + 1} tries)" if attempt else ""
        if self._failed >= FAILURES:
            self._leave_out(f"{self._failed} calls in a row failed, the last: {failure}{tries}")
        raise CallFailed(f"{failure}{tries}", may_pass=True) from failure

    def _leave_out(self, why: str) -> None:
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
