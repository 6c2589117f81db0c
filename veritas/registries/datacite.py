"""DataCite: `/dois/{doi}` and a search of titles; it registers arXiv's, Zenodo's and other repositories' DOIs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from veritas.errors import UnreadableAnswer
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind
from veritas.works.records import Source


class DataCite:
    """DataCite, with the records that repositories deposited; its arXiv records are arXiv's."""

    name: Source = "datacite"
    knows: frozenset[IdentifierKind] = frozenset({"doi", "arxiv"})
    searches = False  # mostly data: not finding a paper there says nothing

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        doi = f"10.48550/arxiv.{identifier.value}" if identifier.kind == "arxiv" else identifier.value
        answer = await self._service.json(_path(doi), missing=_missing)
        if answer is None:
            return None
        data = mapping(answer).get("data")
        if not isinstance(data, dict):
            raise UnreadableAnswer("datacite answers in a form that is not known: there is no data in it")
        return _found(data)

    def registered_elsewhere(self, doi: str) -> None:
        """Record that another agency registered a DOI: a DOI has one agency, so DataCite need not be asked."""
        if self._service.kept(_path(doi)) is None:
            self._service.keep(_path(doi), None, None, nothing=True)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]
        params = {"query": f'titles.title:"{plain}"', "page[size]": str(limit)}
        answer = await self._service.json("/dois", params, empty=lambda answer: not _data(answer))
        return [_found(item) for item in _data(answer)]


def _path(doi: str) -> str:
    return f"/dois/{quote(doi, safe='/:;()')}"


def _missing(status: int, text: str) -> bool:
    return status == 404 and ("doesn't exist" in text or "not found" in text.lower())


def _data(answer: Any) -> list[Any]:
    if not isinstance(mapping(answer).get("data"), list):
        raise UnreadableAnswer("datacite answers in a form that is not known: there is no list of data")
    return list(objects(answer["data"]))


def _found(data: Mapping[str, Any]) -> Found:
    attributes = mapping(data.get("attributes"))
    said = [raw(each.get("description")) for each in objects(attributes.get("descriptions"))]
    url = raw(attributes.get("url"))
    return Found(
        record=normalise("datacite", data),
        abstract=next((text for text in said if text), None),
        links=(url,) if url else (),
    )
