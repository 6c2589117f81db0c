"""The real format of a body, whatever its Content-Type says."""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from veritas.errors import Unavailable
from veritas.reading.formats import Kind, media_type_of

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
    (b"OggS", "a sound or film"),
    (b"ID3", "a sound"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"SQLite format 3\x00", "a database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)
_TAGS = re.compile(
    rb"<!doctype\s+html|<(?:html|head|body|title|meta|script|div|p|table|h[1-6]|article|main|section|span)[\s>]",
    re.IGNORECASE,
)
_JATS = re.compile(rb"<!DOCTYPE\s+article\b|<article\b[^>]{0,600}(?:article-type|dtd-version|jats|nlm)", re.IGNORECASE)
_XML_NAMED = re.compile(rb"<\s*([A-Za-z_][\w.:-]*)")
_HEAD = 4096
_MAX_ENTRIES = 5000
_PARTS: dict[str, Kind] = {"word/document.xml": "docx", "ppt/presentation.xml": "pptx", "xl/workbook.xml": "xlsx"}
_TYPED: tuple[Kind, ...] = ("odt", "ods", "odp", "epub")


def kind_of_body(data: bytes, content_type: str) -> Kind:
    """Return the format of the bytes. Raises `Unavailable` for a format that is not read."""
    declared = content_type.partition(";")[0].strip().lower()
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    head = data if wide else data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n\f\x00")
    if not head:
        raise Unavailable("is empty")
    if b"%PDF-" in data[:1024] and not _TAGS.search(data[:1024]):
        return "pdf"
    if data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        return _in_zip(data)
    for magic, what in _MAGIC:
        if data.startswith(magic) and (magic != b"MZ" or b"\x00" in data[:_HEAD]):
            raise Unavailable(f"is {what}, not a page{_posing(declared)}")
    if data[4:8] == b"ftyp" or data[:4] in (b"RIFF", b"\x00\x00\x01\x00"):
        raise Unavailable(f"is an image, a sound or a film, not a page{_posing(declared)}")
    if wide:
        return "html" if declared in ("text/html", "application/xhtml+xml") else "text"
    if b"\x00" in data[:_HEAD]:
        raise Unavailable(f"is a binary file, not a page{_posing(declared)}")
    if _JATS.search(head[:2000]) and not re.search(rb"<html[\s>]", head, re.IGNORECASE):
        return "jats"
    if _TAGS.search(head) and head.startswith(b"<"):
        return "html"
    if head.startswith(b"<?xml") or (head.startswith(b"<") and "xml" in declared and "html" not in declared):
        body = head.partition(b"?>")[2] if head.startswith(b"<?xml") else head
        named = _XML_NAMED.search(body)
        root = named[1].decode("ascii", "replace")[:40] if named else "?"
        raise Unavailable(f"is XML of a kind that is not read (<{root}>)")
    if declared in ("text/html", "application/xhtml+xml"):
        return "html"
    if head[:1] in b"{[" and ("json" in declared or re.match(rb"[{\[]\s*[\"{\[]", head)):
        raise Unavailable("is JSON, not a page")
    if declared in ("text/css", "text/javascript", "application/javascript", "text/csv", "text/calendar"):
        raise Unavailable(f"is {declared}, not a page")
    if declared.startswith(("image/", "audio/", "video/", "font/")):
        raise Unavailable(f"is {declared}, not a page")
    if declared == "text/markdown":
        return "markdown"
    return "text"


def _in_zip(data: bytes) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            said = b""
            if "mimetype" in names:  # OpenDocument and EPUB name their type in a part of this name
                with archive.open("mimetype") as part:
                    said = part.read(200)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, KeyError) as error:
        raise Unavailable("is a damaged archive") from error
    if len(names) <= _MAX_ENTRIES:
        for part_name, kind in _PARTS.items():
            if part_name in names:
                return kind
        named = said.decode("ascii", "replace").strip()
        for kind in _TYPED:
            if named == media_type_of(kind):
                return kind
    raise Unavailable("is an archive, not a page")


def _posing(declared: str) -> str:
    return f", although it calls itself {declared[:60]}" if declared.startswith("text/") else ""


def charset_of(content_type: str) -> str | None:
    """Return the charset that a Content-Type names; None without one."""
    found = re.search(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", content_type, re.IGNORECASE)
    return found[1] if found else None


def in_utf8(data: bytes, content_type: str) -> bytes:
    """Re-encode text as UTF-8 if only its Content-Type knows the encoding; otherwise return the bytes as they are.

    Bytes that are valid UTF-8 are UTF-8, whatever a server says of them.
    """
    charset = charset_of(content_type)
    if charset is None or charset.lower().replace("_", "-") in ("utf-8", "utf8", "utf-7"):
        return data
    if not charset.lower().startswith("iso-2022"):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            pass
        else:
            return data
    try:
        return b"\xef\xbb\xbf" + data.decode(charset).encode("utf-8")
    except (UnicodeError, LookupError, ValueError):
        return data
