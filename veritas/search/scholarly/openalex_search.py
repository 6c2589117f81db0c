"""OpenAlex: `GET /works?search=`. Keyless use is metered; a free key raises the allowance tenfold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup

_OPERATORS = re.compile(r"[\"*?~()\[\]{}|\\]|\b(?:AND|OR|NOT)\b")
_FIELDS = "id,doi,display_name,publication_date,primary_location,best_oa_location,abstract_inverted_index"


class OpenAlex(ApiProvider):
    """The search of OpenAlex, without retracted works. The URL of a hit is an open copy where there is one."""

    kind = "scholarly"
    how_to_get = "a free key from https://openalex.org/settings/api"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._key = setup.key

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        filters = ["is_retracted:false", f"language:{self._language}"]
        if since:
            filters.append(f"from_publication_date:{since.isoformat()}")
        params: dict[str, Any] = {
            "search": brief(_OPERATORS.sub(" ", query)),
            "filter": ",".join(filters),
            "per-page": self.most(limit),
            "select": _FIELDS,
        }
        if self._key:
            params["api_key"] = self._key
        answer = await self._api.json("/works", params=params)
        hits = (
            hit(_link(work), work.get("display_name"), _abstract(work), work.get("publication_date"))
            for work in listed(answer, self.name, "results")
        )
        return ranked(hits, limit=limit, since=since)


def _link(work: dict[str, Any]) -> Any:
    for place in ("best_oa_location", "primary_location"):
        location = work.get(place)
        if isinstance(location, dict):
            found = location.get("landing_page_url") or location.get("pdf_url")
            if found:
                return found
    return work.get("doi") or work.get("id")


def _abstract(work: dict[str, Any]) -> str:
    """Return the abstract, which OpenAlex gives as the places of each word; "" without one."""
    index = work.get("abstract_inverted_index")
    if not isinstance(index, dict):
        return ""
    placed = [
        (at, word)
        for word, places in index.items()
        if isinstance(places, list)
        for at in places
        if isinstance(at, int) and 0 <= at < 1000
    ]
    return " ".join(word for _, word in sorted(placed))
