"""Sources of a text, each page fetched once: from recorded answers, from a corpus, or by the safe reader of the web."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import urlsplit

from veritas.documents.document import Document
from veritas.errors import InputError, Unavailable
from veritas.factcheck.addresses import holds_key, page_key, public_address
from veritas.factcheck.named_documents import NamedDocuments
from veritas.keys import withheld_from_message
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.reading.corpus import Corpus
from veritas.reading.formats import media_type_of
from veritas.reading.reader import Reader
from veritas.reading.web.page_cache import Page
from veritas.reading.web.page_identity import make_document
from veritas.reading.web.readable import make_readable

MOST = 20_000_000
"""Characters of a recorded page that are read."""
AT_ONCE = 8
"""Pages that are fetched at the same time; the reader itself keeps the pace of each host."""
ReadBy = Literal["web", "corpus", "recorded", ""]


@dataclass(frozen=True)
class Source:
    """A page as it was asked for. `document` is None where it could not be read, for the reason in `problem`;
    `outage`: who has it did not answer. `archived` is an archived copy, where one is known."""

    url: str
    tier: TierVerdict
    document: Document | None = None
    problem: str | None = None
    read_by: ReadBy = ""
    archived: str | None = None
    outage: bool = False


class Archive(Protocol):
    """Something that knows archived copies of pages."""

    async def find(self, url: str) -> str | None:
        """Return the address of a copy; None where none is known."""
        ...


class Shelf(Protocol):
    """Something that may hold pages."""

    name: ReadBy

    async def read(self, url: str, title: str | None) -> Document | None:
        """Return the page, None where it is not held. Raises `Unavailable` where it is held and is no source."""
        ...


class RecordedPages:
    """Pages in a folder with a `manifest.json` of `{url: {file, type, status}}`, read as the web reader reads them:
    `status` is by default 200, `file` is relative to the folder, `final_url` and `headers` may be given."""

    name: ReadBy = "recorded"

    def __init__(self, folder: Path) -> None:
        """Raises `InputError` for a folder without a manifest, and for one that says something else."""
        self._folder = folder
        path = folder / "manifest.json"
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path} is no manifest of recorded pages: {error}") from error
        if not isinstance(told, dict) or not all(isinstance(entry, dict) for entry in told.values()):
            raise InputError(f"{path} must be an object of {{url: {{file, type, status}}}}")
        self._entries: dict[str, tuple[str, dict[str, object]]] = {}
        for url, entry in told.items():
            self._entries.setdefault(page_key(url), (url, entry))

    async def read(self, url: str, title: str | None) -> Document | None:
        """Return the recorded page. Raises `Unavailable` where the recorded answer is no source."""
        for _ in range(5):
            held = self._entries.get(page_key(url))
            if held is None:
                raise Unavailable("is not among the recorded pages")
            page = self._page(url, held[1])
            if page.status not in (301, 302, 303, 307, 308) or not page.headers.get("location"):
                return await _read_page(page)
            url = page.headers["location"]
        raise Unavailable("redirects in a circle")

    def _page(self, url: str, entry: dict[str, object]) -> Page:
        given = entry.get("headers")
        headers = {str(k).lower(): str(v) for k, v in given.items()} if isinstance(given, dict) else {}
        if entry.get("type"):
            headers["content-type"] = str(entry["type"])
        if entry.get("location"):
            headers["location"] = str(entry["location"])
        status = int(str(entry.get("status", 200)))
        body = b""
        if entry.get("file"):
            path = (self._folder / str(entry["file"])).resolve()
            if not path.is_relative_to(self._folder.resolve()):
                raise Unavailable("is recorded outside its folder")
            try:
                body = path.read_bytes()
            except OSError as error:
                raise Unavailable(f"is in the manifest, but its file cannot be read: {error.strerror}") from error
            moment = path.stat().st_mtime
        else:
            moment = (self._folder / "manifest.json").stat().st_mtime
        final = str(entry.get("final_url") or url)
        return Page(url, final, status, headers, body, moment)


async def _read_page(page: Page) -> Document:
    found = await make_readable(page, characters=MOST)
    if found.refresh is not None:
        raise Unavailable(f"sends its readers on to {found.refresh[:200]}")
    return make_document(
        page, found.converted, media_type_of(found.kind), abstract_only=found.paywall is not None
    )


class CorpusPages:
    """Documents of a corpus, found by address, canonical link, DOI, title or the name of a file."""

    name: ReadBy = "corpus"

    def __init__(self, corpus: Corpus, folders: Sequence[Path] = ()) -> None:
        """`folders` are where its files lie: pages in HTML are asked for their canonical link."""
        self.named = NamedDocuments(corpus.documents, _canonical_links(folders))

    async def read(self, url: str, title: str | None) -> Document | None:
        """Return the document that is meant; None where the corpus has none, or several that it could be."""
        return self.named.at(url, title)


_CANONICAL = re.compile(
    rb"<link\b(?=[^>]*\brel\s*=\s*[\"']?canonical\b)[^>]*\bhref\s*=\s*[\"']?([^\"'\s>]+)"
    rb"|<meta\b(?=[^>]*\bproperty\s*=\s*[\"']?og:url\b)[^>]*\bcontent\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE
)  # fmt: skip


def _canonical_links(folders: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """Return the canonical links of the HTML files of some folders, by the file's name."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in folders:
        files = sorted(folder.rglob("*.htm*")) if folder.is_dir() else [folder] if ".htm" in folder.suffix else []
        for file in files:
            try:
                with file.open("rb") as opened:
                    head = opened.read(100_000)
            except OSError:
                continue
            links = tuple((a or b).decode("utf-8", "replace") for a, b in _CANONICAL.findall(head))
            found[file.name] = (*found.get(file.name, ()), *links)
    return found


