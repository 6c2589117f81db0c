"""Check before a run spends anything: which of its models and searches can answer, by requests that cost nothing.

Those that certainly cannot are excluded and named with the remedy; unclear ones are used. A run in which searching,
stating claims, judging or writing is impossible does not start.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from veritas.answers.request import Request
from veritas.answers.runtime import Runtime
from veritas.claims.graph import STAGES, Event, StageName
from veritas.council.recording import Recording
from veritas.council.reserved import is_paid
from veritas.council.select_council import choose_council
from veritas.errors import Unavailable
from veritas.policy.cost_tiers import load_cost_tiers
from veritas.policy.council_policy import CouncilPolicy, ModelPolicy
from veritas.policy.gate_policy import load_gate_policy
from veritas.search.provider import SearchHit

SECONDS = 2.0
"""Seconds that all are waited for together."""
UNPAID = "the budget is $0, and it is paid for; give a larger --budget, or seat free models and searches"
"""Reason why paid models and searches are left out of a run that may spend nothing."""


@dataclass(frozen=True)
class Preflight:
    """The outcome of the check. `dead` maps models that certainly cannot answer, by seat, to the reason; `lost` does so
    for search providers. `unknown` lists what could not be found out. `policy` is the checked council."""

    policy: CouncilPolicy | None = None
    dead: Mapping[str, str] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    """Names of those who may judge by the rule of the run's tier."""
    searched: tuple[str, ...] = ()
    """Names of all search providers the run would ask, if all of them are of the web."""

    def said(self) -> tuple[str, ...]:
        """Return the findings for a person, a line each."""
        absent = [f"{names}: {why}" for why, names in _grouped({**self.dead, **self.lost}).items()]
        return (*(f"left out: {line}" for line in absent), *self.unknown)

    def check(self, start: StageName = "decompose") -> None:
        """Raise `Unavailable`, with names and remedies, if a run from this stage on cannot come to an answer.

        That is so if none can search, state claims, judge them, or write.
        """
        nobody = [what for what, names, last in self._needed() if STAGES.index(start) <= STAGES.index(last) and names
                  and all(name in self.dead or name in self.lost for name in names)]  # fmt: skip
        if nobody:
            absent = {**self.dead, **self.lost}
            listed = ", ".join(nobody[:-1]) + (" or " if nobody[1:] else "") + nobody[-1]
            lines = [f"  {names}: {why}" for why, names in _grouped(absent).items()]
            begins = " (--no-preflight, or preflight switched off in the form, begins it all the same)"
            hint = "" if set(absent.values()) == {UNPAID} else begins
            raise Unavailable(
                f"nobody can {listed}, so the run was not begun, and nothing was spent{hint}:\n" + ";\n".join(lines)
            )

    def _needed(self) -> Iterable[tuple[str, tuple[str, ...], StageName]]:
        """Yield each necessary task, who may do it, and the last stage that needs it."""
        yield "search", self.searched, "research"
        if self.policy is None:
            return
        members = tuple(m.name for m in self.policy.members)
        yield "state claims", members, "extract"
        yield "judge", self.judges, "verify"
        yield "write", self.policy.writers, "synthesize"

    def applied(self, runtime: Runtime) -> Runtime:
        """Return the runtime without the models and providers that cannot answer."""
        board = runtime.switchboard
        if board is not None and self.policy is not None:
            for model in self.policy.models():
                if model.name in self.dead:
                    board.leave_out_at_once(model, f"{model.name} is left out: {self.dead[model.name]}")
        lost = {name: Closed(name, self.lost[name]) for name in runtime.providers if name in self.lost}
        said = [line for line in self.said() if line not in self.unknown]
        council, writer = runtime.council, self._writer()
        if writer is not None and writer != council.writer:
            said.append(f"{writer} writes in place of {council.writer}")
            council = replace(council, writer=writer)
        if not said:
            return runtime
        rows = tuple(Event(stage="research", kind="note", subject_id="preflight", reason=line) for line in said)
        providers = {**runtime.providers, **lost}
        return replace(runtime, council=council, providers=providers, problems=(*rows, *runtime.problems))

    def _writer(self) -> str | None:
        """Return the first writer that can answer; None if there is none."""
        return next((w for w in self.policy.writers if w not in self.dead), None) if self.policy is not None else None


@dataclass(frozen=True)
class Closed:
    """A search provider that cannot be reached: it is not asked, and another one takes its searches."""

    name: str
    why: str
    at_once: None = None

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """Raise `Unavailable` (see `SearchProvider`)."""
        raise Unavailable(self.why)


