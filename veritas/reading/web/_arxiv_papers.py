"""Papers on arXiv: their HTML, else their PDF, else their abstract alone; title and authors from the abstract page."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from veritas.documents.document import Document
from veritas.documents.metadata import parse_date
from veritas.errors import Unavailable
from veritas.reading.formats import Converted, media_type_of
from veritas.reading.web.fetching import Fetcher
from veritas.reading.web.page_identity import Work, make_document
from veritas.reading.web.readable import Readable, make_readable

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
