"""Live citations of a Word document: the fields of Zotero, Mendeley and EndNote, and Word's own sources.

A reference manager keeps the whole record beside every mark, so nothing has to be guessed from the printed list.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.csl import item_entry
from veritas.citations.bibliography.formats.endnote_xml import record_entry
from veritas.citations.bibliography.formats.safe_xml import Node, parse_xml, walk
from veritas.citations.bibliography.formats.tagged_lines import author_field, filled, venue_name
from veritas.errors import InputError
from veritas.registries.records.fields import mapping, objects, raw
from veritas.works.identifiers import normalise_doi
from veritas.works.title_comparison import normalise_title

_TYPES = {
    "JournalArticle": "article", "ConferenceProceedings": "inproceedings", "BookSection": "incollection",
    "Book": "book", "Report": "techreport", "InternetSite": "online", "DocumentFromInternetSite": "online",
    "ElectronicSource": "online", "ArticleInAPeriodical": "news", "Patent": "patent", "Case": "legal",
}  # fmt: skip


def source_entries(root: Node, file: str) -> list[Entry]:
    """Return the sources of a `b:Sources` element in order; the key is the tag under which the text cites one."""
    return [_entry(source, file, number) for number, source in enumerate(root.iterate("Source"), 1)]


def _entry(source: Node, file: str, number: int) -> Entry:
    kind = _TYPES.get(source.said("SourceType") or "", "misc")
    thesis = source.said("ThesisType")
    if thesis and re.search(r"thesis|dissertation", thesis, re.I):
        kind = "phdthesis"
    names = []
    for person in source.every("Author", "Author", "NameList", "Person"):
        given = " ".join(part for part in (person.said("First"), person.said("Middle")) if part)
        names.append(", ".join(part for part in (person.said("Last"), given) if part))
    body = source.said("Author", "Author", "Corporate")
    number_given = source.said("StandardNumber") or ""
    places = ("JournalName", "ConferenceName", "BookTitle", "PeriodicalTitle")
    venue = next((said for tag in places if (said := source.said(tag))), None)
    fields = {
        "title": source.said("Title"),
        "author": author_field([*names, *([f"{body},"] if body else [])]),
        "year": (re.findall(r"\d{4}", source.said("Year") or "") or [None])[0],
        venue_name(kind): venue or (source.said("Institution") if kind == "phdthesis" else None),
        "volume": source.said("Volume"),
        "number": source.said("Issue"),
        "pages": source.said("Pages"),
        "publisher": source.said("Publisher"),
        "doi": source.said("DOI") or (normalise_doi(number_given) if "10." in number_given else None),
        "isbn": number_given if "10." not in number_given else None,
        "url": source.said("URL"),
        "note": source.said("Comments"),
    }
    return Entry(
        file=file,
        key=source.said("Tag") or str(number),
        line=source.line,
        type=kind,
        fields=filled(fields),
        span=(source.start, source.end),
    )


MAX_PART_BYTES = 64 * 1024 * 1024
"""Limit in bytes of an unpacked part of the archive."""
_PARTS = re.compile(r"word/(?:document|footnotes|endnotes)\.xml|customXml/item\d{1,4}\.xml|docProps/custom\.xml")
_MENDELEY = "MENDELEY_CITATION_v3_"
_ENDNOTE = re.compile(r"<EndNote>.*?</EndNote>", re.DOTALL)
_BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error)


def read_live_citations(data: bytes, file: str) -> list[Entry]:
    """Return the works that a DOCX cites by live fields, each once, in the order of its first mark, then its Word
    sources. `line` counts the works. Empty for a document without such fields.

    Raises `InputError` for a file that is no DOCX, and for a part whose XML is broken or declares entities.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = sorted(filter(_PARTS.fullmatch, archive.namelist()), key=lambda name: not name.startswith("word/d"))
            parts = [(name, _part(archive, name, file)) for name in names]
    except _BROKEN as error:
        raise InputError(f"{file} is no readable DOCX ({error})") from error
    found: list[Entry] = []
    for name, part in parts:
        where = f"{file} ({name})"
        if name.startswith("customXml/"):
            if b"officeDocument/2006/bibliography" in part:
                found += source_entries(parse_xml(part, where), file)
        else:
            for said in _instructions(part, where):
                found += _cited(said, file, where)
    return _each_once(found)


