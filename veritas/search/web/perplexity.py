"""Perplexity's Search API: `POST /search`, ranked results without a generated answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup


class Perplexity(ApiProvider):
    """The Search API of Perplexity. Its chat models are not used, because the pages that they read cannot be checked.
    """

    kind = "web"
    how_to_get = "a key from https://www.perplexity.ai/settings/api"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, setup.bearer())

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        body: dict[str, Any] = {
            "query": brief(query),
            "max_results": self.most(limit),
            "search_language_filter": [self._language],
        }
        if since:
            # The filter means "after that day".
            body["search_after_date_filter"] = f"{since - timedelta(days=1):%m/%d/%Y}"
        answer = await self._api.json("/search", body=body)
        hits = (
            hit(r.get("url"), r.get("title"), r.get("snippet"), r.get("date"))
            for r in listed(answer, self.name, "results")
        )
        return ranked(hits, limit=limit, since=since)
