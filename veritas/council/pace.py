"""Answer times of models, learnt in the run, and the time to wait for a model that follows from them.

A model on one's own machine is waited for as long as its limits say: it may be at another question, or still be
loading. After a model hung once, it is waited for a shorter time, and then no more.
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
"""Seconds of silence, or a third of what a model is waited for, after which a person is told; then each time twice."""
AGAIN = 1 / 3
"""Share of its time limit for which a model of one's own that hung is waited for again."""


class Latencies:
    """Seconds that answers took, by model and turn, of all models of a run."""

    def __init__(self) -> None:
        self._took: dict[str, dict[str, list[float]]] = {}

    def took(self, model: str, turn: str, seconds: float) -> None:
        """Add an answer's time in seconds."""
        self._took.setdefault(model, {}).setdefault(turn, []).append(seconds)

    def usual(self, model: str, turn: str) -> float | None:
        """Return the seconds that a model's answers in a turn stay within; None without any answer. That is the longest
        of its own answers in the turn, from the tenth on their 90th percentile. Before there is one, it is the longer
        of its answers in other turns and of the others' in this one; else it is that of all answers."""
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
    """Of a server that models may share: whether it ever answered in this run, and since when it is known to hang."""

    heard: bool = False
    since: float | None = None


class Pace:
    """The waiting times and the record of a model. `hedge` is None where only its limits say how long it is waited
    for; `server` is what it shares with other models of its server."""

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
        """Return the seconds after which a model that answers nothing at all is given up; None where only its limits
        say, `timeout` in seconds. A model without known answer times may think long: it gets half of that or `cap`."""
        if self.hedge is None:
            return None if self.hung is None else timeout * AGAIN
        if self._latencies.usual(self._model, turn) is None:
            return min(timeout, max(self.hedge.cap, timeout / 2)) if self.hung is None else self.hedge.first
        return self._span(turn, self.hedge.after) * self.hedge.give_up / self.hedge.after

    @property
    def hung(self) -> float | None:
        """Since when, by the monotonic clock, it is known to hang; None while it does not. A server of which nobody
        ever heard hangs with all its models."""
        return self._hung if self._hung is not None or self._server.heard else self._server.since

    def hangs(self, sent: float) -> bool:
        """Learns that a question sent at that moment was waited for in vain, while nothing was heard of the model.
        Returns whether it is to be asked no more: it hung before that, or never answered and is not local."""
        known, had_its_time = self.hung, self.hedge is not None and not self.answered
        if known is None:
            self._hung = self._server.since = monotonic()
            return had_its_time
        self._hung = known
        return had_its_time or sent >= known

    def silent_for(self, sent: float, turn: str) -> float | None:
        """Seconds that it is silent over a question sent at that moment, to be told to a person; None where that is no
        longer than is usual, or was told just now for another question."""
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
    """A model whose requests are timed from their sending. A request that takes longer than usual hurries its race; it
    is given up when the model answers nothing at all for much longer than that."""

    def __init__(self, inner: ChatModel, policy: ModelPolicy, pace: Pace) -> None:
        self._inner, self._policy, self._pace = inner, policy, pace

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed` for a model that is given up, a `lasting` one once it is to be asked no
        more."""
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
        """What is raised of a model that was silent to everybody for as long as it is waited for."""
        # A model of one's own may have been loading, and is tried again if its limits say so. Others had their time.
        again = may_pass and self._pace.hedge is None
        lasting = self._pace.hangs(sent)
        if (mine := runner()) is not None and mine.racing and self._pace.answered and self._pace.hedge is not None:
            lasting = False  # others answer meanwhile, so nobody waits for it: it may come round
        return CallFailed(said, may_pass=again, lasting=lasting, may_be_billed=True)


def _waits(after: float | None, longest: float | None) -> Iterator[float | None]:
    """Yield the seconds to wait before each look at the model."""
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
    """Has a person told how long a model is silent over a question, at ever longer intervals, until it is cancelled."""

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
        """Ends it."""
        self._next.cancel()


_leaving: OfLoop[set[asyncio.Task[None]]] = OfLoop(set)


def _ended(task: asyncio.Task[Completion]) -> None:
    """End a request that nobody waits for any more, and do not wait for its end."""
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
    """Wait until the requests of this event loop that nobody waits for have ended."""
    await asyncio.gather(*_leaving.here(), return_exceptions=True)
