"""Research of one member on one sub-query: it searches its own providers, and the policy decides what is read.

I3 is enforced here and nowhere else: a document is read only if the policy admits its URL, and kept only if it also
admits the URL that answered. A rejected source leaves a row with its reason; no member ever sees its text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from urllib.parse import urldefrag

from pydantic import TypeAdapter

from veritas import plugins
from veritas.answers.runtime import Runtime
from veritas.answers.searches import ResearchUnit, Searches
from veritas.claims.graph import Binding, Call, Event, EventKind
from veritas.claims.sources import HitRecord, Passage, Search, Source, SourceStatus, source_id
from veritas.documents.document import Document
from veritas.documents.passages import cut_passages
from veritas.engine.units import Step, asked
from veritas.errors import Unavailable
from veritas.frozen import Frozen, content_id
from veritas.gate.plugin_thread import apart
from veritas.long_waits import waiting_for
from veritas.policy.search_providers import load_providers
from veritas.policy.source_policy import TierVerdict
from veritas.search.configured_providers import SEAM
from veritas.search.provider import SearchHit, SearchProvider
from veritas.search.ranking import best
from veritas.store.ledger import LedgerEntry
from veritas.text.instructions import find_instructions

LEAST = 8
"""Number of passages that a member may read however few documents there are."""
_HITS = TypeAdapter(tuple[SearchHit, ...])
ORIENTATION_PAGES = 2
ORIENTATION_REFERENCES = 5
"""Limits of the encyclopedia pages of a search that are read, and of the references of each that are followed."""


class Findings(Frozen):
    """The findings of one unit. `passages` are what the member may read, best first, only from admitted documents."""

    member: str
    sub_query_id: str
    searches: tuple[Search, ...]
    sources: tuple[Source, ...]
    documents: tuple[Document, ...]
    passages: tuple[Passage, ...]
    events: tuple[Event, ...] = ()


def _source(verdict: TierVerdict, url: str, title: str, status: SourceStatus, note: str | None = None) -> Source:
    return Source(
        source_id=source_id(url),
        url=url,
        status=status,
        tier=verdict.tier,
        paywalled=verdict.paywalled,
        admitted=verdict.admitted,
        justification=verdict.justification,
        rule=verdict.rule,
        publisher=verdict.publisher,
        title=title,
        note=note,
    )


def _read_source(source: Source, document: Document) -> Source:
    """Return the source with its identity from the document that was read (I2)."""
    return source.model_copy(
        update={
            "status": "read",
            "title": document.title or source.title,
            "authors": document.authors,
            "published_at": document.published_at,
            "doi": document.doi,
            "arxiv_id": document.arxiv_id,
            "fetch": document.fetched_at,
            "document_id": document.document_id,
            "note": document.note or source.note,
        }
    )


def _hits(found: object, provider: str, limit: int) -> tuple[SearchHit, ...]:
    """Return the first hits of a provider's answer. Raises `Unavailable` for an iterator, which may be endless, and
    `ValidationError` for a value that is no hit."""
    if not isinstance(found, Sequence):
        raise Unavailable(f"{provider} answered with {type(found).__name__}, which is no sequence of SearchHit")
    return _HITS.validate_python(found[:limit])


async def _asked_apart(
    provider: SearchProvider, ask: Callable[[], Awaitable[Sequence[SearchHit]]]
) -> Sequence[SearchHit]:
    """Ask a provider. A plug-in runs in its own thread, so a blocking one does not delay other searches."""
    name = provider.name
    installed = plugins.installed(SEAM)
    room = apart(provider) if name in installed and not plugins.is_built_in(SEAM, name) else None
    if room is None:
        return await ask()
    seconds = load_providers().reading.plugin_seconds
    with waiting_for(plugins.named(SEAM, name), seconds):
        try:
            return await room.ask(ask, name, seconds)
        except TimeoutError as problem:
            raise Unavailable(f"{name} gave no answer ({seconds:g} s)") from problem


class _Gatherer:
    """The work of one unit, with its findings in the order in which they came."""

    def __init__(self, unit: ResearchUnit, runtime: Runtime) -> None:
        self.unit, self.runtime = unit, runtime
        self.sources: dict[str, Source] = {}
        self.documents: dict[str, Document] = {}
        self.passages: dict[str, Passage] = {}
        self.events: list[Event] = []
        self.searches = Searches(unit, runtime, self._ask)

    def _meet(self, verdict: TierVerdict, url: str, title: str, status: SourceStatus) -> None:
        self.sources[url] = _source(verdict, url, title, status, self.runtime.notes.get(url))

    def _say(self, kind: EventKind, subject: str, reason: str) -> None:
        member = self.unit.member
        self.events.append(Event(stage="research", kind=kind, subject_id=subject, reason=reason, member=member))

    async def _ask(self, binding: Binding, query: str = "") -> tuple[Search, Sequence[SearchHit]]:
        tier, request = self.runtime.tier, self.runtime.request
        query = query or self.unit.sub_query.text
        search_id = content_id("f", binding.member, binding.sub_query_id, binding.slot, binding.provider, query)
        provider = self.runtime.providers[binding.provider]
        problem: str | None = None
        hits: Sequence[SearchHit] = ()
        try:
            hits = await asked(
                self.searches.in_time(
                    lambda: _asked_apart(
                        provider, lambda: provider.search(query, limit=tier.hits_per_search, since=request.since)
                    )
                ),
                lambda found: _hits(found, binding.provider, tier.hits_per_search),
                who=binding.provider,
                turn="search",
                stage="research",
                about=search_id,
                cost=self.runtime.search_prices.get(binding.provider, 0.0),
                limited=binding.provider in self.runtime.search_prices,
                paid_for=self._paid,
            )
        except Unavailable as error:
            problem = str(error)
        hits = [hit.model_copy(update={"url": urldefrag(hit.url).url}) for hit in hits]
        search = Search(
            search_id=search_id,
            member=binding.member,
            sub_query_id=binding.sub_query_id,
            provider=binding.provider,
            query=query,
            hits=tuple(
                HitRecord(rank=i, url=h.url, title=h.title, source_id=source_id(h.url)) for i, h in enumerate(hits, 1)
            ),
            unavailable=problem,
        )
        return search, hits

    def _paid(self, call: Call) -> None:
        """Write the cost of a search into the run's ledger, so that an interrupted run knows it."""
        board, at = self.runtime.switchboard, datetime.now(UTC)
        if board is None:
            return
        asked_for = {"call": call.request_hash, "asked_by": call.who, "turn": call.turn, "stage": call.stage}
        board.ledger.put(
            LedgerEntry(
                request_hash=content_id("r", call.request_hash, self.unit.member, at.isoformat()),
                model=call.who,
                prompt=call.turn,
                request=asked_for,
                answer="",
                cost_usd=call.cost_usd,
                seconds=call.seconds,
                at=at,
            )
        )

    async def follow(self, found: Iterable[Sequence[SearchHit]]) -> None:
        """Pass every hit through the policy, then read the admitted ones, as many of a search as the tier allows."""
        wanted: list[str] = []
        orientation: list[str] = []
        for hits in found:
            mine: list[str] = []
            pages: list[str] = []
            for hit in hits:
                known = self.sources.get(hit.url)
                if known is not None:
                    if known.admitted and known.status != "orientation":
                        mine.append(hit.url)
                    continue
                verdict = self.runtime.policy.classify(hit.url)
                if verdict.tier == "wikipedia":
                    self._meet(verdict, hit.url, hit.title, "orientation")
                    pages.append(hit.url)
                elif not verdict.admitted:
                    self.reject(hit.url, hit.title, verdict)
                else:
                    self._meet(verdict, hit.url, hit.title, "unread")
                    mine.append(hit.url)
            mine = mine[: self.runtime.tier.sources_per_search]
            wanted += [url for url in mine if self.sources[url].status == "unread"]
            orientation += pages[:ORIENTATION_PAGES]
        await asyncio.gather(self.read_all(wanted), self.orient(orientation))

    def in_order(self) -> None:
        """Sort the sources by slot and rank, independent of the order in which searches answered."""
        places = self.searches.places()
        found = sorted((url for url in self.sources if url in places), key=places.__getitem__)
        self.sources = {url: self.sources[url] for url in (*found, *(u for u in self.sources if u not in places))}

    def reject(self, url: str, title: str, verdict: TierVerdict) -> None:
        self._meet(verdict, url, title, "rejected")
        self._say("source-rejected", source_id(url), f"tier {verdict.tier}: {verdict.justification}")

    async def orient(self, urls: Sequence[str]) -> None:
        """Read encyclopedia pages only for their references, which are classified at their own tier; no member reads
        the pages."""
        admitted: list[str] = []
        for page in await asyncio.gather(*(self._page(url) for url in urls)):
            mine: list[str] = []
            for reference in page.references if page is not None else ():
                reference = urldefrag(reference).url
                if reference in self.sources:
                    continue
                verdict = self.runtime.policy.classify(reference)
                if verdict.tier == "wikipedia":
                    self._meet(verdict, reference, "", "orientation")
                elif not verdict.admitted:
                    self.reject(reference, "", verdict)
                else:
                    self._meet(verdict, reference, "", "unread")
                    mine.append(reference)
            admitted += mine[:ORIENTATION_REFERENCES]
        await self.read_all(admitted)

    async def _page(self, url: str) -> Document | None:
        try:
            page = await self.runtime.reader.read(url)
        except Unavailable as error:
            self.unavailable(url, str(error))
            return None
        self.sources[url] = _read_source(self.sources[url], page).model_copy(
            update={"status": "orientation", "document_id": None}
        )
        return page

    async def read_all(self, urls: Sequence[str]) -> None:
        await asyncio.gather(*(self.read(url) for url in dict.fromkeys(urls)))

    def unavailable(self, url: str, reason: str) -> None:
        self.sources[url] = self.sources[url].model_copy(update={"status": "unavailable", "problem": reason})
        self._say("source-unavailable", source_id(url), reason)

    async def read(self, url: str) -> None:
        try:
            document = await self.runtime.reader.read(url)
        except Unavailable as error:
            self.unavailable(url, str(error))
            return
        if document.url != url:
            landed = self.runtime.policy.classify(document.url)
            if not landed.admitted:
                self.reject(url, document.title, landed)
                return
            # A document counts at the tier of its address: an open copy elsewhere is not the journal's page (I2).
            self._meet(landed, url, document.title, "unread")
            work = f", as a manifestation of the work {document.doi}" if document.doi else ""
            self._say("note", source_id(url), f"its text was read at {document.url}{work}")
        self.sources[url] = _read_source(self.sources[url], document)
        self.documents[document.document_id] = document
        # A page of some million characters takes many seconds: models and time limits go on meanwhile.
        passages = await asyncio.to_thread(cut_passages, document)
        orders = await asyncio.to_thread(find_instructions, document.text)
        for passage in passages:
            self.passages[passage.passage_id] = passage
        if orders:
            start, end = orders[0]
            said = " ".join(document.text[start:end].split())[:160]
            more = f" and {len(orders) - 1} more" if len(orders) > 1 else ""
            self._say("instruction-ignored", source_id(url), f"it gives orders to language models: “{said}”{more}")


