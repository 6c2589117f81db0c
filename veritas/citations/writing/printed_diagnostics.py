"""Diagnostics of the references that a text prints: in its list of them, and wherever a DOI stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.whole_titles import title_behind_names
from veritas.citations.checking._prose import prose
from veritas.citations.checking.comments import comments
from veritas.citations.writing.diagnostic import Diagnostic, Level
from veritas.citations.writing.entry_diagnostics import WHAT_TO_DO, WRONG, nothing_known, of_entry
from veritas.citations.writing.open_questions import EntryVerdicts, subject_of
from veritas.citations.writing.places import Kind
from veritas.citations.writing.printed_lists import printed_references
from veritas.citations.writing.prose_references import (
    Printed,
    attribution,
    in_doubt,
    linked_title,
    printed_before,
    shortened_title,
    title_denied,
    words_left_out,
)
from veritas.citations.writing.reference_bags import bag_of, borne_out, held_against
from veritas.citations.writing.reference_claims import in_brackets, spoken, told_otherwise
from veritas.citations.writing.reference_homes import Stretch, bared, stretch_around
from veritas.citations.writing.reference_units import Unit, authors_left_out, denied_by_record, unit_of
from veritas.citations.writing.venue_words import names_venue, without_venue
from veritas.works.printed_dois import PrintedDoi, printed_dois
from veritas.works.records import BibRecord

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry_verdict import Judged

Found = tuple[str, Level, str]
_AROUND = 520
"""Signs before a DOI and behind it that are read for what leads up to it."""
# Letters in sets are found many times as fast as letters of which the case is left aside.
_ARXIV = re.compile(
    r"[aA][rR][xX][iI][vV](?i:\.org/(?:abs|pdf)/|(?<!\w.{5}):\s?)(\d{4}\.\d{4,5}|(?i:[a-z-]+(?:\.[A-Z]{2})?/\d{7}))"
)

def of_references(text: str, kind: Kind, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the references that stand in a text itself: its list of them, and DOIs in its prose."""
    listed = printed_references(text, kind)
    begins = [start for start, _, _ in listed]
    for start, end, entry in listed:
        found = _of_printed(entry, verdicts)
        dois = list(printed_dois(text[start:end])) if found and found[2] == nothing_known(entry) else []
        if len({each.doi.lower() for each in dois}) == 1:  # its DOI may be known, whatever was cut out of its words
            one = replace(dois[0], start=start + dois[0].start, end=start + dois[0].end)
            yield from _of_doi_in(text, one, kind, verdicts)
        elif found:
            yield Diagnostic(start, end, *found, subject=subject_of(entry), key=entry.key)
    if kind == "source":
        return
    for each in printed_dois(text):
        if not _inside(each.start, begins, listed) and not (each.bare and _of_code(text, each, kind, verdicts)):
            yield from _of_doi_in(text, each, kind, verdicts)
    for at in _ARXIV.finditer(text):
        # A link to arXiv alone says nothing that a record could deny.
        if _inside(at.start(), begins, listed) or (printed := printed_before(text, at.start(1))) is None:
            continue
        fields = {"eprint": at[1], "archiveprefix": "arXiv"}
        entry = Entry(file="", key=at[1], line=1, type="misc", fields=fields)
        if found := _of_identifier(entry, verdicts, printed):
            subject = f"{printed.said} {printed.year} {printed.title} arxiv:{at[1]}"
            yield Diagnostic(at.start(1), at.end(1), *found, subject=subject)


