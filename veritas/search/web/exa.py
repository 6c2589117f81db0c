"""Exa: `POST /search`, with highlights as snippets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup
from veritas.store.call_record import report_cost


class Exa(ApiProvider):
    """The search of Exa. It has no language filter, and follows the language of the query. With a start date, it leaves
    out undated pages."""

    kind = "web"
    how_to_get = "a key from https://dashboard.exa.ai"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, {"x-api-key": setup.key or ""})

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        body: dict[str, Any] = {
            "query": brief(query),
            "type": "auto",
            "numResults": self.most(limit),
            "contents": {"highlights": True},
        }
        if since:
            body["startPublishedDate"] = f"{since.isoformat()}T00:00:00.000Z"
        answer = await self._api.json("/search", body=body)
        cost = answer.get("costDollars") if isinstance(answer, dict) else None
        report_cost(cost.get("total") if isinstance(cost, dict) else cost)
        hits = (
            hit(r.get("url"), r.get("title"), _snippet(r), r.get("publishedDate"))
            for r in listed(answer, self.name, "results")
        )
        return ranked(hits, limit=limit, since=since)


def _snippet(result: dict[str, Any]) -> str:
    found = result.get("highlights")
    return " … ".join(part for part in found if isinstance(part, str)) if isinstance(found, list) else ""
