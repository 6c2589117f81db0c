"""The connections of a run to its language models: ledger, recording, rates of each provider, retries and a circuit
breaker."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic

from pydantic import BaseModel

from veritas import plugins
from veritas.council._ledgered import LateLedger, Ledgered, Once
from veritas.council._race import Runner, is_known_only, is_last_resort, late, runner, superseded
from veritas.council._server_limits import Accepts
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.context_window import tokens
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.families import family_of
from veritas.council.litellm_model import close_clients, load_early
from veritas.council.pace import Hush, Latencies, Pace, Timed, all_ended
from veritas.council.rates import HOUSE, OWN_SERVER, Rates
from veritas.council.recording import Recorded, Recording, Replayed
from veritas.council.reserved import Reserved, budget_price, is_paid
from veritas.council.seating import key_of
from veritas.event_loop import OfLoop
from veritas.frozen import content_hash
from veritas.policy.cost_tiers import Budget
from veritas.policy.council_policy import HedgePolicy, ModelPolicy, Price, RateLimits
from veritas.store.ledger import Ledger, LedgerEntry

FAILURES = 3
"""Calls in a row that must fail, in spite of retries, before the circuit opens."""


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


class Connected:
    """A model as members and judges use it.

    `out` is the reason why the model is excluded, or None. `doubtful` is true from the moment another model had to
    answer in its place until it answers again: others are asked before it.
    """

    def __init__(
        self,
        inner: Once,
        policy: ModelPolicy,
        pace: Pace | None = None,
        ledger: LateLedger | None = None,
        readmit: Callable[[], None] = lambda: None,
    ) -> None:
        self._inner, self.policy, self._ledger, self._readmit = inner, policy, ledger, readmit
        self._pace = pace or Pace(policy.model, Latencies(), None)
        self.out: str | None = None
        self.doubtful = False
        self._asked: set[Runner] = set()
        self._again = OfLoop(asyncio.Lock)
        self._tried_again = False

    @property
    def remembers(self) -> bool:
        """True if the run's ledger held answers before this run asked anybody."""
        return self._ledger is not None and self._ledger.inherited

    @property
    def spoke(self) -> bool:
        """True if it has answered in this run and does not hang."""
        return self._pace.answered and self._pace.hung is None

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`."""
        if self.out is not None and not is_known_only():
            if is_last_resort():
                return await self._once_more(messages, schema)
            raise LeftOut(self.out)
        mine = runner()
        try:
            if mine is not None:
                self._asked.add(mine)
            return await self._inner.complete(messages, schema=schema)
        except LeftOut as problem:
            self.out = str(problem)
            raise
        finally:
            if mine is not None:
                self._asked.discard(mine)

    async def _once_more(self, messages: Sequence[Message], schema: type[BaseModel] | None) -> Completion:
        """Ask an excluded model, because no other is left: always if it ever answered in this run, otherwise once.
        Concurrent callers wait for the outcome."""
        async with self._again.here():
            why = self.out
            if why is not None:
                # What never answered and hangs had all the time it is to have.
                if not self._pace.answered and (self._tried_again or self._pace.hung is not None):
                    raise LeftOut(why)
                self._tried_again = True
                self._readmit()
                answer = await self._inner.complete(messages, schema=schema)
                self.out = None
                return answer
        return await self.complete(messages, schema=schema)

    def answered(self) -> None:
        """Record that it gave a usable answer."""
        self.doubtful = False

    def failed(self, *, useless: bool) -> None:
        """Record that another model has to answer in its place.

        It is doubted if its answers are `useless`, or if it failed so often in a row that its circuit would open;
        callers that wait for it then use others at once.
        """
        if useless or self._pace.failures >= FAILURES:
            self.doubtful = True
            for one in list(self._asked):
                one.late()

    async def stop(self) -> None:
        """See `Once`."""
        await self._inner.stop()


@dataclass(frozen=True)
class State:
    """What one process knows of a run's models; see `Switchboard.state`."""

    entries: tuple[LedgerEntry, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    allowance: Budget | None = None
    """The part of the run's budget that a unit in that process may spend."""


class Switchboard:
    """Connects models, each once. `bind` gives it the run's ledger when there is one; `close` ends a run."""

    def __init__(
        self,
        providers: Mapping[str, RateLimits] | None = None,
        recording: Recording | None = None,
        environ: Mapping[str, str] = os.environ,
        hedge: HedgePolicy | None = None,
    ) -> None:
        self.ledger = LateLedger()
        self._hedge = hedge or HedgePolicy()
        self._latencies = Latencies()
        self._limits, self._environ = dict(providers or {}), environ
        self._recording = recording or Recording.from_environment(environ)
        self._rates: dict[str, Rates] = {}
        self._models: dict[ModelPolicy, Connected] = {}
        self._accepts: dict[tuple[str, str], Accepts] = {}
        self._hush: dict[str, Hush] = {}

    def connect(self, policy: ModelPolicy) -> Connected:
        """Return the model of that policy; it is one object for all who ask it, under any seat's name."""
        known = policy.model_copy(update={"name": policy.model})
        if known not in self._models:
            hedge = None if policy.unhurried else self._hedge
            # Models of a provider hang one by one; a server of one's own, or a gateway, with all that it serves.
            hush = self._hush.setdefault(policy.base_url, Hush()) if policy.base_url else None
            pace = Pace(content_hash(known), self._latencies, hedge, hush)
            model, readmit = self._wrapped(policy, pace)
            self._models[known] = Connected(Once(model, policy, self.ledger), policy, pace, self.ledger, readmit)
        return self._models[known]

    def _wrapped(self, policy: ModelPolicy, pace: Pace) -> tuple[ChatModel, Callable[[], None]]:
        """Return the model with all wrappers, and the function that readmits it after an exclusion."""
        if self._recording.replay is not None:
            replayed = Reserved(Replayed(policy, self._recording.replay), policy)
            return Ledgered(replayed, policy, self.ledger), lambda: None
        server = policy.base_url or policy.model.split("/", 1)[0]
        accepts = self._accepts.setdefault((server, policy.model), Accepts())
        prefix = policy.model.split("/", 1)[0]
        house = prefix if prefix in plugins.installed("chat_model") else "litellm"
        made = plugins.make("chat_model", house, ChatModel, policy, key_of(policy, self._environ), accepts)
        asked = Reserved(Timed(made, policy, pace), policy)
        limited = Limited(asked, policy, self._rates_of(policy), pace, self._has_others)
        model: ChatModel = Ledgered(limited, policy, self.ledger)
        if self._recording.record is not None:
            model = Recorded(model, policy, self._recording.record)
        return model, limited.readmit

    def _has_others(self) -> bool:
        """Return whether there are models of two or more families, so that a call need not wait for one of them."""
        return len({family_of(policy.family or "") for policy in self._models}) > 1

    def _rates_of(self, policy: ModelPolicy) -> Rates:
        prefix = policy.model.split("/", 1)[0]
        line = policy.base_url or prefix
        own = OWN_SERVER if policy.base_url else HOUSE
        if line not in self._rates:
            self._rates[line] = Rates(self._limits.get(line) or self._limits.get(prefix) or RateLimits(), own)
        return self._rates[line]

    def free_models(self) -> frozenset[str]:
        """Return the models that cost nothing to ask."""
        return frozenset(policy.model for policy in self._models if not is_paid(policy))

    def prices(self) -> dict[str, Price]:
        """Return the price at which a budget counts each model."""
        return {policy.model: budget_price(policy) for policy in self._models}

    def bind(self, ledger: Ledger) -> None:
        """Use `ledger` for all answers from here on (I9)."""
        self.ledger.bind(ledger)

    def prepare(self) -> None:
        """Begin to load the client of live models, which a new run asks as soon as it is stored. A resumed run may have
        all answers, and loads it only when needed."""
        if self._models and self._recording.replay is None:
            load_early()

    def state(self, models: Collection[str]) -> State:
        """Return what a process without access to the ledger must know to ask some of the models."""
        return State(self.ledger.known(models), self.left_out())

    def told(self, state: State) -> None:
        """Take over what another process of the run knows: paid answers, and excluded models."""
        self.ledger.told(state.entries)
        self.leave_out(state.left_out)

    def left_out(self) -> tuple[tuple[str, str], ...]:
        """Return the excluded models, by content hash of their policy, with the reasons."""
        return tuple((content_hash(p), m.out) for p, m in self._models.items() if m.out is not None)

    def leave_out(self, models: Collection[tuple[str, str]]) -> None:
        """Exclude these models, as another process did."""
        why = dict(models)
        for policy, model in self._models.items():
            if model.out is None:
                model.out = why.get(content_hash(policy))

    def leave_out_at_once(self, policy: ModelPolicy, why: str) -> None:
        """Exclude this model before the first call, because the preflight found that it cannot answer."""
        self.connect(policy).out = why

    async def close(self) -> None:
        """Cancel the calls of an interrupted run, and close the connections of this event loop. Models can be asked
        again afterwards."""
        for model in self._models.values():
            await model.stop()
        await all_ended()
        if self._models:
            await close_clients()
