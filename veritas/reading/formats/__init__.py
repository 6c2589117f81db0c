"""How each file format becomes text: one file a format, and here the table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Literal

from veritas.reading.formats.converted import Converted

Kind = Literal["text", "markdown", "rst", "html"]

SUFFIXES: dict[str, Kind] = {
    ".txt": "text", ".text": "text",
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".mkd": "markdown",
    ".rst": "rst", ".rest": "rst",
    ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
MEDIA_TYPES: dict[Kind, str] = {
    "text": "text/plain", "markdown": "text/markdown", "rst": "text/x-rst", "html": "text/html",
}  # fmt: skip


def kind_of(path: PurePath) -> Kind | None:
    """The format that a file's name says it has; None for one that is not read."""
    return SUFFIXES.get(path.suffix.lower())


def convert(data: bytes, kind: Kind) -> Converted:
    """The text of a file. Raises `CorpusError` with what is wrong with it, as the end of a sentence that names it."""
    if kind == "html":
        from veritas.reading.formats.html import convert_html

        return convert_html(data)
    from veritas.reading.charset import decode

    text, remark = decode(data)
    converted = _text_converter(kind)(text)
    return replace(converted, remarks=(*converted.remarks, remark)) if remark else converted


def _text_converter(kind: Kind) -> Callable[[str], Converted]:
    if kind == "markdown":
        from veritas.reading.formats.markdown import convert_markdown

        return convert_markdown
    if kind == "rst":
        from veritas.reading.formats.rst import convert_rst

        return convert_rst
    from veritas.reading.formats.plain import convert_plain

    return convert_plain


__all__ = ["MEDIA_TYPES", "SUFFIXES", "Converted", "Kind", "convert", "kind_of"]
