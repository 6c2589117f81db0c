"""arXiv: `/api/query`, an Atom feed. An unknown id gives a feed without entry, a malformed one an error in it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from veritas.errors import UnreadableAnswer
from veritas.registries.http_registry import Service
from veritas.registries.records import normalise
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, parts
from veritas.works.records import Source

AT_ONCE = 50
_ATOM = "{http://www.w3.org/2005/Atom}"


class ArXiv:
    """The preprint server itself, the authority on its own preprints."""

    name: Source = "arxiv"
    knows: frozenset[IdentifierKind] = frozenset({"arxiv"})
    searches = False  # preprints only: not finding a paper there says nothing

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        found = await self._query(_by_id(identifier.value))
        return next((each for each in found if each.record.arxiv_id == identifier.value), None)

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Look up a list of ids. The answer omits unknown ones; `look_up` decides whether one is unknown."""
        ids = [each.value for each in identifiers if each.kind == "arxiv"]
        for some in parts([each for each in ids if self._service.kept("/api/query", _by_id(each)) is None], AT_ONCE):
            params = {"id_list": ",".join(some), "max_results": str(len(some))}
            for entry in await self._service.many("/api/query", params, _whole, form="text"):
                arxiv_id = _found(entry).record.arxiv_id
                if arxiv_id is not None and arxiv_id in some:
                    feed = ElementTree.Element(f"{_ATOM}feed")
                    feed.append(entry)
                    text = ElementTree.tostring(feed, encoding="unicode")
                    self._service.keep("/api/query", _by_id(arxiv_id), text)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]
        query = " AND ".join(f"all:{word}" for word in plain.split()[:4]) if anywhere else f'ti:"{plain}"'
        return await self._query({"search_query": query, "max_results": str(limit)})

    async def newest(self, query: str, *, limit: int = 20) -> Sequence[Found]:
        """Return the latest submissions to a listing, newest first; `query` as arXiv takes it (`cat:cs.CL`)."""
        newest = {"sortBy": "submittedDate", "sortOrder": "descending"}
        return await self._query({"search_query": query, "max_results": str(limit), **newest})

    async def _query(self, params: dict[str, str]) -> list[Found]:
        feed = await self._service.text(
            "/api/query", params, check=_wrong, empty=lambda text: "<entry" not in text
        )
        return [_found(entry) for entry in _entries(feed or "")]


def _by_id(arxiv_id: str) -> dict[str, str]:
    return {"id_list": arxiv_id, "max_results": "1"}


def _whole(text: str) -> list[ElementTree.Element]:
    if why := _wrong(200, text):
        raise UnreadableAnswer(f"arxiv {why}")
    return _entries(text)


def _wrong(status: int, text: str) -> str | None:
    """Return what is wrong with an answer, or None. A malformed id is answered with 400 and a feed, which is valid."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return "answers with a document type declaration where a feed was expected"
    try:
        root = ElementTree.fromstring(text.strip())
    except (ElementTree.ParseError, ValueError):
        return "answers with what is no XML, or a part of it"
    if root.tag != f"{_ATOM}feed":
        return "answers with XML that is no Atom feed"
    if status == 400 and "incorrect id format" in text:
        return None
    return None if status == 200 else f"answers with an error ({status})"


def _entries(feed: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(feed.strip())
    entries = root.findall(f"{_ATOM}entry")
    return [entry for entry in entries if "/api/errors" not in (entry.findtext(f"{_ATOM}id") or "")]


def _found(entry: ElementTree.Element) -> Found:
    record = normalise("arxiv", ElementTree.tostring(entry, encoding="unicode"))
    links: tuple[str, ...] = ()
    if record.arxiv_id:
        links = (f"https://arxiv.org/html/{record.arxiv_id}", f"https://arxiv.org/pdf/{record.arxiv_id}")
    return Found(record=record, abstract=(entry.findtext(f"{_ATOM}summary") or "").strip() or None, links=links)
