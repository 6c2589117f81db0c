"""CSL-JSON, as Zotero, Pandoc and Crossref write it: a list of items, or an object that holds one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from veritas.citations.bibliography.entry import Entry
from veritas.errors import InputError
from veritas.registries.records.fields import mapping, objects, raw
from veritas.text.line_index import LineNumbers

_TYPES = {
    "article-journal": "article", "article": "article", "paper-conference": "inproceedings", "chapter": "incollection",
    "book": "book", "thesis": "phdthesis", "report": "techreport", "webpage": "online", "post-weblog": "online",
    "post": "online", "software": "software", "dataset": "dataset", "standard": "standard", "patent": "patent",
    "manuscript": "unpublished", "article-newspaper": "news", "article-magazine": "news", "legislation": "legal",
    "legal_case": "legal", "motion_picture": "misc", "speech": "misc", "interview": "misc",
}  # fmt: skip
_TEXT = {
    "title": "title", "container-title": "journal", "DOI": "doi", "URL": "url", "publisher": "publisher",
    "volume": "volume", "issue": "number", "page": "pages", "ISBN": "isbn", "PMID": "pmid", "note": "note",
    "number": "number",
}  # fmt: skip


def read_csl(text: str, file: str) -> list[Entry]:
    """Read the items of a file. Raises `InputError` if it holds no CSL-JSON."""
    _, data = parse_csl(text, file)
    found, lines, at = [], LineNumbers(text), 0
    for number, item in enumerate(data, 1):
        key = item.get("id")
        place = text.find(json.dumps(key, ensure_ascii=False), at) if isinstance(key, str) and key else -1
        at = place + 1 if place >= 0 else at
        found.append(item_entry(item, file, number, lines.at(at)))
    return found


def parse_csl(text: str, file: str) -> tuple[Any, list[dict[str, Any]]]:
    """Return the JSON document and the items in it. Raises `InputError` if it holds no CSL-JSON."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON ({error})") from error
    data = whole
    if isinstance(data, dict):
        data = next((data[name] for name in ("items", "references") if isinstance(data.get(name), list)), [data])
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise InputError(f"{file}: CSL-JSON is a list of items")
    return whole, data


def item_entry(item: Mapping[str, Any], file: str, number: int, line: int) -> Entry:
    """Convert one item into an entry."""
    fields = {name: given for key, name in _TEXT.items() if (given := raw(item.get(key)))}
    kind = _TYPES.get(str(item.get("type")), "misc")
    if kind in ("inproceedings", "incollection") and "journal" in fields:
        fields["booktitle"] = fields.pop("journal")
    names = []
    for author in objects(item.get("author")):
        family, given = raw(author.get("family")), raw(author.get("given"))
        particle = raw(author.get("non-dropping-particle")) or raw(author.get("dropping-particle"))
        literal = raw(author.get("literal")) or raw(author.get("name"))
        if family:
            family = f"{particle} {family}" if particle else family
            names.append(f"{family}, {given}" if given else f"{{{family}}}")
        elif literal:
            names.append(f"{{{literal}}}" if " " in literal else literal)
    if names:
        fields["author"] = " and ".join(names)
    parts = mapping(item.get("issued")).get("date-parts")
    year = parts[0][0] if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0] else None
    year = year or mapping(item.get("issued")).get("raw") or mapping(item.get("issued")).get("literal")
    if (given_year := raw(year)) is not None:
        fields["year"] = given_year
    return Entry(file=file, key=raw(item.get("id")) or str(number), line=line, type=kind, fields=fields)
