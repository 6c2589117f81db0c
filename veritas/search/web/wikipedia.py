"""Wikipedia, for orientation: its pages are read for their references and never cited (section IV.B)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import hit, keywords, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup


class Wikipedia(ApiProvider):
    """The search of MediaWiki. A hit's date is that of the page's present version."""

    kind = "encyclopedia"
    how_to_get = "nothing"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._url = setup.url

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        words = keywords(query)
        for joined in (" ".join(words), " OR ".join(words)):
            params: dict[str, Any] = {
                "action": "query",
                "list": "search",
                "srsearch": joined,
                "srlimit": self.most(limit),
                "srnamespace": 0,
                "srprop": "snippet|timestamp",
                "format": "json",
                "formatversion": 2,
                "maxlag": 5,
            }
            found = listed(await self._api.json("/w/api.php", params=params), self.name, "query", "search")
            if found or len(words) < 2:
                break
        hits = (
            hit(self._page(r.get("title")), r.get("title"), r.get("snippet"), r.get("timestamp")) for r in found
        )
        return ranked(hits, limit=limit, since=since)

    def _page(self, title: Any) -> str | None:
        return f"{self._url}/wiki/{quote(title.replace(' ', '_'), safe='/:(),_-.')}" if isinstance(title, str) else None