def of_dois_in_comments(text: str, name: str, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the DOIs in the comments and docstrings of source code that are marked as such, and with
    the references that they stand in. Digits and a slash alone may be anything there, and a string of a program is
    data."""
    for comment in comments(text, name) if "10." in text else ():
        if "10." not in comment.text:
            continue
        words = bared(comment.text)
        for each in printed_dois(words):
            for found in () if each.bare else _of_doi_in(words, each, "source", verdicts):
                yield replace(found, start=comment.start + found.start, end=comment.start + found.end)


class Verdicts(Protocol):
    """What is known of entries."""

    def get(self, entry: Entry) -> Judged | None: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Only:
    """The verdict on one entry; equal to another if it is the very same."""

    judged: Judged | None

    def get(self, _: Entry) -> Judged | None:
        return self.judged

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Only) and other.judged is self.judged

    def __hash__(self) -> int:
        return id(self.judged)


def _of_doi_in(text: str, at: PrintedDoi, kind: Kind, verdicts: Verdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the work that a DOI leads to, or with the reference that the DOI stands in."""
    stretch = stretch_around(text, at.start, kind)
    begin = max(0, at.start - _AROUND)
    here = replace(at, start=at.start - begin, end=at.end - begin)
    found = _of_stretch(stretch, text[begin : at.end + _AROUND], here, kind, _Only(verdicts.get(_alone(at))))
    if found:
        yield Diagnostic(at.start, at.end, *found[0], subject=found[1])


@lru_cache(maxsize=4096)
def _of_stretch(
    stretch: Stretch, text: str, at: PrintedDoi, kind: Kind, verdicts: _Only
) -> tuple[Found, str] | None:
    """Return what is wrong with a reference, and what it is said of. `text` is what stands around its DOI."""
    printed = printed_before(text, at.start)
    records = _records(_alone(at), verdicts) if printed else []
    if printed and names_venue(printed.people, records):
        before = without_venue(text[: at.start], records)
        printed = printed_before(before, len(before))
        printed = None if printed and names_venue(printed.people, records) else printed
    if printed and stretch.said and attribution(printed, records):
        if kind == "source" and stretch.loose and not printed.title:
            printed = None  # it may be who wrote the program, and when
        elif borne_out(stretch.said, records):
            printed = None  # the names before the year are of the venue or of who printed it
    if printed and not printed.sure and _titled_whole(stretch.said, at.doi, verdicts):
        printed = None
    if printed is None and (unit := unit_of(stretch.said)):
        found = _of_unit(unit, at, verdicts) or _of_told(stretch, at, verdicts)
        if found and found[0] == "misattributed" and stretch.loose:
            found = "unknown", "unknown", found[2]
        return (found, unit.said) if found else None
    title = linked_title(text, at.start) if printed is None else ""
    found = _of_doi(_alone(at), at, verdicts, printed, title)
    if found and found[0] == "misattributed" and kind == "source" and stretch.loose:
        found = "unknown", "unknown", found[2]
    if found is None and printed is None:
        found = _of_bag(stretch.said, _alone(at), verdicts, loose=stretch.loose) or _of_told(stretch, at, verdicts)
        found = found or _of_sentence(text, at, kind, verdicts)
    said = f"{printed.said} {printed.year} {printed.title} " if printed else f"{title} " if title else ""
    return (found, f"{said}doi:{at.doi.lower()}") if found else None


def _alone(at: PrintedDoi) -> Entry:
    return Entry(file="", key=at.doi, line=1, type="misc", fields={"doi": at.doi})


def _records(entry: Entry, verdicts: Verdicts) -> list[BibRecord]:
    judged = verdicts.get(entry)
    return [each.record for each in judged.evidence.candidates if each.by != "title"] if judged else []


def _of_told(stretch: Stretch, at: PrintedDoi, verdicts: Verdicts) -> Found | None:
    """Return what is wrong with what columns, fields or a sentence tell of a work by name: nobody is accused."""
    denied = told_otherwise(stretch, _records(_alone(at), verdicts)) if stretch.told else None
    return ("unknown", "unknown", denied) if denied else None


def _of_sentence(text: str, at: PrintedDoi, kind: Kind, verdicts: Verdicts) -> Found | None:
    """Return what is wrong with what a sentence says of the work that its DOI leads to, or the brackets that the DOI
    stands in: who wrote it, if the year is the work's."""
    if kind == "latex":
        return None
    if (said := spoken(text, at.start)) is not None:
        return _of_told(said, at, verdicts)
    entry = _alone(at)
    found = _of_bag(in_brackets(text, at.start), entry, verdicts, dated=True)
    return ("unknown", "unknown", found[2]) if found else None


def _titled_whole(said: str, doi: str, verdicts: Verdicts) -> bool:
    """Return whether words hold the whole title of the work that a DOI leads to, behind nothing but names."""
    entry = Entry(file="", key=doi, line=1, type="misc", fields={"doi": doi})
    return bool(title_behind_names(said, [each.full_title or "" for each in _records(entry, verdicts)]))


def _inside(at: int, begins: Sequence[int], listed: Sequence[tuple[int, int, Entry]]) -> bool:
    found = bisect_right(begins, at) - 1
    return found >= 0 and at < listed[found][1]


def _of_printed(entry: Entry, verdicts: EntryVerdicts) -> Found | None:
    """Return what is wrong with a printed reference. Its parts may be cut wrongly, so the judge does not hold its
    authors against a record; here they are, if none of them is an author of the work that its DOI leads to."""
    found, judged = of_entry(entry, verdicts), verdicts.get(entry)
    cited = judged.entry.record if judged else entry.record
    if judged is None or not (cited.authors and cited.year):
        return found or _of_bag(entry.text, entry, verdicts)
    records = [each.record for each in judged.evidence.candidates if each.by != "title"]
    printed = _as_printed(cited, cited.year)
    if found and found[0] in WRONG and records and shortened_title(printed.title, records):
        return _attributed(printed, records)
    grave = {each.field for each in judged.differences if not each.minor}
    if found and found[0] == "misattributed" and grave == {"title"} and words_left_out(printed.title, records):
        return "unknown", "unknown", found[2]
    if found and found[1] == "error":
        return found
    return _attributed(printed, records) or _left_out(entry.text, records) or found


def _of_bag(
    said: str, entry: Entry, verdicts: Verdicts, *, loose: bool = False, dated: bool = False
) -> Found | None:
    """Return what the record of a DOI denies of the words it stands in, where they are no sentence. Nobody is
    accused of `loose` words; with `dated` they are only compared if their year is the work's."""
    judged = verdicts.get(entry)
    if judged is None or not said or (bag := bag_of(said)) is None:
        return None
    records = [each.record for each in judged.evidence.candidates if each.by != "title"]
    if dated and not any(abs(year - (each.year or 0)) < 2 for year in bag.years for each in records):
        return None
    denied = held_against(bag, records)
    if denied is None:
        return None
    if denied.sure and not loose:
        return "misattributed", "error", denied.message
    return "unknown", "unknown", denied.message


def _as_printed(cited: BibRecord, year: int) -> Printed:
    people = tuple(person.family for person in cited.authors)
    said = " and ".join(people) if len(people) < 3 else f"{people[0]} et al."
    return Printed(people, year, cited.title or "", said)


def _of_doi(
    entry: Entry, at: PrintedDoi, verdicts: Verdicts, printed: Printed | None = None, title: str = ""
) -> Found | None:
    found = _of_identifier(entry, verdicts, printed, title)
    if found and found[0] == "unregistered" and not at.sure:
        return "unknown", "unknown", f"where the DOI {at.doi} ends is not sure, so it cannot be looked up"
    return found


def _of_unit(unit: Unit, at: PrintedDoi, verdicts: Verdicts) -> Found | None:
    """Return what is wrong with a reference that stands by itself: what is wrong with its DOI, or what its words have
    that no record has. Where its parts are not sure, nobody is accused."""
    alone = Entry(file="", key=at.doi, line=1, type="misc", fields={"doi": at.doi})
    if found := _of_doi(alone, at, verdicts):
        return found
    judged = verdicts.get(alone)
    records = [each.record for each in judged.evidence.candidates if each.by != "title"] if judged else []
    cited = unit.entry.record
    told = unit.whole and bool(cited.authors) and cited.year
    if told and (found := _attributed(_as_printed(cited, told), records)):
        return found if not unit.part else ("unknown", "unknown", found[2])
    denied = denied_by_record(unit, records)
    return ("unknown", "unknown", denied) if denied else None if unit.part else _left_out(unit.said, records)


def _left_out(said: str, records: Sequence[BibRecord]) -> Found | None:
    missed = authors_left_out(said, records)
    return ("unknown", "unknown", missed) if missed else None


def _attributed(printed: Printed, records: Sequence[BibRecord]) -> Found | None:
    if denied := attribution(printed, records):
        return ("misattributed", "error", denied) if printed.sure else ("unknown", "unknown", denied)
    return ("unknown", "unknown", doubt) if (doubt := in_doubt(printed, records)) else None


def _of_code(text: str, at: PrintedDoi, kind: Kind, verdicts: Verdicts) -> bool:
    """Return whether digits and a slash are of a page's code, where they are no DOI for sure; in marks of code within
    a sentence they are one that a record is known of."""
    if kind != "markdown" or prose(text, indented=True)[at.start] != " ":
        return False
    return text[at.start - 1 : at.start] != "`" or not _records(_alone(at), verdicts)


def _of_identifier(
    entry: Entry, verdicts: Verdicts, printed: Printed | None, title: str = ""
) -> Found | None:
    """Return what is wrong with the work that a DOI in prose leads to; a record shows that it exists, and whose it
    is."""
    judged = verdicts.get(entry)
    if judged is None:
        return "unknown", "unknown", nothing_known(entry)
    records = [each.record for each in judged.evidence.candidates if each.by != "title"]
    if gone := next((each for each in records if each.retracted), None):
        return "retracted", "error", f"“{gone.full_title}” was retracted or withdrawn. {WHAT_TO_DO['retracted']}"
    if judged.evidence.registered is False:
        said = f"the DOI {entry.record.doi} is registered nowhere"
        return "unregistered", "error", f"{said}. {WHAT_TO_DO['unregistered']}"
    if printed and (denied := _attributed(printed, records)):
        return denied
    if title and (denied_title := title_denied(title, records)):
        return "unknown", "unknown", denied_title
    return None if records else ("unknown", "unknown", nothing_known(entry))
