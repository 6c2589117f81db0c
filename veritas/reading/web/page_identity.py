"""Identity of a fetched page, taken from the page, its address and the registry that led to it (I2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from urllib.parse import unquote, urlsplit

from veritas.documents.document import Document, document_id
from veritas.reading.formats import Converted
from veritas.reading.web.page_cache import Page
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi

_DOI_IN_PATH = re.compile(r"/(?:doi(?:/\w+)?|articles?|chapter|book|content|fullarticle)/10\.\d{4,9}/", re.IGNORECASE)


@dataclass(frozen=True)
class Work:
    """A work's data from outside the text that was read: its abstract page, or a registry."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    published_at: date | None = None
    doi: str | None = None
    arxiv_id: str | None = None


def make_document(
    page: Page,
    converted: Converted,
    media_type: str,
    *,
    url: str | None = None,
    work: Work | None = None,
    references: tuple[str, ...] = (),
    abstract_only: bool = False,
) -> Document:
    """Make the document of a page, under the URL that answered (or `url`)."""
    work = work or Work()
    url = url or page.final_url
    return Document(
        document_id=document_id(converted.text),
        url=url,
        title=_printable(work.title or converted.title or _name(url)),
        text=converted.text,
        media_type=media_type,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).date(),
        published_at=work.published_at or converted.published_at,
        authors=work.authors or converted.authors,
        doi=normalise_doi(work.doi or converted.doi),
        arxiv_id=normalise_arxiv_id(work.arxiv_id),
        page_starts=converted.page_starts,
        blocks=converted.blocks,
        references=references,
        abstract_only=abstract_only,
    )


def doi_of_address(url: str, *, trusted: bool) -> str | None:
    """Return the DOI in an address: the resolver's own, or with `trusted` one in a publisher's path.

    Any other address may hold the DOI of somebody else's work.
    """
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    if host in ("doi.org", "dx.doi.org") or (trusted and _DOI_IN_PATH.search(unquote(urlsplit(url).path))):
        return normalise_doi(url)
    return None


def _name(url: str) -> str:
    """Return a title for a page without one: the last part of its path, or its host."""
    parts = urlsplit(url)
    last = unquote(parts.path.rstrip("/").rpartition("/")[2])
    return re.sub(r"[_\s-]+", " ", re.sub(r"\.\w{2,5}$", "", last)).strip() or (parts.hostname or url)


def _printable(title: str) -> str:
    return "".join(c for c in " ".join(title.split()) if c.isprintable())[:500]
