"""arXiv: `GET /api/query`, an Atom feed; one request in three seconds, over one connection."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from veritas.errors import UnreadableAnswer
from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import hit, keywords, plain, ranked
from veritas.search.web.provider_setup import ApiProvider

_ATOM = "{http://www.w3.org/2005/Atom}"
_ID = re.compile(r"https?://[^/]+/abs/(\S+)")


class ArXiv(ApiProvider):
    """The search of arXiv, without a language filter. All words of the subject have to match, or, where nothing has
    them all, any of them."""

    kind = "scholarly"
    how_to_get = "nothing"

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        words = keywords(query)
        found: list[SearchHit | None] = []
        for operator in (" AND ", " OR "):
            asked = operator.join(f"all:{word}" for word in words)
            if since:
                asked = f"({asked}) AND submittedDate:[{since:%Y%m%d}0000 TO {datetime.now(UTC):%Y%m%d}2359]"
            params: dict[str, Any] = {
                "search_query": asked,
                "max_results": self.most(limit),
                "sortBy": "relevance",
            }
            found = _entries(await self._api.text("/api/query", params=params), self.name)
            if found or len(words) < 2:
                break
        return ranked(found, limit=limit, since=since)


def _entries(feed: str, who: str) -> list[SearchHit | None]:
    """Return the feed's papers. A document type declaration is never read: it could name entities that grow without
    end."""
    if "<!DOCTYPE" in feed or "<!ENTITY" in feed:
        raise UnreadableAnswer(f"{who} answers with a document type declaration where a feed was expected")
    try:
        root = ElementTree.fromstring(feed)
    except (ElementTree.ParseError, ValueError) as error:
        raise UnreadableAnswer(f"{who} answers with what is no XML") from error
    if root.tag != f"{_ATOM}feed":
        raise UnreadableAnswer(f"{who} answers with XML that is no Atom feed")
    found = []
    for entry in root.iter(f"{_ATOM}entry"):
        said = {part: entry.findtext(f"{_ATOM}{part}") for part in ("id", "title", "summary", "published")}
        named = _ID.fullmatch((said["id"] or "").strip())
        if named is None and "/api/errors" in (said["id"] or ""):
            raise UnreadableAnswer(f"{who} does not understand the query: {plain(said['summary'], 160)}")
        if named is not None:
            found.append(
                hit(f"https://arxiv.org/abs/{named[1]}", said["title"], said["summary"], (said["published"] or "")[:10])
            )
    return found
