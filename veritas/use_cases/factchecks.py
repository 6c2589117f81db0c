"""Any text: what others wrote, checked statement by statement against the sources it cites."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.errors import InputError, Unavailable
from veritas.use_cases.given import Paths, given_paths, given_text

if TYPE_CHECKING:
    from veritas.factcheck.checking import Look
    from veritas.factcheck.mending import Mended as Mended
    from veritas.factcheck.outcome import CheckedStatement, FactCheck
    from veritas.factcheck.shapes import CheckedText
    from veritas.factcheck.sources import Shelf
    from veritas.factcheck.sources import Source as Source

MOST = 50_000_000
"""Bytes of a file that are read."""
SEARCHED = 5
"""Hits asked of each provider for a statement without a citation."""


@dataclass(frozen=True)
class Told:
    """Who hears of the progress of a check: `begun` of the number of pages and of statements, `read` of each page as it
    was read or not, `judged` of each statement with its verdict."""

    begun: Callable[[int, int], None] = lambda pages, statements: None
    read: Callable[[Source], None] = lambda source: None
    judged: Callable[[CheckedStatement], None] = lambda statement: None


async def check_facts(
    text: str | None = None,
    *,
    file: str | Path | None = None,
    sources: str | Path | None = None,
    corpus: Paths = (),
    recorded: str | Path | None = None,
    offline: bool = False,
    search: bool = False,
    policy: str | Path | None = None,
    told: Told | None = None,
) -> FactCheck:
    """Return the verdict on each statement of a text, by the sources it cites: supported, partly, contradicted, not in
    the source, unreachable, mark without a source, uncited or cannot tell, each with the passage it rests on.

    Give the `text` (Markdown, HTML, LaTeX, plain, or a conversation's export in JSON), or a `file`: its path or its
    address, also DOCX and PDF. `sources` is a list of sources beside it: its text, or the path of its file. Pages are
    read from `recorded` (a folder with a manifest.json, and then from nowhere else), from `corpus`, and from the web
    unless `offline`. `search` looks for statements without a citation. The source policy stops nothing: a source's tier
    stands beside the verdict. `told` hears of the progress. Raises `InputError` for a text or file that cannot be
    read, `Unavailable` for an address that gives none.
    """
    from veritas.factcheck.checking import check
    from veritas.factcheck.sources import Sources
    from veritas.use_cases.claims import source_policy

    if (text is None) == (file is None):
        raise InputError("give a text, or a file: its path or its address")
    rules = source_policy(policy)
    beside = _list_of_sources(sources)
    if text is not None:
        read, name = _read_text(given_text(text, "text"), beside), "text"
    else:
        assert file is not None
        data, name = await _data_of(file, offline=offline)
        read = _read_data(data, name, beside)
    if not read.text.strip():
        raise InputError(f"{name} is empty: there is nothing to check")
    shelves = _shelves(corpus, recorded, offline, policy)
    look = _look() if search and not offline else None
    return await check(read, Sources(rules, shelves), name=name, told=told or Told(), look=look)


def shown_address(url: str) -> str:
    """Return an address, or a text with addresses, without keys."""
    from veritas.factcheck.page_addresses import without_keys

    return without_keys(url)


def mend_facts(check: FactCheck) -> Mended:
    """Return the checked text as a corrected draft: only what failed is taken out or marked, each with its reason."""
    from veritas.factcheck.mending import mend

    return mend(check)


def _read_text(text: str, sources: str | None) -> CheckedText:
    from veritas.factcheck.page_addresses import without_keys
    from veritas.factcheck.text_reading import read_conversation, read_text

    if not text.strip():
        raise InputError("the text is empty: there is nothing to check")
    text = without_keys(text)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return read_conversation(text, sources=sources)
        except InputError:
            pass  # a text that begins with a bracket
    return read_text(text, sources=sources)


def _read_data(data: bytes, name: str, sources: str | None) -> CheckedText:
    from veritas.factcheck.page_addresses import without_keys
    from veritas.factcheck.text_reading import read_bytes

    if not data.strip():
        raise InputError(f"{name} is empty: there is nothing to check")
    if b"://" in data and not data.startswith((b"%PDF", b"PK")):
        with suppress(UnicodeDecodeError):  # in another encoding, which its reader knows
            data = without_keys(data.decode("utf-8")).encode("utf-8")
    return read_bytes(data, name=name, sources=sources)


async def _data_of(file: str | Path, *, offline: bool) -> tuple[bytes, str]:
    """Return the bytes of a file or of an address, and the name that its ending tells the format by."""
    said = str(file)
    if not said.startswith(("http://", "https://")):
        return await asyncio.to_thread(_bytes_of, said)
    if offline:
        raise InputError(f"{shown_address(said)} is an address, and nothing is asked of the network")
    return await _fetched(said)


def _bytes_of(said: str) -> tuple[bytes, str]:
    path = Path(said)
    if path.is_dir():
        raise InputError(f"{said} is a folder: name a file")
    try:
        if path.stat().st_size > MOST:
            raise InputError(f"{said} is larger than {MOST // 1_000_000} MB")
        return path.read_bytes(), path.name
    except OSError as error:
        raise InputError(f"{said} cannot be read: {os.strerror(error.errno or 0)}") from error


async def _fetched(url: str) -> tuple[bytes, str]:
    from urllib.parse import unquote, urlsplit

    from veritas.factcheck.page_addresses import public_address
    from veritas.policy.search_providers import load_providers
    from veritas.reading.web.fetching import Fetcher
    from veritas.reading.web.readable import make_readable

    address = public_address(url)
    try:
        page = await Fetcher(load_providers().reading).fetch(address)
        await make_readable(page, characters=MOST)
    except Unavailable as error:
        raise Unavailable(f"{address} {error}") from error
    name = unquote(urlsplit(page.final_url).path).rpartition("/")[2] or "page"
    kind = page.headers.get("content-type", "").split(";")[0].strip().lower()
    ending = {"text/html": ".html", "application/pdf": ".pdf", "text/markdown": ".md"}.get(kind, "")
    return page.body, name if not ending or name.endswith(ending) else f"{name}{ending}"


def _list_of_sources(sources: str | Path | None) -> str | None:
    """Return the text of a list of sources, given as it is or by the path of its file."""
    if sources is None:
        return None
    named = isinstance(sources, Path) or ("\n" not in sources and len(sources) < 1_000 and Path(sources).is_file())
    if not named:
        return str(sources)
    try:
        return Path(sources).read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"{sources} cannot be read: {os.strerror(error.errno or 0)}") from error


def _shelves(
    corpus: Paths, recorded: str | Path | None, offline: bool, policy: str | Path | None
) -> Sequence[Shelf]:
    from veritas.factcheck.sources import CorpusPages, RecordedPages, WebPages

    shelves: list[Shelf] = []
    if paths := [Path(each) for each in given_paths(corpus)]:
        from veritas.reading.loading import load_corpus

        shelves.append(CorpusPages(load_corpus(paths), paths))
    if recorded is not None:
        shelves.append(RecordedPages(Path(recorded)))
    elif not offline:
        from veritas.reading.web import WebReader
        from veritas.use_cases.claims import source_policy

        shelves.append(WebPages(WebReader(source_policy(policy))))
    return shelves


def _look() -> Look:
    """Return what looks for pages about a statement: every configured provider. Raises `InputError` without one."""
    from veritas.search.configured_providers import live_providers

    providers = live_providers()
    if not providers:
        raise InputError("no search provider is configured, which a search needs; see `veritas providers`")

    async def look(statement: str) -> Sequence[str]:
        found: dict[str, None] = {}
        for provider in providers:
            try:
                hits = await provider.search(statement[:300], limit=SEARCHED)
            except Unavailable:
                continue
            found.update(dict.fromkeys(hit.url for hit in hits))
        return list(found)

    return look
