"""The identity of a paper: its title, authors, year and identifiers, from its first page and its metadata."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from veritas.documents.document import Document
from veritas.documents.paper_parts import Identity, Match, Section
from veritas.works.identifiers import arxiv_years, normalise_arxiv_id, normalise_doi

HowFound = Literal["file", "url", "arxiv", "doi", "search"]

_STAMP = re.compile(
    r"(?:^[ \t>*_#]*arXiv:\s*(\d{4}\.\d{4,5}(?:v\d+)?)"
    r"|arXiv:\s*(\d{4}\.\d{4,5}(?:v\d+)?)(?=\s*\[[a-z-]+(?:\.[A-Za-z-]+)?\]))[^\n]{0,60}",
    re.MULTILINE,
)
"""arXiv's stamp on a first page: on its own line, or with the class. An id in a sentence is another paper's."""
TITLE_WITHIN = 3000
"""Characters from the beginning within which a title stands."""
_STAMP_YEAR = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* ((?:19|20)\d\d)\b")
_NOT_TITLE = re.compile(
    r"licen[cs]e|arxiv:|preprint|submitted|published|copyright|©|doi\b|https?:|www\.|@|vol(?:ume|\.)\s*\d|^\d"
    r"|journal of|proceedings of|under review|anonymous|accepted|received|manuscript|^abstract$|^draft\b|tugboat"
    r"|^skip to ",
    re.IGNORECASE,
)


def identity_of(
    document: Document,
    sections: Sequence[Section],
    asked: str,
    how: HowFound,
    match: Match | None,
    sha256: str | None,
    name: str,
) -> Identity:
    """Return what a paper is: title, authors, year and identifiers, from its own text and metadata, then from the
    record it was `match`ed with; `name` is its title if it has none."""
    front_end = next((s.place.start for s in sections if s.name not in ("title", "abstract")), 3000)
    front = document.text[: min(max(front_end, 200), 4000)]
    stamp = _STAMP.search(document.text[:TITLE_WITHIN])
    arxiv_id = document.arxiv_id or (normalise_arxiv_id(stamp[1] or stamp[2]) if stamp else None)
    given = None if _is_heading(document, sections) else document.title
    title = (given or _title(document.text, sections) or name).rstrip("*∗†‡§¶ ")
    chosen = match.chosen if match else None
    year = document.published_at.year if document.published_at else chosen.year if chosen else None
    if year is None and stamp and (dated := _STAMP_YEAR.search(stamp[0])):
        year = int(dated[1])
    if year is None and arxiv_id:
        year = max(arxiv_years(arxiv_id), default=None)
    return Identity(
        title=title,
        authors=document.authors or (chosen.authors if chosen else ()),
        year=year,
        doi=document.doi or (chosen.doi if chosen else None) or _own_doi(front),
        arxiv_id=arxiv_id or (chosen.arxiv_id if chosen else None),
        url=document.url,
        document_id=document.document_id,
        sha256=sha256,
        media_type=document.media_type,
        pages=len(document.page_starts) or None,
        characters=len(document.text),
        asked=asked,
        how_found=how,
        match=match,
    )


def _own_doi(front: str) -> str | None:
    """Return the first DOI printed on the title page; others there are of versions and data."""
    found = re.search(r"(?:doi[:\s]|doi\.org/)\s*(10\.\d{4,9}/\S+)", front, re.IGNORECASE)
    return normalise_doi(found[1]) if found else None


def _is_heading(document: Document, sections: Sequence[Section]) -> bool:
    """Return whether the converter's title is a heading: far down, of a part, or of several parts in a row."""
    title = " ".join(document.title.split()).casefold()
    front = " ".join(document.text[:TITLE_WITHIN].split()).casefold()
    if not document.page_starts and title not in front and document.title in document.text:
        return True
    headings = sorted({s.heading.casefold() for s in sections if s.name not in ("title", "other")}, key=len)
    for heading in filter(None, reversed(headings)):
        title = title.replace(heading, "")
    return bool(document.title) and not re.search(r"[^\W\d]{2}", title)


def _title(text: str, sections: Sequence[Section]) -> str | None:
    """Return the first paragraph before the abstract that is written like a title."""
    end = sections[0].place.end if sections and sections[0].name == "title" else 0
    for block in re.split(r"\n[ \t]*\n|\n(?=\S)", text[: min(end, TITLE_WITHIN)]):
        words = " ".join(block.split()).strip("#*_ ")
        if 8 <= len(words) <= 250 and 2 <= len(words.split()) <= 30 and not _NOT_TITLE.search(words):
            return words
    return None
