"""The note, item or paragraph that a DOI stands in, read as a reference of any style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.authors import MORE
from veritas.citations.bibliography.formats.printed.whole_titles import goes_on
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.citations.writing.people_patterns import INITIALS, PERSON, WORD
from veritas.citations.writing.places import Kind
from veritas.citations.writing.printed_lists import SPOKEN_OF
from veritas.citations.writing.reference_homes import stretch_around
from veritas.citations.writing.venue_words import is_venue
from veritas.works.access_dates import without_access
from veritas.works.folding import is_cjk, words
from veritas.works.printed_dois import printed_dois
from veritas.works.records import BibRecord

_BEGINS = re.compile(
    rf"(?:{PERSON}, (?:{INITIALS}|{PERSON})|{PERSON} [A-Z]{{1,3}}[,.]|{INITIALS} ?{PERSON},? "
    rf"|{PERSON} (?:{INITIALS} ?)?{PERSON}(?:,| and | & |\. (?:1[89]|20)\d\d\.))"
)
"""What begins with the name of a person in the form of a reference."""
_NAMES = tuple(
    re.compile(rf"{one}(?:(?:,? (?:and|et|und|y|&) |[,;] ){one})*(?:,? {MORE})?(?![\w.])")
    for one in (rf"{INITIALS} ?{PERSON}", rf"{PERSON},? {INITIALS}", rf"{PERSON} [A-Z]{{1,3}}", rf"{WORD} {PERSON}")
)
"""Names at the beginning, all in one form."""
_YEAR = re.compile(r"(?<![\d./-])(?:1[89]|20)\d\d(?![\d/-])")
_PROSE = re.compile(
    r"\b(?:we|our|us|you|your|they|their|this|these|those|my|[Tt]his|[Ww]e|[Ss]ee|[Tt]hanks?|maintains?"
    r"|recommend(?:s|ed)?|fix(?:es|ed)?)\b"
)
"""Words of sentences. In capitals they are initials and the names of journals."""
_ROLES = re.compile(
    r"\b(?:(?:[Tt]ranslated|[Ee]dited|[Rr]eprinted|[Rr]eviewed|[Ss]ummary|[Ii]mplement(?:s|ing|ation)|[Bb]ased on"
    r"|[Cc]ited (?:in|by)|[Dd]ata from|[Ee]rratum|[Cc]orrection|[Cc]omment on|[Rr]eply to|[Hh]rsg|[Üü]bers)\b"
    r"|(?:trans|eds?|version|package|dataset|after|review of|cf)\b|[Pp]ackage version|v\d+\.)"
)
"""Words of references to more than one work: who is named there need not have written it."""
_SAYING = re.compile(r"\b(?:we|us|[Tt]hanks?|maintains?|recommend(?:s|ed)?|fix(?:es|ed)?|[Ss]ee)\b")
"""Words that are in few titles, and say something of who is named."""
_LEADS = re.compile(r"(?:[\s,;:.()\[\]<>|*_]|doi:?|https?://\S*)*(?:\[(?:link|pdf|doi|paper|html)\]\S*)?\s*\.?\s*\Z",
                    re.IGNORECASE)  # fmt: skip
_AND_MORE = re.compile(
    rf"{MORE}|\bet al|\b(?:and|&) (?:others|colleagues|co-?workers)\b|…|\.\.\.|\.\s\.\s\.|\beds?\b"
    r"|\b(?:team|group|consortium|collaboration|committee|developers|contributors|network|investigators)\b",
    re.IGNORECASE,
)
"""What says that a list of authors goes on, or that a body stands for them."""
_PART = re.compile(r"\bIn:? +[*_“\"]?[^\W\d_a-zß-öø-ÿ]")
RELEASED = frozenset({"other", "dataset", "unknown"})
"""Kinds of works of which some, as software, are released again and again under one DOI."""
_DENIAL = re.compile(r"\b(?:not|without|never|neither|cannot|none|no(?!\.? ?\d|\.))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unit:
    """A note, item or paragraph that begins with a person and ends with a DOI: its words, and the entry that they are
    read as."""

    said: str
    entry: Entry
    part: bool = False
    """Whether it may be a part of the work that the DOI leads to, as a chapter of a book is, or about it."""

    @property
    def whole(self) -> bool:
        """Whether its author, title and year were read surely."""
        return self.entry.fields.keys() >= {"author", "title", "year", "doi"}


def reference_around(text: str, at: int, kind: Kind) -> Unit | None:
    """Return the reference that has a DOI at a place; None if what it stands in may be prose."""
    return unit_of(stretch_around(text, at, kind).said)


def unit_of(said: str) -> Unit | None:
    """Return words that stand by themselves as a reference; None if they may be prose."""
    return _read(without_access(said)) if said and "|" not in said else None


@lru_cache(maxsize=2048)
def _read(said: str) -> Unit | None:
    dois = list(printed_dois(said))
    if len({each.doi.lower() for each in dois}) != 1 or not _BEGINS.match(said) or not _YEAR.search(said):
        return None
    before = said[: dois[0].start]
    if not _LEADS.match(said[dois[-1].end :]) or len(before) < 60:
        return None
    entry = reference_entry(said, "", "", 1, (0, len(said)))
    title = entry.fields.get("title", "")
    if _SAYING.search(before) or SPOKEN_OF.search(said):
        return None
    titled = title[:1].isupper() and len(title.split()) > 2
    outside = before.replace(title, " ") if titled else before
    if _PROSE.search(outside) or sentence_of_names(before):
        return None
    return Unit(said, entry, part=_PART.search(outside) is not None or _ROLES.search(outside) is not None)


def sentence_of_names(said: str) -> bool:
    """Return whether words begin with names and go on as a sentence does: `A. Smith and B. Jones replicated …`."""
    return any((found := each.match(said)) is not None and goes_on(said[found.end() :]) for each in _NAMES)


def denied_by_record(unit: Unit, records: Sequence[BibRecord]) -> str | None:
    """Return how the words of a reference leave out what the record of its DOI has: every author, the title, or the
    year. None where they have them, or where it cannot be told."""
    from veritas.citations.bibliography._record_differences import years_of

    if not records or any(not each.authors or any(one.corporate for one in each.authors) for each in records):
        return None
    if is_venue(unit.said, records):
        return None
    record, said = records[0], {*words(unit.said), *words(unit.said, spelt_out=True)}
    people = [person for each in records for person in each.authors]
    names = [word for one in people for word in words(str(one)) if len(word) > 2 or word in words(one.family)]
    if not names or any(is_cjk(word) for word in names):
        return None
    if not said & set(names) and not any(name in "".join(words(unit.said)) for name in names if len(name) > 4):
        return f"the DOI leads to “{record.full_title}”, and none of its authors is named here"
    telling = {word[:6] for word in words(record.full_title or "") if len(word) > 3}
    begun = {word[:6] for word in said}
    if len(telling) > 3 and len(telling & begun) * 3 < len(telling):
        return f"the DOI leads to “{record.full_title}”, and its title is not printed here"
    if len(telling & begun) * 3 > len(telling) * 2 and denial_added(unit.said, [record.full_title or ""]):
        return f"the DOI leads to “{record.full_title}”: one of the two titles denies what the other says"
    printed = [int(each) for each in _YEAR.findall(unit.said)]
    years = [] if all(each.kind in RELEASED for each in records) else years_of(records)
    if years and printed and min(abs(one - each) for one in printed for each in years) > 1:
        return f"the DOI leads to a work of {record.year or max(years)}, not of {printed[0]}"
    return None


def denial_added(said: str, titles: Sequence[str]) -> bool:
    """Return whether words that print a title have a negation and no form of the title has one, or the reverse."""
    printed = _DENIAL.search(said) is not None
    return bool(titles) and all(printed != (_DENIAL.search(each) is not None) for each in titles)


def authors_left_out(said: str, records: Sequence[BibRecord]) -> str | None:
    """Return which authors of a work its printed reference does not name, where it names others of them and does not
    say that there are more. None where it names all or none, or where it cannot be told."""
    if not records or _AND_MORE.search(said):
        return None
    people = [each.authors for each in records]
    if any(not each.authors_complete for each in records) or any(one.corporate for each in people for one in each):
        return None
    named = {*words(said), *words(said, spelt_out=True)}
    joined = "".join(words(said))
    families = [words(one.family) for one in people[0]]
    if len(families) < 2 or any(not each or is_cjk("".join(each)) for each in families):
        return None
    told = [any(len(word) > 1 and word in named for word in each) or "".join(each) in joined for each in families]
    # One whom another record does not have, or has in another form, is not missed.
    others = [{word for one in each for word in words(str(one))} for each in people[1:]]
    missed = [one.family for one, family, there in zip(people[0], families, told, strict=True)
              if not there and all({*family} & each for each in others)]  # fmt: skip
    if not missed or not told[0]:
        return None
    whole = f"the DOI leads to “{records[0].full_title}”, whose record has {len(families)} authors"
    return f"{whole}; {', '.join(missed)} is not among those that are printed here"
