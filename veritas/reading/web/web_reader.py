"""The reader of the live web: from a URL to a document under the URL that really answered.

Papers on arXiv: their HTML, else their PDF, else their abstract alone; title and authors from the abstract page.

Open copies of paywalled works, found at Unpaywall and OpenAlex by DOI.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from veritas.documents.document import Document
from veritas.documents.metadata import is_web_url, parse_date
from veritas.documents.verbatim import is_verbatim
from veritas.errors import Unavailable
from veritas.policy.search_providers import ProviderFile, email, key_of, load_providers
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.reading.formats import Converted, media_type_of
from veritas.reading.reader import Changed
from veritas.reading.web.fetching import Fetcher
from veritas.reading.web.page_identity import Work, doi_of_address, make_document
from veritas.reading.web.readable import Closed, Gone, Readable, make_readable
from veritas.search.web.api import Api
from veritas.search.web.parse_hits import day, plain
from veritas.works.title_comparison import title_words

MAX_COPIES = 8


@dataclass(frozen=True)
class OpenCopies:
    """Places of open copies of a work, best first, and the work in the registry. `problems` are registries that did not
    answer: then a missing copy proves nothing."""

    urls: tuple[str, ...] = ()
    work: Work = field(default_factory=Work)
    problems: tuple[str, ...] = ()


async def find_open_copies(doi: str, file: ProviderFile) -> OpenCopies:
    """Ask the registries for a DOI. Unpaywall is asked only if there is an e-mail address for it."""
    found: dict[str, None] = {}
    works: list[Work] = []
    problems: list[str] = []
    for ask in (_unpaywall, _openalex):
        try:
            urls, work = await ask(doi, file)
        except Unavailable as error:
            if "(404" not in str(error):  # it does not know the work, which is an answer
                problems.append(str(error))
            continue
        found.update(dict.fromkeys(urls))
        works.append(work)
    work = next((w for w in works if w.title), Work())
    return OpenCopies(tuple(found)[:MAX_COPIES], work, tuple(problems))


async def _unpaywall(doi: str, file: ProviderFile) -> tuple[list[str], Work]:
    address = email()
    if address is None:
        return [], Work()
    api = Api("unpaywall", file.reading.unpaywall, interval=0.2)
    answer = await api.json(f"/v2/{quote(doi, safe='/:()')}", params={"email": address})
    if not isinstance(answer, dict):
        return [], Work()
    work = Work(title=plain(answer.get("title"), 500) or None, published_at=day(answer.get("published_date")), doi=doi)
    locations = [answer.get("best_oa_location"), *_listed(answer.get("oa_locations"))]
    return list(_links(locations, "url_for_pdf", "url_for_landing_page")), work


async def _openalex(doi: str, file: ProviderFile) -> tuple[list[str], Work]:
    entry = file.providers.get("openalex")
    key = key_of(entry.key) if entry else None
    api = Api("openalex", file.reading.openalex, interval=0.2)
    params = {"select": "title,publication_date,best_oa_location,locations"} | ({"api_key": key} if key else {})
    answer = await api.json(f"/works/doi:{quote(doi, safe='/:()')}", params=params)
    if not isinstance(answer, dict):
        return [], Work()
    title = plain(answer.get("title"), 500) or None
    work = Work(title=title, published_at=day(answer.get("publication_date")), doi=doi)
    locations = [answer.get("best_oa_location"), *_listed(answer.get("locations"))]
    free = [place for place in locations if isinstance(place, dict) and place.get("is_oa") is True]
    return list(_links(free, "pdf_url", "landing_page_url")), work


def _links(locations: list[Any], pdf: str, landing: str) -> Iterator[str]:
    """Yield links, each file before its landing page: a repository's landing page is often only an abstract."""
    for location in locations:
        if isinstance(location, dict):
            for key in (pdf, landing):
                url = location.get(key)
                if isinstance(url, str) and is_web_url(url) and "//doi.org/" not in url:
                    yield url


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_PATH = re.compile(
    r"/(?:abs|pdf|html|format|ps)/(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Za-z]{2})?/\d{7})(?P<version>v\d{1,3})?(?:\.pdf)?/?"
)
MIN_FULL_TEXT = 3000
"""Least characters of an HTML paper; a shorter page is a notice that there is none."""


def arxiv_paper(url: str, site: str) -> str | None:
    """Return the arXiv id, with its version if given, in a URL of arXiv's site or of `site`; None for another URL."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.").removeprefix("export.")
    if host != "arxiv.org" and parts.netloc != urlsplit(site).netloc:
        return None
    found = _PATH.fullmatch(parts.path)
    return f"{found['id']}{found['version'] or ''}" if found else None


async def read_arxiv(paper: str, fetcher: Fetcher, site: str, *, anew: bool = False) -> Document:
    """Read the paper in its fullest available form; `abstract_only` if that is the abstract.

    Raises `Unavailable` if not even the abstract page can be read.
    """
    characters = fetcher.limits.characters
    page = await make_readable(await fetcher.fetch(f"{site}/abs/{paper}", anew=anew), characters=characters)
    work = _work(paper, page)
    for form in ("html", "pdf"):
        try:
            found = await make_readable(await fetcher.fetch(f"{site}/{form}/{paper}", anew=anew), characters=characters)
        except Unavailable:
            continue  # the next form, and at last the abstract, which says that it is no more than that
        if found.kind == form and found.refresh is None and len(found.converted.text) >= MIN_FULL_TEXT:
            return make_document(found.page, found.converted, media_type_of(found.kind), work=work)
    abstract = page.head.get("citation_abstract", "").strip()
    if not abstract:
        raise Unavailable("gives neither the paper nor its abstract")
    return make_document(page.page, Converted(abstract), "text/html", work=work, abstract_only=True)


def _work(paper: str, page: Readable) -> Work:
    return Work(
        title=page.head.get("citation_title") or page.converted.title,
        authors=page.converted.authors,
        published_at=parse_date(page.head.get("citation_date", "").replace("/", "-")) or page.converted.published_at,
        doi=page.head.get("citation_doi"),
        arxiv_id=re.sub(r"v\d+$", "", paper),
    )


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
        """Return an open copy of a closed page, else its visible part."""
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
    """A closed page, with the known data of its work and its visible part."""

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
