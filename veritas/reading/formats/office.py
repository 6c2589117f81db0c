"""Slides, spreadsheets, OpenDocument and EPUB, converted by Docling."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Any, Literal

from veritas.errors import CorpusError
from veritas.reading.formats.converted import Converted
from veritas.text.structure import CAPTION, Structure, TextBlock, TextBlockKind

OfficeKind = Literal["pptx", "xlsx", "odt", "ods", "odp", "epub"]

MAX_UNPACKED = 256 * 1024 * 1024
"""Limit in bytes that an archive may unpack to. Its stated size is checked before Docling opens it."""


def convert_office(data: bytes, kind: OfficeKind) -> Converted:
    """Return the text of a file in the order Docling reads it; a table's rows have tabs between the cells.

    Raises `CorpusError` for a file that is not of this kind, or unpacks to more than `MAX_UNPACKED`.
    """
    _check_archive(data)
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter
    from docling.exceptions import BaseError

    converter = DocumentConverter(allowed_formats=[InputFormat(kind)])
    try:
        document = converter.convert(DocumentStream(name=f"document.{kind}", stream=io.BytesIO(data))).document
    except (BaseError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise CorpusError(f"is no {kind} file that can be read: {str(error)[:200]}") from error
    text, starts, blocks = flow(document)
    return Converted(text, page_starts=starts if kind in ("pptx", "odp") else (), blocks=blocks)


convert_pptx = partial(convert_office, kind="pptx")
convert_xlsx = partial(convert_office, kind="xlsx")
convert_odt = partial(convert_office, kind="odt")
convert_ods = partial(convert_office, kind="ods")
convert_odp = partial(convert_office, kind="odp")
convert_epub = partial(convert_office, kind="epub")


def _check_archive(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError) as error:
        raise CorpusError(f"is no file of the kind its name says: {error}") from error
    if size > MAX_UNPACKED:
        raise CorpusError(f"unpacks to {size >> 20} MB, the limit is {MAX_UNPACKED >> 20} MB")


def flow(document: Any) -> tuple[str, tuple[int, ...], Structure]:
    """Return a `DoclingDocument`'s text, a blank line between paragraphs, the offset at which each page begins, and its
    structure."""
    texts: list[str] = []
    found: list[TextBlock] = []
    length = 0
    begins: dict[int, int] = {}
    for page, caption, lines in _items(document):
        for number in range(max(begins, default=0) + 1, page + 1):
            begins[number] = length
        for kind, level, line in lines:
            found.append(TextBlock(kind, length, length + len(line), level, CAPTION if caption else ""))
            length += len(line) + 1
        texts.append("\n".join(line for *_, line in lines))
        length += 1
    return "\n\n".join(texts), tuple(begins[number] for number in sorted(begins)), tuple(found)


_KINDS: dict[str, TextBlockKind] = {
    "section_header": "heading", "title": "heading", "list_item": "item", "code": "code",
}  # fmt: skip


def _items(document: Any) -> Iterator[tuple[int, bool, list[tuple[TextBlockKind, int, str]]]]:
    """Yield each item of the body with its page, from 1, whether it is a caption or a footnote, and its blocks; headers
    and footers are no part of the body."""
    for item, _ in document.iterate_items():
        data = getattr(item, "data", None)
        label = str(getattr(item.label, "value", item.label))
        lines: list[tuple[TextBlockKind, int, str]] = []
        if data is not None and hasattr(data, "grid"):
            for row in data.grid:
                said = "\t".join(" ".join(cell.text.split()) for cell in row).rstrip()
                if said:
                    names = all(cell.column_header for cell in row)
                    lines.append(("head" if names else "row", 0, said))
        elif text := (getattr(item, "text", "") or "").strip():
            kind = _KINDS.get(label, "prose")
            lines.append((kind, int(getattr(item, "level", 1)) if kind == "heading" else 0, text))
        if lines:
            yield (item.prov[0].page_no if item.prov else 0), label in ("caption", "footnote"), lines
