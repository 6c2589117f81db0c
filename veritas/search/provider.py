"""The search seam: keywords in, ranked hits out (section X)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol, runtime_checkable

from veritas.frozen import Frozen


class SearchHit(Frozen):
    """A result of a search. `snippet` is the provider's text: used for ranking and display, never for citing (I1)."""

    url: str
    title: str
    snippet: str = ""
    published_at: date | None = None


@runtime_checkable
class SearchProvider(Protocol):
    """A source of URLs. Raises `veritas.errors.Unavailable` if it cannot answer; an empty list means that it found
    nothing.

    A provider may have an attribute `at_once`: the limit of parallel requests over all runs of a Prefect server
    (default 4; None for no limit).
    """

    @property
    def name(self) -> str: ...

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """Return at most `limit` hits, best first; with `since`, only what was published on or after that day."""
        ...
