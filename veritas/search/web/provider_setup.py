"""The setup of a provider: its name, its address, its key, the language wanted, and its limits."""

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
