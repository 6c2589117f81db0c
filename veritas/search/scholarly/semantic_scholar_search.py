"""Semantic Scholar: `GET /graph/v1/paper/search`. Without a key it is a pool shared with everybody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import brief, hit, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup

_FIELDS = "title,abstract,url,externalIds,openAccessPdf,publicationDate,year"


class SemanticScholar(ApiProvider):
    """The search of Semantic Scholar, without a language filter. The URL of a hit is arXiv's page, an open PDF, the
    DOI, or its own page, in that order."""

    kind = "scholarly"
    how_to_get = "a free key from https://www.semanticscholar.org/product/api"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, {"x-api-key": setup.key} if setup.key else {})

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        params: dict[str, Any] = {
            "query": brief(re.sub(r"\W+", " ", query)),  # a hyphen would find nothing
            "limit": self.most(limit),
            "fields": _FIELDS,
        }
        if since:
            params["publicationDateOrYear"] = f"{since.isoformat()}:"
        answer = await self._api.json("/graph/v1/paper/search", params=params)
        if isinstance(answer, dict) and answer.get("total") == 0:
            return []  # it then leaves the list out
        hits = (
            hit(_link(paper), paper.get("title"), paper.get("abstract"), _published(paper, since))
            for paper in listed(answer, self.name, "data")
        )
        return ranked(hits, limit=limit, since=since)


def _published(paper: dict[str, Any], since: date | None) -> Any:
    """Return the publication day or year; None where only the year is known and is that of `since`: the service has
    judged it."""
    if paper.get("publicationDate"):
        return paper["publicationDate"]
    year = paper.get("year")
    return None if since is not None and year == since.year else year


def _link(paper: dict[str, Any]) -> Any:
    ids = paper.get("externalIds")
    ids = ids if isinstance(ids, dict) else {}
    if isinstance(ids.get("ArXiv"), str):
        return f"https://arxiv.org/abs/{ids['ArXiv']}"
    pdf = paper.get("openAccessPdf")
    if isinstance(pdf, dict) and pdf.get("url") and pdf.get("status") != "CLOSED":
        return pdf["url"]
    return f"https://doi.org/{ids['DOI']}" if isinstance(ids.get("DOI"), str) else paper.get("url")
