"""Answer times of models, learnt in the run, and the time to wait for a model that follows from them.

A model on one's own machine is waited for as long as its limits say: it may be at another question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from statistics import median
from time import monotonic

from pydantic import BaseModel

from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import CallFailed
from veritas.council.race import late, runner
from veritas.council.turn_calls import who_asks
from veritas.event_loop import OfLoop
from veritas.policy.council_policy import HedgePolicy, ModelPolicy


class Latencies:
    """Seconds that answers took, by model and turn, of all models of a run."""

    def __init__(self) -> None:
        self._took: dict[str, dict[str, list[float]]] = {}

    def took(self, model: str, turn: str, seconds: float) -> None:
        """Add an answer's time in seconds."""
        self._took.setdefault(model, {}).setdefault(turn, []).append(seconds)

    def usual(self, model: str, turn: str) -> float | None:
        """Return the usual seconds of a model in a turn; None without any answer. That is the median of its own answers
        in the turn. Before there is one, it is the longer of its median in other turns and of the others' in this one;
        else the median of all answers."""
        own = self._took.get(model, {})
        if own.get(turn):
            return median(own[turn])
        told = [s for seconds in own.values() for s in seconds]
        others = [s for name, turns in self._took.items() if name != model for s in turns.get(turn, ())]
        if told or others:
            return max(median(seconds) for seconds in (told, others) if seconds)
        every = [s for turns in self._took.values() for seconds in turns.values() for s in seconds]
        return median(every) if every else None


class Pace:
    """The waiting times and the record of a model. `hedge` is None where only its limits say how long it is waited
    for."""

    def __init__(self, model: str, latencies: Latencies, hedge: HedgePolicy | None) -> None:
        self._model, self._latencies, self.hedge = model, latencies, hedge
        self.failures = 0
        """Failed tries since it last answered."""
        self.answered = False
        """True if it ever answered in this run."""
        self._heard = float("-inf")

    def after(self, turn: str) -> float | None:
        """Return the seconds after which another model is asked as well; None for never."""
        return self._span(turn, self.hedge.after) if self.hedge is not None else None

    def longest(self, turn: str) -> float | None:
        """Return the seconds after which a model that answers nothing at all is given up. None where its limits say,
        and where no answer times are known."""
        if self.hedge is None or self._latencies.usual(self._model, turn) is None:
            return None
        return self._span(turn, self.hedge.after) * self.hedge.give_up / self.hedge.after

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


class Timed:
    """A model whose requests are timed from their sending. A request that takes longer than usual hurries its race; it
    is given up when the model answers nothing at all for much longer than that."""

    def __init__(self, inner: ChatModel, policy: ModelPolicy, pace: Pace) -> None:
        self._inner, self._policy, self._pace = inner, policy, pace

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed` for a model that is given up."""
        turn, pace = who_asks().turn, self._pace
        if (ready := getattr(self._inner, "ready", None)) is not None:
            await ready()  # the loading time of this process says nothing about the model
        after, longest = pace.after(turn), pace.longest(turn)
        if (mine := runner()) is not None:
            mine.sent = True
            if longest is not None and mine.racing and pace.hedge is not None:
                # If all models are slow, this machine may be the cause; none of them is given up for it.
                longest = max(longest, pace.hedge.cap)
        sent = monotonic()
        task = asyncio.ensure_future(self._inner.complete(messages, schema=schema))
        try:
            for wait in _waits(after, longest):
                if (await asyncio.wait({task}, timeout=wait))[0]:
                    break
                silent = pace.silent_since(sent)
                late(slow=silent)
                if longest is not None and silent and monotonic() - sent >= longest:
                    said = f"{self._policy.model} gave no answer, to this or to any other question, for {longest:.3g} s"
                    raise CallFailed(f"{said}, much longer than is usual")
            answer = task.result()
        finally:
            _ended(task)
        pace.heard(turn, monotonic() - sent)
        return answer


def _waits(after: float | None, longest: float | None) -> Iterator[float | None]:
    """Yield the seconds to wait before each look at the model."""
    if after is not None:
        yield after
    if longest is not None:
        yield longest - (after or 0.0)
        while True:
            yield longest
    yield None


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