async def _research(unit: ResearchUnit, runtime: Runtime) -> Findings:
    work = _Gatherer(unit, runtime)
    searches = work.searches
    try:
        with runtime.searching.one():
            await work.follow(await searches.answered())
        await work.follow(await searches.late())
    finally:
        searches.stop()
    if searches.made and all(search.unavailable for search in searches.made):
        raise Unavailable("; ".join(f"{s.provider}: {s.unavailable}" for s in searches.made))
    work.in_order()
    order = {url: i for i, url in enumerate(work.sources)}
    by_document = {s.document_id: order[url] for url, s in work.sources.items() if s.document_id}
    # Pages answer in any order; the record of them must not depend on it.
    place = {source_id(url): i for i, url in enumerate(work.sources)}
    room = max(LEAST, runtime.tier.passages_per_source * len(work.documents) // 2)
    pool = sorted(work.passages.values(), key=lambda p: (by_document.get(p.document_id, 0), p.start))
    passages = await asyncio.to_thread(best, unit.sub_query.text, pool, room)
    return Findings(
        member=unit.member,
        sub_query_id=unit.sub_query.sub_query_id,
        searches=tuple(searches.made),
        sources=tuple(work.sources.values()),
        documents=tuple(sorted(work.documents.values(), key=lambda d: by_document.get(d.document_id, 0))),
        passages=tuple(passages),
        events=tuple(sorted((*searches.events, *work.events), key=lambda e: place.get(e.subject_id, -1))),
    )


RESEARCH = Step("research", "research", _research, lambda unit: f"{unit.member}: {unit.sub_query.text[:60]}")
