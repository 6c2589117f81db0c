"""The identity of a paper: its title, authors, year and identifiers, from its first page and its metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal

from veritas.documents.document import Document
from veritas.documents.paper_parts import Identity, Match, Section
from veritas.works.identifiers import arxiv_years, normalise_arxiv_id, normalise_doi

WITHIN = 6000
"""Characters from the beginning within which a paper gives its dates of receipt or publication."""
FRONT = 1500
"""Characters within which the lines of a title page stand."""
LONGEST = 160
"""Most characters of a line that gives a date or the paper's venue."""

_YEAR = r"(?<!\d)(?P<year>(?:18|19|20)\d\d)(?!\d)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DATE = rf"(?:(?:{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)?|of|[,./-])[ \t]*){{0,8}}{_YEAR}"
_OF = (
    r"(?:received|revised|accepted|published|submitted|posted|available online|first (?:published|online)|date[ds]?"
    r"|issued|(?:this |draft |final )?version(?: of)?|draft(?: of)?|last (?:revised|updated))"
    r"(?:[ \t](?:in (?:revised|final) form|online|on|in|for publication))?(?:[ \t]*[:—–-])?[ \t]*"
)
_SAID = re.compile(rf"(?<![\w,][ \t])\b(?=[A-Z])(?i:{_OF}){_DATE}")
_FURTHER = re.compile(rf"\b(?i:{_OF}){_DATE}")
_COPYRIGHT = re.compile(
    r"(?:©[^\d\n]{0,60}|\bCopyright(?:[ \t]*\([cC]\))?[ \t:]*|\([cC]\)[ \t])(?:\d{4}[ \t]?[,–-][ \t]?)?" + _YEAR
)
_ALONE = re.compile(rf"\(?(?:[^\W\d][^\d\n,]{{0,30}},[ \t]*)?{_DATE}(?:[./-]\d{{1,2}}){{0,2}}\)?\.?")
_VENUE = re.compile(
    r"\b(?:Proceedings|Proc\.|Conference|Symposium|Workshop|Congress|Journal|Transactions|Annals|Archives|Letters|Reviews?"
    r"|Bulletin|Vol(?:ume|\.)|Issue|[Pp]reprint|[Ww]orking [Pp]aper|[Tt]echnical [Rr]eport|[Tt]hesis|Under review)\b"
    r"|\b(?!(?:ISO|IEC|RFC|DIN|EN|IEEE|ANSI|NIST)\b)[A-Z][a-z]*[A-Z][A-Za-z]*[ \t]?(?:18|19|20)\d\d\b"
    r"|\b\d{1,3}[ \t]?\((?:18|19|20)\d\d\)"
)
_OF_VENUE = re.compile(rf"(?<!No\. )(?<!no\. )(?<!Nr\. )(?<!# )(?<!#)(?<!of )(?<!ISO )(?<!RFC ){_YEAR}")
"""A year, and not a number of the series or the subject of a journal."""


def printed_year(text: str, sections: Sequence[Section], title: str) -> int | None:
    """Return the latest year that the front of a paper gives for itself, or None.

    A year in its title, its prose, a citation or its references does not count.
    """
    listed = next((s.place.start for s in sections if s.name == "references"), WITHIN)
    latest = datetime.now(UTC).year + 1
    years = [year for year in _years(text[: min(listed, WITHIN)], sections, title) if year <= latest]
    return max(years, default=None)


def _years(front: str, sections: Sequence[Section], title: str) -> Iterator[int]:
    for said in _SAID.finditer(front):
        yield int(said["year"])
        rest = front[said.end() : said.end() + 200].partition("\n")[0]
        yield from (int(further["year"]) for further in _FURTHER.finditer(rest))
    yield from (int(each["year"]) for each in _COPYRIGHT.finditer(front))
    end = sections[0].place.end if sections and sections[0].name == "title" else FRONT // 2
    for line in front[: min(end, FRONT)].splitlines():
        bare = line.strip("#*_> \t")
        if not bare or len(bare) > LONGEST or bare in title or title in bare:
            continue
        alone = _ALONE.fullmatch(bare)
        if alone:
            yield int(alone["year"])
        elif _VENUE.search(bare):
            yield from (int(year["year"]) for year in _OF_VENUE.finditer(bare))


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
    if year is None:
        year = printed_year(document.text, sections, title)
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
