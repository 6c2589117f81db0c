"""DOCX: paragraphs, tables, formulas and notes of a Word document as printed, without deleted or hidden text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from datetime import date
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.formats._main_text import page_text
from veritas.reading.formats.converted import Converted

MAX_PART_BYTES = 64 * 1024 * 1024
"""Limit in bytes of an unpacked part of the archive."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SKIPPED = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText", f"{_W}rPr", f"{_W}sectPr"})
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PROPERTIES = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_CORE = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_HEADING = re.compile(r"heading ([1-6])", re.IGNORECASE)
_CELL = 200
"""Limit in characters of a cell that holds data: a value and its error, a name and its unit, each a paragraph."""
_TINY = 4
"""Half-points; smaller print is not meant to be read."""


def convert_docx(data: bytes) -> Converted:
    """Convert a Word document: tables as rows, footnotes at the end; title, author and date of saving from its
    properties.

    Raises `CorpusError` for a file that is no DOCX, is encrypted, or has a part of more than `MAX_PART_BYTES`
    unpacked.
    """
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise CorpusError("is encrypted or an old .doc: save it as .docx without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            document = _part(archive, "word/document.xml")
            if document is None:
                raise CorpusError("is no Word document: it has no part word/document.xml")
            styles = _part(archive, "word/styles.xml")
            notes = [_part(archive, f"word/{name}.xml") for name in ("footnotes", "endnotes")]
            properties = _part(archive, "docProps/core.xml")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise CorpusError(f"is no readable DOCX ({error})") from error
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    writer = _Writer(_hidden_styles(styles), _heading_levels(styles))
    writer.blocks(document.find(f"{_W}body"), body)
    for part in notes:
        for note in part if part is not None else ():
            if note.get(f"{_W}type") is None:  # the others are rules and continuation marks
                writer.blocks(note, body)
    said = {name: _property(properties, name) for name in ("title", "creator")}
    text, blocks = page_text(page, whole=True)
    return Converted(
        text=text,
        title=said["title"] or writer.title,
        authors=tuple(name.strip() for name in said["creator"].split(";") if " " in name.strip()),
        saved_at=_saved(properties),
        blocks=blocks,
    )


def _part(archive: zipfile.ZipFile, name: str) -> Any:
    try:
        with archive.open(name) as file:
            data = file.read(MAX_PART_BYTES + 1)
    except KeyError:
        return None
    if len(data) > MAX_PART_BYTES:
        raise CorpusError(f"unpacks to more than {MAX_PART_BYTES >> 20} MB")
    if b"<!DOCTYPE" in data[:2000] or b"<!ENTITY" in data[:2000]:
        raise CorpusError("has a part with a document type, which no Word document has")
    # The strict variant differs only in its namespaces' names.
    data = data.replace(_STRICT.encode(), _W[1:-1].encode())
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=True, remove_pis=True)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise CorpusError(f"has a broken part {name}: {error}") from error


def _property(properties: Any, name: str, space: str = _PROPERTIES) -> str:
    if properties is None:
        return ""
    return " ".join((properties.findtext(f"{space}{name}") or "").split())


def _saved(properties: Any) -> date | None:
    """Return the day the document was last saved; None for a template that nobody has edited since."""
    created, modified = (_property(properties, name, _TERMS) for name in ("created", "modified"))
    if modified and modified == created and _property(properties, "revision", _CORE) == "1":
        return None
    return parse_date(modified) or parse_date(created)


def _hidden_styles(styles: Any) -> frozenset[str]:
    if styles is None:
        return frozenset()
    return frozenset(
        style.get(f"{_W}styleId") for style in styles.iter(f"{_W}style") if _is_on(style.find(f"{_W}rPr/{_W}vanish"))
    )


def _heading_levels(styles: Any) -> Mapping[str, int]:
    """Return the levels of headings, 1 to 6, by the id of their style: its outline level, or Word's own name for it."""
    found = {f"Heading{level}": level for level in range(1, 7)} | {"Title": 1}
    for style in styles.iter(f"{_W}style") if styles is not None else ():
        outline = style.find(f"{_W}pPr/{_W}outlineLvl")
        name = style.find(f"{_W}name")
        told = _HEADING.fullmatch(name.get(f"{_W}val", "") if name is not None else "")
        if outline is not None and outline.get(f"{_W}val", "") in tuple("012345"):
            found[style.get(f"{_W}styleId", "")] = int(outline.get(f"{_W}val")) + 1
        elif told:
            found[style.get(f"{_W}styleId", "")] = int(told[1])
    return found


def _is_on(switch: Any) -> bool:
    return switch is not None and switch.get(f"{_W}val") not in ("0", "false", "off")


