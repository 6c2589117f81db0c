"""A Zotero library on loopback that speaks the part of its API that is read: items, tags, collections, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.loopback.listening import Answering, Listening
from tests.loopback.server import JSON

PAGE_LIMIT = 100


@dataclass(frozen=True)
class Fault:
    """An answer in place of the right one. `drop` closes the connection without a word."""

    status: int = 429
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    drop: bool = False


@dataclass(frozen=True)
class Asked:
    """One request: its path below the API's root and its query."""

    path: str
    query: dict[str, str]
    key: str | None


def item(key: str, title: str, *, kind: str = "journalArticle", **data: Any) -> dict[str, Any]:
    """An item as the API gives it. `tags` and `authors` are given as plain names, `collections` as keys."""
    fields = {"key": key, "version": 1, "itemType": kind, "title": title, "dateAdded": "2026-01-01T00:00:00Z", **data}
    fields["tags"] = [{"tag": tag} for tag in data.get("tags", ())]
    names = [name.rpartition(" ") for name in fields.pop("authors", ())]
    fields["creators"] = [{"creatorType": "author", "firstName": first, "lastName": last} for first, _, last in names]
    fields.setdefault("collections", [])
    return {"key": key, "version": 1, "library": {"type": "user", "id": 0}, "data": fields}


def attachment(key: str, parent: str, filename: str, **data: Any) -> dict[str, Any]:
    """A PDF attached to an item."""
    given = {"contentType": "application/pdf", "linkMode": "imported_file", **data}
    return item(key, filename, kind="attachment", parentItem=parent, filename=filename, **given)


class ZoteroServer(Listening):
    """`asked` is what was asked, in order of arrival; `fault`, when set, may answer a request otherwise."""

    def __init__(
        self,
        items: list[dict[str, Any]],
        collections: dict[str, tuple[str, str | None]] | None = None,
        files: dict[str, bytes | Path] | None = None,
        *,
        page: int = PAGE_LIMIT,
        key: str | None = None,
        full_text: dict[str, str] | None = None,
    ) -> None:
        """`collections` are key to (name, parent's key); `full_text` is item key to the words of its attachment."""
        self.items, self.collections, self.files = items, collections or {}, files or {}
        self.page, self.key, self.full_text = page, key, full_text or {}
        self.asked: list[Asked] = []
        self.fault: Callable[[Asked], Fault | None] = lambda asked: None
        outer = self

        class Handler(Answering):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
                given = self.headers.get("Zotero-API-Key") or (self.headers.get("Authorization") or "").removeprefix(
                    "Bearer "
                )
                asked = Asked(parts.path.removeprefix("/api"), query, given or None)
                outer.asked.append(asked)
                fault = outer.fault(asked)
                if fault is not None:
                    if fault.drop:
                        self.close_connection = True
                        return
                    self.send(fault.status, fault.body, JSON | fault.headers)
                elif outer.key is not None and asked.key != outer.key:
                    self.send(403, b"Forbidden", {"Content-Type": "text/plain"})
                else:
                    status, body, headers = outer._answer(asked)
                    self.send(status, body, JSON | headers)

        super().__init__(Handler)
        self.url = f"http://127.0.0.1:{self.port}/api"

    def _answer(self, asked: Asked) -> tuple[int, bytes, dict[str, str]]:
        below = asked.path.split("/")[3:]  # "", users, 0
        match below:
            case ["items"] | ["items", "top"]:
                return self._listed(asked, self._matching(asked.query, top=below[-1] == "top"))
            case ["items", key, "children"]:
                return self._listed(asked, [i for i in self.items if i["data"].get("parentItem") == key])
            case ["items", key, "file"]:
                if key not in self.files:
                    return 404, b"Not found", {"Content-Type": "text/plain"}
                held = self.files[key]
                if isinstance(held, Path):  # as the local API does
                    return 302, b"", {"Location": held.as_uri()}
                return 200, held, {"Content-Type": "application/pdf"}
            case ["tags"]:
                names = sorted({t["tag"] for i in self.items for t in i["data"]["tags"]})
                return self._listed(asked, [{"tag": name} for name in names])
            case ["collections"]:
                return self._listed(
                    asked,
                    [
                        {"key": key, "data": {"key": key, "name": name, "parentCollection": parent or False}}
                        for key, (name, parent) in self.collections.items()
                    ],
                )
            case ["collections", key, "items"]:
                inside = {i["key"] for i in self.items if key in i["data"]["collections"]}
                found = [i for i in self.items if i["key"] in inside or i["data"].get("parentItem") in inside]
                return self._listed(asked, found) if key in self.collections else (404, b"", {})
        return 404, b"Not found", {"Content-Type": "text/plain"}

    def _matching(self, query: dict[str, str], *, top: bool) -> list[dict[str, Any]]:
        found = [i for i in self.items if not (top and i["data"].get("parentItem"))]
        if "itemKey" in query:
            found = [i for i in found if i["key"] in query["itemKey"].split(",")]
        if "tag" in query:
            wanted = set(query["tag"].split(" || "))
            found = [i for i in found if wanted & {t["tag"] for t in i["data"]["tags"]}]
        for word in query.get("q", "").casefold().split():
            found = [i for i in found if word in self._words(i, query.get("qmode") == "everything")]
        return found

    def _words(self, entry: dict[str, Any], everything: bool) -> str:
        data = entry["data"]
        said = [data.get("title", ""), data.get("date", ""), *(c["lastName"] for c in data["creators"])]
        if everything:
            said += [str(v) for v in data.values()] + [self.full_text.get(entry["key"], "")]
        return " ".join(said).casefold()

    def _listed(self, asked: Asked, found: list[Any]) -> tuple[int, bytes, dict[str, str]]:
        start = int(asked.query.get("start", 0))
        limit = min(int(asked.query.get("limit", 25)), self.page)
        headers = {"Total-Results": str(len(found)), "Zotero-API-Version": "3"}
        links = [f'<{self.url}{asked.path}?{urlencode(asked.query)}>; rel="self"']
        if start + limit < len(found):
            more = urlencode({**asked.query, "start": start + limit, "limit": limit})
            links.append(f'<{self.url}{asked.path}?{more}>; rel="next"')
        headers["Link"] = ", ".join(links)
        return 200, json.dumps(found[start : start + limit]).encode(), headers


def zotero_server(*args: Any, **kwargs: Any) -> closing[ZoteroServer]:
    """A library for the length of a `with` block."""
    return closing(ZoteroServer(*args, **kwargs))
