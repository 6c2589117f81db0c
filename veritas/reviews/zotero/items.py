"""A Zotero item as a paper: its record, its key, its tags, and the attachment that holds its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veritas.citations.record_exports import landing_page
from veritas.documents.metadata import is_web_url
from veritas.errors import CorpusError
from veritas.reading.formats import suffixes
from veritas.reading.walking import MAX_FILE_BYTES, read_bytes
from veritas.registries.records import normalise
from veritas.reviews.sources.attachments import Attached
from veritas.reviews.zotero.database import ZoteroDatabase
from veritas.reviews.zotero.zotero_api import ZoteroClient
from veritas.text.markup import plain_text
from veritas.works.records import BibRecord

ZoteroLibrary = ZoteroClient | ZoteroDatabase
NO_PAPERS = frozenset({"attachment", "note", "annotation"})
_TYPES = {
    "journalArticle": "article", "magazineArticle": "article", "newspaperArticle": "article", "preprint": "article",
    "conferencePaper": "inproceedings", "bookSection": "incollection", "book": "book", "thesis": "phdthesis",
    "report": "techreport", "dataset": "dataset",
}  # fmt: skip
_VENUES = ("publicationTitle", "proceedingsTitle", "bookTitle", "conferenceName", "repository", "university")
_KEY = re.compile(r"[A-Z0-9]{8}")
_EXTRA = re.compile(r"(?im)^\s*(citation key|doi|arxiv)\s*:\s*(\S+)\s*$")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_TYPE_SUFFIX = {
    "application/pdf": ".pdf", "text/html": ".html", "text/plain": ".txt", "application/epub+zip": ".epub",
    "application/xhtml+xml": ".html", "text/markdown": ".md",
}  # fmt: skip


def data_of(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of an item; empty for something that is no item."""
    data = item.get("data")
    return data if isinstance(data, Mapping) else {}


def key_of(item: Mapping[str, Any]) -> str | None:
    """Return an item's key, or None if it is malformed: the key becomes part of a path."""
    key = item.get("key") or data_of(item).get("key")
    return key if isinstance(key, str) and _KEY.fullmatch(key) else None


def is_paper(item: Mapping[str, Any]) -> bool:
    """Return whether an item stands for a work, not for a file or a note."""
    return key_of(item) is not None and data_of(item).get("itemType") not in (*NO_PAPERS, None)


def record(item: Mapping[str, Any]) -> BibRecord:
    """Return the record of an item, with the markup in its title resolved."""
    data = data_of(item)
    extra = extras(data)
    creators = [c for c in data.get("creators") or () if isinstance(c, Mapping)]
    authors = [c for c in creators if c.get("creatorType") == "author"] or creators
    names = [
        {"family": c.get("lastName"), "given": c.get("firstName")} if c.get("lastName") else {"name": c.get("name")}
        for c in authors
    ]
    year = _YEAR.search(str(data.get("date") or ""))
    fields = {
        "title": plain_text(str(data.get("title") or "")),
        "author": names,
        "year": year[1] if year else None,
        "doi": data.get("DOI") or extra.get("doi"),
        "url": data.get("url"),
        "eprint": extra.get("arxiv") or (data.get("archiveID") if data.get("itemType") == "preprint" else None),
        "journal": next((data[name] for name in _VENUES if data.get(name)), None),
        "volume": data.get("volume"),
        "number": data.get("issue"),
        "pages": data.get("pages"),
        "entrytype": _TYPES.get(str(data.get("itemType")), "misc"),
    }
    return normalise("bibtex", {name: value for name, value in fields.items() if value})


def extras(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that stand line by line in an item's `extra`."""
    return {name.lower(): value for name, value in _EXTRA.findall(str(data.get("extra") or ""))}


def given_key(item: Mapping[str, Any]) -> str | None:
    """Return the citation key that Better BibTeX or Zotero itself gave, or None."""
    data = data_of(item)
    key = data.get("citationKey") or extras(data).get("citation key")
    return str(key) if key else None


def tags(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags of an item."""
    found = (t.get("tag") for t in data_of(item).get("tags") or () if isinstance(t, Mapping))
    return tuple(dict.fromkeys(" ".join(str(tag).split()) for tag in found if tag))


def url(item: Mapping[str, Any], known: BibRecord) -> str:
    """Return the URL of the work, else that of the item in Zotero."""
    said = data_of(item).get("url")
    return landing_page(known) or (said if isinstance(said, str) and is_web_url(said) else None) or (
        f"zotero://select/library/items/{key_of(item)}"
    )


class ZoteroFile(Attached):
    """An attachment: in Zotero's storage folder, at the path it links to, or at its server."""

    def __init__(self, client: ZoteroLibrary, item: Mapping[str, Any]) -> None:
        data = data_of(item)
        self._client, self._key = client, key_of(item)
        self._mode, self._path = data.get("linkMode"), str(data.get("path") or "")
        name = Path(str(data.get("filename") or self._path or "").replace("\\", "/")).name
        suffix = _TYPE_SUFFIX.get(str(data.get("contentType")), "")
        super().__init__(name if Path(name).suffix.lower() in suffixes() else (name or self._key or "file") + suffix)
        self._stored = name

    def data(self) -> bytes:
        """See `Attached`."""
        if self._mode == "linked_file":
            linked = Path(self._path)
            if not linked.is_absolute() or not linked.is_file():
                raise CorpusError(f"is linked to {self._path!r}, where there is none")
            return read_bytes(linked, follow=True)
        assert self._key is not None
        storage = self._client.settings.storage
        if storage is not None and self._stored:
            # The name is a stranger's, so it may only name a file of this folder.
            kept = storage / self._key / self._stored
            if kept.is_file() and not kept.is_symlink():
                return read_bytes(kept, follow=False)
        found = self._client.file(self._key)
        if len(found) > MAX_FILE_BYTES:
            raise CorpusError(f"is larger than {MAX_FILE_BYTES // 1024 // 1024} MB")
        return found


def files(client: ZoteroLibrary, children: Sequence[Mapping[str, Any]]) -> list[Path | Attached]:
    """Return the attachments of an item that are files, PDFs first, then in the order of their keys."""
    found = [
        child
        for child in children
        if data_of(child).get("itemType") == "attachment"
        and data_of(child).get("linkMode") != "linked_url"
        and key_of(child) is not None
    ]
    found.sort(key=lambda child: (data_of(child).get("contentType") != "application/pdf", key_of(child) or ""))
    return [ZoteroFile(client, child) for child in found]


class Abstract(Attached):
    """The abstract of an item without files."""

    def __init__(self, text: str) -> None:
        super().__init__("abstract.txt", remark="has no file; its abstract was read")
        self._text = text

    def data(self) -> bytes:
        """See `Attached`."""
        return self._text.encode()
