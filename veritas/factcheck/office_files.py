"""PDF and Word files as the text that is shown, with the links behind its words."""

from __future__ import annotations

import ctypes
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]
from lxml import etree  # type: ignore[import-untyped]

from veritas.errors import CorpusError, InputError
from veritas.factcheck.linked_text import closed, opened, without_signs
from veritas.factcheck.source_lists import Link
from veritas.reading.formats import convert
from veritas.reading.formats.docx import MAX_PART_BYTES, convert_docx

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


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FIELD = re.compile(r"\s*HYPERLINK\s+\"([^\"]+)\"")
_PARTS = ("document", "footnotes", "endnotes")


def read_docx(data: bytes) -> tuple[str, list[Link], set[int]]:
    """Return the text of a Word document, its links, and the starts of its headings; a note is marked `[^n]` where it
    stands and at its beginning. Raises `InputError` if it cannot be read."""
    urls: list[str] = []
    try:
        converted = convert_docx(_signed(data, urls))
    except CorpusError as error:
        raise InputError(f"the file {error}") from error
    return without_signs(converted, urls)


def _signed(data: bytes, urls: list[str]) -> bytes:
    """Return a document with the signs of links around their words. One that is no archive stays as it is: the
    converter says what is wrong with it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {
                info.filename: archive.read(info) for info in archive.infolist() if info.file_size <= MAX_PART_BYTES
            }
            if len(parts) != len(archive.infolist()):
                return data
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError):
        return data
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    for name in _PARTS:
        path = f"word/{name}.xml"
        if path not in parts or b"<!DOCTYPE" in parts[path][:2000] or b"<!ENTITY" in parts[path][:2000]:
            continue
        try:
            root = etree.fromstring(parts[path], parser)
            targets = _targets(parts.get(f"word/_rels/{name}.xml.rels"), parser)
        except etree.XMLSyntaxError:
            continue
        _sign(root, targets, urls)
        parts[path] = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, content in parts.items():
            archive.writestr(path, content)
    return made.getvalue()


def _targets(rels: bytes | None, parser: Any) -> dict[str, str]:
    if rels is None or b"<!DOCTYPE" in rels[:2000]:
        return {}
    return {each.get("Id", ""): each.get("Target", "") for each in etree.fromstring(rels, parser)}


def _sign(root: Any, targets: dict[str, str], urls: list[str]) -> None:
    for link in list(root.iter(f"{_W}hyperlink")):
        url = targets.get(link.get(f"{_R}id", ""), "")
        if url:
            link.insert(0, _run(opened(len(urls))))
            link.append(_run(closed()))
            urls.append(url)
    for paragraph in root.iter(f"{_W}p"):
        _sign_fields(paragraph, urls)
    for kind in ("footnote", "endnote"):
        for reference in list(root.iter(f"{_W}{kind}Reference")):
            reference.getparent().addnext(_run(_note(kind, reference.get(f"{_W}id", ""))))
        for note in root.iter(f"{_W}{kind}"):
            first = note.find(f".//{_W}p")
            if note.get(f"{_W}type") is None and first is not None:
                properties = first.find(f"{_W}pPr")
                label = _run(f"{_note(kind, note.get(f'{_W}id', ''))}: ")
                first.insert(0 if properties is None else 1, label)


def _sign_fields(paragraph: Any, urls: list[str]) -> None:
    """Put signs around the words of a field that is a link: instruction, separator, words, end."""
    url: str | None = None
    told = ""
    for run in list(paragraph.iter(f"{_W}r")):
        told += "".join(each.text or "" for each in run.findall(f"{_W}instrText"))
        mark = run.find(f"{_W}fldChar")
        kind = mark.get(f"{_W}fldCharType") if mark is not None else None
        if kind == "begin":
            told = ""
        elif kind == "separate" and (field := _FIELD.match(told)):
            url = field[1]
            run.addnext(_run(opened(len(urls))))
            urls.append(url)
        elif kind == "end" and url is not None:
            run.addprevious(_run(closed()))
            url = None


def _note(kind: str, number: str) -> str:
    return f"[^{number}]" if kind == "footnote" else f"[^e{number}]"


def _run(text: str) -> Any:
    run = etree.Element(f"{_W}r")
    said = etree.SubElement(run, f"{_W}t")
    said.text = text
    said.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return run
