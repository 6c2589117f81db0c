"""arXiv: `/api/query`, an Atom feed; an unknown id is a feed without an entry, a malformed one an error in the feed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from veritas.citations.normalising import normalise
from veritas.citations.records import Source
from veritas.citations.sources.service import Service
from veritas.citations.sources.source import Found, Identifier, IdentifierKind

_ATOM = "{http://www.w3.org/2005/Atom}"


class ArXiv:
    """The preprint server itself: what it says of a preprint is so."""

    name: Source = "arxiv"
    knows: frozenset[IdentifierKind] = frozenset({"arxiv"})
    searches = True

    def __init__(self, service: Service) -> None:
        self._service = service

    async def look_up(self, identifier: Identifier) -> Found | None:
        found = await self._query({"id_list": identifier.value, "max_results": "1"})
        return next((each for each in found if each.record.arxiv_id == identifier.value), None)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        plain = " ".join(re.findall(r"\w+", words))[:300]
        query = " AND ".join(f"all:{word}" for word in plain.split()[:4]) if anywhere else f'ti:"{plain}"'
        return await self._query({"search_query": query, "max_results": str(limit)})

    async def _query(self, params: dict[str, str]) -> list[Found]:
        feed = await self._service.text(
            "/api/query", params, check=_wrong, empty=lambda text: "<entry" not in text
        )
        return [_found(entry) for entry in _entries(feed or "")]


def _wrong(status: int, text: str) -> str | None:
    """What is wrong with an answer. A malformed id is answered with 400 and a feed that says so: nothing is there."""
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
