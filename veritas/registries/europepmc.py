"""Europe PMC: `/search` over PubMed, PubMed Central and preprints of the life sciences."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from veritas.errors import UnreadableAnswer
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, parts
from veritas.text.markup import plain_text
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Source

AT_ONCE = 25
MAX_PAGE = 1000


class EuropePmc:
    """Europe PMC, with PubMed's own records, which the National Library of Medicine makes independently of Crossref."""

    name: Source = "europepmc"
    knows: frozenset[IdentifierKind] = frozenset({"doi", "pmid"})
    searches = False  # life sciences only: not finding a paper there says nothing

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        value = identifier.value.replace('"', "")
        query = _of(value) if identifier.kind == "doi" else f"EXT_ID:{value} AND SRC:MED"
        found = await self._query(query, 5)
        for each in found:
            if (each.record.doi if identifier.kind == "doi" else each.record.pmid) == identifier.value:
                return each
        return None

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Look DOIs up by one query with "or" between them. A DOI missing in a complete answer is unknown."""
        dois = [each.value for each in identifiers if each.kind == "doi" and '"' not in each.value]
        wanted = [doi for doi in dois if self._service.kept("/search", _params(_of(doi), 5)) is None]
        for some in parts(wanted, AT_ONCE):
            params = _params(" OR ".join(map(_of, some)), MAX_PAGE)
            answer = await self._service.many("/search", params, lambda answer: (_results(answer), answer))
            results, whole = answer[0], mapping(answer[1]).get("hitCount") == len(answer[0])
            for doi in some:
                own = [each for each in results if normalise_doi(raw(each.get("doi")) or "") == doi][:5]
                if own or whole:
                    text = json.dumps({"hitCount": len(own), "resultList": {"result": own}})
                    self._service.keep("/search", _params(_of(doi), 5), text, nothing=not own)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]
        return await self._query(plain if anywhere else f'TITLE:"{plain}"', limit)

    async def _query(self, query: str, limit: int) -> list[Found]:
        answer = await self._service.json("/search", _params(query, limit), empty=lambda answer: not _results(answer))
        return [_found(item) for item in _results(answer)]


def _of(doi: str) -> str:
    return f'DOI:"{doi}"'


def _params(query: str, size: int) -> dict[str, str]:
    return {"query": query, "resultType": "core", "pageSize": str(size), "format": "json"}


def _results(answer: Any) -> list[Any]:
    results = mapping(mapping(answer).get("resultList")).get("result")
    if not isinstance(results, list):
        raise UnreadableAnswer("europepmc answers in a form that is not known: there is no list of results")
    return list(objects(results))


def _found(result: Mapping[str, Any]) -> Found:
    pmcid = raw(result.get("pmcid"))
    listed = [raw(each.get("url")) for each in objects(mapping(result.get("fullTextUrlList")).get("fullTextUrl"))]
    links = ([f"https://europepmc.org/article/PMC/{pmcid}"] if pmcid else []) + [link for link in listed if link]
    abstract = raw(result.get("abstractText"))
    return Found(
        record=normalise("europepmc", result),
        abstract=plain_text(abstract) if abstract else None,
        links=tuple(links[:5]),
    )
