"""Correction of entries by the record they cite: fields that differ are replaced, the rest is left alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veritas.citations.bibliography.entry_verdict import Judged, Verdict
from veritas.citations.bibliography.formats.bibtex_entries import RawEntry, parse_bibtex
from veritas.citations.bibliography.formats.csl import parse_csl
from veritas.citations.record_exports import bibtex, csl_json, tex, tex_name, tex_pages, tex_title

PRINTED = {"volume": "volume", "issue": "number", "pages": "pages"}
"""Where a paper is printed: field of a difference -> BibTeX's field."""
MENDED = frozenset({Verdict.MINOR, Verdict.MISATTRIBUTED})


def corrections(judged: Judged) -> dict[str, str]:
    """Return BibTeX field -> its value in the record, for every difference; empty where nothing can be mended.

    A verdict of misattribution is mended only if the work itself was found, not something merely like it.
    """
    record = judged.match
    if judged.verdict not in MENDED or record is None or not any(c.same_work for c in judged.evidence.candidates):
        return {}
    found: dict[str, str] = {}
    for difference in judged.differences:
        if difference.field in ("first author", "authors") and record.authors:
            found["author"] = " and ".join(tex_name(name) for name in record.authors)
        elif difference.field == "title" and record.full_title:
            found["title"] = tex_title(record.full_title)
        elif difference.field == "year" and record.year:
            found["year"] = str(record.year)
        elif difference.field == "doi" and record.doi:
            found["doi"] = record.doi
        elif difference.field == "arxiv_id" and record.arxiv_id:
            found["eprint"] = record.arxiv_id
        elif difference.field == "venue" and difference.found:
            found["venue"] = tex(difference.found)
        elif difference.field in PRINTED and difference.found:
            value = difference.found
            found[PRINTED[difference.field]] = tex_pages(value) if difference.field == "pages" else tex(value)
    return found


def corrected_entry(judged: Judged) -> str | None:
    """Return the entry as BibTeX with its corrections; None if it has none. Unknown fields are kept as they are."""
    changes = corrections(judged)
    if not changes or judged.match is None:
        return None
    entry = judged.entry
    if not entry.fields or entry.guessed:
        return bibtex(judged.match, entry.key if not entry.key.isdigit() else None)
    fields = _applied(dict(entry.fields), changes)
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return f"@{entry.type}{{{entry.key},\n" + ",\n".join(lines) + "\n}\n"


def _applied(fields: dict[str, str], changes: Mapping[str, str]) -> dict[str, str]:
    for name, value in changes.items():
        fields[_own_name(fields, name)] = value
    return fields


def _own_name(fields: Mapping[str, object], name: str) -> str:
    """Return the name under which this entry keeps a field: BibLaTeX uses `date` and `journaltitle`."""
    choices = {
        "year": ("year", "date"),
        "venue": ("booktitle", "journal", "journaltitle"),
        "author": ("author", "authors"),
        "number": ("number", "issue"),
    }.get(name, (name,))
    return next((choice for choice in choices if choice in fields), choices[0] if name != "venue" else "journal")


def mend_bibtex(text: str, judged: Sequence[Judged]) -> str:
    """Return a .bib file's text with every correction made in place; all else, with comments, stays byte for byte."""
    by_start = {entry.start: entry for entry in parse_bibtex(text)}
    edits: list[tuple[int, int, str]] = []
    for each in judged:
        raw = by_start.get(each.entry.span[0]) if each.entry.span else None
        if raw is not None:
            edits += entry_edits(raw, corrections(each))
    pieces, at = [], 0
    for start, end, new in sorted(edits):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])


def mend_csl(text: str, judged: Sequence[Judged]) -> str:
    """Return a CSL-JSON file's text with every correction made in its items; fields without a finding stay."""
    whole, items = parse_csl(text, judged[0].entry.file)
    for item, each in zip(items, judged, strict=True):
        item |= csl_changes(each)
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def csl_changes(judged: Judged) -> dict[str, Any]:
    """Return the corrections of an entry as fields of CSL."""
    changes = corrections(judged)
    if not changes or judged.match is None:
        return {}
    right = csl_json(judged.match)
    names = {"author": "author", "title": "title", "year": "issued", "doi": "DOI", "eprint": "number"}
    told = {names[name]: right[names[name]] for name in changes if name in names and names[name] in right}
    told |= {"container-title": found} if (found := found_instead(judged, "venue")) else {}
    return told | {
        name: found
        for field, name in (("volume", "volume"), ("issue", "issue"), ("pages", "page"))
        if (found := found_instead(judged, field))
    }


def found_instead(judged: Judged, field: str) -> str | None:
    """Return the records' value of a field that differs from the entry's; None if it does not differ."""
    return next((difference.found for difference in judged.differences if difference.field == field), None)


def entry_edits(raw: RawEntry, changes: Mapping[str, str]) -> list[tuple[int, int, str]]:
    """Return the changes of an entry as replacements `(start, end, new)` in its file's text."""
    edits = []
    for name, value in changes.items():
        field = raw.fields.get(_own_name(raw.fields, name))
        if field is not None:
            edits.append((field.start, field.end, f"{{{value}}}"))
        elif raw.fields:
            last = max(raw.fields.values(), key=lambda each: each.end)
            edits.append((last.end, last.end, f",\n  {_own_name(raw.fields, name)} = {{{value}}}"))
    return edits
