"""Crossref: `GET /works?query.bibliographic=`. With an e-mail address in `VERITAS_CONTACT` it answers faster."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from veritas.policy.search_providers import email
from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider

_FIELDS = "DOI,title,subtitle,abstract,issued,URL,type"
_NO_TEXT = frozenset({"component", "journal", "journal-issue", "journal-volume", "grant", "peer-review"})


class Crossref(ApiProvider):
    """The search of Crossref, without a language filter. The URL of a hit is its DOI's. A date with only the year
    counts as its first day; the service itself keeps to `since`."""

    kind = "scholarly"
    how_to_get = "nothing"

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        params: dict[str, Any] = {
            "query.bibliographic": brief(query),
            "rows": self.most(limit),
            "select": _FIELDS,
        }
        if since:
            params["filter"] = f"from-pub-date:{since.isoformat()}"
        address = email()
        if address:
            params["mailto"] = address
        answer = await self._api.json("/works", params=params)
        hits = (_hit(work, since) for work in listed(answer, self.name, "message", "items"))
        return ranked(hits, limit=limit, since=since)


def _hit(work: dict[str, Any], since: date | None) -> SearchHit | None:
    doi = work.get("DOI")
    if not isinstance(doi, str) or work.get("type") in _NO_TEXT:
        return None
    issued = work.get("issued")
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    published = parts[0] if isinstance(parts, list) and parts else None
    if since is not None and isinstance(published, list) and len(published) < 3:
        published = None  # by the year alone it would count as older than it is
    return hit(f"https://doi.org/{doi}", work.get("title"), work.get("abstract"), published)
