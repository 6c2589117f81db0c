"""The search providers: all of them, the configured ones, and what the others lack."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from veritas import plugins
from veritas.errors import InputError, PluginError, Unavailable
from veritas.frozen import Frozen
from veritas.policy.search_providers import ProviderEntry, ProviderFile, key_of, load_providers, url_variable
from veritas.search.provider import SearchHit, SearchProvider
from veritas.search.web.provider_setup import Setup

SEAM = "search_provider"


class ProviderState(Frozen):
    """The state of a provider, found without a request. `missing` is None if it is configured; `advice` says what would
    improve it, or None."""

    name: str
    kind: str
    enabled: bool
    configured: bool
    url: str | None
    key_variables: tuple[str, ...]
    key_set: bool
    missing: str | None
    advice: str | None


def provider_states(file: ProviderFile | None = None) -> tuple[ProviderState, ...]:
    """Return every provider of `providers.yaml`, in its order. No network. Raises `InputError` (with `PolicyError`)."""
    file = file or load_providers()
    return tuple(_state(name, entry) for name, entry in file.providers.items())


def encyclopedias() -> frozenset[str]:
    """Return the names of the providers that find pages for orientation alone, which no answer cites."""
    return frozenset(state.name for state in provider_states() if state.kind == "encyclopedia")


def live_providers(file: ProviderFile | None = None) -> tuple[SearchProvider, ...]:
    """Return the providers that are enabled and configured, in the file's order.

    A plug-in that cannot be created is among them: each of its searches is unavailable, with the reason. Raises
    `PluginError` if no other is left, `InputError` if nothing is configured, with the remedy.
    """
    file = file or load_providers()
    states = provider_states(file)
    found: list[SearchProvider] = []
    problems: list[PluginError] = []
    for state in states:
        if not state.configured:
            continue
        try:
            found.append(make_provider(state.name, file))
        except PluginError as error:
            problems.append(error)
            found.append(_Broken(state.name, str(error)))
    if problems and len(problems) == len(found):
        raise problems[0]
    if not found:
        lacking = "; ".join(f"{s.name}: {s.missing}" for s in states)
        raise InputError(
            "there is nothing to search. Name your documents with --corpus PATH (a folder, a file, or a .jsonl), or "
            f"enable a provider in policies/providers.yaml ({lacking or 'it lists none'})"
        )
    return tuple(found)


def make_provider(name: str, file: ProviderFile) -> SearchProvider:
    """Create a provider of the file, by its entry point in the group `veritas.search_provider`. Raises `InputError` if
    there is none of that name, `PluginError` if it cannot be loaded or created."""
    entry = file.providers[name]
    setup = Setup(name=name, url=entry.url or "", key=key_of(entry.key), language=file.language, entry=entry)
    made = plugins.make(SEAM, name, SearchProvider, setup)
    if made.name != name:  # payment, pace and counts are looked up by this name
        raise PluginError(f"the {SEAM} plug-in {name!r} calls itself {made.name!r}: its name is {name!r}")
    return made


class _Broken:
    """A replacement for a provider that cannot be created: each search raises the reason (I7), and the others are asked
    instead."""

    def __init__(self, name: str, problem: str) -> None:
        self.name, self._problem = name, problem

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`."""
        raise Unavailable(self._problem)


def _said(name: str) -> tuple[str, str, bool, str | None]:
    """Return `kind`, `how_to_get` and `needs_url` of the plug-in's class, and why it cannot be loaded (None if it
    can)."""
    try:
        factory: Any = plugins.load(SEAM, name)
    except PluginError as error:
        return "plug-in", "", False, str(error)
    kind, how = getattr(factory, "kind", "plug-in"), getattr(factory, "how_to_get", "see its documentation")
    return str(kind), str(how), bool(getattr(factory, "needs_url", False)), None


def _state(name: str, entry: ProviderEntry) -> ProviderState:
    there = name in plugins.installed(SEAM)
    kind, how, needs_url, broken = _said(name) if there else ("plug-in", "", False, None)
    key_set = key_of(entry.key) is not None
    missing = advice = None
    variables = " or ".join(entry.key)
    if not there:
        missing = "there is no such provider: install the plug-in, or correct its name in providers.yaml"
    elif not entry.enabled:
        missing = "switched off in policies/providers.yaml"
    elif entry.needs == "key" and not key_set:
        missing = f"set {variables}: {how}"
    elif entry.url is None and (entry.needs == "url" or needs_url):
        missing = f"set {url_variable(name)}: {how}"
    elif broken is not None:
        advice = broken
    elif entry.key and not key_set:
        advice = f"{variables} raises its allowance: {how}"
    return ProviderState(
        name=name,
        kind=kind,
        enabled=entry.enabled,
        configured=missing is None,
        url=entry.url,
        key_variables=entry.key,
        key_set=key_set,
        missing=missing,
        advice=advice,
    )
