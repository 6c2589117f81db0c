"""Semantic Scholar: `/graph/v1/paper/{id}` and `/graph/v1/paper/search`; a shared pool without a key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from veritas.errors import UnreadableAnswer
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, parts
from veritas.works.records import Source

FIELDS = (
    "title,authors,year,venue,externalIds,publicationVenue,publicationDate,publicationTypes,journal,abstract,"
    "openAccessPdf"
)
AT_ONCE = 200
"""Identifiers in one request: the service takes five hundred, but answers with at most ten megabytes."""
_PREFIX = {"doi": "DOI:", "arxiv": "ARXIV:", "pmid": "PMID:"}


class SemanticScholar:
    """Semantic Scholar's own index, with the preprint's year under the published DOI."""

    name: Source = "semantic_scholar"
    knows: frozenset[IdentifierKind] = frozenset({"doi", "arxiv", "pmid"})
    searches = True

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        answer = await self._service.json(_path(_name(identifier)), {"fields": FIELDS}, missing=_missing)
        if answer is None:
            return None
        if not isinstance(answer, dict) or "title" not in answer:
            raise UnreadableAnswer("semantic_scholar answers in a form that is not known: there is no paper in it")
        return _found(answer)

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Look identifiers up by its batch request, which answers with a paper or a null for each, in their order."""
        names = [_name(each) for each in identifiers]
        fields = {"fields": FIELDS}
        for some in parts([name for name in names if self._service.kept(_path(name), fields) is None], AT_ONCE):
            papers = await self._service.many("/graph/v1/paper/batch", fields, _papers, body={"ids": list(some)})
            if len(papers) != len(some):
                raise UnreadableAnswer("semantic_scholar answers in a form that is not known: not one paper an id")
            for name, paper in zip(some, papers, strict=True):
                if paper is None or "title" in mapping(paper):
                    text = None if paper is None else json.dumps(paper)
                    self._service.keep(_path(name), fields, text, nothing=paper is None)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]  # a hyphen would find nothing
        params = {"query": plain, "limit": str(limit), "fields": FIELDS}
        answer = await self._service.json(
            "/graph/v1/paper/search", params, missing=_missing, empty=lambda answer: not _data(answer)
        )
        return [] if answer is None else [_found(item) for item in _data(answer)]


def _name(identifier: Identifier) -> str:
    return f"{_PREFIX[identifier.kind]}{identifier.value}"


def _path(name: str) -> str:
    return f"/graph/v1/paper/{quote(name, safe='/:;()')}"


def _papers(answer: Any) -> list[Any]:
    if not isinstance(answer, list):
        raise UnreadableAnswer("semantic_scholar answers in a form that is not known: there is no list of papers")
    return answer


def _missing(status: int, text: str) -> bool:
    return status == 404 and '"error"' in text and "not found" in text.lower()


def _data(answer: Any) -> list[Any]:
    given = mapping(answer)
    if given.get("total") == 0:
        return []  # and then it leaves the list out
    if not isinstance(given.get("data"), list):
        raise UnreadableAnswer("semantic_scholar answers in a form that is not known: there is no list of data")
    return list(objects(given["data"]))


def _found(paper: Mapping[str, Any]) -> Found:
    pdf = raw(mapping(paper.get("openAccessPdf")).get("url"))
    return Found(
        record=normalise("semantic_scholar", paper),
        abstract=raw(paper.get("abstract")),
        links=(pdf,) if pdf else (),
    )
