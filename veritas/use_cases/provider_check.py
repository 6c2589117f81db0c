"""Which search providers are configured, and which of them answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import perf_counter

from pydantic import TypeAdapter

from veritas.engine.units import asked
from veritas.errors import VeritasError
from veritas.frozen import Frozen
from veritas.policy.search_providers import ProviderFile, contact, load_providers, user_agent
from veritas.search.configured_providers import ProviderState, make_provider, provider_states
from veritas.search.provider import SearchHit

__all__ = ["Probe", "ProviderCheck", "ProviderState", "check_providers"]

_HITS = TypeAdapter(tuple[SearchHit, ...])
PROBE = "climate"
"""Query of a check: every index has hits for it."""


class Probe(Frozen):
    """A search that was asked of a provider: what went wrong, or None, and how many seconds it took."""

    problem: str | None
    seconds: float


class ProviderCheck(Frozen):
    """The providers of `providers.yaml`, in its order; `probes` are of those that were asked, by name."""

    providers: tuple[ProviderState, ...]
    probes: dict[str, Probe]
    contact: str | None
    """The e-mail address or URL that scholarly services are told."""
    user_agent: str
    language: str
    with_corpus: bool
    """Whether a question with a corpus is searched there too."""


async def check_providers(*, ask: bool = False) -> ProviderCheck:
    """Return which search providers there are, what is missing and how to get it. With `ask`, each that is configured
    is asked for one result, which a paid one counts; without, nobody is. Raises `InputError` (with `PolicyError`)."""
    file = load_providers()
    states = provider_states(file)
    names = [state.name for state in states if state.configured] if ask else []
    probes = dict(zip(names, await asyncio.gather(*(_probe(name, file) for name in names)), strict=True))
    return ProviderCheck(
        providers=states, probes=probes, contact=contact(), user_agent=user_agent(), language=file.language,
        with_corpus=file.with_corpus,
    )  # fmt: skip


async def _probe(name: str, file: ProviderFile) -> Probe:
    """Return how a search went. A provider that cannot be made, or breaks, is a problem of its own and not of the
    others."""

    async def search() -> Sequence[SearchHit]:
        return await make_provider(name, file).search(PROBE, limit=1)

    start, problem = perf_counter(), None
    try:
        await asked(search(), _HITS.validate_python, who=name, turn="search", stage="research")
    except VeritasError as error:
        problem = str(error)
    return Probe(problem=problem, seconds=perf_counter() - start)
