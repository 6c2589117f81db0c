"""Conversion of a PDF by the places of its glyphs, and with Docling's layout model if that is installed.

Removal of headers, footers and page numbers.

Paragraphs from lines: their ends, the rows of tables, and the hyphens that the typesetter added.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from statistics import median

import pypdfium2  # type: ignore[import-untyped]

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.pdf._columns import Line, columns, usual_gutter
from veritas.reading.formats.pdf._first_page import head_of
from veritas.reading.formats.pdf._segments import Segment, ShownPage, page_segments

_BULLET = re.compile(r"[•◦▪‣∙·–*-]\s")
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
_CLOSED = re.compile(r"[.!?:…。！？][\"'”’»)\]¹²³⁰-⁹]*$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W\d_]+)[-\u2010\xad]$")
_BEGINNING = re.compile(r"[^\W\d_]+")
_URL = re.compile(r"(?:https?:|www\.)\S*[/_.?&=:-]$")


class Vocabulary:
    """The words within a document's lines: they tell which hyphen at a line's end belongs to the word."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        halves: list[tuple[str, str]] = []
        broken: re.Match[str] | None = None
        for line in lines:
            # The halves of a broken word are no words.
            rest = _BEGINNING.match(line) if broken else None
            if broken and rest:
                halves.append((broken.group(1).lower(), rest.group().lower()))
            broken = _BROKEN.search(line)
            for word in _WORD.findall(line, rest.end() if rest else 0, broken.start() if broken else len(line)):
                self._words[word.lower()] += 1
                if "-" in word:
                    self._words.update(word.lower().split("-"))
        # If words known from elsewhere mostly keep their hyphen, the typesetter broke no words here.
        kept = sum(self._words[f"{first}-{second}"] > 0 for first, second in halves)
        dropped = sum(self._words[first + second] > 0 for first, second in halves)
        self._keeps_hyphens = kept > dropped

    def join(self, above: str, below: str) -> str:
        """Join two lines by a space, or by nothing or the hyphen where a word was broken."""
        broken, rest = _BROKEN.search(above), _BEGINNING.match(below)
        if broken is None or rest is None:
            if (above.endswith(("-", "\u2010")) and below[:1].isdigit()) or _URL.search(above):
                return above + below
            return f"{above} {below}"
        first, second = broken.group(1).lower(), rest.group().lower()
        hyphened, plain = self._words[f"{first}-{second}"], self._words[first + second]
        stem = above[: broken.end(1)]
        if plain > hyphened or above.endswith("\xad"):
            return stem + below
        if hyphened or not rest.group()[0].islower():
            return f"{stem}-{below}"
        # Two words that each occur alone elsewhere are more likely a compound than the halves of a word.
        alone = len(first) > 3 and len(second) > 3 and self._words[first] and self._words[second]
        return f"{stem}-{below}" if alone or self._keeps_hyphens else stem + below


def paragraphs(lines: Sequence[Line], vocabulary: Vocabulary) -> list[str]:
    """Return the paragraphs of one column. Rows of a table and lines of a listing stay on lines of their own."""
    if not lines:
        return []
    right = max(line.right for line in lines)
    steps = [above.bottom - below.bottom for above, below in pairwise(lines) if above.bottom > below.bottom]
    # A column of few lines may be all gaps; no lines are set further apart than at double space.
    pitch = min(median(steps), 1.5 * median(line.height for line in lines)) if steps else lines[0].height
    found = [lines[0].text]
    for above, below in pairwise(lines):
        between = _between(above, below, right, pitch)
        if between == "\n" and found[-1] == above.text and "\t" not in above.text and below.text[:1].isupper():
            between = "\n\n"  # one short line above is a heading
        if between == " ":
            found[-1] = vocabulary.join(found[-1], below.text)
        elif between == "\n":
            found[-1] = f"{found[-1]}\n{below.text}"
        else:
            found.append(below.text)
    return found


