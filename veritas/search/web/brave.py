"""Brave: `GET /res/v1/web/search`, an index of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup

MAX_WORDS = 50
"""Most words of a query that Brave accepts."""


class Brave(ApiProvider):
    """The search of Brave. `freshness` is by the day; a page whose age Brave does not know comes without a date."""

    kind = "web"
    how_to_get = "a key from https://api-dashboard.search.brave.com"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, {"X-Subscription-Token": setup.key or "", "Accept": "application/json"})

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        params: dict[str, Any] = {
            "q": brief(query, MAX_WORDS),
            "count": self.most(limit),
            "search_lang": self._language,
            "result_filter": "web",
            "text_decorations": "false",
        }
        if since:
            params["freshness"] = f"{since.isoformat()}to{datetime.now(UTC).date().isoformat()}"
        answer = await self._api.json("/res/v1/web/search", params=params)
        if isinstance(answer, dict) and answer.get("type") == "search" and not answer.get("web"):
            return []  # Brave leaves the part out when nothing was found
        hits = (
            hit(r.get("url"), r.get("title"), r.get("description"), r.get("page_age"))
            for r in listed(answer, self.name, "web", "results")
        )
        return ranked(hits, limit=limit, since=since)
