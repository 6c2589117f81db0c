"""The settings of verification, read from `policies/citations.yaml`; base URLs come from the environment first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from veritas.frozen import Frozen
from veritas.policy.search_providers import BaseUrl, key_of, url_from_env
from veritas.settings import policy_file


class SourceEntry(Frozen):
    """The settings of one registry; `citations.yaml` explains each key."""

    url: BaseUrl
    key: tuple[str, ...] = ()
    enabled: bool = True
    interval: float = Field(default=0.2, ge=0, le=60)
    without_contact: float | None = Field(default=None, ge=0, le=60)
    seconds: float = Field(default=20.0, gt=0, le=300)

    def secret(self) -> str | None:
        """Return the key, from the first of its variables that is set."""
        return key_of(self.key)


class CiteSettings(Frozen):
    """Settings for citing a claim."""

    candidates: int = Field(default=10, ge=1, le=50)
    tries: int = Field(default=3, ge=1, le=10)
    excerpts: int = Field(default=4, ge=1, le=20)
    supports: float = Field(default=0.55, ge=0, le=1)
    keep_text: bool = False


class BibSettings(Frozen):
    """Settings for judging the entries of a bibliography; ratios 0 to 100."""

    searched: int = Field(default=2, ge=1, le=6)
    resembles: float = Field(default=72, ge=0, le=100)
    year_slips: int = Field(default=1, ge=0)
    misspelt: float = Field(default=85, ge=0, le=100)


class CitationPolicy(Frozen):
    """The whole of `citations.yaml`."""

    sources: Mapping[str, SourceEntry]
    attempts: int = Field(default=3, ge=1, le=10)
    backoff: float = Field(default=0.5, ge=0, le=60)
    patience: float = Field(default=60, ge=0, le=3600)
    answers_days: float = Field(default=30, ge=0)
    misses_days: float = Field(default=1, ge=0)
    cite: CiteSettings = CiteSettings()
    bib: BibSettings = BibSettings()


def load_citation_policy(path: Path | None = None) -> CitationPolicy:
    """Return the policy in `path`, by default `citations.yaml` of the policies folder, with the environment's base
    URLs.

    Raises `PolicyError` naming file, line and key, `InputError` for a variable that holds no URL.
    """
    policy = _load(path or policy_file("citations.yaml"))
    sources = {
        name: entry.model_copy(update={"url": url}) if (url := url_from_env(name)) else entry
        for name, entry in policy.sources.items()
    }
    return policy.model_copy(update={"sources": sources})


@lru_cache(maxsize=8)
def _load(path: Path) -> CitationPolicy:
    from veritas.policy.yaml_file import read_yaml_model

    return read_yaml_model(path, CitationPolicy)
