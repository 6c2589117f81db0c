"""Diagnostics of the references that a text prints: in its list of them, and wherever a DOI stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.citations.marks.comments import comments
from veritas.citations.marks.links import Kind
from veritas.citations.marks.prose import prose
from veritas.citations.writing.diagnostic import Diagnostic, Level
from veritas.citations.writing.entry_diagnostics import WHAT_TO_DO, WRONG, nothing_known, of_entry
from veritas.citations.writing.open_questions import EntryVerdicts, subject_of
from veritas.citations.writing.printed_lists import SPOKEN_OF, printed_references
from veritas.text.likeness import ratio
from veritas.works.folding import is_cjk, words
from veritas.works.printed_dois import PrintedDoi, printed_dois
from veritas.works.records import BibRecord

Found = tuple[str, Level, str]
_LONGEST = 900
"""Most characters of what a reference with a DOI takes up."""
_LIKE = 60.0
"""Least likeness, of 100, of a printed title to the record's for them to be forms of one title; so are two that share a
third of their telling words."""
# Letters in sets are found many times as fast as letters of which the case is left aside.
_ARXIV = re.compile(
    r"[aA][rR][xX][iI][vV](?i:\.org/(?:abs|pdf)/|(?<!\w.{5}):\s?)(\d{4}\.\d{4,5}|(?i:[a-z-]+(?:\.[A-Z]{2})?/\d{7}))"
)
_MARK = r"[ \t>]*(?:[-*+•][ \t]+|\(?\d{1,3}[.)][ \t]+|\[\^?[^\]\s]{1,40}\]:?[ \t]*|\.\.[ \t]+\[[^\]\s]+\][ \t]*|\|)"
_PARTED = re.compile(
    rf"\n[ \t>#*/%;]*\n|\n(?={_MARK})|\n[ \t]*[-=~^]{{3,}}[ \t]*\n|\\item\b|\\bibitem\b"
    r"|\\(?:footnote|footnotetext|endnote)\{|\n[ \t]*[@\\]\w+"
)
"""Where an item, a note, a row of a table or a paragraph ends."""
_ITEM = re.compile(_MARK)
_LEAD = re.compile(rf"{_MARK}?[ \t]*(?:#+['|]?|/{{2,}}!?|%+|;+)?[ \t]*(?:[^\n.:]{{1,40}}:[ \t]*\n)?")
_UNPRINTED = re.compile(
    r"\n[ \t]*(?:#+['|]?|/{2,}!?|\*|%+|;+)?[ \t]*|\]\(<?[^()\s]*>?\)?|</?[a-z][^<>]{0,80}>|[*_`\[\]|{}]"
    r"|\\[A-Za-z]+\*?(?=[ {])|''"
)
_YEAR = re.compile(r"(?<![\d./:-])(?:1[89]|20)\d\d(?![\d/-])")
_DATED = re.compile(r"(?<!\d)(?:1[89]|20)\d\d[a-z]?\W{0,6}(?:doi:?\s?|https?://\S{0,20}|\W){0,3}\Z", re.IGNORECASE)
"""A year directly before an identifier."""


def of_references(text: str, kind: Kind, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the references that stand in a text itself: its list of them, and DOIs in its prose."""
    listed = printed_references(text, kind)
    begins = [start for start, _, _ in listed]
    for start, end, entry in listed:
        found = _of_printed(entry, verdicts)
        dois = list(printed_dois(text[start:end])) if found and found[2] == nothing_known(entry) else []
        if len({each.doi.lower() for each in dois}) == 1:  # its DOI may be known, whatever was cut out of its words
            one = replace(dois[0], start=start + dois[0].start, end=start + dois[0].end)
            yield from _of_doi(text, one, start, end, verdicts)
        elif found:
            yield Diagnostic(start, end, *found, subject=subject_of(entry), key=entry.key)
    if kind == "source":
        return
    dois = [each for each in printed_dois(text) if not _inside(each.start, begins, listed)]
    for each, earlier, later in _between(dois, len(text)):
        if not (each.bare and kind == "markdown" and _of_code(text, each, verdicts)):
            yield from _of_doi(text, each, earlier, later, verdicts)
    for at in _ARXIV.finditer(text):
        if not _inside(at.start(), begins, listed):
            fields = {"eprint": at[1], "archiveprefix": "arXiv"}
            entry = Entry(file="", key=at[1], line=1, type="misc", fields=fields)
            ends = [each.end for each in dois[: bisect_right([each.start for each in dois], at.start())]]
            said = text[slice(*_stretch(text, at.start(1), ends[-1] if ends else 0, len(text)))]
            # A link to arXiv alone says nothing that a record could deny.
            read = _read(said).fields.keys() >= {"author", "title"}
            if read and (found := _of_identifier(entry, said, "", verdicts)):
                yield Diagnostic(at.start(1), at.end(1), *found, subject=f"{_plain(said)} arxiv:{at[1]}")


