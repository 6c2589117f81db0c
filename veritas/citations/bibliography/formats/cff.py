"""CITATION.cff: the references of a program, and the work that it asks to be cited by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from veritas.citations.bibliography.entry import Entry
from veritas.errors import InputError

_FIELDS = {"title": "title", "doi": "doi", "year": "year", "journal": "journal", "url": "url"}
_TYPES = {"article": "article", "book": "book", "conference-paper": "inproceedings"}


def read_cff(text: str, file: str) -> list[Entry]:
    """Return the entries of `references` and `preferred-citation`. Raises `InputError` for what is no YAML."""
    try:
        given = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
    if not isinstance(given, dict):
        return []
    listed = given.get("references")
    cited = [*(listed if isinstance(listed, list) else []), given.get("preferred-citation")]
    return [_entry(each, file, number, text) for number, each in enumerate(cited, 1) if isinstance(each, dict)]


def _entry(item: Mapping[str, Any], file: str, number: int, text: str) -> Entry:
    fields = {name: str(item[key]) for key, name in _FIELDS.items() if isinstance(item.get(key), str | int)}
    listed = item.get("authors")
    names = [_name(each) for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    if any(names):
        fields["author"] = " and ".join(filter(None, names))
    at = max(text.find(str(item.get("title") or "\0")), 0)
    line = text.count("\n", 0, at) + 1
    kind = _TYPES.get(str(item.get("type")), "misc")
    span = at, at + len(fields.get("title", ""))
    return Entry(file=file, key=str(number), line=line, type=kind, fields=fields, span=span)


def _name(person: Mapping[str, Any]) -> str:
    if person.get("family-names"):
        return ", ".join(str(person[key]) for key in ("family-names", "given-names") if person.get(key))
    return f"{{{person['name']}}}" if person.get("name") else ""
