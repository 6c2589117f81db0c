"""The reference list of a paper, entry by entry, each at its place in the stored text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations.bibliography.entry import Entry
from veritas.papers.audit_parts import Place, Reference, Section
from veritas.papers.reading.sections import page_of

MAX_REFERENCES = 1000

_RUNNING = re.compile(r"(?:^|(?<=\s))(?:•|\[(\d{1,3})\])[ \t]+(?=\S)", re.MULTILINE)
"""A mark before a reference, be it in the middle of a line: converters run lists together."""
LEAST = 20

_TRAIL = re.compile(r"\s*(?:External Links:.*|Cited by:.*)\Z", re.DOTALL)


def find_references(
    text: str, sections: Sequence[Section], page_starts: Sequence[int] = (), given: Sequence[Entry] = ()
) -> tuple[Reference, ...]:
    """The references in the order of the list; none where the paper has no section that is one.

    `given` are entries read elsewhere (a LaTeX bibliography); they stand where the list would.
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
    from veritas.citations.bibliography.formats.references import read_references, reference_entry

    marks = list(_RUNNING.finditer(text))
    inside = sum("\n" not in text[max(0, m.start() - 3) : m.start()] for m in marks)
    if len(marks) < 3 or inside < 0.5 * len(marks):
        return read_references(text, "")
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found = []
    for number, (mark, end) in enumerate(zip(marks, ends, strict=True), 1):
        raw = " ".join(text[mark.end() : end].split())
        if len(raw) >= LEAST:
            found.append(reference_entry(raw, "", mark[1] or str(number), 1, (mark.end(), end)))
    return found


def as_entry(reference: Reference) -> Entry:
    """The reference as an entry that `veritas bib` can check."""
    from veritas.citations.bibliography.formats.references import reference_entry

    entry = reference_entry(reference.raw, "paper", reference.key, reference.number)
    if reference.fields:
        entry = entry.model_copy(update={"fields": dict(reference.fields)})
    return entry


def _reference(
    entry: Entry, number: int, text: str, span: tuple[int, int], part: Section | None, pages: Sequence[int]
) -> Reference:
    start, end = span
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    fields = {name: value for name, value in entry.fields.items() if value}
    if "title" in fields:
        fields["title"] = _TRAIL.sub("", fields["title"])
    return Reference(
        key=entry.key or str(number),
        number=number,
        raw=entry.text or " ".join(text[start:end].split()),
        place=Place(start=start, end=end, page=page_of(pages, start), section=part.id if part else None),
        fields=fields,
        url=fields.get("url"),
    )