def of_dois_in_comments(text: str, name: str, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the DOIs in the comments and docstrings of source code that are marked as such, and with
    the references that they stand in. Digits and a slash alone may be anything there, and a string of a program is
    data."""
    for comment in comments(text, name) if "10." in text else ():
        dois = [each for each in printed_dois(comment.text) if not each.bare] if "10." in comment.text else []
        for each, earlier, later in _between(dois, len(comment.text)):
            for found in _of_doi(comment.text, each, earlier, later, verdicts):
                yield replace(found, start=comment.start + found.start, end=comment.start + found.end)


def _inside(at: int, begins: Sequence[int], listed: Sequence[tuple[int, int, Entry]]) -> bool:
    """Return whether a place stands in a reference of a list, which is judged as a whole."""
    found = bisect_right(begins, at) - 1
    return found >= 0 and at < listed[found][1]


def _between(dois: Sequence[PrintedDoi], length: int) -> Iterator[tuple[PrintedDoi, int, int]]:
    """Yield each DOI with the end of the one before it and the beginning of the one behind it."""
    ends, starts = [0, *(each.end for each in dois)], [*(each.start for each in dois[1:]), length]
    yield from zip(dois, ends, starts, strict=False)


def _stretch(text: str, at: int, earlier: int, later: int) -> tuple[int, int]:
    """Return where the item, note or paragraph of an identifier begins, not before `earlier`, and where it ends, not
    behind `later`."""
    begin = max(at - _LONGEST, earlier)
    begin = max((found.end() for found in _PARTED.finditer(text, begin, at)), default=begin)
    after = _PARTED.search(text, at, at + _LONGEST)
    return begin, min(after.start() if after else at + _LONGEST, later)


def _of_code(text: str, at: PrintedDoi, verdicts: EntryVerdicts) -> bool:
    """Return whether digits and a slash are of a page's code, where they are no DOI for sure; in marks of code within
    a sentence they are one that a record is known of."""
    if prose(text, indented=True)[at.start] != " ":
        return False
    return text[at.start - 1 : at.start] != "`" or not _records(_alone(at.doi), verdicts)


def _alone(doi: str) -> Entry:
    return Entry(file="", key=doi, line=1, type="misc", fields={"doi": doi})


def _records(entry: Entry, verdicts: EntryVerdicts) -> list[BibRecord]:
    judged = verdicts.get(entry)
    return [each.record for each in judged.evidence.candidates if each.by != "title"] if judged else []


def _of_printed(entry: Entry, verdicts: EntryVerdicts) -> Found | None:
    """Return what is wrong with a printed reference. Its parts may be cut wrongly, so the judge does not hold its
    authors against a record; here they are, by the record of its identifier."""
    found, records = of_entry(entry, verdicts), _records(entry, verdicts)
    if found and found[0] in WRONG and records and _shortened(entry.record.title or "", records):
        found = None
    if found and found[1] == "error":
        return found
    return _contradicted(entry.text, "", records) or found


def _of_doi(text: str, at: PrintedDoi, earlier: int, later: int, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the work that a DOI leads to, or with the reference that it stands in, which begins not
    before `earlier` and ends not behind `later`."""
    entry = _alone(at.doi)
    known = verdicts.get(entry) is not None
    start, end = _stretch(text, at.start, earlier, later) if known else (at.start, at.end)
    said = text[start:end]
    found = _of_identifier(entry, said, text[start : at.start], verdicts)
    if found and found[0] == "unregistered" and not at.sure:
        found = "unknown", "unknown", f"where the DOI {at.doi} ends is not sure, so it cannot be looked up"
    if found:
        told = f"{_plain(said)} " if found[0] == "misattributed" else ""
        yield Diagnostic(at.start, at.end, *found, subject=f"{told}doi:{at.doi.lower()}")


def _of_identifier(entry: Entry, said: str, before: str, verdicts: EntryVerdicts) -> Found | None:
    """Return what is wrong with the work of an identifier, and with the words that it stands in; `before` has those
    that lead up to it."""
    judged = verdicts.get(entry)
    if judged is None:
        return "unknown", "unknown", nothing_known(entry)
    records = _records(entry, verdicts)
    if gone := next((each for each in records if each.retracted), None):
        return "retracted", "error", f"“{gone.full_title}” was retracted or withdrawn. {WHAT_TO_DO['retracted']}"
    if judged.evidence.registered is False:
        said = f"the DOI {entry.record.doi} is registered nowhere"
        return "unregistered", "error", f"{said}. {WHAT_TO_DO['unregistered']}"
    return _contradicted(said, before, records) if records else ("unknown", "unknown", nothing_known(entry))


def _plain(said: str) -> str:
    return " ".join(_UNPRINTED.sub(" ", said[_lead(said) :]).split())


def _lead(said: str) -> int:
    found = _LEAD.match(said)
    return found.end() if found else 0


@lru_cache(maxsize=4096)
def _read(said: str) -> Entry:
    return reference_entry(_plain(said), "", "", 1)


def _contradicted(said: str, before: str, records: Sequence[BibRecord]) -> Found | None:
    """Return how the record of an identifier denies the reference that it stands in: misattributed where authors and a
    title were read in it, and none of the authors is the record's; unknown where only the title is another, or where an
    item has a year, or a sentence has one directly before the identifier, and neither an author nor the title.

    Nobody is accused of a record without authors, of a body, or in another script.
    """
    people = [person for each in records for person in each.authors]
    if not records or any(not each.authors for each in records):
        return None
    if any(person.corporate or is_cjk(str(person)) or not _tokens(person.family) for person in people):
        return None
    record = records[0]
    what = f"the DOI leads to “{record.full_title}” by {record.authors[0].family} ({record.year or 'no year'})"
    entry = _read(said)
    here = _tokens(_plain(said))
    known = {word for person in people for word in _tokens(f"{person} {person.family}")}
    authored = bool(known & here) or any(ratio(one, name) >= 80 for one in here for name in known if len(name) > 4)
    titled = _titled(_plain(said), entry.record.title, records)
    read = bool(entry.record.authors) and bool(entry.record.title)
    if read and not authored and not SPOKEN_OF.search(said):
        named = ", ".join(person.family for person in entry.record.authors[:3])
        return "misattributed", "error", f"{what}, not to a work of {named}. {WHAT_TO_DO['misattributed']}"
    dated = _DATED.search(before) or (_ITEM.match(said) and _YEAR.search(_plain(said)))
    if not titled and (read or (not authored and dated)):
        return "unknown", "unknown", f"{what}, and neither that title nor another of its authors stands here"
    return None


def _titled(said: str, title: str | None, records: Sequence[BibRecord]) -> bool:
    """Return whether words have a third of the telling words of the title of a record, or its name; a title in another
    language cannot be told from it."""
    here = {word[:6] for word in words(said)}
    for other in [one for each in records for one in (each.full_title, each.title, *each.other_titles) if one]:
        telling = {word[:6] for word in words(other) if len(word) > 3}
        if len(telling & here) * 3 >= len(telling):
            return True
        if title and ratio(" ".join(words(title)), " ".join(words(other))) >= _LIKE:
            return True
    return False


def _shortened(printed: str, records: Sequence[BibRecord]) -> bool:
    """Return whether a title has most words of the record's, or those it begins with, in its order, and no other: a
    slip, not another title."""
    said = words(printed)
    for title in [words(each.full_title or "") for each in records]:
        rest = iter(title)
        most = len(said) * 3 >= len(title) * 2 or title[: len(said)] == said
        if len(said) >= 4 and most and all(word in rest for word in said):
            return True
    return False


def _tokens(name: str) -> frozenset[str]:
    found = {*words(name), *words(name, spelt_out=True), *words(re.sub("[-’']", "", name))}
    return frozenset(word for word in found if len(word) > 2) or frozenset(found)
