"""Open copies of paywalled works, found at Unpaywall and OpenAlex by DOI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from veritas.documents.metadata import is_web_url
from veritas.errors import Unavailable
from veritas.policy.search_providers import ProviderFile, email, key_of
from veritas.reading.web.page_identity import Work
from veritas.search.web.api import Api
from veritas.search.web.parse_hits import day, plain

MAX_COPIES = 8


@dataclass(frozen=True)
class OpenCopies:
    """Places of open copies of a work, best first, and the work in the registry. `problems` are registries that did not
    answer: then it is not known that there is no copy."""

    urls: tuple[str, ...] = ()
    work: Work = field(default_factory=Work)
    problems: tuple[str, ...] = ()


async def find_open_copies(doi: str, file: ProviderFile) -> OpenCopies:
    """Ask the registries for a DOI. Unpaywall is asked only if there is an e-mail address to give it."""
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
