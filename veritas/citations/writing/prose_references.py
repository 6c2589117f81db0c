"""References in running prose, `Smith et al. (2021), A title, doi:10.…`, against the record of their DOI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.citations.bibliography._record_differences import years_of
from veritas.citations.writing.people_patterns import FAMILY, INITIALS
from veritas.citations.writing.venue_words import may_be_venue, names_venue
from veritas.text.likeness import ratio
from veritas.works.folding import is_cjk, words
from veritas.works.names import PersonName
from veritas.works.records import BibRecord

_ONE = rf"(?:{INITIALS}[ ]?)?{FAMILY}(?:,? ?{INITIALS})?"
_AND_OTHERS = r"(?:,?\s(?:et\sal\.?|and\s(?:others|colleagues)))"
_PEOPLE = re.compile(
    rf"(?<![\w'’-])(?P<people>{_ONE}(?:(?:,|,? and|,? &)\s{_ONE}){{0,8}}{_AND_OTHERS}?)(?:,?\s\(?|\s?\()"
    r"(?P<year>(?:1[89]|20)\d\d)[a-z]?\)?(?P<rest>[^()\[\]]{0,300}(?:\]\(|[\[(])?[^()\[\]\s]{0,40})\Z"
)
_LINK = r"https?://(?:dx\.)?doi\.org/|(?:https?://)?arxiv\.org/(?:abs|pdf)/|[Aa]r[Xx]iv:?"
_LEADS = re.compile(rf"(?:[\s,;:.()\[\]<>]|doi:?|DOI:?|{_LINK})*\Z")
_TITLED = re.compile(
    r"\)?,\s+(?P<mark>[\"“*_]?)(?P<title>[^\W\d_a-zß-öø-ÿ][^\"“”*_]{8,250}?)(?P<end>[\"”*_.,;:]{0,3})[,.;:]?\s*[(\[<]?"
    rf"(?:doi:?\s?|DOI:?\s?|{_LINK}\s?)*\Z"
)
_LINKED = re.compile(r"\[([^\[\]]{20,250})\]\(<?(?:https?://(?:dx\.)?doi\.org/|https?://[^\s()]{4,120}/)\Z")
_BEFORE = 500
_SINGLE = re.compile(rf"{FAMILY}\Z")
"""One name alone may be that of a program or an office."""
_NO_TITLE = re.compile(
    r"\d|\A(?:in|nature|science|cell)\b|\b(?:journal|proceedings|proc|transactions|letters|annals|reviews?|conference"
    r"|press|chapter|section|table|figure|appendix|supplement|vol|pages?)\b|\.\s\w+\.",
    re.IGNORECASE,
)
"""What stands in the names of journals and the parts of works."""
_JOURNAL = re.compile(
    r"\b(?:Journal|Annals|Annales|Proceedings|Transactions|Reviews?|Letters|Bulletin|Archives|Acta|Advances|Revue"
    r"|Zeitschrift|Rivista|Revista|Studies|Trends)\b[^.;:!?\"“”()\[\]]{0,60}\Z"
)
"""What begins the name of a journal, up to its last word."""
_PUBLISHED = re.compile(
    r"\b(?:[Pp]ublished|[Aa]ppear(?:s|ed|ing)|[Pp]rinted|[Aa]ccepted|[Ii]n press)\s(?:in|at|by|as)\s[^.;()\[\]]{0,60}\Z"
)
"""Words behind which a journal or a meeting stands more often than the authors do."""
_ENGLISH = frozenset("the of and in for a an on to with from by is are".split())
_NO_NAMES = frozenset(
    "see also and the in as by of at on for from with cf e.g i.e january february march april may june july august "
    "september october november december version since until before after update updated data table figure section "
    "chapter note early late spring summer autumn fall winter".split()
)
_DENIALS = frozenset("no not without never nor neither cannot none".split())
LIKE = 60.0
"""Least likeness, of 100, of a printed title to the record's for them to be forms of one title; so are two that share a
third of their telling words."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What stands before a DOI: the families of its authors, its year, and its title if one is printed."""

    people: tuple[str, ...]
    year: int
    title: str = ""
    said: str = ""
    published: bool = False
    """Whether it is told to be published in what is named."""

    @property
    def sure(self) -> bool:
        """Whether the names can only be those of persons."""
        return _SINGLE.match(self.said) is None and not may_be_venue(self.people) and not self.published


