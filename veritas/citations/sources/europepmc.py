"""Europe PMC: `/search` over PubMed, PubMed Central and preprints of the life sciences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from veritas.citations.markup import plain_text
from veritas.citations.normalising import normalise
from veritas.citations.normalising.fields import mapping, objects, raw
from veritas.citations.records import Source
from veritas.citations.sources.service import Service
from veritas.citations.sources.source import Found, Identifier, IdentifierKind
from veritas.errors import UnreadableAnswer


class EuropePmc:
    """PubMed's own records, made by the National Library of Medicine and not taken from Crossref."""

    name: Source = "europepmc"
    knows: frozenset[IdentifierKind] = frozenset({"doi", "pmid"})
    searches = True

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        value = identifier.value.replace('"', "")
        query = f'DOI:"{value}"' if identifier.kind == "doi" else f"EXT_ID:{value} AND SRC:MED"
        found = await self._query(query, 5)
        for each in found:
            if (each.record.doi if identifier.kind == "doi" else each.record.pmid) == identifier.value:
                return each
        return None

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]
        return await self._query(plain if anywhere else f'TITLE:"{plain}"', limit)

    async def _query(self, query: str, limit: int) -> list[Found]:
        params = {"query": query, "resultType": "core", "pageSize": str(limit), "format": "json"}
        answer = await self._service.json("/search", params, empty=lambda answer: not _results(answer))
        return [_found(item) for item in _results(answer)]


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
