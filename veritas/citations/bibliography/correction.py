"""Correction of entries by the record they cite: fields that differ are replaced, the rest is left alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, AnyStr

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_verdict import Judged, Verdict
from veritas.citations.bibliography.formats.bibtex_entries import RawEntry, parse_bibtex
from veritas.citations.bibliography.formats.csl import parse_csl
from veritas.citations.record_exports import bibtex, csl_json, landing_page, tex, tex_name, tex_pages, tex_title
from veritas.text.visible import printable

PRINTED = {"venue": "venue", "volume": "volume", "issue": "number", "pages": "pages"}
"""Where a paper is printed: field of a difference -> BibTeX's field."""
MENDED = frozenset({Verdict.MINOR, Verdict.MISATTRIBUTED})


def corrections(judged: Judged) -> dict[str, str]:
    """Return BibTeX field -> its value in the record, for every difference; empty where nothing can be mended.

    Works share titles: an entry is mended only by records of the same work that more than the title ties to it.
    """
    record = judged.match
    tied = [each.record for each in judged.evidence.candidates if each.same_work and each.tied]
    if judged.verdict not in MENDED or record is None or record not in tied:
        return {}
    authors = " and ".join(map(tex_name, record.authors))
    values = {
        "first author": ("author", authors), "authors": ("author", authors),
        "title": ("title", tex_title(record.full_title or "")), "year": ("year", str(record.year or "")),
        "doi": ("doi", record.doi), "arxiv_id": ("eprint", record.arxiv_id),
    }  # fmt: skip
    for field, name in PRINTED.items():
        found = found_instead(judged, field)
        if found and any(found in (getattr(each, field), *(each.venue_names * (field == "venue"))) for each in tied):
            values[field] = name, tex_pages(found) if field == "pages" else tex(found)
    told = [values[each.field] for each in judged.differences if each.field in values]
    return {name: value for name, value in told if value}


def change_lines(judged: Judged) -> list[str]:
    """Return each correction in a line, safe to print to a terminal: the old value, the new one, and whose it is."""
    changes, record, old = corrections(judged), judged.match, judged.entry.fields
    if not changes or record is None:
        return []
    if not old or judged.entry.guessed:
        changes, old = {"entry": corrected_entry(judged) or ""}, {"entry": judged.entry.text}
    by = f"by {record.source}: “{record.full_title}” {landing_page(record) or ''}".rstrip()
    return [
        printable(f"{judged.entry.key}: {name}: {old.get(_own_name(old, name))!r} → {value!r}, {by}")
        for name, value in changes.items()
    ]


def corrected_entry(judged: Judged) -> str | None:
    """Return the entry as BibTeX with its corrections; None if it has none. Unknown fields are kept as they are."""
    changes = corrections(judged)
    if not changes or judged.match is None:
        return None
    entry = judged.entry
    if not entry.fields or entry.guessed:
        return bibtex(judged.match, entry.key if not entry.key.isdigit() else None)
    return entry_text(entry, {_own_name(entry.fields, name): value for name, value in changes.items()})


def entry_text(entry: Entry, changes: Mapping[str, str]) -> str:
    """Return an entry as BibTeX, with other values for some fields; as it stands if it could not be read."""
    if entry.problem:
        return entry.text or f"% {entry.key}: {entry.problem}\n"
    lines = [f"  {name} = {{{value}}}" for name, value in {**entry.fields, **changes}.items()]
    return f"@{entry.type}{{{entry.key},\n" + ",\n".join(lines) + "\n}\n"


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
    return edited(text, edits)


def edited(text: AnyStr, edits: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """Return a text with replacements `(start, end, new)` made."""
    pieces, at = [text[:0]], 0
    for start, end, new in sorted(edits):
        pieces += [text[at:start], new]
        at = end
    pieces.append(text[at:])
    return text[:0].join(pieces)


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
    printed = {"venue": "container-title", "volume": "volume", "issue": "issue", "pages": "page"}
    return told | {name: found_instead(judged, field) for field, name in printed.items() if PRINTED[field] in changes}


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
