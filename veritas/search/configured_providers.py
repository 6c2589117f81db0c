"""Which search providers there are, which of them are configured, and what the others lack."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from veritas import plugins
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.search_providers import ProviderEntry, ProviderFile, key_of, load_providers, url_variable
from veritas.search.provider import SearchProvider
from veritas.search.web.provider_setup import Setup

Factory = Callable[[Setup], SearchProvider]

# name -> (kind, module, class, how to get what it needs)
BUILT_IN: dict[str, tuple[str, str, str, str]] = {
    "tavily": ("web", "veritas.search.web.tavily", "Tavily", "a key from https://app.tavily.com"),
    "exa": ("web", "veritas.search.web.exa", "Exa", "a key from https://dashboard.exa.ai"),
    "brave": ("web", "veritas.search.web.brave", "Brave", "a key from https://api-dashboard.search.brave.com"),
    "perplexity": ("web", "veritas.search.web.perplexity", "Perplexity", "a key from https://www.perplexity.ai/settings/api"),
    "searxng": ("web", "veritas.search.web.searxng", "SearXNG", "an instance of your own, see https://docs.searxng.org"),
    "wikipedia": ("encyclopedia", "veritas.search.web.wikipedia", "Wikipedia", "nothing"),
    "openalex": ("scholarly", "veritas.search.scholarly.openalex_search", "OpenAlex", "a free key from https://openalex.org/settings/api"),
    "semantic-scholar": (
        "scholarly", "veritas.search.scholarly.semantic_scholar_search", "SemanticScholar",
        "a free key from https://www.semanticscholar.org/product/api",
    ),
    "crossref": ("scholarly", "veritas.search.scholarly.crossref_search", "Crossref", "nothing"),
    "arxiv": ("scholarly", "veritas.search.scholarly.arxiv_search", "ArXiv", "nothing"),
    "europepmc": ("scholarly", "veritas.search.scholarly.europepmc_search", "EuropePMC", "nothing"),
}  # fmt: skip


class ProviderState(Frozen):
    """What is known of a provider without asking it. `missing` is None when it is configured; `advice` says what would
    let it work better, or None."""

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
    """Every provider of `providers.yaml`, in its order. No network. Raises `InputError` (with `PolicyError`)."""
    file = file or load_providers()
    return tuple(_state(name, entry) for name, entry in file.providers.items())


def live_providers(file: ProviderFile | None = None) -> tuple[SearchProvider, ...]:
    """The providers that are enabled and have what they need, in the file's order.

    Raises `InputError` when there is none, with what to do.
    """
    file = file or load_providers()
    found = tuple(make_provider(state.name, file) for state in provider_states(file) if state.configured)
    if not found:
        lacking = "; ".join(f"{s.name}: {s.missing}" for s in provider_states(file))
        raise InputError(
            "there is nothing to search. Name your documents with --corpus PATH (a folder, a file, or a .jsonl), or "
            f"enable a provider in policies/providers.yaml ({lacking or 'it lists none'})"
        )
    return found


def make_provider(name: str, file: ProviderFile) -> SearchProvider:
    """A provider of the file: a built-in one, or one of the entry-point group `veritas.search_provider`."""
    entry = file.providers[name]
    setup = Setup(name=name, url=entry.url or "", key=key_of(entry), language=file.language, entry=entry)
    if name not in BUILT_IN:
        return plugins.make("search_provider", name, SearchProvider, setup)
    _, module, made, _ = BUILT_IN[name]
    factory: Factory = getattr(import_module(module), made)
    return factory(setup)


def _state(name: str, entry: ProviderEntry) -> ProviderState:
    kind, _, _, how = BUILT_IN.get(name, ("plug-in", "", "", "see its documentation"))
    key_set = key_of(entry) is not None
    missing = advice = None
    variables = " or ".join(entry.key)
    if name not in BUILT_IN and name not in plugins.installed("search_provider"):
        missing = "there is no such provider: install the plug-in, or mend the name in policies/providers.yaml"
    elif not entry.enabled:
        missing = "switched off in policies/providers.yaml"
    elif entry.needs == "key" and not key_set:
        missing = f"set {variables}: {how}"
    elif entry.url is None and (entry.needs == "url" or name in BUILT_IN):
        missing = f"set {url_variable(name)}: {how}"
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