def printed_before(text: str, at: int) -> Printed | None:
    """Return the reference that the DOI at a place ends; None where prose stands before it, whose names may be those of
    anybody."""
    before = text[max(0, at - _BEFORE) : at]
    return _printed(before[before.rfind("\n\n") + 1 :].replace("\n", " "))


@lru_cache(maxsize=4096)
def _printed(before: str) -> Printed | None:
    if (found := _last(before)) is None:
        return None
    titled = _TITLED.match(found["rest"]) if not _LEADS.match(found["rest"]) else None
    if titled is None and not _LEADS.match(found["rest"]):
        return None
    families = tuple(each for each in re.findall(FAMILY, found["people"]) if each.lower() not in _NO_NAMES)
    if _SINGLE.match(found["people"].strip(" ,")) and _JOURNAL.search(before[: found.start("people")]):
        return None  # `Journal of Applied Ecology 2018`
    if not families or len(families) < len(re.findall(FAMILY, found["people"])):
        return None
    title = " ".join(titled["title"].split()) if titled else ""
    published = _PUBLISHED.search(before[: found.start("people")]) is not None
    return Printed(families, int(found["year"]), title, found["people"].strip(" ,"), published)


def _last(before: str) -> re.Match[str] | None:
    """Return the last names with a year, if nothing but what belongs to a reference follows them."""
    years = list(re.finditer(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", before))
    for year in reversed(years[-3:]):
        # The names begin with the earliest capital from which a list of names leads up to the year.
        for start in re.finditer(r"(?<![\w'’-])[^\W\d_]", before[max(0, year.start() - 200) : year.start()]):
            place = max(0, year.start() - 200) + start.start()
            found = _PEOPLE.match(before, place)
            if found and found.start("year") == year.start():
                return found
    return None


def attribution(printed: Printed, records: Sequence[BibRecord]) -> str | None:
    """Return how the record of a DOI denies what is printed with it; None where it does not, or cannot be told.

    Nobody is accused of a record without authors, of one in another script or language, or where one printed author
    is an author of it and no title is printed.
    """
    if not records or any(not each.authors or any(person.corporate for person in each.authors) for each in records):
        return None
    if any(is_cjk(str(person)) or not _latin(person) for each in records for person in each.authors):
        return None
    record = records[0]
    if not any(_latin(PersonName(family=each)) for each in printed.people) or names_venue(printed.people, records):
        return None
    known = _known(records)
    shared = any(word in known for family in printed.people for word in _tokens(family))
    what = f"the DOI leads to “{record.full_title}” by {_people(record)} ({record.year or 'no year'})"
    if not shared:
        return f"{what}, not to a work of {printed.said}. Give the DOI of the work that is meant"
    if printed.title and _another_title(printed.title, records):
        return f"{what}, not to “{printed.title}”. Give the title of the record, or the DOI of the work that is meant"
    return None


def linked_title(text: str, at: int) -> str:
    """Return the words of the link that leads to the DOI at a place, if they may be a work's title; else nothing."""
    found = _LINKED.search(text[max(0, at - 320) : at])
    said = " ".join(found[1].split()) if found else ""
    return said if 5 <= len(said.split()) <= 40 and said[:1].isupper() else ""


def title_denied(title: str, records: Sequence[BibRecord]) -> str | None:
    """Return how the record of a DOI denies the words of a link to it; None if they may be a title of the work, or
    speak of its authors."""
    known = {word for word in _known(records) if len(word) > 2}
    if not records or known & set(words(title)) or not _another_title(title, records):
        return None
    return f"the DOI leads to “{records[0].full_title}”, and the words of the link to it are “{title}”"


def shortened_title(printed: str, records: Sequence[BibRecord]) -> bool:
    """Return whether a title is the beginning of the record's, or all of it with a remark in brackets behind it."""
    said = words(re.sub(r"\s*(?:\[[^\[\]]*\]|\([^()]*\))[\s.]*\Z", "", printed))
    titles = [words(each) for one in records for each in (one.full_title or "", one.title or "") if each]
    return len(said) >= 4 and any(list(each[: len(said)]) == list(said) for each in titles)


def words_left_out(printed: str, records: Sequence[BibRecord]) -> bool:
    """Return whether a title has most words of the record's, in its order, and no other: a slip, not another title."""
    said = words(printed)
    for title in [words(each.full_title or "") for each in records]:
        rest = iter(title)
        if len(said) >= 4 and len(said) * 3 >= len(title) * 2 and all(word in rest for word in said):
            return not _DENIALS & (set(title) - set(said))
    return False


def in_doubt(printed: Printed, records: Sequence[BibRecord]) -> str | None:
    """Return what of a printed reference its record does not bear out, and that may be another form of the same: a
    year, one of several authors, a title with other words. None where there is nothing."""
    if not printed.sure or not records or any(not each.authors for each in records):
        return None
    record = records[0]
    titles = [each for one in records for each in (one.full_title or "", one.title or "", *one.other_titles) if each]
    if printed.title and altered_title(printed.title, titles):
        return f"the DOI leads to “{record.full_title}”, which is not titled “{printed.title}” in any record"
    known = _known(records)
    strange = [each for each in printed.people if not _tokens(each) & known and not names_venue([each], records)]
    complete = all(each.authors_complete and not any(one.corporate for one in each.authors) for each in records)
    if strange and complete and len(strange) < len(printed.people):
        return f"no record of the work that the DOI leads to has {' or '.join(strange)} among its authors"
    years = years_of(records)
    if years and min(abs(printed.year - each) for each in years) > 1:
        return f"the DOI leads to a work of {record.year or max(years)}, not of {printed.year}"
    return None


def altered_title(printed: str, titles: Sequence[str]) -> bool:
    """Return whether a title denies what every form of the record's title says, or the reverse, or has other words in
    the place of some of them. A part of a title is no other title."""
    from veritas.works.title_comparison import TitleDifference, compare_titles

    said = [word for word in words(printed) if word not in _ENGLISH]
    if len(said) < 4 or _NO_TITLE.search(printed) or not _ENGLISH & set(words(printed)):
        return False
    for title in titles:
        if compare_titles(printed, title).difference not in (TitleDifference.WORDS, TitleDifference.OTHER):
            return False
        theirs = [word for word in words(title) if word not in _ENGLISH]
        strange, lacking = (
            [word for word in mine if len(word) > 1 and not any(ratio(word, each) >= 75 for each in other)]
            for mine, other in ((said, theirs), (theirs, said))
        )
        denied = bool(_DENIALS & set(strange)) or bool(_DENIALS & set(lacking) and len(lacking) == 1)
        if not denied and not (strange and lacking):
            return False
    return bool(titles)


def _another_title(printed: str, records: Sequence[BibRecord]) -> bool:
    said = " ".join(words(printed))
    telling = _telling(printed)
    if len(said.split()) < 4 or len(telling) < 2 or _NO_TITLE.search(printed) or not _ENGLISH & set(said.split()):
        return False
    for each in records:
        titles = [each.full_title or "", each.title or "", *each.other_titles]
        others = [*titles, each.venue or "", *each.venue_names]
        alike = any(len(telling & _telling(other)) * 3 >= len(telling)
                    or ratio(said, " ".join(words(other))) >= LIKE for other in others)  # fmt: skip
        if alike or not _ENGLISH & set(words(each.full_title or "")):
            return False
    return True


def _telling(title: str) -> frozenset[str]:
    """Return the beginnings of the words that tell one title from another."""
    return frozenset(word[:6] for word in words(title) if len(word) > 3)


def _known(records: Sequence[BibRecord]) -> set[str]:
    """Return the words of the authors' names; a family name may have two letters."""
    people = [person for each in records for person in each.authors]
    return {word for each in people for name in (str(each), each.family) for word in _tokens(name)}


def _tokens(name: str) -> frozenset[str]:
    found = {*words(name), *words(name, spelt_out=True), *words(re.sub("[-’']", "", name))}
    return frozenset(word for word in found if len(word) > 2) or frozenset(found)


def _latin(person: PersonName) -> bool:
    return any("a" <= sign <= "z" for sign in " ".join(words(person.family)))


def _people(record: BibRecord) -> str:
    names = [person.family for person in record.authors]
    return names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
