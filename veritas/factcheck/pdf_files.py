"""PDF as the text that is shown, with the addresses that its links hold."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from veritas.errors import CorpusError, InputError
from veritas.factcheck.source_lists import Link
from veritas.reading.formats import convert

_LONGEST = 4096
_WORDS = 300
"""Characters of the words of a link that are looked for in the text."""


def read_pdf(data: bytes) -> tuple[str, list[Link], set[int]]:
    """Return the text of a PDF in reading order, its links where their words are found in it, and the starts of its
    headings. Raises `InputError` if it cannot be read."""
    try:
        converted = convert(data, "pdf")
    except CorpusError as error:
        raise InputError(f"the file {error}") from error
    text, starts = converted.text, converted.page_starts or (0,)
    links: list[Link] = []
    document = pypdfium2.PdfDocument(data)
    try:
        for number in range(min(len(document), len(starts))):
            end = starts[number + 1] if number + 1 < len(starts) else len(text)
            links += _placed(text, starts[number], end, list(_links(document[number])))
    finally:
        document.close()
    headings = {block.start for block in converted.blocks if block.kind == "heading"}
    return text, sorted(dict.fromkeys(links)), headings


def _placed(text: str, start: int, end: int, found: Sequence[tuple[str, str]]) -> Iterator[Link]:
    """Yield the links of a page whose words stand in its text, each behind the one before it."""
    at = start
    for words, url in found:
        wanted = re.compile(r"\s+".join(map(re.escape, words.split())))
        place = wanted.search(text, at, end) or wanted.search(text, start, end)
        if place is not None and place.start() < place.end():
            yield Link(*place.span(), url)
            at = place.end()


def _links(page: Any) -> Iterator[tuple[str, str]]:
    """Yield the words and the address of each link of a page, from top to bottom."""
    words = page.get_textpage()
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    found: list[tuple[float, float, str, str]] = []
    while pdfium.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
        box, action = pdfium.FS_RECTF(), pdfium.FPDFLink_GetAction(link)
        if not action or not pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
            continue
        length = pdfium.FPDFAction_GetURIPath(page.pdf, action, None, 0)
        if not 1 < length <= _LONGEST:
            continue
        buffer = ctypes.create_string_buffer(length)
        pdfium.FPDFAction_GetURIPath(page.pdf, action, buffer, length)
        url = buffer.value.decode("utf-8", "replace")
        low, high = sorted((box.bottom, box.top))
        said = words.get_text_bounded(left=box.left, bottom=low, right=box.right, top=high).strip()
        if said and url.startswith("http"):
            found.append((-high, box.left, said[:_WORDS], url))
    yield from ((said, url) for _, _, said, url in sorted(found))