class WebPages:
    """The live web, by the safe reader."""

    name: ReadBy = "web"

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def read(self, url: str, title: str | None) -> Document | None:
        """Return the page. Raises `Unavailable`."""
        if urlsplit(url).scheme not in ("http", "https"):
            raise Unavailable("is no address of the web")
        return await self._reader.read(url)


class Sources:
    """The pages that a text cites. Each is asked for once, whatever its spellings; shelves are asked in their order."""

    def __init__(self, policy: SourcePolicy, shelves: Sequence[Shelf], archive: Archive | None = None) -> None:
        """`archive` is asked for a copy of each page that the web did not give; the copy is not read."""
        self._policy, self._shelves, self._archive = policy, tuple(shelves), archive
        self._read: dict[str, asyncio.Task[Source]] = {}
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def read(self, url: str, title: str | None = None) -> Source:
        """Return the source at an address; one that could not be read has the reason. Never raises `Unavailable`."""
        key = page_key(url)
        if key not in self._read:
            self._read[key] = asyncio.create_task(self._fresh(url, title))
        return await self._read[key]

    async def _fresh(self, url: str, title: str | None) -> Source:
        address = public_address(url)
        tier = self._policy.classify(address)
        why = "was not read: it is in no corpus that was given, and the web is not asked"
        asked = False
        async with self._turn:
            for shelf in self._shelves:
                try:
                    document = await shelf.read(address, title)
                except Unavailable as error:
                    why = _reason(str(error), address)
                    asked = shelf.name == "web"
                    if shelf.name == "recorded":
                        break
                    continue
                except ValueError as error:  # an address that no program can read
                    why = f"is no address that can be read: {error}"
                    continue
                if document is not None:
                    return Source(address, tier, document, None, shelf.name)
            archived = await self._archive.find(address) if asked and self._archive is not None else None
        if holds_key(url):
            why = f"{why}; its address holds a key, which is neither sent nor kept"
        return Source(address, tier, None, why, archived=archived, outage=asked)


_PREDICATE = re.compile(
    r"(?:is|was|has|had|can|could|cannot|does|did|answers|answered|gave|gives|sent|sends|holds|needs|asks|says|said|took|"
    r"takes|leads|lies|refuses|refused|redirects|closed|ended|begins)\b"
)


def could_not_be_read(problem: str) -> str:
    """Return the sentence on a source that could not be read: a predicate goes to "the source", all else behind it."""
    return f"the source {problem}" if _PREDICATE.match(problem) else f"the source could not be read: {problem}"


def _reason(said: str, address: str) -> str:
    """Return why a page could not be read, without its address at the beginning, and without keys."""
    said = withheld_from_message(" ".join(said.split()))
    for form in (address, address.rstrip("/")):
        if said.startswith(f"{form} "):
            said = said[len(form) + 1 :]
    return said if len(said) <= 300 else f"{said[:299]}…"
