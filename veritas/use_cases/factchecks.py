"""Any text: what others wrote, checked statement by statement against the sources it cites."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.errors import InputError, Unavailable
from veritas.use_cases.given import Paths, Spending, given_budget, given_paths, given_text

if TYPE_CHECKING:
    from veritas.claims.graph import Call
    from veritas.factcheck.checking import Look
    from veritas.factcheck.council_judging import CouncilJudges
    from veritas.factcheck.mending import Mended as Mended
    from veritas.factcheck.named_documents import Named
    from veritas.factcheck.outcome import CheckedStatement, FactCheck
    from veritas.factcheck.shapes import CheckedText
    from veritas.factcheck.sources import Archive, Shelf
    from veritas.factcheck.sources import Source as Source
    from veritas.policy.cost_tiers import Budget

MOST = 50_000_000
"""Bytes of a file that are read."""
SEARCHED = 5
"""Hits asked of each provider for a statement without a citation."""


@dataclass(frozen=True)
class Told:
    """Who hears of the progress of a check: `begun` of the number of pages and of statements, `read` of each page as it
    was read or not, `judged` of each statement with its verdict, `forecast` of what a council will take, before it is
    asked."""

    begun: Callable[[int, int], None] = lambda pages, statements: None
    read: Callable[[Source], None] = lambda source: None
    judged: Callable[[CheckedStatement], None] = lambda statement: None
    forecast: Callable[[str], None] = lambda said: None


async def check_facts(
    text: str | None = None,
    *,
    file: str | Path | None = None,
    sources: str | Path | None = None,
    corpus: Paths = (),
    recorded: str | Path | None = None,
    offline: bool = False,
    search: bool = False,
    council: str | Path | None = None,
    budget: Spending | None = None,
    policy: str | Path | None = None,
    told: Told | None = None,
) -> FactCheck:
    """Return the verdict on each statement of a text, by the sources it cites: supported, partly, contradicted, not in
    the source, unreachable, mark without a source, uncited or cannot tell, each with the passage it rests on.

    Give the `text` (Markdown, HTML, LaTeX, plain, or a conversation's export in JSON), or a `file`: its path or its
    address, also DOCX and PDF. `sources` is a list of sources beside it: its text, or the path of its file. Pages are
    read from `recorded` (a folder with a manifest.json, and then from nowhere else), from `corpus`, and from the web
    unless `offline`. `search` looks for statements without a citation. `council`, a file or the name of a ready one,
    judges what the embedded judge cannot tell, within `budget`: US dollars, or a `Budget`. Its answers are kept in
    `VERITAS_HOME`, and none is paid twice. The source policy stops nothing: a source's tier stands beside the verdict.
    `told` hears of the progress. Raises `InputError` for a text, file or council that cannot be used, `Unavailable` for
    an address that gives no text.
    """
    from veritas.factcheck.checking import check
    from veritas.factcheck.sources import CorpusPages, Sources
    from veritas.use_cases.claims import source_policy

    if (text is None) == (file is None):
        raise InputError("give a text, or a file: its path or its address")
    rules = source_policy(policy)
    beside = _list_of_sources(sources)
    shelves, archive = _shelves(corpus, recorded, offline, policy)
    named = next((shelf.named.called for shelf in shelves if isinstance(shelf, CorpusPages)), None)
    if text is not None:
        read, name = _read_text(given_text(text, "text"), beside, named), "text"
    else:
        assert file is not None
        data, name = await _data_of(file, offline=offline)
        read = _read_data(data, name, beside, named)
    if not read.text.strip():
        raise InputError(f"{name} is empty: there is nothing to check")
    pages = Sources(rules, shelves, archive)
    look = _look() if search and not offline else None
    limit = given_budget(budget)
    asked = told or Told()
    if council is None:
        return await check(read, pages, name=name, told=asked, look=look)
    async with _council(council, limit) as (judges, calls):
        made = await check(read, pages, name=name, told=asked, look=look, judges=judges)
    return _with_costs(made, calls)


@asynccontextmanager
async def _council(council: str | Path, budget: Budget | None) -> AsyncIterator[tuple[CouncilJudges, list[Call]]]:
    """Seat a council whose calls are paid from a budget, kept in a ledger, and counted."""
    from veritas.council.connections import Switchboard
    from veritas.council.seated_council import build_council
    from veritas.council.select_council import choose_council, council_file
    from veritas.council.spending import Spending as Spent
    from veritas.council.spending import within_budget
    from veritas.factcheck.council_judging import CouncilJudges
    from veritas.gate.lens_calls import InProcess
    from veritas.policy.cost_tiers import Budget as Limits
    from veritas.policy.gate_policy import load_gate_policy
    from veritas.settings import home
    from veritas.store.call_record import collecting_calls
    from veritas.store.ledger import FolderLedger

    chosen = choose_council(council_file(council))
    board = Switchboard(chosen.policy.providers)
    board.bind(FolderLedger(home() / "judgments"))
    seated = build_council(chosen.policy, board)
    asker = InProcess(load_gate_policy().lens_seconds)
    try:
        judges = CouncilJudges(chosen.name, seated, asker, prices=board.prices())
        spent = Spent(budget or Limits(), free=board.free_models())
        with within_budget(spent), collecting_calls() as calls:
            yield judges, calls
    finally:
        await board.close()


def _with_costs(check: FactCheck, calls: Sequence[Call]) -> FactCheck:
    """Return a check with what its judges cost."""
    from veritas.text.plural import plural

    paid = [call for call in calls if not call.from_ledger]
    known = [call.cost_usd for call in paid if call.cost_usd is not None]
    cost = sum(known) if len(known) == len(paid) else None
    if not calls:
        return check
    said = f"asked the judges of the council: {plural(len(paid), 'call')}, {len(calls) - len(paid)} from the ledger"
    price = f"${cost:.4f}" if cost is not None else "at a price that is not known"
    return check.model_copy(update={"cost_usd": cost, "notes": (*check.notes, f"{said}, {price}")})


def shown_address(url: str) -> str:
    """Return an address, or a text with addresses, without keys."""
    from veritas.factcheck.addresses import without_keys

    return without_keys(url)


def mend_facts(check: FactCheck) -> Mended:
    """Return the checked text as a corrected draft: only what failed is taken out or marked, each with its reason."""
    from veritas.factcheck.mending import mend

    return mend(check)


def _read_text(text: str, sources: str | None, named: Named | None) -> CheckedText:
    from veritas.factcheck.addresses import without_keys
    from veritas.factcheck.text_reading import read_conversation, read_text

    if not text.strip():
        raise InputError("the text is empty: there is nothing to check")
    text = without_keys(text)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return read_conversation(text, sources=sources, named=named)
        except InputError:
            pass  # a text that begins with a bracket
    return read_text(text, sources=sources, named=named)


def _read_data(data: bytes, name: str, sources: str | None, named: Named | None) -> CheckedText:
    from veritas.factcheck.addresses import without_keys
    from veritas.factcheck.text_reading import read_bytes

    if not data.strip():
        raise InputError(f"{name} is empty: there is nothing to check")
    if b"://" in data and not data.startswith((b"%PDF", b"PK")):
        with suppress(UnicodeDecodeError):  # in another encoding, which its reader knows
            data = without_keys(data.decode("utf-8")).encode("utf-8")
    return read_bytes(data, name=name, sources=sources, named=named)


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

    from veritas.factcheck.addresses import public_address
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
) -> tuple[Sequence[Shelf], Archive | None]:
    from veritas.factcheck.sources import CorpusPages, RecordedPages, WebPages

    shelves: list[Shelf] = []
    archive: Archive | None = None
    if paths := [Path(each) for each in given_paths(corpus)]:
        from veritas.reading.loading import load_corpus

        shelves.append(CorpusPages(load_corpus(paths), paths))
    if recorded is not None:
        shelves.append(RecordedPages(Path(recorded)))
    elif not offline:
        from veritas.policy.search_providers import load_providers
        from veritas.reading.web import WebReader
        from veritas.reading.web.fetching import ArchivedCopies, Fetcher
        from veritas.use_cases.claims import source_policy

        file = load_providers()
        fetcher = Fetcher(file.reading)
        shelves.append(WebPages(WebReader(source_policy(policy), file, fetcher=fetcher)))
        archive = ArchivedCopies(fetcher, file.reading.archive)
    return shelves, archive


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
