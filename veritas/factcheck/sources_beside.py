"""A list of sources kept beside a text: lines, BibTeX, RIS, CSL JSON, or the export of the conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.formats.csl import item_entry
from veritas.citations.bibliography.formats.ris import read_ris
from veritas.errors import InputError
from veritas.factcheck.addresses import doi_address, plain_address
from veritas.factcheck.conversations import last_answer, listed_sources
from veritas.factcheck.shapes import SourceEntry
from veritas.factcheck.source_lists import entries_of
from veritas.text.markup import plain_text

_BIBTEX = re.compile(r"(?m)^\s*@\w+\s*\{\s*[^\s,{}]+\s*,")
_RIS = re.compile(r"(?m)^TY {2}- ")
_URL = re.compile(r"https?://[^\s{}]+")


def sources_beside(text: str) -> list[SourceEntry]:
    """Return the entries of a list of sources. Those without a label have their number in the list, from 1.

    Raises `InputError` for JSON that lists no source.
    """
    if text.lstrip().startswith(("{", "[{", "[\n", '["', "[ ")):
        entries = _of_json(text)
    elif _BIBTEX.search(text):
        entries = of_bibliography(read_bibtex(text, "sources"))
    elif _RIS.search(text):
        entries = of_bibliography(read_ris(text, "sources"))
    else:
        entries = entries_of(text)
    return [entry.model_copy(update={"origin": "beside", "start": None, "end": None}) for entry in entries]


def of_bibliography(entries: Sequence[Entry]) -> list[SourceEntry]:
    """Return the entries of a bibliography as sources: their key as label, their link, DOI or arXiv id as address."""
    return [_of_entry(entry) for entry in entries if entry.problem is None]


def _of_entry(entry: Entry) -> SourceEntry:
    fields = entry.fields
    said = [plain_text(fields[name]) for name in ("author", "editor", "title", "year", "date") if fields.get(name)]
    return SourceEntry(
        label=entry.key,
        url=_address(fields),
        title=plain_text(fields["title"]) if fields.get("title") else None,
        entry=". ".join(said) or entry.text,
        origin="beside",
        start=entry.span[0] if entry.span else None,
        end=entry.span[1] if entry.span else None,
    )


def _address(fields: Mapping[str, str]) -> str | None:
    for name in ("url", "howpublished", "note", "link"):
        if found := _URL.search(fields.get(name, "")):
            return plain_address(found[0])
    if fields.get("doi"):
        return doi_address(fields["doi"])
    eprint = fields.get("eprint", "")
    return f"https://arxiv.org/abs/{eprint}" if re.fullmatch(r"\d{4}\.\d{4,5}(?:v\d+)?", eprint) else None


def _of_json(text: str) -> list[SourceEntry]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return entries_of(text)
    items = value if isinstance(value, list) else []
    if items and all(isinstance(one, Mapping) and "title" in one and ("URL" in one or "DOI" in one) for one in items):
        return of_bibliography([item_entry(one, "sources", number, number) for number, one in enumerate(items, 1)])
    try:
        answer = last_answer(value)
    except InputError:
        answer = None
    entries = (answer.entries if answer else []) or listed_sources(value)
    if answer and not entries:
        told = [(mark.url, mark.title) for mark in answer.marks if mark.url]
        entries = listed_sources([{"url": url, "title": title} for url, title in dict.fromkeys(told)])
    if not entries:
        raise InputError("the file of sources is JSON in which no source with an address was found")
    return entries
