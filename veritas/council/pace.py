"""Answer times of models, measured in the run, and the resulting waiting times.

A model on one's own machine gets all the time that its limits allow: it may be busy or still be loading. After it hung
once, it gets less, and then is not used any more.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from pydantic import BaseModel

from veritas.council._race import late, runner
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import CallFailed
from veritas.council.turn_calls import who_asks
from veritas.event_loop import OfLoop
from veritas.long_waits import say_wait
from veritas.policy.council_policy import HedgePolicy, ModelPolicy

TELL = 20.0
"""Seconds without an answer, or a third of the waiting time, after which the user is informed; doubled each time."""
AGAIN = 1 / 3
"""Share of its time limit for which a model of one's own that hung is waited for again."""


class Latencies:
    """The answer times, in seconds, of all models of a run by model and turn."""

    def __init__(self) -> None:
        self._took: dict[str, dict[str, list[float]]] = {}

    def took(self, model: str, turn: str, seconds: float) -> None:
        """Add an answer's time in seconds."""
        self._took.setdefault(model, {}).setdefault(turn, []).append(seconds)

    def usual(self, model: str, turn: str) -> float | None:
        """Return the usual longest answer time of a model in a turn, in seconds; None without any answer.

        That is the longest of its own answers in the turn, from the tenth on their 90th percentile. Before there is
        one, it is the longer of its answers in other turns and of other models' in this one; else it is that of all
        answers.
        """
        own = self._took.get(model, {})
        if own.get(turn):
            return _within(own[turn])
        told = [s for seconds in own.values() for s in seconds]
        others = [s for name, turns in self._took.items() if name != model for s in turns.get(turn, ())]
        if told or others:
            return max(_within(seconds) for seconds in (told, others) if seconds)
        every = [s for turns in self._took.values() for seconds in turns.values() for s in seconds]
        return _within(every) if every else None


def _within(seconds: Sequence[float]) -> float:
    """Return the 90th percentile; of fewer than ten that is the longest."""
    return sorted(seconds)[math.ceil(0.9 * len(seconds)) - 1]


@dataclass
class Hush:
    """The state of a server that models may share: whether it ever answered in this run, and since when it hangs."""

    heard: bool = False
    since: float | None = None


class Pace:
    """The waiting times of a model. `hedge` is None if only its limits apply; `server` is the state it shares with
    other models of its server."""

    def __init__(
        self, model: str, latencies: Latencies, hedge: HedgePolicy | None, server: Hush | None = None
    ) -> None:
        self._model, self._latencies, self.hedge = model, latencies, hedge
        self._server = server or Hush()
        self.failures = 0
        """Failed tries since it last answered."""
        self.answered = False
        """True if it ever answered in this run."""
        self._heard = float("-inf")
        self._hung: float | None = None
        self._told = float("-inf")

    def after(self, turn: str) -> float | None:
        """Return the seconds after which another model is asked as well; None for never."""
        return self._span(turn, self.hedge.after) if self.hedge is not None else None

    def longest(self, turn: str, timeout: float) -> float | None:
        """Return the seconds after which a model that answers nothing at all is abandoned; None if only its limits
        apply (`timeout` in seconds). A model without known answer times gets half of that or `cap`."""
        if self.hedge is None:
            return None if self.hung is None else timeout * AGAIN
        if self._latencies.usual(self._model, turn) is None:
            return min(timeout, max(self.hedge.cap, timeout / 2)) if self.hung is None else self.hedge.first
        return self._span(turn, self.hedge.after) * self.hedge.give_up / self.hedge.after

    @property
    def hung(self) -> float | None:
        """Since when, by the monotonic clock, it hangs; None while it does not. A server that never answered hangs with
        all its models."""
        return self._hung if self._hung is not None or self._server.heard else self._server.since

    def hangs(self, sent: float) -> bool:
        """Record that a question sent at that moment got no answer, while the model answered nothing else. Return
        whether it is excluded: it hung before that, or never answered and is not local."""
        known, had_its_time = self.hung, self.hedge is not None and not self.answered
        if known is None:
            self._hung = self._server.since = monotonic()
            return had_its_time
        self._hung = known
        return had_its_time or sent >= known

    def silent_for(self, sent: float, turn: str) -> float | None:
        """Return the seconds since a question was sent, to be reported to the user; None if that is not longer than
        usual, or was just reported for another question."""
        now, usual = monotonic(), self._latencies.usual(self._model, turn) or 0.0
        silent = now - sent
        if not self.silent_since(sent) or silent < 2 * usual or now - self._told < silent / 3:
            return None
        self._told = now
        return silent

    def _span(self, turn: str, times: float) -> float:
        assert self.hedge is not None
        usual = self._latencies.usual(self._model, turn)
        if usual is None:
            return self.hedge.first
        return min(self.hedge.cap, max(self.hedge.floor, times * usual))

    def silent_since(self, moment: float) -> bool:
        """Return whether it has answered no call in any turn since that moment of the monotonic clock."""
        return self._heard < moment

    def heard(self, turn: str, seconds: float) -> None:
        """Add its answer and the seconds it took."""
        self._latencies.took(self._model, turn, seconds)
        self._heard, self.failures, self.answered = monotonic(), 0, True
        self._hung, self._server.heard = None, True


