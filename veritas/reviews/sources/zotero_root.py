"""A Zotero library as a root: a collection with those below it, or the best items for a topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from veritas.errors import InputError
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.drafts import Offer
from veritas.reviews.sources.attachments import Library
from veritas.reviews.zotero import items as reading
from veritas.reviews.zotero.database import SUFFIX, ZoteroDatabase
from veritas.reviews.zotero.items import ZoteroLibrary
from veritas.reviews.zotero.library_search import ItemFilters, search_library
from veritas.reviews.zotero.zotero_api import ZoteroClient, ZoteroSettings, pyzotero_installed

WHOLE = "all"
"""Name for the whole library in place of a collection."""


def connect(settings: ZoteroSettings | None = None) -> ZoteroLibrary:
    """Return the library that the environment names: an API's, or a database. Raises `InputError`, `Unavailable`."""
    settings = settings or ZoteroSettings.from_environment()
    if (settings.url or "").endswith(SUFFIX):
        return ZoteroDatabase(settings)
    pyzotero_installed()
    return ZoteroClient(settings)


def offer_collection(client: ZoteroLibrary, collection: str) -> Offer:
    """Return the papers of a collection, named by its key, its name or its path (`Thesis/Chapter 2`), and of those
    below it.

    Raises `InputError` if there is none or several of that name, `Unavailable` if Zotero does not answer.
    """
    if collection == WHOLE:
        return _offer(client, f"{client.root}/{WHOLE}", client.all_items(), partial=False)
    key, below = _find(client, collection)
    found: dict[str, Mapping[str, Any]] = {}
    for each in (key, *below):
        for item in client.collection_items(each):
            found.setdefault(reading.key_of(item) or "", item)
    return _offer(client, f"{client.root}/collections/{key}", found.values(), partial=False)


async def offer_topic(
    client: ZoteroLibrary, topic: str, *, filters: ItemFilters | None = None, corpus: Corpus | None = None
) -> Offer:
    """Return the papers that the library's search ranks best for a topic; they are added to those of other topics."""
    import asyncio

    hits = await search_library(client, topic, filters=filters, corpus=corpus)

    def read() -> Offer:
        keys = [hit.key for hit in hits]
        items = client.items(len(keys), itemKey=",".join(keys)) if keys else []
        return _offer(client, f"{client.root}/topics", [*items, *client.children(keys)], partial=True)

    return await asyncio.to_thread(read)


def _offer(client: ZoteroLibrary, root: str, items: Iterable[Mapping[str, Any]], *, partial: bool) -> Offer:
    papers: dict[str, Mapping[str, Any]] = {}
    children: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for item in items:
        key = reading.key_of(item)
        parent = reading.data_of(item).get("parentItem")
        if isinstance(parent, str):
            children[parent].append(item)
        elif key is not None and reading.is_paper(item):
            papers[key] = item
    library = Library(root)
    for key in sorted(papers):
        item = papers[key]
        known = reading.record(item)
        abstract = str(reading.data_of(item).get("abstractNote") or "").strip()
        library.paper(
            key,
            known,
            reading.files(client, children[key]) or ([reading.Abstract(abstract)] if abstract else []),
            given_key=reading.given_key(item),
            item_type=str(reading.data_of(item).get("itemType") or ""),
            tags=reading.tags(item),
            url=reading.url(item, known),
        )
    return library.offer(partial=partial)


def _find(client: ZoteroLibrary, named: str) -> tuple[str, list[str]]:
    """Return the key of a collection, and the keys of those below it."""
    names: dict[str, str] = {}
    parents: dict[str, str | None] = {}
    for collection in client.collections():
        key, data = reading.key_of(collection), reading.data_of(collection)
        if key is not None:
            names[key] = str(data.get("name") or "")
            parent = data.get("parentCollection")
            parents[key] = parent if isinstance(parent, str) else None

    def path(key: str) -> str:
        parts, at, seen = [], key, set()
        while at in names and at not in seen:
            seen.add(at)
            parts.append(names[at])
            at = parents[at] or ""
        return "/".join(reversed(parts))

    wanted = named.casefold()
    found = [k for k in names if k == named] or [k for k in names if path(k).casefold() == wanted]
    found = found or [k for k in names if names[k].casefold() == wanted]
    if not found:
        there = ", ".join(sorted(path(k) for k in names)[:20]) or "none"
        raise InputError(f"Zotero has no collection {named!r}; there are {there}")
    if len(found) > 1:
        raise InputError(f"several collections are called {named!r}: {', '.join(sorted(path(k) for k in found))}")
    below: list[str] = []
    level = found
    while level:
        level = [k for k in names if parents[k] in level and k not in (*found, *below)]
        below += level
    return found[0], below
