"""OpenAlex: `/works/https://doi.org/{doi}` (free of charge) and the title search (metered without a key)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from veritas.errors import UnreadableAnswer
from veritas.policy.search_providers import email
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, parts
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Source

AT_ONCE = 50
"""DOIs in one request: the service takes a hundred, but addresses of only some four thousand characters."""
MAX_ABSTRACT = 2000
"""Words of an abstract that are read."""


class OpenAlex:
    """OpenAlex. It takes metadata from Crossref, DataCite and arXiv, so together they count as one source."""

    name: Source = "openalex"
    knows: frozenset[IdentifierKind] = frozenset({"doi", "arxiv", "pmid"})
    searches = True

    def __init__(self, service: Service) -> None:
        self._service, self._metered = service, service.lane("metered")

    def _params(self, **more: str) -> dict[str, str]:
        key, address = self._service.entry.secret(), email()
        return ({"mailto": address} if address else {}) | ({"api_key": key} if key else {}) | more

    async def look_up(self, identifier: Identifier) -> Found | None:
        doi = _doi(identifier)
        path = _path(doi) if doi else f"/works/pmid:{identifier.value}"
        answer = await self._service.json(path, self._params(), missing=_missing)
        if answer is None:
            return None
        if not isinstance(answer, dict) or "id" not in answer:
            raise UnreadableAnswer("openalex answers in a form that is not known: there is no work in it")
        return _found(answer)

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Look DOIs up by a filter with "or" between them, which is metered, unlike the look-up of one. A DOI missing
        from the answer may exist under another one, so `look_up` decides."""
        dois = [doi for each in identifiers if (doi := _doi(each)) and not set(doi) & set(",|!")]
        for some in parts([doi for doi in dois if self._service.kept(_path(doi)) is None], AT_ONCE):
            params = self._params(filter=f"doi:{'|'.join(some)}") | {"per-page": str(len(some))}
            for work in await self._metered.many("/works", params, _results):
                doi = normalise_doi(raw(work.get("doi")) or "")
                if doi is not None and doi in some and "id" in work:
                    self._service.keep(_path(doi), None, json.dumps(work))

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        # A comma separates filters and a pipe is an "or", so only words are sent.
        plain = " ".join(re.findall(r"\w+", words))[:300]
        asked = {"search": plain} if anywhere else {"filter": f"title.search:{plain}"}
        params = self._params(**asked) | {"per-page": str(limit)}
        answer = await self._metered.json("/works", params, empty=lambda answer: not _results(answer))
        return [_found(item) for item in _results(answer)]


def _doi(identifier: Identifier) -> str | None:
    return {"arxiv": f"10.48550/arxiv.{identifier.value}", "doi": identifier.value}.get(identifier.kind)


def _path(doi: str) -> str:
    return f"/works/https://doi.org/{quote(doi, safe='/:;()')}"


def _missing(status: int, text: str) -> bool:
    return status == 404 and "not found" in text[:2000].lower()


def _results(answer: Any) -> list[Any]:
    if not isinstance(mapping(answer).get("results"), list):
        raise UnreadableAnswer("openalex answers in a form that is not known: there is no list of results")
    return list(objects(answer["results"]))


def _found(work: Mapping[str, Any]) -> Found:
    places = [mapping(work.get("best_oa_location")), *objects(work.get("locations"))]
    links = [raw(place.get("pdf_url")) or raw(place.get("landing_page_url")) for place in places if place.get("is_oa")]
    return Found(
        record=normalise("openalex", work),
        abstract=_abstract(work.get("abstract_inverted_index")),
        links=tuple(dict.fromkeys(link for link in links if link))[:5],
    )


def _abstract(index: Any) -> str | None:
    """Return the abstract from its inverted index (word -> positions)."""
    placed: dict[int, str] = {}
    for word, places in mapping(index).items():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < MAX_ABSTRACT:
                placed[place] = str(word)
    return " ".join(placed[place] for place in sorted(placed)) or None
