"""How each file format becomes text: one file a format, and here the table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Literal, cast

from veritas.errors import CorpusError
from veritas.reading.formats.converted import Converted, without_keys, without_tags
from veritas.reading.formats.office import OFFICE_KINDS, OfficeKind

Kind = Literal[
    "text", "markdown", "rst", "html", "pdf", "docx", "latex", "jats",
    "pptx", "xlsx", "odt", "ods", "odp", "epub", "asciidoc",
]  # fmt: skip

FORMATS_VERSION = 8
"""Goes up when a converter makes other text of the same file: kept conversions are then made anew."""

SUFFIXES: dict[str, Kind] = {
    ".txt": "text", ".text": "text",
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".mkd": "markdown",
    ".rst": "rst", ".rest": "rst",
    ".html": "html", ".htm": "html", ".xhtml": "html",
    ".pdf": "pdf", ".docx": "docx", ".tex": "latex", ".ltx": "latex", ".latex": "latex",
    ".xml": "jats", ".nxml": "jats", ".jats": "jats",
    ".pptx": "pptx", ".xlsx": "xlsx", ".odt": "odt", ".ods": "ods", ".odp": "odp", ".epub": "epub",
    ".adoc": "asciidoc", ".asciidoc": "asciidoc",
}  # fmt: skip
MEDIA_TYPES: dict[Kind, str] = {
    "text": "text/plain", "markdown": "text/markdown", "rst": "text/x-rst", "html": "text/html",
    "pdf": "application/pdf", "latex": "text/x-tex", "jats": "application/jats+xml",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation", "epub": "application/epub+zip",
    "asciidoc": "text/asciidoc",
}  # fmt: skip


def kind_of(path: PurePath) -> Kind | None:
    """The format that a file's name says it has; None for one that is not read."""
    return SUFFIXES.get(path.suffix.lower())


def convert(data: bytes, kind: Kind) -> Converted:
    """The text of a file. Raises `CorpusError` with what is wrong with it, as the end of a sentence that names it."""
    try:
        converted = _convert(data, kind)
        if "\u00ad" in converted.text and not converted.page_starts:
            # A soft hyphen says where a word may be broken; it is no part of the word.
            converted = replace(converted, text=converted.text.replace("\u00ad", ""))
        return without_keys(without_tags(converted))
    except RecursionError as error:
        raise CorpusError("is nested too deeply to be read") from error


def _convert(data: bytes, kind: Kind) -> Converted:
    if kind == "html":
        from veritas.reading.formats.html import convert_html

        return convert_html(data)
    if kind == "pdf":
        from veritas.reading.formats.pdf import convert_pdf

        return convert_pdf(data)
    if kind == "docx":
        from veritas.reading.formats.docx import convert_docx

        return convert_docx(data)
    if kind == "jats":
        from veritas.reading.formats.jats import convert_jats

        return convert_jats(data)
    if kind in OFFICE_KINDS:
        from veritas.reading.formats.office import convert_office

        return convert_office(data, cast("OfficeKind", kind))
    from veritas.reading.charset import decode

    text, remark = decode(data)
    converted = _text_converter(kind)(text)
    return replace(converted, remarks=(*converted.remarks, remark)) if remark else converted


def _text_converter(kind: Kind) -> Callable[[str], Converted]:
    if kind == "latex":
        from veritas.reading.formats.latex import convert_latex

        return convert_latex
    if kind == "markdown":
        from veritas.reading.formats.markdown import convert_markdown

        return convert_markdown
    if kind == "rst":
        from veritas.reading.formats.rst import convert_rst

        return convert_rst
    from veritas.reading.formats.plain import convert_plain

    return convert_plain


__all__ = ["FORMATS_VERSION", "MEDIA_TYPES", "SUFFIXES", "Converted", "Kind", "convert", "kind_of"]
