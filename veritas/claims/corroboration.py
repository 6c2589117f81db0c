"""The corroboration rules (section IV): tier 3 alone needs two independent sources; paywalled ones need an open one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from veritas.claims.envelope import Citation
from veritas.claims.sources import Source, Tier


class Ranked(Protocol):
    """A source, or what was cited of one."""

    @property
    def tier(self) -> Tier: ...

    @property
    def paywalled(self) -> bool: ...


def lone_voice(said: Sequence[Ranked], voices: Iterable[str]) -> str | None:
    """Return the only independent source, if all are of tier 3 and there is only one; else None."""
    heard = set(voices)
    return next(iter(heard)) if len(heard) == 1 and all(one.tier == 3 for one in said) else None


def paywalled_only(said: Iterable[Ranked]) -> bool:
    """Return whether some source is paywalled and no open one of tier 1 or 2 says the same."""
    each = tuple(said)
    return any(one.paywalled for one in each) and not any(not one.paywalled and one.tier in (1, 2) for one in each)


def voice(citation: Citation, sources: Mapping[str, Source]) -> str:
    """Return what tells independent sources apart: the publisher, or without one the URL."""
    source = sources.get(citation.document_id)
    return source.publisher if source and source.publisher else citation.url