async def preflight(
    request: Request,
    *,
    start: StageName = "decompose",
    documents: bool = False,
    answered: Collection[str] = (),
    environ: Mapping[str, str] = os.environ,
    ask: bool = True,
) -> Preflight:
    """Check in parallel everything that a run from stage `start` on needs, for at most `SECONDS`.

    `documents` is True if there are documents that the request does not name. Models in `answered` are not checked,
    because the run's ledger holds answers of theirs. A run from a recording needs no check. Under a budget of $0
    everything that costs money is excluded without a request; with `ask` false only this is done. Raises what
    `choose_council` raises.
    """
    nothing_paid = request.budget.usd == 0
    if not ask and not nothing_paid:
        return Preflight()
    if Recording.from_environment(environ).replay is not None or start == "render":
        return Preflight()
    policy = choose_council(Path(request.council) if request.council else None, environ).policy
    models = [m for m in policy.models() if m.model not in answered]
    urls = _searched(request, documents) if STAGES.index(start) <= STAGES.index("research") else {}
    if not models and not urls:
        return Preflight(policy)
    paid = {m.name: UNPAID for m in models if nothing_paid and is_paid(m)}
    unpaid = {name: UNPAID for name in _paid_searches(urls) if nothing_paid}
    alone = () if request.corpus or documents else tuple(urls)
    # Cases settled without asking come first: a run that cannot be begun asks nobody.
    found = Preflight(policy, paid, unpaid, (), _judges(request, policy), alone)
    if nothing_paid:
        found.check(start)
    if not ask:
        return found
    import asyncio

    models = [m for m in models if m.name not in paid]
    urls = {name: url for name, url in urls.items() if name not in unpaid}
    asked, unreached = await asyncio.gather(_reached(models, environ), _unreachable(urls))
    dead = {**paid, **{name: why for name, (sure, why) in asked.items() if sure}}
    lost = {**unpaid, **unreached}
    unknown = tuple(
        f"could not check whether it is available: {names}: {why}"
        for why, names in _grouped({name: why for name, (sure, why) in asked.items() if not sure}).items()
    )
    return replace(found, dead=dead, lost=lost, unknown=unknown)


def _judges(request: Request, policy: CouncilPolicy) -> tuple[str, ...]:
    """Return the names of all possible judges, of any family."""
    tier = load_cost_tiers(Path(request.cost_tiers) if request.cost_tiers else None).tier(request.tier)
    if load_gate_policy().rule(tier.verifier).judges == "verifiers":
        return policy.verifiers
    return tuple(dict.fromkeys((*policy.verifiers, *(m.judge or m.name for m in policy.members))))


async def _reached(models: Sequence[ModelPolicy], environ: Mapping[str, str]) -> dict[str, tuple[bool, str]]:
    """Return for each model that did not answer whether that is certain, and why, with the remedy."""
    if not models:
        return {}
    from veritas.council.model_reach import reach

    found = {}
    for model, reached in zip(models, await reach(models, environ), strict=True):
        if reached.asked and not reached.ok:
            mend = f"; {reached.mend}" if reached.mend else ""
            found[model.name] = (reached.ok is False, f"{reached.detail}{mend}")
    return found


def _paid_searches(names: Iterable[str]) -> list[str]:
    """Return the search providers that cost money, or may."""
    from veritas.policy.search_providers import load_providers

    entries = load_providers().providers
    return [name for name in names if name in entries and entries[name].search_price != 0]


def _searched(request: Request, documents: bool) -> dict[str, str]:
    """Return the base URLs of the web search providers that the run asks, by name."""
    from veritas.policy.search_providers import load_providers
    from veritas.search.configured_providers import provider_states

    file = load_providers()
    if (request.corpus or documents) and not (request.web or file.with_corpus):
        return {}
    return {state.name: state.url for state in provider_states(file) if state.configured and state.url}


async def _unreachable(urls: Mapping[str, str]) -> dict[str, str]:
    if not urls:
        return {}
    from veritas.search.web.provider_reach import unreachable

    return await unreachable(urls, SECONDS)


def _grouped(absent: Mapping[str, str]) -> dict[str, str]:
    """Return reason -> the names it applies to."""
    found: dict[str, list[str]] = {}
    for name, why in absent.items():
        found.setdefault(why, []).append(name)
    return {why: ", ".join(names) for why, names in found.items()}
