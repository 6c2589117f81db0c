"""Tavily: `POST /search`. It gives no dates for ordinary web pages, and applies `start_date` itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup


class Tavily(ApiProvider):
    """The search of Tavily. It has no language filter, and follows the language of the query."""

    kind = "web"
    how_to_get = "a key from https://app.tavily.com"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, setup.bearer())

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        body: dict[str, Any] = {"query": brief(query), "max_results": self.most(limit)}
        if since:
            body["start_date"] = since.isoformat()
        answer = await self._api.json("/search", body=body)
        hits = (
            hit(r.get("url"), r.get("title"), r.get("content"), r.get("published_date"))
            for r in listed(answer, self.name, "results")
        )
        return ranked(hits, limit=limit, since=since)