def _between(above: Line, below: Line, right: float, pitch: float) -> str:
    """Return the separator of two lines of a column: a space, a newline, or a paragraph's end."""
    step = above.bottom - below.bottom
    size = max(above.height, below.height)
    if step > 1.45 * max(pitch, 1.0) and step > 1.3 * size:
        return "\n\n"
    if abs(above.height - below.height) > 0.15 * size or above.bold != below.bold:
        return "\n\n"
    if "\t" in above.text or "\t" in below.text:
        return "\n" if "\t" in above.text and "\t" in below.text else "\n\n"
    letter = below.height * 0.45
    closed = bool(_CLOSED.search(above.text))
    # If the next word had room on the line, the break was meant.
    short = above.right + (len(below.text.split(maxsplit=1)[0]) + 2) * letter < right
    item = bool(_NUMBERED.match(above.text) or _BULLET.match(above.text))
    if _BROKEN.search(above.text) and below.text[:1].isalpha():
        return " "
    if _BULLET.match(below.text) or (_NUMBERED.match(below.text) and (closed or short)):
        return "\n\n"
    if below.left > above.left + 1.2 * letter and not item and closed:
        return "\n\n"  # a first line set in; the second line of an item is set in too, but its first has a mark
    if short:
        return "\n\n" if closed else "\n"
    return " "


