"""arXiv: an Atom entry, as XML or as a dictionary made by a parser."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, items, mapping, people, raw, text, year
from veritas.registries.records.semantic_scholar_record import title_updates
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi
from veritas.works.names import parse_name
from veritas.works.records import BibRecord, Kind, Related, Update, UpdateKind
from veritas.works.title_comparison import strip_status

MAX_XML = 2_000_000
_WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|version)?\s*(?:has been|is|was)?\s*withdrawn\b", re.I
)


def normalise(record: Any) -> BibRecord:
    """Read an entry: Atom XML text (a feed with one entry, or the entry), or a dictionary with the same names."""
    if isinstance(record, str):
        record = _parsed(record)
        if isinstance(record, str):
            return BibRecord(source="arxiv", problems=(f"record: {record}",))
    record = _opened(record)
    if not isinstance(record, Mapping):
        return BibRecord(source="arxiv", problems=("record: no Atom entry",))
    get = _getter(record)
    if "api/errors" in str(get("id")):
        return BibRecord(source="arxiv", problems=("record: the API's error message, no paper",))
    arxiv_id = _first_id(get("id"), get("entry_id"), get("arxiv_id"), get("link"))
    doi = normalise_doi(raw(get("doi")) or raw(get("arxiv:doi")))
    title = text(get("title"))
    submitted = year(get("published")) or year(get("year"))
    comment = text(get("comment")) or ""
    withdrawn = _WITHDRAWN.search(comment) is not None
    return BibRecord(
        source="arxiv",
        title=strip_status(title)[0] if title else None,
        authors=people(parse_name(_name(author)) for author in items(get("author") or get("authors"))),
        year=submitted,
        years=distinct_years(submitted, year(get("updated"))),
        doi=doi or (f"10.48550/arxiv.{arxiv_id}" if arxiv_id else None),
        arxiv_id=arxiv_id,
        venue=text(get("journal_ref")) or "arXiv",
        kind=Kind.PREPRINT,
        related=(Related(relation="published", doi=doi),) if doi else (),
        updates=(Update(kind=UpdateKind.WITHDRAWAL, of_this=True, asserted_by="arxiv comment"),)
        if withdrawn
        else title_updates(title),
    )


def _parsed(source: str) -> dict[str, Any] | str:
    """Return the only entry of an Atom document, or why there is none. A document type declaration is refused."""
    if len(source) > MAX_XML or "<!DOCTYPE" in source or "<!ENTITY" in source:
        return "XML too large, or with a document type declaration"
    try:
        root = ElementTree.fromstring(source.strip())
    except (ElementTree.ParseError, ValueError):
        return "not well-formed XML"
    entries = [root] if _local(root.tag) == "entry" else [node for node in root if _local(node.tag) == "entry"]
    if len(entries) != 1:
        return f"{len(entries)} Atom entries where one was expected"
    found: dict[str, Any] = {"author": []}
    for node in entries[0]:
        name = _local(node.tag)
        if name == "author":
            found["author"].append({_local(child.tag): child.text or "" for child in node})
        elif name == "link":
            found.setdefault("link", node.get("href") or "")
        else:
            found.setdefault(name, "".join(node.itertext()))
    return found


def _local(tag: Any) -> str:
    return str(tag).rpartition("}")[2]


def _opened(record: Any) -> Any:
    for _ in range(4):
        if not isinstance(record, Mapping) or ("title" in record and "entry" not in record and "entries" not in record):
            break
        inner = next((record[key] for key in ("feed", "entry", "entries") if key in record), None)
        if isinstance(inner, list):
            inner = inner[0] if len(inner) == 1 else None
        if inner is None:
            break
        record = inner
    return record


def _getter(record: Mapping[str, Any]) -> Any:
    """Return a look-up of names in the spellings of Atom parsers: `doi`, `arxiv_doi`, `arxiv:doi`, `{"#text": …}`."""

    def get(name: str) -> Any:
        for key in (name, f"arxiv_{name}", f"arxiv:{name}"):
            value = record.get(key)
            if isinstance(value, Mapping) and "#text" in value:
                value = value["#text"]
            if value not in (None, "", [], {}):
                return value
        return None

    return get


def _first_id(*values: Any) -> str | None:
    for value in values:
        if found := normalise_arxiv_id(raw(value)):
            return found
    return None


def _name(author: Any) -> str:
    return author if isinstance(author, str) else raw(mapping(author).get("name")) or ""
