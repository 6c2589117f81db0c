"""A manual page as text: `.1` to `.8`, packed or not, in the macros of man or of mdoc."""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import replace
from io import BytesIO

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.charset import decode
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.manual._blocks import Blocks
from veritas.reading.formats.manual._man_macros import ManMacros
from veritas.reading.formats.manual._mdoc_macros import MdocMacros
from veritas.reading.formats.manual._requests import Call, Roff
from veritas.reading.formats.manual._tables import table_rows

MAX_UNPACKED = 50 * 1024 * 1024
"""Limit in bytes that a packed page may unpack to."""
_LONGEST = 4
"""Letters of a macro's name; longer ones are no names that anybody uses without defining them."""
_MARKED = re.compile(r"^[.'][ \t]*(?:TH|SH|Sh|Dd|Dt|NH)\b", re.MULTILINE)
_ALIAS = re.compile(r"\s*[.'][ \t]*so[ \t]+(\S+)\s*\Z")
_PREAMBLE = re.compile(r"(?m)^[.']\\\".*\n|^[.'][ \t]*\n")


def convert_manual(data: bytes) -> Converted:
    """Return the text of a page: its sections with their headings, terms above what explains them, rows of tables.

    Calls that are not known are text. Raises `CorpusError` for a file that is no manual page, is another page's alias,
    or unpacks to more than `MAX_UNPACKED`.
    """
    text, remark = decode(_unpacked(data))
    text = text.replace("\r\n", "\n")
    if alias := _ALIAS.match(_PREAMBLE.sub("", text)):
        raise CorpusError(f"is another name of {alias[1]}")
    if _MARKED.search(text) is None:
        raise CorpusError("is no manual page, though its name says so")
    converted = _page(text)
    return replace(converted, remarks=(remark,)) if remark else converted


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.open(BytesIO(data)) as packed:
            found = packed.read(MAX_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"is packed, and cannot be unpacked: {error}") from error
    if len(found) > MAX_UNPACKED:
        raise CorpusError(f"unpacks to more than {MAX_UNPACKED >> 20} MB")
    return found


def _page(text: str) -> Converted:
    roff, blocks = Roff(), Blocks()
    man, mdoc = ManMacros(roff, blocks), MdocMacros(roff, blocks)
    table: list[str] | None = None
    for line in roff.lines(text):
        if isinstance(line, str):
            if table is not None:
                table.append(line)
            else:
                blocks.say(roff.plain(line))
        elif line.name == "TS":
            table = []
        elif line.name == "TE":
            blocks.block(table_rows(table or [], roff.plain), "row")
            table = None
        elif table is not None:
            table.append(f".{line.name} {line.rest}".rstrip())
        elif not (mdoc.carry_out(line) or man.carry_out(line)):
            _unknown(line, roff, blocks)
    if table is not None:  # whose end is missing
        blocks.block(table_rows(table, roff.plain), "row")
    name, section, day = (man.name, man.section, man.day) if man.name else (mdoc.name, mdoc.section, mdoc.day)
    body, structure = blocks.laid_out()
    titled = _title(body, name, section)
    return Converted(text=body, title=titled, published_at=parse_date(_plain_day(day)), blocks=structure)


def _unknown(call: Call, roff: Roff, blocks: Blocks) -> None:
    """Add what an unknown call says."""
    said = " ".join(map(roff.plain, call.arguments))
    if len(call.name) > _LONGEST and call.name.islower():  # a word that begins with a dot, such as a file's name
        said = f".{call.name} {said}"
    if said.strip():
        blocks.say(said)


def _title(body: str, name: str, section: str) -> str | None:
    """Return name and section with what the page's first section says of it."""
    page = f"{name.lower() if name.isupper() else name}({section})" if name and section else name
    found = re.match(r"[^\n]+\n\n([^\n]{1,160})(?:\n|\Z)", body)
    told = re.match(r".*?\s(?:-|–|—)+\s+(.+)", found[1]) if found else None
    return (f"{page}: {told[1]}" if told and page else page) or None


def _plain_day(day: str) -> str:
    """Return a day without the marks of version control."""
    return re.sub(r"\$Mdocdate:?|\$", "", day).strip()
