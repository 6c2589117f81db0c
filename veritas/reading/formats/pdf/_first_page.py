"""What a paper's PDF says of itself: title, authors, year, journal, volume, pages, DOI.

They come from its metadata and from the type sizes and places of its first page; a stated title must stand there.
"""

from __future__ import annotations

import calendar
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from veritas.reading.formats.pdf._columns import rows_of
from veritas.reading.formats.pdf._segments import Segment, ShownPage
from veritas.text.dates import dates
from veritas.works.printed_dois import printed_dois

_NO_TITLE = re.compile(
    r"untitled.*|(?:microsoft )?(?:word|powerpoint) - .*|.*\.(?:docx?|tex|dvi|indd|pdf|rtf|odt|html?|fm)|.* \d+\.\.\d+",
    re.IGNORECASE,
)
_PACKET = re.compile(rb"<x:xmpmeta.*?</x:xmpmeta>", re.DOTALL)
_STATED = r'(?:prism|crossmark|pdfx):{}(?:="([^"<]+)|>([^<]+)<)'
_YEAR = re.compile(r"(?<![\d/.,-])(?:19|20)\d\d(?![\d/]|-\d{4})")
_FIGURES = r"(?:(?i:vol(?:ume)?|no|nr|issue|suppl(?:ement)?)\b\.?|[\s,.;:(|●•·–-])*"
_CITED = re.compile(rf"(?P<name>[^\W\d_][^\d|©@/:;]*?){_FIGURES}(?P<numbers>(?:(?<=\s)[XVI]+\b|\(?\d).*)")
"""A journal's name before its year, volume and pages."""
_VOLUME = re.compile(r"(?:(?i:vol(?:ume)?)[.:\s]*|(?<![\d/.–-])(?!(?:19|20)\d\d\b))(\d{1,4})\b(?!\s*[–-]\s?\d|/)")
_PAGES = re.compile(r"(?<![\d/.–-])([a-z]?\d{1,6})\s?[–-]\s?([a-z]?\d{1,6})(?![\d/–-])|\b(e\d{3,8})\b")
_MONTH = "|".join([*calendar.month_name[1:], *calendar.month_abbr[1:]])
_MONTHS = re.compile(rf"[\s,]*\b(?:{_MONTH})\b.*$")
_BETWEEN = re.compile(r"\s*(?:[,;|·•&]|(?<=\s)\.(?=\s|$)|\band\b|\bund\b|\bet\b(?! al)|\by\b|\be\b)\s*")
_MARKS = re.compile(r"[\u00b9\u00b2\u00b3\u2070-\u2079*∗†‡§¶#\d]+(?:[a-z]\b)?|\b(?:ID|iD)\b")
_NAME = re.compile(r"(?:[^\W\d_a-zß-ÿ][\w.'’‑-]*)(?:\s(?:[^\W\d_][\w.'’‑-]*)){0,4}\s[^\W\d_a-zß-ÿ][\w.'’‑-]+")
_DEGREE = re.compile(r"\s+(?:[A-Z][A-Za-z]{0,3}\.){2,}$|(?<=[a-z])\s[a-z]$|(?<=\.)\s?[a-z]$")
_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "ˇ": "\u030c"}
_ACCENT = re.compile(rf"(?<=[^\W\d_])[{''.join(_ACCENTS)}]")
_EDGE = 3
"""Rows at the top and the foot of a page that may be its running head."""


