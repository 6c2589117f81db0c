"""SearXNG: `GET /search?format=json` at an instance of one's own; no key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from veritas.errors import Unavailable
from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup


class SearXNG(ApiProvider):
    """The search of SearXNG. `time_range` knows only day, month and year, and not every engine applies it: with
    `since`, an undated hit counts as too old."""

    kind = "web"
    how_to_get = "an instance of your own, see https://docs.searxng.org"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, {"Accept": "application/json"})

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        params: dict[str, Any] = {"q": brief(query), "format": "json", "language": self._language}
        if since:
            age = (datetime.now(UTC).date() - since).days
            reach = next((name for name, days in (("day", 1), ("month", 30), ("year", 365)) if age < days), None)
            if reach:
                params["time_range"] = reach
        answer = await self._api.json("/search", params=params)
        results = listed(answer, self.name, "results")
        silent = answer.get("unresponsive_engines")
        if not results and isinstance(silent, list) and silent:
            # Nothing was found because nobody was asked: that is no answer.
            engines = ", ".join(str(e[0] if isinstance(e, list) and e else e)[:40] for e in silent[:8])
            raise Unavailable(f"{self.name}: none of the engines behind it answered ({engines})")
        hits = (hit(r.get("url"), r.get("title"), r.get("content"), r.get("publishedDate")) for r in results)
        return ranked(hits, limit=limit, since=since, undated=False)
