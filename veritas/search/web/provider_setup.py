"""The setup of a provider: its name, address, key, language and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from veritas.policy.search_providers import ProviderEntry
from veritas.search.web.api import Api


@dataclass(frozen=True)
class Setup:
    """The argument of a provider's factory. `url` is set for every provider that is configured."""

    name: str
    url: str
    key: str | None = field(default=None, repr=False)
    language: str = "en"
    entry: ProviderEntry = field(default_factory=ProviderEntry)

    def api(self, headers: Mapping[str, str] | None = None) -> Api:
        """Return the client of the provider's API, with the limits of its entry."""
        return Api(
            self.name,
            self.url,
            headers=headers,
            interval=self.entry.interval,
            at_once=self.entry.at_once,
            seconds=self.entry.seconds,
            key_names=self.entry.key,
        )

    def bearer(self) -> dict[str, str]:
        """Return the key as an `Authorization` header; nothing without a key."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


class ApiProvider:
    """The common part of the built-in providers: name, language, and the client of an API at the configured URL."""

    needs_url = True

    def __init__(self, setup: Setup, headers: Mapping[str, str] | None = None) -> None:
        self.name, self._language, self._at_most = setup.name, setup.language, setup.entry.at_most
        self._api = setup.api(headers)

    def most(self, limit: int) -> int:
        """Return the number of hits to request for `limit` wanted ones: at least one, at most what the entry allows."""
        return max(1, min(limit, self._at_most))
