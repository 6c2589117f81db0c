"""Through which all calls to language models of one run go: its ledger, its recording, the rates of each provider."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import LeftOut
from veritas.council.ledgered import LateLedger, Ledgered, Once
from veritas.council.litellm_model import LiteLLMModel, close_clients, load_early
from veritas.council.rate_limited import Limited
from veritas.council.rates import HOUSE, OWN_SERVER, Rates
from veritas.council.recording import Recorded, Recording, Replayed
from veritas.council.seating import key_of
from veritas.council.server_limits import Accepts
from veritas.frozen import content_hash
from veritas.policy.council_policy import ModelPolicy, RateLimits
from veritas.store.ledger import Ledger, LedgerEntry


class Connected:
    """A model as members and judges hold it. `out` says why it takes no further part, once it does not."""

    def __init__(self, inner: Once, policy: ModelPolicy) -> None:
        self._inner, self.policy = inner, policy
        self.out: str | None = None

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`."""
        if self.out is not None:
            raise LeftOut(self.out)
        try:
            return await self._inner.complete(messages, schema=schema)
        except LeftOut as problem:
            self.out = str(problem)
            raise

    async def stop(self) -> None:
        """See `Once`."""
        await self._inner.stop()


@dataclass(frozen=True)
class State:
    """What one process of a run knows of its models. See `Switchboard.state`."""

    entries: tuple[LedgerEntry, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()


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
        self._rates: dict[str, Rates] = {}
        self._models: dict[ModelPolicy, Connected] = {}
        self._accepts: dict[tuple[str, str], Accepts] = {}

    def connect(self, policy: ModelPolicy) -> Connected:
        """The model of that policy; one for all who ask it, under whatever name they sit."""
        known = policy.model_copy(update={"name": policy.model})
        if known not in self._models:
            self._models[known] = Connected(Once(self._wrapped(policy), policy), policy)
        return self._models[known]

    def _wrapped(self, policy: ModelPolicy) -> ChatModel:
        if self._recording.replay is not None:
            return Ledgered(Replayed(policy, self._recording.replay), policy, self.ledger)
        server = policy.base_url or policy.model.split("/", 1)[0]
        accepts = self._accepts.setdefault((server, policy.model), Accepts())
        asked = LiteLLMModel(policy, key_of(policy, self._environ), accepts)
        model: ChatModel = Ledgered(Limited(asked, policy, self._rates_of(policy)), policy, self.ledger)
        if self._recording.record is not None:
            model = Recorded(model, policy, self._recording.record)
        return model

    def _rates_of(self, policy: ModelPolicy) -> Rates:
        prefix = policy.model.split("/", 1)[0]
        line = policy.base_url or prefix
        own = OWN_SERVER if policy.base_url else HOUSE
        if line not in self._rates:
            self._rates[line] = Rates(self._limits.get(line) or self._limits.get(prefix) or RateLimits(), own)
        return self._rates[line]

    def bind(self, ledger: Ledger) -> None:
        """From here on answers are looked for and kept in `ledger` (I9)."""
        self.ledger.bind(ledger)

    def prepare(self) -> None:
        """Begins to load what asks live models: a new run asks them as soon as it is stored. One that goes on may have
        all its answers, and loads it when it has not."""
        if self._models and self._recording.replay is None:
            load_early()

    def state(self, models: Collection[str]) -> State:
        """What a process that cannot see the run's ledger must know to ask some models of it."""
        return State(self.ledger.known(models), self.left_out())

    def told(self, state: State) -> None:
        """Takes over what another process of the run knows: answers that are paid for, models that are left out."""
        self.ledger.told(state.entries)
        self.leave_out(state.left_out)

    def left_out(self) -> tuple[tuple[str, str], ...]:
        """The models that take no further part, by content hash of their policy, and why."""
        return tuple((content_hash(p), m.out) for p, m in self._models.items() if m.out is not None)

    def leave_out(self, models: Collection[tuple[str, str]]) -> None:
        """Asks these models no more, as was found in another process."""
        why = dict(models)
        for policy, model in self._models.items():
            if model.out is None:
                model.out = why.get(content_hash(policy))

    def leave_out_at_once(self, policy: ModelPolicy, why: str) -> None:
        """Asks this model nothing: it was found beforehand that it cannot speak."""
        self.connect(policy).out = why

    async def close(self) -> None:
        """Ends the calls that a run cut off has left, and closes the connections of this event loop; models may be
        asked again after it."""
        for model in self._models.values():
            await model.stop()
        if self._models:
            await close_clients()
