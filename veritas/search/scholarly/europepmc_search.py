"""Europe PMC: `GET /search`, the literature of the life sciences with its open full texts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from veritas.search.provider import SearchHit
from veritas.search.web.parse_hits import hit, keywords, listed, ranked
from veritas.search.web.provider_setup import ApiProvider, Setup

_LANGUAGES = {
    "en": "eng", "de": "ger", "fr": "fre", "es": "spa", "it": "ita", "pt": "por", "nl": "dut", "pl": "pol", "ru": "rus",
    "ja": "jpn", "zh": "chi", "ko": "kor", "tr": "tur", "sv": "swe", "da": "dan", "no": "nor", "fi": "fin", "cs": "cze",
    "hu": "hun", "el": "gre",
}  # fmt: skip


class EuropePMC(ApiProvider):
    """The search of Europe PMC. The URL of a hit is its page of the full text, the DOI, or PubMed's page of the
    abstract."""

    kind = "scholarly"
    how_to_get = "nothing"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._code = _LANGUAGES.get(setup.language)

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        words = keywords(query)
        found: list[dict[str, Any]] = []
        for operator in (" AND ", " OR "):
            asked = f"({operator.join(words)})"
            if self._code:
                asked += f" AND LANG:{self._code}"
            if since:
                asked += f" AND FIRST_PDATE:[{since.isoformat()} TO {datetime.now(UTC).date().isoformat()}]"
            params: dict[str, Any] = {
                "query": asked,
                "format": "json",
                "resultType": "core",
                "pageSize": self.most(limit),
            }
            answer = await self._api.json("/search", params=params)
            found = listed(answer, self.name, "resultList", "result")
            if found or len(words) < 2:
                break
        hits = (
            hit(_link(work), work.get("title"), work.get("abstractText"), work.get("firstPublicationDate"))
            for work in found
        )
        return ranked(hits, limit=limit, since=since)


def _link(work: dict[str, Any]) -> str | None:
    if work.get("inEPMC") == "Y" and work.get("isOpenAccess") == "Y" and isinstance(work.get("pmcid"), str):
        return f"https://europepmc.org/article/PMC/{work['pmcid']}"
    if isinstance(work.get("doi"), str):
        return f"https://doi.org/{work['doi']}"
    return f"https://pubmed.ncbi.nlm.nih.gov/{work['pmid']}/" if isinstance(work.get("pmid"), str) else None
