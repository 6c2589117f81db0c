"""Crossref: `/works/{doi}`, `/works?query.bibliographic=`, and the notices that say they update a DOI."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from veritas.citations.markup import plain_text
from veritas.citations.normalising import normalise
from veritas.citations.normalising.fields import mapping, objects, raw
from veritas.citations.records import Source, Update
from veritas.citations.sources.service import Service
from veritas.citations.sources.source import Found, Identifier, IdentifierKind
from veritas.errors import UnreadableAnswer
from veritas.search.web.provider_file import email


class Crossref:
    """What publishers deposited. arXiv's DOIs are not among it (they are DataCite's)."""

    name: Source = "crossref"
    knows: frozenset[IdentifierKind] = frozenset({"doi"})
    searches = True

    def __init__(self, service: Service) -> None:
        self._service = service

    def _params(self, **more: str) -> dict[str, str]:
        address = email()
        return ({"mailto": address} if address else {}) | more

    async def look_up(self, identifier: Identifier) -> Found | None:
        path = f"/works/{quote(identifier.value, safe='/:;()')}"
        answer = await self._service.json(path, self._params(), missing=_missing)
        return None if answer is None else _found(_message(answer))

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        params = self._params(rows=str(limit)) | {"query.bibliographic": words[:400]}
        answer = await self._service.json("/works", params, empty=lambda answer: not _items(answer))
        return [_found(item) for item in _items(answer)]

    async def notices(self, doi: str) -> Sequence[Update]:
        """What notices say of a DOI from their side (`update-to`), whatever the paper's own record says."""
        params = self._params(filter=f"updates:{doi}", rows="20")
        answer = await self._service.json("/works", params, empty=lambda answer: not _items(answer))
        said = []
        for item in _items(answer):
            notice = normalise("crossref", item)
            said += [
                update.model_copy(update={"of_this": True, "doi": notice.doi})
                for update in notice.updates
                if not update.of_this and update.doi == doi
            ]
        return said


def _missing(status: int, text: str) -> bool:
    return status == 404 and "resource not found" in text.lower()


def _message(answer: Any) -> Any:
    message = mapping(answer).get("message")
    if not isinstance(message, dict) or "DOI" not in message:
        raise UnreadableAnswer("crossref answers in a form that is not known: there is no work in it")
    return message


def _items(answer: Any) -> list[Any]:
    message = mapping(mapping(answer).get("message"))
    if not isinstance(message.get("items"), list):
        raise UnreadableAnswer("crossref answers in a form that is not known: there is no list of items")
    return list(objects(message["items"]))


def _found(work: Any) -> Found:
    record = normalise("crossref", work)
    abstract = raw(work.get("abstract"))
    links = [raw(link.get("URL")) for link in objects(work.get("link"))]
    return Found(
        record=record,
        abstract=plain_text(abstract).removeprefix("Abstract ") if abstract else None,
        links=tuple(link for link in links if link)[:5],
    )
