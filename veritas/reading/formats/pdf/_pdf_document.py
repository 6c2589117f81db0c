"""Conversion of a PDF by the places of its glyphs, and with Docling's layout model if that is installed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pypdfium2  # type: ignore[import-untyped]

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.pdf import layout_models
from veritas.reading.formats.pdf._columns import Line, columns, usual_gutter
from veritas.reading.formats.pdf._paragraphs import Vocabulary, paragraphs
from veritas.reading.formats.pdf._running_heads import without_running_heads
from veritas.reading.formats.pdf._segments import Segment, ShownPage, page_segments

MAX_PAGES = 3000

_NO_TITLE = re.compile(
    r"untitled.*|(?:microsoft )?(?:word|powerpoint) - .*|.*\.(?:docx?|tex|dvi|indd|pdf|rtf|odt|html?)", re.IGNORECASE
)
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
        converted, honest = _converted(document)
    finally:
        document.close()
    # Docling cannot tell white print from black: a page with hidden text is read without it.
    return _with_layout(converted, data) if honest and layout_models.available() else converted


def _with_layout(converted: Converted, data: bytes) -> Converted:
    try:
        text, starts, blocks = layout_models.read_with_layout(data)
    except (RuntimeError, OSError, ImportError, ValueError) as error:
        remark = f"was read without the layout model, which failed: {' '.join(str(error).split())[:200]}"
        return replace(converted, remarks=(*converted.remarks, remark))
    return replace(converted, text=text, page_starts=starts, blocks=blocks) if text else converted


def _converted(document: pypdfium2.PdfDocument) -> tuple[Converted, bool]:
    """Return the conversion, and whether all text of the pages can be seen on them."""
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
        remarks.append(f"has {unseen} characters that nobody sees on the page; they are left out")
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
    converted = Converted(
        text=text,
        title=_title(said.get("Title", ""), kept[0] if kept else []),
        authors=tuple(name for name in re.split(r"\s*(?:;|,| and )\s*", said.get("Author", "")) if " " in name),
        page_starts=starts,
        saved_at=_saved(said.get("CreationDate", "")),
        remarks=tuple(remarks),
    )
    return converted, unseen == 0


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


def _title(said: str, first_page: Sequence[Segment]) -> str | None:
    """Return the title that the file states if it is one, else the largest print on the upper part of page one."""
    said = " ".join(said.split())
    if len(said) > 4 and " " in said and not _NO_TITLE.fullmatch(said):
        return said
    if not first_page:
        return None
    top, bottom = max(s.top for s in first_page), min(s.bottom for s in first_page)
    upper = [s for s in first_page if s.middle > bottom + 0.4 * (top - bottom) and sum(map(str.isalpha, s.text)) > 2]
    size = max((s.height for s in upper), default=0.0)
    usual = sorted(s.height for s in first_page)[len(first_page) // 2]
    if size < 1.1 * usual:
        return None
    large = sorted((s for s in upper if s.height > 0.93 * size), key=lambda s: (-round(s.bottom), s.left))
    title = " ".join(s.text for s in large).replace("- ", "-")
    return title if 4 < len(title) <= 300 else None
