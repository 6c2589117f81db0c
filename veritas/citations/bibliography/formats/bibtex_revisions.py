"""BibTeX under edit: of a text that changed in one place, only the entries around that place are read again."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.bibtex_entries import (
    MONTHS,
    RawEntry,
    entries_from,
    entry_of,
    read_bibtex,
)

_ELSEWHERE = re.compile(r"@[ \t]*(?:string|preamble|xdata)\b|\b(?:crossref|xdata)\s*=", re.IGNORECASE)
"""What lets an entry say what stands elsewhere in the file, or what is no entry and has no end of its own."""

_NEXT = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*\{[^\s,{}=]*,", re.MULTILINE)
"""Where a value in braces ends that is not closed: at the next entry. One in quotation marks may go over it."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A text and its entries. `apart` says whether each can be read without the others; `sure` is where the first
    entry begins whose end was looked for in the whole rest of the text, or the text's length."""

    file: str
    text: str
    entries: tuple[Entry, ...]
    apart: bool
    sure: int


def read_revision(text: str, file: str, before: Revision | None = None) -> Revision:
    """Return the entries of a text, the same as `read_bibtex` gives. Where `before` is an earlier text of the file,
    entries are taken from it that the change does not touch."""
    if before is not None and before.file == file:
        if before.text == text:
            return before
        if (entries := _again(text, before)) is not None:
            return Revision(file, text, entries, True, _sure(text, entries))
    entries = tuple(read_bibtex(text, file))
    return Revision(file, text, entries, _ELSEWHERE.search(text) is None, _sure(text, entries))


def _sure(text: str, entries: Sequence[Entry]) -> int:
    for each in entries:
        if each.problem is not None and each.span is not None and each.problem.endswith("not closed"):
            start, end = each.span
            if '"' in text[start:end] or _NEXT.match(text, end) is None:
                return start
    return len(text)


def _again(text: str, before: Revision) -> tuple[Entry, ...] | None:
    """Return the entries of a text by those of an earlier one; None where it has to be read as a whole."""
    old = before.text
    same = _alike(old, text)
    rest = min(_alike_at_end(old, text), len(old) - same, len(text) - same)
    if not before.apart or _ELSEWHERE.search(text, max(same - 200, 0), len(text) - rest + 200):
        return None
    first = _first_touched(before.entries, same)
    if first == 0:
        return None
    start, line = _start(before.entries[first - 1]), before.entries[first - 1].line
    if start >= before.sure:
        return None
    # What an entry that begins behind the change was in the earlier text is found by its place there.
    moved = len(text) - len(old)
    found = list(before.entries[: first - 1])
    for raw, at_line in _lined(text, start, line):
        known = _beginning_at(before.entries, raw.start - moved) if raw.start >= len(text) - rest else None
        if known is not None:
            lines = at_line - before.entries[known].line
            kept = before.entries[known:]
            return (*found, *(kept if not moved and not lines else (each.moved(moved, lines) for each in kept)))
        found.append(entry_of(raw, before.file, at_line, {}))
    return tuple(found)


def _first_touched(entries: Sequence[Entry], same: int) -> int:
    """Return the number of the first entry that does not end before the change."""
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high) // 2
        if (entries[middle].span or (0, 0))[1] < same:
            low = middle + 1
        else:
            high = middle
    return low


def _beginning_at(entries: Sequence[Entry], start: int) -> int | None:
    """Return the number of the entry that begins at a place."""
    number = bisect_left(entries, start, key=_start)
    return number if number < len(entries) and _start(entries[number]) == start else None


def _start(entry: Entry) -> int:
    return entry.span[0] if entry.span else 0


def _lined(text: str, start: int, line: int) -> Iterator[tuple[RawEntry, int]]:
    """Yield the entries from a place on, each with its line."""
    at = start
    for raw in entries_from(text, start, dict(MONTHS)):
        line += text.count("\n", at, raw.start)
        at = raw.start
        yield raw, line


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _alike_at_end(one: str, other: str) -> int:
    """Return how many characters two texts end with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