class Head(NamedTuple):
    """A paper's own record; `printed_in` has BibTeX's names: journal, volume, pages."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    printed_in: Mapping[str, str] = {}


def head_of(pages: Sequence[ShownPage], said: Mapping[str, str], data: bytes, saved: date | None) -> Head:
    """Return what a document says of itself on its first pages, in its information `said`, and in XMP within `data`."""
    if not pages or not pages[0].segments:
        return Head(title=_stated_title(said.get("Title", "")))
    stated, subject = _stated(data), _plain(said.get("Subject", ""))
    lines = [_text(row) for row in rows_of(pages[0].segments)]
    place, year = _place(pages, stated.get("journal"), subject)
    block = _title_block(pages, _letters(place.get("journal", "")))
    places = (stated.get("doi", ""), subject, *_edges(pages[0]), *lines)
    doi = next((each.doi for text in places for each in printed_dois(text)), None)
    given, title = _stated_title(said.get("Title", "")), _joined(block)
    authors = tuple(_names(_plain(said.get("Author", ""))))
    if not place and doi is None:  # no article: a report or a manual, whose first page has other forms
        return Head(given or title or None, authors)
    if given and (not title or _letters(given) in _letters(" ".join(lines)) or _alike(given, title)):
        title = given
    below = _byline(pages[0].segments, block)
    if below and not (len(authors) >= len(below) and authors[0] == below[0]):
        authors = below
    return Head(title or None, authors, year or _latest(pages[0], saved), doi, place)


def _stated_title(said: str) -> str | None:
    said = _plain(said)
    return said if len(said) > 4 and " " in said and not _NO_TITLE.fullmatch(said) else None


def _plain(said: str) -> str:
    """Return a stated value on one line, its escapes undone."""
    return html.unescape(" ".join(re.sub(r"#_#(x[0-9A-Fa-f]+);", r"&#\1;", said).split()))


def _letters(said: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", said) if c.isalnum()).casefold()


def _alike(one: str, other: str) -> bool:
    """Return whether most words of each text are in the other."""
    mine, others = ({_letters(word) for word in text.split()} for text in (one, other))
    return len(mine & others) > 0.7 * max(len(mine), len(others))


def _text(row: Sequence[Segment]) -> str:
    return " | ".join(s.text for s in row)


def _stated(data: bytes) -> dict[str, str]:
    """Return journal and DOI of the XMP packet of a published article; packets of pictures in it state none."""
    found: dict[str, str] = {}
    for packet in _PACKET.findall(data):
        for name, tag in (("journal", "publicationName"), ("doi", "doi")):
            match = re.search(_STATED.format(tag), packet.decode("utf-8", "replace"), re.IGNORECASE)
            if match:
                found.setdefault(name, _plain(match[1] or match[2]))
    return found


def _place(pages: Sequence[ShownPage], stated: str | None, subject: str) -> tuple[dict[str, str], int | None]:
    """Return journal, volume and pages, and the year: as cited on the page or in the metadata, else the journal's name
    alone as it stands in the running heads of the first page and of a later one."""
    edges = [_edges(page) for page in pages[:3]]
    height = pages[0].height
    first = [*edges[0], *(s.text for s in pages[0].segments if not 0.15 * height < s.middle < 0.6 * height)]
    found: dict[str, str] = {}
    year = None
    for line in [*first, *(line for edge in edges[1:] for line in edge), subject]:
        match = _CITED.match(re.sub(r"^(?:\d+[\s|]+)?(?:.{3,60}?\bet al\b[\s.,:|]*)?", "", line))
        dated = _YEAR.search(match["numbers"]) if match else None
        if match is None or dated is None or any(each.day for each in dates(line)):
            continue
        name = re.sub(rf"^{_FIGURES}$", "", _MONTHS.sub("", match["name"])).strip(" ,.;(|–-")
        numbers = match["numbers"][: dated.start()] + match["numbers"][dated.end() :]
        if not _is_name(name) or not re.search(r"\d", numbers.partition("doi")[0].partition("10.")[0]):
            continue
        year = int(dated[0])
        found = {"journal": name}
        for each in reversed([*printed_dois(numbers)]):
            numbers = numbers[: each.start] + numbers[each.end :]
        if volume := _VOLUME.search(numbers):
            found["volume"] = volume[1]
        if (span := _PAGES.search(numbers)) and span[3]:
            found["pages"] = span[3]
        elif span and int(re.sub(r"\D", "", span[1])) < int(re.sub(r"\D", "", span[2])):
            found["pages"] = f"{span[1]}--{span[2]}"
        break
    named = subject.partition(", ")[0] if "doi" in subject.lower() and len(subject) < 150 else ""
    if stated and _letters(stated) in _letters(" ".join(line for edge in edges for line in edge)):
        found["journal"] = stated
    elif not found and _is_name(named) and not re.search(r"\d", named):
        found["journal"] = named
    elif not found:
        later = Counter(_letters(part) for edge in edges[1:] for line in edge for part in line.split(" | "))
        for part in (part for line in edges[0] for part in line.split(" | ")):
            if later[_letters(part)] and _is_name(part) and not re.search(r"[\d©@]|www\.|et al", part):
                found["journal"] = part
                break
        else:
            found |= {"journal": stated} if stated else {}
    return found, year


def _edges(page: ShownPage) -> list[str]:
    """Return the rows at the edges of a page, each whole and by its parts."""
    all_rows = rows_of(page.segments)
    outer = [*all_rows[:_EDGE], *all_rows[_EDGE:][-_EDGE:]]
    return [text for row in outer for text in dict.fromkeys([*(s.text for s in row), _text(row)])]


def _is_name(said: str) -> bool:
    words = [word for word in re.findall(r"[^\W\d_]+", said) if len(word) > 3]
    return 3 <= len(said) <= 110 and said[:1].isupper() and 2 * sum(w[0].isupper() for w in words) >= len(words)


def _latest(page: ShownPage, saved: date | None) -> int | None:
    """Return the latest year that the first page gives with a month or at its edges, none after its file."""
    years = [each.year for row in rows_of(page.segments) for each in dates(_text(row))]
    years += [int(match[0]) for line in _edges(page) for match in _YEAR.finditer(line)]
    return max((year for year in years if saved is None or year <= saved.year + 1), default=None)


def _size(segment: Segment) -> float:
    return segment.size or segment.height


def _title_block(pages: Sequence[ShownPage], journal: str) -> list[list[Segment]]:
    """Return the rows in the largest print on the upper part of page one that are neither a running head, nor the
    journal's name, nor a word or two, such as the name of a kind of article."""
    page = pages[0]
    usual = median(_size(s) for s in page.segments)
    running = {(s.text, round(s.bottom)) for later in pages[1:2] for s in later.segments}
    upper = [s for s in page.segments if s.middle > 0.4 * page.height and (s.text, round(s.bottom)) not in running]
    sizes = sorted({_size(s) for s in upper if _size(s) > 1.08 * usual}, reverse=True)
    for size, least in [*((size, 3) for size in sizes), *((size, 1) for size in sizes)]:
        large = rows_of([s for s in upper if 0.94 * size <= _size(s) <= size])
        blocks = [large[:1]]
        for above, below in pairwise(large):
            near = above[0].middle - below[0].middle < 2.6 * size
            apart = len(_text(above).split()) < 3 and below[0].text[:1].isupper() and len(_text(below).split()) > 3
            people = len(list(_names(_text(below)))) > 1 and _MARKS.search(_text(below))
            if near and not people and not (apart and above is blocks[-1][0]):
                blocks[-1].append(below)
            else:
                blocks.append([below])
        for block in blocks:
            said = _joined(block)
            long = least <= len(said.split()) <= 60 and sum(map(str.isalpha, said)) > 3 * least
            if long and _letters(said) != journal:
                return block
    return []


