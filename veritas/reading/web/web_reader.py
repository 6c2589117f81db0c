"""The reader of the live web: from a URL to a document under the URL that really answered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from veritas.documents.document import Document
from veritas.documents.verbatim import is_verbatim
from veritas.errors import Unavailable
from veritas.policy.search_providers import ProviderFile, load_providers
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.reading.formats import media_type_of
from veritas.reading.reader import Changed
from veritas.reading.web._arxiv_papers import arxiv_paper, read_arxiv
from veritas.reading.web.fetching import Fetcher
from veritas.reading.web.open_copies import find_open_copies
from veritas.reading.web.page_identity import Work, doi_of_address, make_document
from veritas.reading.web.readable import Closed, Gone, Readable, make_readable
from veritas.works.title_comparison import title_words

MIN_TEASER = 300
"""Least characters shown before a paywall that are worth reading."""
MAX_REFRESHES = 2
TITLE_SHARE = 0.7
"""Least share of a work's title words at the beginning of a copy, for it to be a copy of that work."""
_PMC = re.compile(
    r"https?://(?:www\.)?(?:europepmc\.org/(?:article/PMC|articles?)|pmc\.ncbi\.nlm\.nih\.gov/articles"
    r"|ncbi\.nlm\.nih\.gov/pmc/articles)/(?:PMC)?(\d{3,9})(?:[/?#].*)?",
    re.IGNORECASE,
)


class WebReader:
    """A `Reader` of the live web. Wrappers (archives, AMP, proxies) are unwrapped as the policy does.

    `Document.url` is the URL that answered after all redirects. For a paywalled page with an open copy it is the
    copy's, and `Document.doi` names the work that both are manifestations of; `abstract_only` marks an abstract or the
    part before a paywall.
    """

    def __init__(
        self, policy: SourcePolicy, file: ProviderFile | None = None, *, fetcher: Fetcher | None = None
    ) -> None:
        self._policy = policy
        self._file = file or load_providers()
        self._fetcher = fetcher or Fetcher(self._file.reading)

    async def read(self, url: str) -> Document:
        """Read a document. Raises `Unavailable` with the reason when there is none or the page is no source."""
        return await self._read(url, anew=False)

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Check a document (see `Confirming`); the server is asked unless it confirmed it within `confirm_hours`."""
        recent = await asyncio.to_thread(
            self._fetcher.vouched, document.url, self._fetcher.limits.confirm_hours * 3600
        )
        read = f"since it was read on {document.fetched_at.isoformat()}"
        try:
            now = await self._read(document.url, anew=not recent)
        except Gone as error:
            raise Changed(f"{error}: it has gone {read}") from error
        if now.document_id == document.document_id:
            return
        if not quotes or not all(is_verbatim(quote, now.text) for quote in quotes):
            what = "and no longer says what is quoted from it" if quotes else ""
            raise Changed(f"{_shown(document.url)} has changed {read} {what}".rstrip())

    async def _read(self, url: str, *, anew: bool) -> Document:
        verdict = self._policy.classify(url)
        try:
            return await self._open(verdict, anew=anew)
        except _Shut as shut:
            return await self._elsewhere(verdict, shut)
        except Unavailable as error:
            kind = Gone if isinstance(error, Gone) else Unavailable
            raise kind(f"{_shown(verdict.effective_url)} {error}") from error

    async def _open(self, verdict: TierVerdict, *, anew: bool = False) -> Document:
        """Return the document of the page meant. Raises `_Shut` if it is closed."""
        url = verdict.effective_url
        paper = arxiv_paper(url, self._file.reading.arxiv)
        if paper is not None:
            return await read_arxiv(paper, self._fetcher, self._file.reading.arxiv, anew=anew)
        pmc = _PMC.fullmatch(url)
        if pmc is not None:
            try:
                return await self._jats(f"PMC{pmc[1]}", anew=anew)
            except Unavailable:
                pass  # not every article is open there; its page may be
        doi = doi_of_address(verdict.url, trusted=False) or doi_of_address(url, trusted=verdict.tier == 1)
        try:
            found = await self._follow(url, anew=anew)
        except Closed as closed:
            raise _Shut(str(closed), doi, None, None) from closed
        if found.page.final_url != url:
            landed = self._policy.classify(found.page.final_url)
            doi = doi or doi_of_address(found.page.final_url, trusted=landed.tier == 1)
        document = make_document(
            found.page,
            found.converted,
            media_type_of(found.kind),
            work=Work(doi=doi),
            references=found.references if verdict.tier == "wikipedia" else (),
        )
        if found.paywall:
            said = found.head.get("citation_doi")
            # A page's own DOI is believed only if the registry knows that DOI under the page's title.
            title = document.title if doi is None else None
            raise _Shut(f"is behind a paywall: {found.paywall}", doi or said, title, document)
        return document

    async def _follow(self, url: str, *, anew: bool) -> Readable:
        for _ in range(MAX_REFRESHES + 1):
            page = await self._fetcher.fetch(url, anew=anew)
            found = await make_readable(page, characters=self._fetcher.limits.characters)
            if found.refresh is None:
                return found
            url = found.refresh
        raise Unavailable("sends its readers on and on by meta refresh")

    async def _jats(self, pmcid: str, *, anew: bool) -> Document:
        page = await self._fetcher.fetch(f"{self._file.reading.europepmc}/{pmcid}/fullTextXML", anew=anew)
        found = await make_readable(page, characters=self._fetcher.limits.characters)
        if found.kind != "jats":
            raise Unavailable("is no article in JATS")
        return make_document(
            page, found.converted, media_type_of("jats"), url=f"https://europepmc.org/article/PMC/{pmcid}"
        )

    async def _elsewhere(self, verdict: TierVerdict, shut: _Shut) -> Document:
        """Return an open copy of a closed page, else the part it shows before its wall."""
        tried = ""
        if shut.doi and self._file.reading.open_copies:
            copies = await find_open_copies(shut.doi, self._file)
            title = copies.work.title
            its_own = title is not None and (shut.title is None or _begins_as(shut.title, title))
            for url in copies.urls if its_own else ():
                elsewhere = self._policy.classify(url)
                if not elsewhere.admitted or elsewhere.paywalled or _host(url) == _host(verdict.effective_url):
                    continue
                try:
                    copy = await self._open(elsewhere)
                except Unavailable:
                    continue
                if title and _begins_as(f"{copy.title} {copy.text[:3000]}", title):
                    return copy.model_copy(update={"doi": copies.work.doi})
            tried = "; no open copy could be read"
            if copies.problems:
                tried = f"; whether there is an open copy is not known: {'; '.join(copies.problems)}"
        if shut.shown is not None and len(shut.shown.text) >= MIN_TEASER:
            return shut.shown.model_copy(update={"abstract_only": True})
        raise Unavailable(f"{_shown(verdict.effective_url)} {shut}{tried}")


class _Shut(Unavailable):
    """A closed page, with the known data of the work behind it and the part that it shows."""

    def __init__(self, why: str, doi: str | None, title: str | None, shown: Document | None) -> None:
        super().__init__(why)
        self.doi, self.title, self.shown = doi, title, shown


def _begins_as(text: str, title: str) -> bool:
    """Return whether a text holds the words of a work's title."""
    wanted = set(title_words(title))
    return bool(wanted) and len(wanted & set(title_words(text))) >= TITLE_SHARE * len(wanted)


def _host(url: str) -> str | None:
    return urlsplit(url).hostname


def _shown(url: str) -> str:
    kept = "".join(c for c in url if c.isprintable())
    return kept if len(kept) <= 200 else f"{kept[:200]}…"
