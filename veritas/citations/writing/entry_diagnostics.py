"""Diagnostics of bibliography entries: in a .bib file, in a list of references, and where an entry is cited."""

from __future__ import annotations

import os
import re
import shlex
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.whole_titles import title_behind_names
from veritas.citations.checking._prose import prose
from veritas.citations.checking.comments import comments
from veritas.citations.writing.diagnostic import Diagnostic, Level, SeeAlso
from veritas.citations.writing.known_bibliographies import Bibliography
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
from veritas.citations.writing.reference_bags import bag_of, held_against
from veritas.citations.writing.reference_units import (
    Unit,
    authors_left_out,
    denied_by_record,
    reference_around,
    words_around,
)
from veritas.registries.offline import NOT_ASKED
from veritas.works.printed_dois import PrintedDoi, printed_dois
from veritas.works.records import BibRecord

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry_verdict import Judged

_WRONG = frozenset({"fabricated", "misattributed"})
_GONE = frozenset({"retracted", "withdrawn"})
_LONGEST_TITLE = 80

# Letters in sets are found many times as fast as letters of which the case is left aside.
_ARXIV = re.compile(
    r"[aA][rR][xX][iI][vV](?i:\.org/(?:abs|pdf)/|(?<!\w.{5}):\s?)(\d{4}\.\d{4,5}|(?i:[a-z-]+(?:\.[A-Z]{2})?/\d{7}))"
)

_WHAT_TO_DO = {
    "fabricated": "Cite a work that exists",
    "misattributed": "Correct it by the record",
    "retracted": "Cite another work",
    "unregistered": "Correct the DOI",
    "unconfirmed": "Give an identifier or a link that shows it",
}


def of_entry(entry: Entry, verdicts: EntryVerdicts, here: str | None = None) -> tuple[str, Level, str] | None:
    """Return what is wrong with an entry as code, level and message; None if nothing is. `here` is the working folder,
    if it was asked for before."""
    if entry.problem:
        return "unreadable-entry", "warning", f"the entry cannot be read: {entry.problem}"
    judged, here = verdicts.get(entry), os.getcwd() if here is None else here
    of = entry.subject, entry.file, here, judged is None
    return verdicts.told.get(of, len(entry.subject), lambda: _advised(entry, judged, verdicts))


def _advised(entry: Entry, judged: Judged | None, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
    found = _of_entry(entry, judged, verdicts)
    advice = _WHAT_TO_DO.get(found[0]) if found else None
    return found if found is None or advice is None else (*found[:2], f"{found[2]}. {advice}")


def _nothing_known(entry: Entry) -> str:
    """Return that nobody here knows a work, and which command asks."""
    title = " ".join((entry.record.title or "").split()) if entry.file else ""
    shown = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}…"
    named = f"“{shown}”" if title else f"doi:{entry.record.doi}" if entry.record.doi else "this work"
    said = f"nothing on this machine tells whether {named} exists. Ask with veritas bib"
    if not entry.file:
        return said
    near = os.path.relpath(entry.file)
    return f"{said} {shlex.quote(entry.file if near.startswith('..') else near)}"


