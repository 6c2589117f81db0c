"""Citations in the text of a paper: `[3, 5-7]`, `(Lee et al., 2020; Roy 2019)`, `Lee et al. (2020)`, `[Lee20]`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from veritas.citations.folding import words
from veritas.papers.audit_parts import Marker, Place, Reference, Section
from veritas.papers.reading.sections import page_of, section_at

_NUMBERED = re.compile(r"\[(\d{1,3}(?:\s?[-–—,;]\s?\d{1,3})*)\]")
_KEYED = re.compile(r"\[([A-Z][\w+]{1,12}\d{2}[a-z]?(?:\s?[,;]\s?[A-Z][\w+]{1,12}\d{2}[a-z]?)*)\]")
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_NAME = r"[A-ZÀ-ÞŁŠŽ][\w'’.-]*(?:[ -](?:[A-ZÀ-ÞŁŠŽ][\w'’-]*|van|von|de|der|den|la|le|di|al|bin)){0,5}"
_AUTHORS = rf"{_NAME}(?:,? et al\.?|(?:, {_NAME}){{0,3}},? (?:and|&) {_NAME})?"
_PARENTHESES = re.compile(r"\(([^()]{3,400}?)\)|\[([^\[\]]{3,400}?)\]")
_INSIDE = re.compile(rf"(?P<who>{_AUTHORS}),?\s+(?P<years>{_YEAR}(?:\s?,\s?{_YEAR})*)")
_TEXTUAL = re.compile(rf"(?P<who>{_AUTHORS}) [(\[](?P<years>{_YEAR}(?:\s?[,;]\s?{_YEAR})*)[)\]]")
_MARKED = re.compile(r"(?:\[[\w+]{1,20}\]|\(\d{1,3}\)|(?:^|\n)[ \t]*\d{1,3}[.)])[ \t]*\Z")
_PREFIX = re.compile(r"^(?:see(?: also)?|e\.g\.,?|cf\.?|i\.e\.,?|in|by|and|for example,?|also)\s+", re.IGNORECASE)


def find_markers(
    text: str, references: Sequence[Reference], sections: Sequence[Section], page_starts: Sequence[int] = ()
) -> tuple[Marker, ...]:
    """Every citation outside the reference list, in order, with the references it stands for.

    A number in brackets counts only if the list is numbered that far; names and a year, where any reference could be
    meant or the form leaves no doubt.
    """
    if not references:
        return ()
    listed = next((s.place for s in reversed(sections) if s.name == "references"), None)
    # Entries without marks are numbered by us: then no number in brackets is a citation.
    marked = any(_MARKED.search(text[max(0, r.place.start - 12) : r.place.start]) for r in references)
    by_key = {reference.key: reference.key for reference in references if marked or not reference.key.isdigit()}
    named = _by_name_and_year(references)
    found: dict[int, Marker] = {}
    for start, end, keys, unresolved in (
        *_numbered(text, by_key),
        *_keyed(text, by_key),
        *_named(text, named),
    ):
        if listed is not None and listed.start <= start < listed.end:
            continue
        section = section_at(sections, start)
        if start not in found:
            place = Place(
                start=start, end=end, page=page_of(page_starts, start), section=section.id if section else None
            )
            found[start] = Marker(
                text=text[start:end], place=place, references=tuple(keys), unresolved=tuple(unresolved)
            )
    return tuple(found[start] for start in sorted(found))


def counted(references: Sequence[Reference], markers: Sequence[Marker]) -> tuple[Reference, ...]:
    """The references with how often the text cites each."""
    times: dict[str, int] = defaultdict(int)
    for marker in markers:
        for key in marker.references:
            times[key] += 1
    return tuple(reference.model_copy(update={"cited": times[reference.key]}) for reference in references)


_Hit = tuple[int, int, list[str], list[str]]


def _numbered(text: str, keys: Mapping[str, str]) -> Iterator[_Hit]:
    most = max((int(key) for key in keys if key.isdigit()), default=0)
    for match in _NUMBERED.finditer(text):
        numbers: list[int] = []
        for part in re.split(r"\s?[,;]\s?", match[1]):
            ends = [int(n) for n in re.split(r"\s?[-–—]\s?", part)]
            numbers += range(ends[0], min(ends[-1], ends[0] + 60) + 1) if len(ends) == 2 else ends
        if min(numbers) < 1 or min(numbers) > most:
            continue  # an interval, a year, an index into an array
        named = [str(n) for n in numbers]
        yield match.start(), match.end(), [keys[n] for n in named if n in keys], [n for n in named if n not in keys]


def _keyed(text: str, keys: Mapping[str, str]) -> Iterator[_Hit]:
    for match in _KEYED.finditer(text):
        parts = re.split(r"\s?[,;]\s?", match[1])
        if any(part in keys for part in parts):
            yield match.start(), match.end(), [p for p in parts if p in keys], [p for p in parts if p not in keys]


def _named(text: str, named: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[_Hit]:
    for match in _PARENTHESES.finditer(text):
        inside = match[1] or match[2]
        keys: list[str] = []
        unresolved: list[str] = []
        for part in re.split(r"\s*;\s*", inside):
            one = _INSIDE.search(_PREFIX.sub("", part.strip()))
            if one:
                _take(one, named, keys, unresolved)
        if keys or (unresolved and len(unresolved) == len(re.split(r"\s*;\s*", inside))):
            yield match.start(), match.end(), list(dict.fromkeys(keys)), unresolved
    for match in _TEXTUAL.finditer(text):
        keys, unresolved = [], []
        _take(match, named, keys, unresolved)
        if keys:
            yield match.start(), match.end(), list(dict.fromkeys(keys)), []


def _take(
    match: re.Match[str], named: Mapping[tuple[str, str], Sequence[str]], keys: list[str], unresolved: list[str]
) -> None:
    said = words(match["who"])
    for year in re.findall(_YEAR, match["years"]):
        found: Sequence[str] = ()
        for word in said:
            found = named.get((word, year)) or named.get((word, year[:4])) or ()
            if found:
                break
        if not found:
            unresolved.append(f"{match['who']} {year}")
        elif len(found) == 1:
            keys += found
        else:
            # Several works of one name and year: the other names of the citation, then who comes first, tell which.
            best = [key for key in found if all(key in named.get((w, year[:4]), ()) for w in said if w not in _LINKS)]
            keys += (best or found)[:1]


_LINKS = frozenset({"et", "al", "and", "others"})


def _by_name_and_year(references: Sequence[Reference]) -> dict[tuple[str, str], list[str]]:
    """Keys by a folded word of the authors and a year as written (with its letter) or bare."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for reference in references:
        years = set(re.findall(rf"(?<![\d.])({_YEAR})(?![\d-])", reference.raw)) | {reference.fields.get("year", "")}
        authors = reference.fields.get("author") or reference.raw[:120]
        for word in dict.fromkeys(words(authors)[:40]):
            if len(word) < 2 or word.isdigit() or word in _LINKS:
                continue
            for year in years - {""}:
                for form in {year, year[:4]}:
                    if reference.key not in found[(word, form)]:
                        found[(word, form)].append(reference.key)
    first = {r.key: set(words((r.fields.get("author") or r.raw[:60]).split(" and ")[0])) for r in references}
    return {pair: sorted(keys, key=lambda key: pair[0] not in first[key]) for pair, keys in found.items()}
