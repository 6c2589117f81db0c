"""The connections of a run to its language models: each model once, with ledger, recording, budget and limits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from veritas import plugins
from veritas.council._ledgered import LateLedger, Ledgered, Once
from veritas.council._server_limits import Accepts
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import LeftOut
from veritas.council.families import family_of
from veritas.council.limited import FAILURES, HOUSE, OWN_SERVER, Health, Limited, Server, Timed
from veritas.council.litellm_model import close_clients, load_early
from veritas.council.model_table import is_plain
from veritas.council.recording import Recorded, Recording, Replayed
from veritas.council.reserved import Reserved, budget_price, is_paid
from veritas.council.seating import key_of
from veritas.council.turn_calls import is_known_only, is_last_resort
from veritas.errors import Unavailable
from veritas.event_loop import OfLoop
from veritas.frozen import content_hash
from veritas.policy.cost_tiers import Budget
from veritas.policy.council_policy import ModelPolicy, Price, RateLimits
from veritas.store.ledger import Ledger, LedgerEntry


class Connected:
    """A model as members and judges use it.

    `out` is the reason why the model is excluded, or None. `doubtful` is the reason why another model had to answer in
    its place, until it answers again: others are asked before it.
    """

    def __init__(
        self, inner: Once, policy: ModelPolicy, health: Health | None = None, ledger: LateLedger | None = None
    ) -> None:
        self._inner, self.policy, self._ledger = inner, policy, ledger
        self._health = health or Health()
        self.doubtful: str | None = None
        self._again = OfLoop(asyncio.Lock)
        self._tried_again = False

    @property
    def out(self) -> str | None:
        """Why the model is excluded from the rest of the run; None if it is not."""
        return self._health.out

    @out.setter
    def out(self, why: str | None) -> None:
        self._health.out = why

    @property
    def remembers(self) -> bool:
        """True if the run's ledger held answers before this run asked anybody."""
        return self._ledger is not None and self._ledger.inherited

    @property
    def spoke(self) -> bool:
        """True if it has answered in this run and does not hang."""
        return self._health.answers > 0 and self._health.silent_since is None

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. An excluded model is asked once more where no other is left: always if it ever answered in
        this run, otherwise once. Concurrent callers wait for the outcome."""
        if self.out is None or is_known_only():
            try:
                return await self._inner.complete(messages, schema=schema)
            except LeftOut as problem:
                self.out = self.out or str(problem)
                raise
        if not is_last_resort():
            raise LeftOut(self.out)
        async with self._again.here():
            if (why := self.out) is not None:
                # What never answered and hangs had all the time it is to have.
                if not self._health.answers and (self._tried_again or self._health.silent_since is not None):
                    raise LeftOut(why)
                self._tried_again, self.out = True, None
                self._health.failed_calls = min(self._health.failed_calls, FAILURES - 1)
                try:
                    return await self._inner.complete(messages, schema=schema)
                except Unavailable:
                    self.out = self.out or why
                    raise
        return await self.complete(messages, schema=schema)

    def answered(self) -> None:
        """Record that it gave a usable answer."""
        self.doubtful = None

    def failed(self, why: str, *, unreadable: bool) -> None:
        """Record that another model has to answer in its place. It is doubted if it was not understood, or if it failed
        `FAILURES` times in a row."""
        if unreadable or self._health.failures >= FAILURES:
            self.doubtful = why

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
    ) -> None:
        self.ledger = LateLedger()
        self._limits, self._environ = dict(providers or {}), environ
        self._recording = recording or Recording.from_environment(environ)
        self._servers: dict[str, Server] = {}
        self._models: dict[ModelPolicy, Connected] = {}
        self._accepts: dict[tuple[str, str], Accepts] = {}

    def connect(self, policy: ModelPolicy) -> Connected:
        """Return the model of that policy; it is one object for all who ask it, under any seat's name."""
        known = policy.model_copy(update={"name": policy.model})
        if known not in self._models:
            health = Health()
            model = Once(self._wrapped(policy, health), policy, self.ledger)
            self._models[known] = Connected(model, policy, health, self.ledger)
        return self._models[known]

    def _wrapped(self, policy: ModelPolicy, health: Health) -> ChatModel:
        """Return the model with all wrappers."""
        if self._recording.replay is not None:
            return Ledgered(Reserved(Replayed(policy, self._recording.replay), policy), policy, self.ledger)
        server = policy.base_url or policy.model.split("/", 1)[0]
        accepts = self._accepts.setdefault((server, policy.model), Accepts())
        prefix = policy.model.split("/", 1)[0]
        house = prefix if prefix in plugins.installed("chat_model") else "litellm"
        made = plugins.make("chat_model", house, ChatModel, policy, key_of(policy, self._environ), accepts)
        asked = Reserved(Timed(made, policy, health), policy)
        model = Ledgered(Limited(asked, policy, self._server_of(policy), health, self._has_others), policy, self.ledger)
        return model if self._recording.record is None else Recorded(model, policy, self._recording.record)

    def _has_others(self) -> bool:
        """Return whether there are models of two or more families, so that a call need not wait for one of them."""
        return len({family_of(policy.family or "") for policy in self._models}) > 1

    def _server_of(self, policy: ModelPolicy) -> Server:
        prefix = policy.model.split("/", 1)[0]
        line = policy.base_url or prefix
        if line not in self._servers:
            limits = self._limits.get(line) or self._limits.get(prefix) or RateLimits()
            self._servers[line] = Server(limits, OWN_SERVER if policy.base_url else HOUSE)
        return self._servers[line]

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
        if self._recording.replay is None and not all(map(is_plain, self._models)):
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
        if self._models:
            await close_clients()
