"""DBLP: the publication search; manually curated records of computer science."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from veritas.errors import UnreadableAnswer
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind
from veritas.works.records import Source


class Dblp:
    """DBLP, which can only be searched. It lacks papers of other fields, so an empty answer proves nothing."""

    name: Source = "dblp"
    knows: frozenset[IdentifierKind] = frozenset()
    searches = False

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        return None

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]
        params = {"q": plain, "format": "json", "h": str(limit)}
        answer = await self._service.json("/search/publ/api", params, empty=lambda answer: not _hits(answer))
        return [_found(hit) for hit in _hits(answer)]


def _hits(answer: Any) -> list[Any]:
    hits = mapping(mapping(answer).get("result")).get("hits")
    if not isinstance(hits, dict):
        raise UnreadableAnswer("dblp answers in a form that is not known: there are no hits in it")
    return list(objects(hits.get("hit")))


def _found(hit: Any) -> Found:
    link = raw(mapping(hit.get("info")).get("ee"))
    return Found(record=normalise("dblp", hit), links=(link,) if link else ())