def _of_entry(entry: Entry, judged: Judged | None, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
    if judged is None:
        return "unknown", "unknown", _nothing_known(entry)
    verdict = judged.verdict.value
    if verdict in _WRONG:
        return verdict, "error", judged.reason
    if verdict in _GONE:
        return "retracted", "error", judged.reason
    if judged.evidence.registered is False and verdict in ("cannot_confirm", "unavailable"):
        return "unregistered", "error", f"the DOI {entry.record.doi} is registered nowhere"
    refused = verdicts.profile is not None and judged.refused
    if refused and verdict == "cannot_confirm":
        return "unconfirmed", "error", f"{judged.reason}; the profile {_ruled(judged)} refuses it"
    if verdict in ("cannot_confirm", "unavailable"):
        problems = judged.evidence.problems
        nobody = bool(problems) and all(each.endswith(NOT_ASKED) for each in problems)
        return "unknown", "unknown", _nothing_known(entry) if nobody else judged.reason
    if (standing := judged.evidence.status.standing) in ("corrected", "expression_of_concern"):
        level: Level = "error" if refused else "warning"
        return "corrected", level, f"{standing.replace('_', ' ')}: {'; '.join(judged.notes)}"
    if verdict == "minor" and refused:
        return "differs", "error", f"{_differing(judged)}; the profile {_ruled(judged)} refuses it"
    if verdict == "minor":
        return "differs", "information", _differing(judged)
    if refused and judged.ruling is not None and judged.ruling.because:
        return "unconfirmed", "error", f"{judged.ruling.because}; the profile {_ruled(judged)} refuses it"
    return None


def _ruled(judged: Judged) -> str:
    return judged.ruling.profile if judged.ruling is not None else ""


def _differing(judged: Judged) -> str:
    told = [f"{each.field} is “{each.found}” in the record" for each in judged.differences if each.found]
    return "; ".join(told) or judged.reason


def of_bibliography(bibliography: Bibliography, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the entries of a .bib file."""
    here = os.getcwd()
    for entry in bibliography.entries:
        if (found := of_entry(entry, verdicts, here)) is None:
            continue
        code, level, message = found
        start, end = key_place(bibliography.text, entry)
        yield Diagnostic(start, end, code, level, message, subject_of(entry) or entry.key, entry.key)


def key_place(text: str, entry: Entry) -> tuple[int, int]:
    """Return the place of an entry's key in its file; its first line where it has none."""
    begin, end = entry.span or (0, 0)
    opened = max(text.find(sign, begin, end) for sign in "{(") if not entry.key else begin
    at = text.find(entry.key, opened, end) if entry.key else -1
    if at >= 0:
        return at, at + len(entry.key)
    line = text.find("\n", begin)
    return begin, min(len(text) if line < 0 else line, end) or end


def of_references(text: str, kind: Kind, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the references that stand in a text itself: its list of them, and DOIs in its prose."""
    listed = printed_references(text, kind)
    begins = [start for start, _, _ in listed]
    for start, end, entry in listed:
        if found := _of_printed(entry, verdicts):
            yield Diagnostic(start, end, *found, subject=subject_of(entry), key=entry.key)
    if kind == "source":
        return
    for each in printed_dois(text):
        if _inside(each.start, begins, listed):
            continue
        if each.bare and _in_code(text, each.start, kind):
            continue
        printed = printed_before(text, each.start)
        if printed and not printed.sure and _titled_whole(words_around(text, each.start, kind), each.doi, verdicts):
            printed = None  # the name may be that of the venue
        if printed is None and (unit := reference_around(text, each.start, kind)):
            if found := _of_unit(unit, each, verdicts):
                yield Diagnostic(each.start, each.end, *found, subject=unit.said)
            continue
        entry = Entry(file="", key=each.doi, line=1, type="misc", fields={"doi": each.doi})
        title = linked_title(text, each.start) if printed is None else ""
        around = words_around(text, each.start, kind) if printed is None else ""
        if found := _of_doi(entry, each, verdicts, printed, title) or _of_bag(around, entry, verdicts):
            said = f"{printed.said} {printed.year} {printed.title} " if printed else f"{title} " if title else ""
            yield Diagnostic(each.start, each.end, *found, subject=f"{said}doi:{each.doi.lower()}")
    for at in _ARXIV.finditer(text):
        # A link to arXiv alone says nothing that a record could deny.
        if _inside(at.start(), begins, listed) or (printed := printed_before(text, at.start(1))) is None:
            continue
        fields = {"eprint": at[1], "archiveprefix": "arXiv"}
        entry = Entry(file="", key=at[1], line=1, type="misc", fields=fields)
        if found := _of_identifier(entry, verdicts, printed):
            subject = f"{printed.said} {printed.year} {printed.title} arxiv:{at[1]}"
            yield Diagnostic(at.start(1), at.end(1), *found, subject=subject)


def _titled_whole(said: str, doi: str, verdicts: EntryVerdicts) -> bool:
    """Return whether words hold the whole title of the work that a DOI leads to, behind nothing but names."""
    judged = verdicts.get(Entry(file="", key=doi, line=1, type="misc", fields={"doi": doi}))
    records = [each.record for each in judged.evidence.candidates if each.by != "title"] if judged else []
    return bool(title_behind_names(said, [each.full_title or "" for each in records]))


def of_dois_in_comments(text: str, name: str, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the DOIs in the comments and docstrings of source code that are marked as such. Digits
    and a slash alone may be anything there, and a string of a program is data."""
    for comment in comments(text, name) if "10." in text else ():
        for each in printed_dois(comment.text):
            if each.bare:
                continue
            entry = Entry(file="", key=each.doi, line=1, type="misc", fields={"doi": each.doi})
            if found := _of_doi(entry, each, verdicts):
                start = comment.start + each.start
                yield Diagnostic(start, start + each.end - each.start, *found, subject=f"doi:{each.doi.lower()}")


def _inside(at: int, begins: Sequence[int], listed: Sequence[tuple[int, int, Entry]]) -> bool:
    found = bisect_right(begins, at) - 1
    return found >= 0 and at < listed[found][1]


def _of_printed(entry: Entry, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
    """Return what is wrong with a printed reference. Its parts may be cut wrongly, so the judge does not hold its
    authors against a record; here they are, if none of them is an author of the work that its DOI leads to."""
    found, judged = of_entry(entry, verdicts), verdicts.get(entry)
    cited = judged.entry.record if judged else entry.record
    if judged is None or not (cited.authors and cited.year):
        return found or _of_bag(entry.text, entry, verdicts)
    records = [each.record for each in judged.evidence.candidates if each.by != "title"]
    printed = _as_printed(cited, cited.year)
    if found and found[0] in _WRONG and records and shortened_title(printed.title, records):
        return _attributed(printed, records)
    grave = {each.field for each in judged.differences if not each.minor}
    if found and found[0] == "misattributed" and grave == {"title"} and words_left_out(printed.title, records):
        return "unknown", "unknown", found[2]
    if found and found[1] == "error":
        return found
    return _attributed(printed, records) or _left_out(entry.text, records) or found


def _of_bag(said: str, entry: Entry, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
    """Return what the record of a DOI denies of the words it stands in, where they are no sentence."""
    judged = verdicts.get(entry)
    if judged is None or not said or (bag := bag_of(said)) is None:
        return None
    denied = held_against(bag, [each.record for each in judged.evidence.candidates if each.by != "title"])
    if denied is None:
        return None
    return ("misattributed", "error", denied.message) if denied.sure else ("unknown", "unknown", denied.message)


def _as_printed(cited: BibRecord, year: int) -> Printed:
    people = tuple(person.family for person in cited.authors)
    said = " and ".join(people) if len(people) < 3 else f"{people[0]} et al."
    return Printed(people, year, cited.title or "", said)


def _of_doi(
    entry: Entry, at: PrintedDoi, verdicts: EntryVerdicts, printed: Printed | None = None, title: str = ""
) -> tuple[str, Level, str] | None:
    found = _of_identifier(entry, verdicts, printed, title)
    if found and found[0] == "unregistered" and not at.sure:
        return "unknown", "unknown", f"where the DOI {at.doi} ends is not sure, so it cannot be looked up"
    return found


def _of_unit(unit: Unit, at: PrintedDoi, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
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


def _left_out(said: str, records: Sequence[BibRecord]) -> tuple[str, Level, str] | None:
    missed = authors_left_out(said, records)
    return ("unknown", "unknown", missed) if missed else None


def _attributed(printed: Printed, records: Sequence[BibRecord]) -> tuple[str, Level, str] | None:
    if denied := attribution(printed, records):
        return ("misattributed", "error", denied) if printed.sure else ("unknown", "unknown", denied)
    return ("unknown", "unknown", doubt) if (doubt := in_doubt(printed, records)) else None


def _in_code(text: str, at: int, kind: Kind) -> bool:
    """Return whether a place of a page is in its code, where digits and a slash are no DOI for sure."""
    return kind == "markdown" and prose(text, indented=True)[at] == " "


def _of_identifier(
    entry: Entry, verdicts: EntryVerdicts, printed: Printed | None, title: str = ""
) -> tuple[str, Level, str] | None:
    """Return what is wrong with the work that a DOI in prose leads to; a record shows that it exists, and whose it
    is."""
    judged = verdicts.get(entry)
    if judged is None:
        return "unknown", "unknown", _nothing_known(entry)
    records = [each.record for each in judged.evidence.candidates if each.by != "title"]
    if gone := next((each for each in records if each.retracted), None):
        return "retracted", "error", f"“{gone.full_title}” was retracted or withdrawn. {_WHAT_TO_DO['retracted']}"
    if judged.evidence.registered is False:
        said = f"the DOI {entry.record.doi} is registered nowhere"
        return "unregistered", "error", f"{said}. {_WHAT_TO_DO['unregistered']}"
    if printed and (denied := _attributed(printed, records)):
        return denied
    if title and (denied_title := title_denied(title, records)):
        return "unknown", "unknown", denied_title
    return None if records else ("unknown", "unknown", _nothing_known(entry))


def at_citation(entry: Entry, verdicts: EntryVerdicts) -> Diagnostic | None:
    """Return what is wrong with a work where its entry is cited, at the place 0; slight differences are shown in the
    file alone."""
    found = of_entry(entry, verdicts)
    if found is None or found[0] in ("differs", "unreadable-entry"):
        return None
    code, level, message = found
    there = (SeeAlso(entry.file, entry.line, f"the entry of @{entry.key}"),) if entry.file else ()
    return Diagnostic(0, 0, code, level, f"@{entry.key}: {message}", subject_of(entry), entry.key, there)
