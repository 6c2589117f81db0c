"""The reference list of a paper, entry by entry, each at its place in the stored text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.cuts import cut_references
from veritas.citations.bibliography.formats.printed.line_breaks import mended
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.documents.paper_parts import Place, Reference, Section
from veritas.documents.paper_sections import page_of

MAX_REFERENCES = 1000

LEAST = 20

_TRAIL = re.compile(r"\s*(?:External Links:.*|Cited by:.*)\Z", re.DOTALL)


def find_references(
    text: str, sections: Sequence[Section], page_starts: Sequence[int] = (), given: Sequence[Entry] = ()
) -> tuple[Reference, ...]:
    """Return the references in the order of the list; none if the paper has no section of references.

    `given` are entries read elsewhere (a LaTeX bibliography); they get the place of the list.
    """
    part = next((s for s in reversed(sections) if s.name == "references"), None)
    if given:
        at = part.place.start if part is not None else 0
        return tuple(_reference(entry, n, text, (at, at + 1), part, page_starts) for n, entry in enumerate(given, 1))
    if part is None:
        return ()
    # The list is read by itself, under its own heading, so that nothing else can be taken for it.
    start, end = part.place.start, part.place.end
    found: list[Reference] = []
    keys: set[str] = set()
    for entry in _entries(text[start:end])[:MAX_REFERENCES]:
        span = entry.span or (0, 1)
        made = _reference(entry, len(found) + 1, text, (start + span[0], start + span[1]), part, page_starts)
        while made.key in keys:
            made = made.model_copy(update={"key": f"{made.key}'"})
        keys.add(made.key)
        found.append(made)
    return tuple(found)


def _entries(text: str) -> list[Entry]:
    found = []
    for number, cut in enumerate(cut_references(text), 1):
        said = text[cut.start : cut.end]
        raw = " ".join(said.split())
        if len(raw) >= LEAST:
            entry = reference_entry(_TRAIL.sub("", said), "", cut.key or str(number), 1, (cut.start, cut.end))
            found.append(entry.model_copy(update={"text": raw}))
    return found


def as_entry(reference: Reference) -> Entry:
    """Return the reference as an entry that `veritas bib` can check. `entrytype` is its type, if it is known."""
    fields = dict(reference.fields)
    kind = fields.pop("entrytype", "misc")
    return Entry(
        file="paper",
        key=reference.key,
        line=reference.number,
        type=kind,
        fields=fields,
        text=mended(reference.raw),
        guessed=reference.guessed,
    )


def _as_bibtex(entry: Entry) -> str:
    """Return BibTeX for an entry that was not printed, from the bibliography's fields."""
    fields = "".join(f", {name} = {{{value}}}" for name, value in entry.fields.items() if value)
    return f"@{entry.type}{{{entry.key}{fields}}}"


def _reference(
    entry: Entry, number: int, text: str, span: tuple[int, int], part: Section | None, pages: Sequence[int]
) -> Reference:
    start, end = span
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    fields = {name: value for name, value in entry.fields.items() if value} | {"entrytype": entry.type}
    return Reference(
        key=entry.key or str(number),
        number=number,
        raw=entry.text if entry.guessed or not entry.fields else _as_bibtex(entry),
        place=Place(start=start, end=end, page=page_of(pages, start), section=part.id if part else None),
        fields=fields,
        guessed=entry.guessed,
        url=fields.get("url"),
    )
