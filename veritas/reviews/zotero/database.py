"""A Zotero library as the copied file `zotero.sqlite`, read as its API gives it. Nothing is ever written."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from veritas.errors import CorpusError, InputError
from veritas.reviews.zotero.zotero_api import ZoteroSettings

SUFFIX = ".sqlite"
_LINK_MODES = ("imported_file", "imported_url", "linked_file", "linked_url")
_ITEMS = """
    SELECT i.itemID, i.key, t.typeName FROM items i JOIN itemTypes t USING (itemTypeID)
    WHERE i.itemID NOT IN (SELECT itemID FROM deletedItems)
"""
_FIELDS = """
    SELECT d.itemID, f.fieldName, v.value FROM itemData d JOIN fields f USING (fieldID) JOIN itemDataValues v
    USING (valueID)
"""
_CREATORS = """
    SELECT x.itemID, c.firstName, c.lastName, t.creatorType FROM itemCreators x JOIN creators c USING (creatorID)
    JOIN creatorTypes t USING (creatorTypeID) ORDER BY x.itemID, x.orderIndex
"""


class ZoteroDatabase:
    """The library of a `zotero.sqlite`; attachments lie in the folder `storage` beside it, or in that of the settings.

    Raises `InputError` for a file that is none.
    """

    def __init__(self, settings: ZoteroSettings) -> None:
        path = Path(settings.url or "")
        beside = path.parent / "storage"
        self.settings = replace(settings, storage=beside if beside.is_dir() else settings.storage)
        self.root = f"zotero:{path.resolve().parent.name}"
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
                self._read(db)
        except (sqlite3.Error, ValueError) as error:
            raise InputError(f"{path} cannot be read as a Zotero database: {error}") from error

    def _read(self, db: sqlite3.Connection) -> None:
        rows = db.execute
        data: dict[int, dict[str, Any]] = {
            number: {"key": key, "itemType": kind, "creators": [], "tags": []} for number, key, kind in rows(_ITEMS)
        }

        def of_items(query: str) -> Iterator[tuple[Any, ...]]:
            return ((data[number], *more) for number, *more in rows(query) if number in data)

        for item, name, value in of_items(_FIELDS):
            item[name] = str(value)
        for item, first, last, kind in of_items(_CREATORS):
            called = {"firstName": first, "lastName": last} if first else {"name": last}
            item["creators"].append({"creatorType": kind, **called})
        for item, tag in of_items("SELECT itemID, name FROM itemTags JOIN tags USING (tagID)"):
            item["tags"].append({"tag": tag})
        attached = "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
        for item, parent, mode, media, path in of_items(attached):
            name = str(path or "").removeprefix("storage:")
            item |= {
                "parentItem": data.get(parent, {}).get("key"), "linkMode": _LINK_MODES[mode or 0],
                "contentType": media, "path": name, "filename": name,
            }  # fmt: skip
        self._items = [{"key": each["key"], "data": each} for each in data.values()]
        names: dict[int, str] = dict(rows("SELECT collectionID, key FROM collections"))
        self._collections = [
            {"key": names[number], "data": {"name": name, "parentCollection": names.get(parent)}}
            for number, name, parent in rows("SELECT collectionID, collectionName, parentCollectionID FROM collections")
        ]
        self._held: dict[str, set[str]] = defaultdict(set)
        for collection, number in rows("SELECT collectionID, itemID FROM collectionItems"):
            if number in data:
                self._held[names[collection]].add(data[number]["key"])

    def collections(self) -> list[dict[str, Any]]:
        """Return all collections."""
        return self._collections

    def collection_items(self, key: str) -> list[dict[str, Any]]:
        """Return the items of a collection, with their attachments."""
        held = self._held[key]
        return [each for each in self._items if each["key"] in held or each["data"].get("parentItem") in held]

    def all_items(self) -> list[dict[str, Any]]:
        """Return the items of the whole library, attachments among them."""
        return self._items

    def items(self, limit: int, **query: str) -> list[dict[str, Any]]:
        """Return at most `limit` items that have the keys, one of the tags, or all the words of a query."""
        keys, tags = query.get("itemKey", "").split(","), query.get("tag", "").split(" || ")
        words = query.get("q", "").casefold().split()

        def wanted(data: dict[str, Any]) -> bool:
            if "itemKey" in query:
                return data["key"] in keys
            if "tag" in query:
                return any(each["tag"] in tags for each in data["tags"])
            said = str(data).casefold()
            return all(word in said for word in words)

        return [each for each in self._items if "parentItem" not in each["data"] and wanted(each["data"])][:limit]

    def tags(self) -> list[str]:
        """Return all tags."""
        return sorted({tag["tag"] for each in self._items for tag in each["data"]["tags"]})

    def children(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Return the attachments of items."""
        return [each for each in self._items if each["data"].get("parentItem") in keys]

    def file(self, key: str) -> bytes:
        """Raise `CorpusError`: a database holds no files."""
        raise CorpusError(f"is not in {self.settings.storage or 'a folder storage beside the database'}")