def _part(archive: zipfile.ZipFile, name: str, file: str) -> bytes:
    with archive.open(name) as opened:
        data = opened.read(MAX_PART_BYTES + 1)
    if len(data) > MAX_PART_BYTES:
        raise InputError(f"{file} ({name}) unpacks to more than {MAX_PART_BYTES >> 20} MB")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16").encode()
    return data


def _instructions(data: bytes, where: str) -> Iterator[str]:
    """Return what the fields of a part say: instructions put together of their runs, data, tags of content controls,
    and long document properties, which Zotero cuts into pieces."""
    found: list[str] = []
    fields: list[list[str]] = []
    pieces: dict[str, list[str]] = {}
    within: list[str] = []
    caught: list[str] = []

    def start(tag: str, attributes: dict[str, str], _: int, __: int) -> None:
        given = {name.rpartition(":")[2]: value for name, value in attributes.items()}
        if tag == "fldChar" and given.get("fldCharType") == "begin":
            fields.append([])
        elif tag == "fldChar" and given.get("fldCharType") == "end" and fields:
            found.append("".join(fields.pop()))
        elif tag == "fldSimple":
            found.append(given.get("instr", ""))
        elif tag == "tag" and given.get("val", "").startswith(_MENDELEY):
            found.append(given["val"])
        elif tag == "property":
            within[:] = [re.sub(r"_\d+$", "", given.get("name", ""))]
        elif tag in ("instrText", "fldData", "lpwstr"):
            caught[:] = [tag]

    def text(said: str) -> None:
        if not caught:
            return
        if caught[0] == "instrText" and fields:
            fields[-1].append(said)
        elif caught[0] == "fldData":
            caught.append(said)
        elif caught[0] == "lpwstr" and within:
            pieces.setdefault(within[0], []).append(said)

    def end(tag: str, _: int) -> None:
        if caught and tag == caught[0]:
            if tag == "fldData":
                found.append(_decoded("".join(caught[1:])))
            caught.clear()

    walk(data, where, start, end, text)
    return iter([*found, *("".join(each) for each in pieces.values())])


def _decoded(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""


def _cited(said: str, file: str, where: str) -> Iterator[Entry]:
    """Yield the works of one field. Raises `InputError` if it is a citation whose record cannot be read."""
    if said.startswith(_MENDELEY):
        yield from _items(_decoded(said.removeprefix(_MENDELEY)), file, where)
    elif "CSL_CITATION" in said:
        yield from _items(said[said.index("CSL_CITATION") + len("CSL_CITATION") :], file, where)
    elif "<EndNote>" in said:
        for xml in _ENDNOTE.findall(said):
            for cite in parse_xml(xml.encode(), where).iterate("record"):
                yield record_entry(cite, file, 1)


def _items(said: str, file: str, where: str) -> Iterator[Entry]:
    try:
        whole, _ = json.JSONDecoder().raw_decode(said.strip())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: a citation field holds no readable record ({error})") from error
    for cited in objects(mapping(whole).get("citationItems")):
        item: dict[str, Any] = dict(mapping(cited.get("itemData")))
        if item:
            key = raw(item.get("citation-key")) or raw(item.get("id")) or raw(cited.get("id"))
            yield item_entry(item | {"id": (key or "").rsplit("/", 1)[-1]}, file, 1, 1)


def _each_once(entries: list[Entry]) -> list[Entry]:
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        record = entry.record
        mark = (normalise_title(record.full_title or ""), str(record.year or "")) if record.title else (entry.key, "")
        found.setdefault(mark, entry)
    return [
        entry.model_copy(update={"line": number, "span": None, "key": entry.key or str(number)})
        for number, entry in enumerate(found.values(), 1)
    ]
