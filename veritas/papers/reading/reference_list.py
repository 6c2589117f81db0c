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

LEAST_UNTITLED = 5
"""Least entries of a list that is known by nothing but its numbers."""
LONGEST = 1500
"""Limit in characters of one of its entries."""
MAX_CHARACTERS = 300_000
_FIRST = re.compile(r"^[ \t]*(?:\[1\]|\(1\)|1[.)])[ \t]*(?=[^\W\d_a-z]\w)", re.MULTILINE)
_FIRST_BESIDE = re.compile(r"(?<=\t)(?:\[1\]|\(1\)|1[.)])[ \t]*(?=[^\W\d_a-z][\w.])")
"""The first reference in the right column of a page whose two columns were read line by line."""
_LEFT = re.compile(r"^[^\n]*\t", re.MULTILINE)
_DATED = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")

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
    # The list is parsed alone, under its own heading, so that no other text is taken for an entry.
    start, end = part.place.start, part.place.end
    found: list[Reference] = []
    keys: set[str] = set()
    for entry in _entries(_listed(text, start, end))[:MAX_REFERENCES]:
        span = entry.span or (0, 1)
        made = _reference(entry, len(found) + 1, text, (start + span[0], start + span[1]), part, page_starts)
        while made.key in keys:
            made = made.model_copy(update={"key": f"{made.key}'"})
        keys.add(made.key)
        found.append(made)
    return tuple(found)


def with_list(text: str, sections: Sequence[Section], page_starts: Sequence[int] = ()) -> tuple[Section, ...]:
    """Return the sections with one more for a numbered reference list that stands without a heading of its own, in the
    second half of the text; as they are if they have a reference list, or if there is none such."""
    if any(section.name == "references" for section in sections):
        return tuple(sections)
    half = len(text) // 3
    for first in [*reversed(list(_FIRST.finditer(text, half))), *reversed(list(_FIRST_BESIDE.finditer(text, half)))]:
        cuts = cut_references(_listed(text, first.start(), first.start() + MAX_CHARACTERS))
        cuts = [cut for cut in cuts if cut.end - cut.start < LONGEST]
        dated = [cut for cut in cuts if _DATED.search(text, first.start() + cut.start, first.start() + cut.end)]
        if len(cuts) < LEAST_UNTITLED or len(dated) < 0.7 * len(cuts) or cuts[0].key != "1":
            continue
        start, end = first.start(), first.start() + cuts[-1].end
        place = Place(start=start, end=end, page=page_of(page_starts, start), section=f"s{len(sections)}")
        listed = Section(id=f"s{len(sections)}", heading="", name="references", level=1, place=place)
        before = [_cut_off(s, start) for s in sections if s.place.start < start]
        return (*before, listed, *(s for s in sections if s.place.start >= end))
    return tuple(sections)


def _listed(text: str, start: int, end: int) -> str:
    """Return the text of a list. Of one that begins in a right column, what stands left of it in the same lines is
    blanked, so that every place stays."""
    part = text[start:end]
    if text[max(0, start - 1) : start] != "\t":
        return part
    return _LEFT.sub(lambda match: " " * len(match[0]), part)


def _cut_off(section: Section, end: int) -> Section:
    return section.model_copy(update={"place": section.place.model_copy(update={"end": min(section.place.end, end)})})


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