class _Writer:
    """A writer of Word's elements as HTML, which is then read as a page."""

    def __init__(self, hidden_styles: frozenset[str], levels: Mapping[str, int]) -> None:
        self._hidden_styles, self._levels = hidden_styles, levels
        self.title: str | None = None

    def blocks(self, parent: Any, into: Any) -> None:
        """Write the paragraphs and tables of `parent`, whatever they are wrapped in."""
        for element in parent if parent is not None else ():
            tag = element.tag
            if tag == f"{_W}p":
                self._paragraph(element, into)
            elif tag == f"{_W}tbl":
                self._table(element, into)
            elif tag not in _SKIPPED and tag != _FALLBACK and isinstance(tag, str):
                self.blocks(element, into)

    def _table(self, element: Any, into: Any) -> None:
        table = etree.SubElement(into, "table")
        for row in element.iter(f"{_W}tr"):
            if next(row.iterancestors(f"{_W}tbl")) is not element:
                continue
            line = etree.SubElement(table, "tr")
            for cell in row.iter(f"{_W}tc"):
                if next(cell.iterancestors(f"{_W}tr")) is row:
                    self.blocks(cell, etree.SubElement(line, "td"))
        if all(len("".join(cell.itertext())) <= _CELL for cell in table.iter("td")):
            # Cells of several paragraphs are page layout only if they hold much text.
            for paragraph in list(table.iter("p")):
                paragraph.tag = "div"

    def _paragraph(self, element: Any, into: Any) -> None:
        style = element.find(f"{_W}pPr/{_W}pStyle")
        name = style.get(f"{_W}val", "") if style is not None else ""
        if name.upper().startswith("TOC") or name in self._hidden_styles:
            return
        level = self._levels.get(name)
        paragraph = etree.SubElement(into, "p" if level is None or into.tag != "body" else f"h{level}")
        self._runs(element, paragraph)
        if name.lower() in ("title", "heading1") and self.title is None:
            self.title = " ".join("".join(paragraph.itertext()).split()) or None

    def _runs(self, parent: Any, into: Any) -> None:
        for element in parent:
            tag = element.tag
            if tag in _SKIPPED or tag in (_FALLBACK, f"{_W}pPr") or not isinstance(tag, str):
                continue
            if tag == f"{_W}r" and self._is_hidden(element):
                continue
            if tag in (f"{_W}t", f"{_MATH}t"):
                _say(into, element.text or "")
            elif tag == f"{_W}noBreakHyphen":
                _say(into, "-")
            elif tag in (f"{_W}tab", f"{_W}ptab"):
                _say(into, " ")
            elif tag in (f"{_W}br", f"{_W}cr"):
                etree.SubElement(into, "br")
            elif tag in (f"{_W}p", f"{_W}tbl"):  # a text box
                self.blocks([element], into)
            elif tag == f"{_MATH}den":
                _say(into, "/")
                self._runs(element, into)
            elif tag == f"{_MATH}sup" or (tag == f"{_W}r" and _is_raised(element)):
                self._runs(element, etree.SubElement(into, "sup"))
            else:
                self._runs(element, into)

    def _is_hidden(self, run: Any) -> bool:
        look = run.find(f"{_W}rPr")
        if look is None:
            return False
        style = look.find(f"{_W}rStyle")
        vanish = look.find(f"{_W}vanish")
        if vanish is not None:
            return _is_on(vanish)
        if style is not None and style.get(f"{_W}val") in self._hidden_styles:
            return True
        size = look.find(f"{_W}sz")
        if size is not None and size.get(f"{_W}val", "").isdecimal() and int(size.get(f"{_W}val")) < _TINY:
            return True
        colour = look.find(f"{_W}color")
        return colour is not None and colour.get(f"{_W}val", "").upper() == "FFFFFF" and not _is_shaded(run)


def _is_raised(run: Any) -> bool:
    place = run.find(f"{_W}rPr/{_W}vertAlign")
    return place is not None and place.get(f"{_W}val") == "superscript"


def _is_shaded(run: Any) -> bool:
    """Return whether white print probably has a ground to stand out from: any shading around it, or a table's style."""
    for around in (run, *run.iterancestors()):
        for look in around.findall(f"{_W}rPr") + around.findall(f"{_W}pPr") + around.findall(f"{_W}tcPr"):
            shade = look.find(f"{_W}shd")
            if shade is not None and shade.get(f"{_W}fill", "auto").upper() not in ("AUTO", "FFFFFF"):
                return True
            if look.find(f"{_W}highlight") is not None:
                return True
        if around.tag == f"{_W}tbl" and around.find(f"{_W}tblPr/{_W}tblStyle") is not None:
            return True
    return False


def _say(into: Any, text: str) -> None:
    if len(into):
        into[-1].tail = (into[-1].tail or "") + text
    else:
        into.text = (into.text or "") + text
