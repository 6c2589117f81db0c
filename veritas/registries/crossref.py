"""Crossref: `/works/{doi}`, `/works?query.bibliographic=`, and the notices that say they update a DOI."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from veritas.errors import UnreadableAnswer
from veritas.policy.search_providers import email
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, parts
from veritas.text.markup import plain_text
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Source, Update

AT_ONCE = 40
"""DOIs in one request, so that its address does not grow too long."""
MAX_NOTICES = 1000


class Crossref:
    """Crossref, with the records that publishers deposited. arXiv's DOIs are not among them (they are DataCite's)."""

    name: Source = "crossref"
    knows: frozenset[IdentifierKind] = frozenset({"doi"})
    searches = True

    def __init__(self, service: Service) -> None:
        self._service = service

    def _params(self, **more: str) -> dict[str, str]:
        address = email()
        return ({"mailto": address} if address else {}) | more

    async def look_up(self, identifier: Identifier) -> Found | None:
        answer = await self._service.json(_path(identifier.value), self._params(), missing=_missing)
        return None if answer is None else _found(_message(answer))

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Look DOIs up by the filter `doi`, which is an "or" when repeated. A DOI missing from the answer may be an
        alias, so `look_up` decides whether it exists."""
        dois = [each.value for each in identifiers if each.kind == "doi" and "," not in each.value]
        for some in parts([doi for doi in dois if self._service.kept(_path(doi)) is None], AT_ONCE):
            params = self._params(filter=",".join(f"doi:{doi}" for doi in some), rows=str(len(some)))
            for item in await self._service.many("/works", params, _items):
                doi = normalise_doi(raw(item.get("DOI")) or "")
                if doi is not None and doi in some:
                    self._service.keep(_path(doi), None, json.dumps({"status": "ok", "message": item}))

    def has(self, doi: str) -> bool:
        """Return whether the cache shows that Crossref registered a DOI, without a request."""
        kept = self._service.kept(_path(doi))
        return kept is not None and not kept.nothing

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        params = self._params(rows=str(limit)) | {"query.bibliographic": words[:400]}
        answer = await self._service.json("/works", params, empty=lambda answer: not _items(answer))
        return [_found(item) for item in _items(answer)]

    async def notices(self, doi: str) -> Sequence[Update]:
        """Return the updates that notices state for a DOI (`update-to`), independent of the paper's own record."""
        params = self._params(**_updates(doi))
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

    async def notices_ahead(self, dois: Sequence[str]) -> None:
        """Get the notices for many DOIs, and cache each like a single answer. Raises `Unavailable`."""
        wanted = [doi for doi in dois if "," not in doi and self._service.kept("/works", _updates(doi)) is None]
        for some in parts(wanted, AT_ONCE):
            params = self._params(filter=",".join(f"updates:{doi}" for doi in some), rows=str(MAX_NOTICES))
            items = await self._service.many("/works", params, _items)
            if len(items) >= MAX_NOTICES:
                continue  # there may be more, so each DOI is asked for alone
            for doi in some:
                own = [item for item in items if doi in _updated(item)]
                self._service.keep("/works", _updates(doi), json.dumps({"message": {"items": own}}), nothing=not own)


def _path(doi: str) -> str:
    return f"/works/{quote(doi, safe='/:;()')}"


def _updates(doi: str) -> dict[str, str]:
    return {"filter": f"updates:{doi}", "rows": "20"}


def _updated(item: Any) -> set[str | None]:
    """Return the DOIs that a notice is about."""
    return {normalise_doi(raw(update.get("DOI")) or "") for update in objects(item.get("update-to"))}


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