_TOP, _FOOT = 0.09, 0.12
"""Shares of the page's height for headers and footers: running text often begins below the first tenth."""
_MARGIN = 0.085
_NUMBER_ZONE = 0.15
"""Share of the page's height for a number that stands alone above or below all else."""
_NUMBER = re.compile(
    r"(?:page|p\.|seite)?\s*[-–—|]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|]?(?:\s*(?:of|/|von)\s*\d{1,4})?", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b")


def without_running_heads(pages: Sequence[ShownPage]) -> list[list[Segment]]:
    """Remove lone page numbers at the edges, and text that recurs at one height of the edge, numbers aside: on two
    pages of a short document, on three of one of six pages or more."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, page in enumerate(pages):
        for segment in page.segments:
            if _in_zone(segment, page.height):
                for mark in _marks(segment):
                    seen[mark].add(number)
    enough = 3 if len(pages) >= 6 else 2

    def runs(segment: Segment, page: ShownPage) -> bool:
        recurs = _in_zone(segment, page.height) and any(len(seen[mark]) >= enough for mark in _marks(segment))
        return recurs or _is_page_number(segment, page)

    return [[segment for segment in page.segments if not runs(segment, page)] for page in pages]


def _in_zone(segment: Segment, height: float) -> bool:
    # Figures alone may be the last row of a table, so they must stand in the margin.
    foot = _FOOT if sum(map(str.isalpha, segment.text)) > 2 else _MARGIN
    return segment.top < foot * height or segment.bottom > (1 - _TOP) * height


def _marks(segment: Segment) -> tuple[tuple[str, int], ...]:
    """Return the marks of a running head: its words without numbers, at its height to within two points."""
    words = _DIGITS.sub("#", segment.text.casefold()).strip()
    at = int(segment.bottom // 2)
    return (words, at), (words, at + 1)


def _is_page_number(segment: Segment, page: ShownPage) -> bool:
    if not _NUMBER.fullmatch(segment.text):
        return False
    # Nothing may stand further out or beside it: the last row of a table is no page number.
    others = [other for other in page.segments if other is not segment]
    if segment.top < _NUMBER_ZONE * page.height:
        return all(other.bottom >= segment.top for other in others)
    if segment.bottom > (1 - _NUMBER_ZONE) * page.height:
        return all(other.top <= segment.bottom for other in others)
    return False


MAX_PAGES = 3000

_DAY = re.compile(r"D:(\d{4})(\d\d)(\d\d)")
_UNFINISHED = re.compile(r"[\w,\-\u2010(–—]$")


def convert_pdf(data: bytes) -> Converted:
    """Return the text in reading order, without headers and footers, words broken at a line's end joined.

    Raises `CorpusError` for a file that is no PDF, is encrypted, or has no text in it.
    """
    if b"%PDF-" not in data[:1024]:
        raise CorpusError("is no PDF, though its name says so")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise CorpusError("is encrypted: save a copy that needs no password") from error
        raise CorpusError(f"is a broken PDF ({error})") from error
    try:
        return _converted(document, data)
    finally:
        document.close()


def _converted(document: pypdfium2.PdfDocument, data: bytes) -> Converted:
    remarks: list[str] = []
    pages: list[ShownPage] = []
    broken = scanned = 0
    for number in range(min(len(document), MAX_PAGES)):
        try:
            page = document[number]
            pages.append(page_segments(page))
            scanned += not pages[-1].segments and _is_picture(page)
            page.close()
        except pypdfium2.PdfiumError:
            pages.append(ShownPage([], 1.0))
            broken += 1
    unseen = sum(page.unseen for page in pages)
    if len(document) > MAX_PAGES:
        remarks.append(f"has {len(document)} pages, of which the first {MAX_PAGES} were read")
    if broken:
        remarks.append(f"has {broken} pages that cannot be read")
    if scanned:
        remarks.append(
            f"has {scanned} of {len(document)} pages that are pictures without text, as of a scan: they are not read,"
            " and text recognition (OCR), which is not part of VERITAS, can make them readable"
        )
    if unseen:
        remarks.append(f"has {unseen} invisible characters on the page; they are left out")
    kept = without_running_heads(pages)
    usual = usual_gutter(kept)
    text, starts = _flow([columns(page, usual=usual) for page in kept])
    if not text:
        if scanned:
            # Named as a scan: nothing else can be read from it, and another tool has to recognise its text first.
            raise CorpusError(
                f"has no text in it: it is a scan, {scanned} of its {len(document)} pages are pictures. Run text"
                " recognition (OCR) on it first, such as `ocrmypdf SCAN.pdf TEXT.pdf`"
            )
        raise CorpusError("has no text in it, and its pages are no pictures of a scan")
    said = document.get_metadata_dict()
    saved = _saved(said.get("CreationDate", ""))
    head = head_of(pages[:3], said, data, saved)
    return Converted(
        text=text,
        title=head.title,
        authors=head.authors,
        published_at=date(head.year, 1, 1) if head.year else None,
        doi=head.doi,
        page_starts=starts,
        saved_at=saved,
        printed_in=head.printed_in,
        remarks=tuple(remarks),
    )


def _is_picture(page: pypdfium2.PdfPage) -> bool:
    """Return whether pictures cover most of a page, as in a scan."""
    width, height = page.get_size()
    boxes = [image.get_bounds() for image in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])]
    covered = sum(max(0.0, right - left) * max(0.0, top - bottom) for left, bottom, right, top in boxes)
    return bool(covered > 0.5 * width * height)


def _flow(pages: Sequence[Sequence[Sequence[Line]]]) -> tuple[str, tuple[int, ...]]:
    """Join all pages' columns into one text, and return it with the offset at which each page begins. A sentence that
    runs on over a column's or page's end is not cut there."""
    vocabulary = Vocabulary(line.text for page in pages for column in page for line in column)
    text = ""
    done: list[str] = []  # finished text, so that long documents are not copied for each paragraph
    length = 0
    starts: list[int] = []
    for page in pages:
        begun = False
        for column in page:
            for at, paragraph in enumerate(paragraphs(column, vocabulary)):
                if not text:
                    start = length
                    text = paragraph
                elif at == 0 and _runs_on(text, paragraph):
                    joined = vocabulary.join(text, paragraph)
                    start = length + len(joined) - len(paragraph)
                    text = joined
                else:
                    done.append(text + "\n\n")
                    length += len(text) + 2
                    start = length
                    text = paragraph
                if not begun:
                    starts.append(start)
                    begun = True
        if not begun:
            starts.append(length + len(text))
    done.append(text)
    return "".join(done), tuple(starts)


def _runs_on(above: str, below: str) -> bool:
    """Return whether a paragraph cut by a column's end goes on below."""
    return bool(_UNFINISHED.search(above)) and below[:1].islower() and "\t" not in above.rpartition("\n")[2]


def _saved(said: str) -> date | None:
    """Return the day of a PDF's own date, `D:20170503120000+02'00'`."""
    found = _DAY.match(said)
    return parse_date("-".join(found.groups())) if found else None