def _joined(block: Sequence[Sequence[Segment]]) -> str:
    said = " ".join(s.text for row in block for s in row)
    return re.sub(r"(?<=\w)[-‐] ", "-", said).rstrip("*∗†‡§¶¹²³ ")


def _byline(segments: Sequence[Segment], block: Sequence[Sequence[Segment]]) -> tuple[str, ...]:
    """Return the authors: the rows of one size below the title that read as names."""
    if not block:
        return ()
    left, foot = min(s.left for row in block for s in row), min(s.bottom for row in block for s in row)
    under = rows_of([s for s in segments if s.middle < foot and s.right > left])[:12]
    alone: tuple[str, ...] = ()
    for at, row in enumerate(under[:6]):
        names = list(_names(_text(row)))
        if not names or not re.sub(r"^\W+", "", _MARKS.sub("", _text(row))).startswith(names[0][:4]):
            continue
        if len(names) == 1 and not _MARKS.search(_text(row)) and len(_text(row)) > len(names[0]) + 3:
            continue
        size = max(map(_size, row))
        more = [_text(row)]
        for above, below in pairwise(under[at:]):
            if abs(max(map(_size, below)) - size) > 0.06 * size or above[0].middle - below[0].middle > 2.6 * size:
                break
            more.append(_text(below))
        found = tuple(_names(" ".join(more)))
        if len(found) > 1 or _MARKS.search(more[0]):
            return found
        alone = alone or found
    return alone


def _names(said: str) -> Iterator[str]:
    """Yield the names of people in a list of them, without marks, degrees and addresses."""
    said = _ACCENT.sub(lambda match: _ACCENTS[match[0]], said)
    for part in _BETWEEN.split(_MARKS.sub(",", unicodedata.normalize("NFC", said))):
        name = re.sub(r"\.(?=[^\W\d_]{2,})", ". ", _DEGREE.sub("", part.strip(" ,.|:()")))
        if _NAME.fullmatch(name) and len(name) < 50:
            yield name