class Timed:
    """A model whose requests are timed. A request that takes longer than usual starts the next model of its race; it is
    abandoned if the model answers nothing at all for much longer."""

    def __init__(self, inner: ChatModel, policy: ModelPolicy, pace: Pace) -> None:
        self._inner, self._policy, self._pace = inner, policy, pace

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed` for an abandoned model, a `lasting` one if it is excluded."""
        turn, pace = who_asks().turn, self._pace
        if (ready := getattr(self._inner, "ready", None)) is not None:
            await ready()  # the loading time of this process says nothing about the model
        timeout = self._policy.limits.timeout
        after, longest = pace.after(turn), pace.longest(turn, timeout)
        if (mine := runner()) is not None:
            mine.sent = True
            if longest is not None and mine.racing and pace.hedge is not None and (pace.answered or pace.hung is None):
                # If all models are slow, this machine may be the cause; none of them is given up for it.
                longest = max(longest, pace.hedge.cap)
        sent = monotonic()
        task = asyncio.ensure_future(self._inner.complete(messages, schema=schema))
        telling = _Telling(pace, self._policy.model, turn, sent, longest or timeout)
        try:
            for wait in _waits(after, longest):
                if (await asyncio.wait({task}, timeout=wait))[0]:
                    break
                silent = pace.silent_since(sent)
                late(slow=silent)
                gone = monotonic() - sent
                most = max(longest, pace.hedge.cap) if longest is not None and pace.hedge is not None else None
                if most is not None and not silent and gone >= most:
                    # The model works, so this request is lost: it is cheaper to ask again than to wait for its limit.
                    said = f"{self._policy.model} answered other questions and not this one for {gone:.3g} s"
                    raise CallFailed(said, may_pass=True, may_be_billed=True)
                if longest is not None and silent and gone >= longest:
                    said = f"{self._policy.model} gave no answer, to this or to any other question, for {longest:.3g} s"
                    raise self._hung(sent, said)
            answer = task.result()
        except CallFailed as failure:
            if failure.silent and not failure.lasting and pace.silent_since(sent):
                raise self._hung(sent, str(failure), may_pass=failure.may_pass) from failure
            raise
        finally:
            telling.cancel()
            _ended(task)
        pace.heard(turn, monotonic() - sent)
        return answer

    def _hung(self, sent: float, said: str, *, may_pass: bool = False) -> CallFailed:
        """Return the error for a model that answered nothing for the longest waiting time."""
        # A model of one's own may have been loading, and is tried again if its limits say so. Others had their time.
        again = may_pass and self._pace.hedge is None
        lasting = self._pace.hangs(sent)
        if (mine := runner()) is not None and mine.racing and self._pace.answered and self._pace.hedge is not None:
            lasting = False  # others answer meanwhile, so nobody waits for it: it may come round
        return CallFailed(said, may_pass=again, lasting=lasting, may_be_billed=True)


def _waits(after: float | None, longest: float | None) -> Iterator[float | None]:
    """Yield the seconds to wait before each check of the model."""
    gone = 0.0
    if after is not None and (longest is None or after < longest):
        yield after
        gone = after
    if longest is not None:
        yield longest - gone
        while True:
            yield longest
    yield None


class _Telling:
    """Reports at growing intervals how long a model has not answered a question, until it is cancelled."""

    def __init__(self, pace: Pace, model: str, turn: str, sent: float, longest: float) -> None:
        self._pace, self._model, self._turn, self._sent, self._longest = pace, model, turn, sent, longest
        self._wait = min(TELL, longest / 3)
        self._next = asyncio.get_running_loop().call_later(self._wait, self._look)

    def _look(self) -> None:
        silent = self._pace.silent_for(self._sent, self._turn)
        if silent is not None:
            given = f"it is given {self._longest:.3g} s"
            say_wait(f"waiting for {self._model} ({self._turn}): no answer for {silent:.0f} s, {given}")
        self._wait *= 2
        self._next = asyncio.get_running_loop().call_later(self._wait, self._look)

    def cancel(self) -> None:
        """Stop the reports."""
        self._next.cancel()


_leaving: OfLoop[set[asyncio.Task[None]]] = OfLoop(set)


def _ended(task: asyncio.Task[Completion]) -> None:
    """Cancel a request that is no longer needed, without waiting for its end."""
    if task.done():
        if not task.cancelled():
            task.exception()  # marks the exception as retrieved; nobody waits for it any more
        return

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    leaving = _leaving.here()
    ending = asyncio.ensure_future(end())
    leaving.add(ending)
    ending.add_done_callback(leaving.discard)


async def all_ended() -> None:
    """Wait until the cancelled requests of this event loop have ended."""
    await asyncio.gather(*_leaving.here(), return_exceptions=True)
