"""The references of an encyclopedia page: the web pages it cites, one per reference, in order."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from veritas.documents.metadata import is_web_url

MAX_REFERENCES = 300
_CLASS = "[contains(concat(' ', @class, ' '), ' {} ')]"
_LISTS = f"//ol{_CLASS.format('references')}/li | //*{_CLASS.format('refbegin')}//li"
_ARCHIVES = re.compile(
    r"(?:web\.)?archive\.(?:org|today|ph|is)|webcitation\.org|wayback\.archive-it\.org|ghostarchive\.org"
)
_CATALOGUES = re.compile(
    r"(?:www\.)?worldcat\.org|(?:search\.)?worldcat\.org|(?:api\.)?semanticscholar\.org|ui\.adsabs\.harvard\.edu"
    r"|(?:www\.)?jstor\.org/stable|hdl\.handle\.net|books\.google\.\w+|id\.loc\.gov|www\.wikidata\.org"
    r"|mathscinet\.ams\.org|zbmath\.org|catalogue\.bnf\.fr|d-nb\.info|oclc\.org|openlibrary\.org"
)


def references_of(root: Any, page_url: str) -> tuple[str, ...]:
    """Return the cited URLs of a MediaWiki page (an lxml element), the best one of each reference.

    That is the link on the work's title; an archived copy or a catalogue entry is taken only if there is nothing
    else.
    """
    own = urlsplit(page_url).hostname
    found: dict[str, None] = {}
    for item in root.xpath(_LISTS):
        links = []
        for anchor in item.iter("a"):
            try:
                url = urljoin(page_url, (anchor.get("href") or "").strip()).partition("#")[0]
                host = urlsplit(url).hostname
            except ValueError:
                continue
            if is_web_url(url) and host != own and not _is_wiki(host):
                links.append(url)
        if links:
            found.setdefault(min(links, key=lambda url: (_rank(url), links.index(url))))
        if len(found) >= MAX_REFERENCES:
            break
    return tuple(found)


def _rank(url: str) -> int:
    parts = urlsplit(url)
    place = f"{parts.hostname}{parts.path}"
    if _ARCHIVES.match(place):
        return 2
    return 1 if _CATALOGUES.match(place) else 0


def _is_wiki(host: str | None) -> bool:
    return bool(host and re.search(r"(?:^|\.)(?:wikipedia|wikimedia|wiktionary|mediawiki|wikisource)\.org$", host))
