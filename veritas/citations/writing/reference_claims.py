"""What a page says of a work by name, in the columns of a table, in fields, or in a sentence of a known form, against
the record of its DOI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from veritas.citations.writing.people_patterns import CAPITAL, FAMILY, INITIALS
from veritas.citations.writing.prose_references import LIKE
from veritas.citations.writing.reference_homes import Stretch, plain
from veritas.citations.writing.reference_units import RELEASED
from veritas.text.likeness import ratio
from veritas.works.folding import is_cjk, words
from veritas.works.printed_dois import printed_dois
from veritas.works.records import BibRecord

_ONE = rf"(?:(?:{INITIALS}[ ]?)?{FAMILY}(?:[ ]{FAMILY}){{0,2}})"
_OTHERS = r"(?:,?\s(?:et\sal\.?|and\s(?:others|colleagues|co-?workers)))"
_PEOPLE = rf"(?P<people>{_ONE}(?:(?:,|,? and|,? &)\s{_ONE}){{0,8}}{_OTHERS}?)"
_SEVERAL = rf"(?P<people>{_ONE}(?:,\s{_ONE}){{0,8}}(?:(?:,?\sand|,?\s&)\s{_ONE}|{_OTHERS}))"
_TITLE = r"[\"“*_\[]{1,2}(?P<title>[^\"“”*_\[\]]{12,250})[\"”*_\]]{1,2}"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)[a-z]?"
_WORK = r"(?:paper|article|study|book|report|review|preprint|thesis)"
_SHOWS = r"(?:show(?:s|ed)?|finds?|found|report(?:s|ed)?|argues?|demonstrate[sd]?|propose[sd]?|introduce[sd]?)"
_LINK = r"(?:(?:doi|DOI|link|paper|pdf)?:?\s?\]?\(?<?(?:https?://\S*|doi:?\s?)?)?\Z"
_BEHIND = rf"[\s,;:.()\[\]]*{_LINK}"
"""What leads from the title or the year to the DOI itself, and says nothing more."""
_SAYING = rf"(?:[a-z]+ly )?{_SHOWS}(?: [^.\"“”()\[\]]{{1,90}})?[,;:.]?\s?[\[(]*(?<![\w] )(?<![\w]){_LINK}"
"""What they say in it, up to a mark and the DOI: one behind a word, as behind `with the data of`, is another work's."""
_FORMS = tuple(
    re.compile(each)
    for each in (
        rf"\b[Ii]n (?:their|his|her) (?:[a-z]+ ){{0,2}}{_WORK},? {_TITLE},?(?: \({_YEAR}\))?,? {_PEOPLE} {_SAYING}",
        rf"\b(?:introduced|proposed|presented|published|developed|written|put forward) (?:first )?by {_PEOPLE}"
        rf"(?:,? \(?{_YEAR}\)?)?,? (?:in (?:(?:their|the|a) (?:[a-z]+ ){{0,2}}{_WORK},? )?)?{_TITLE}"
        rf"(?:,? \(?(?P<dated>(?:1[89]|20)\d\d))?{_BEHIND}",
        rf"(?<![\w'’-]){_PEOPLE}['’]s? (?:[a-z]+ ){{0,1}}{_WORK},? {_TITLE}{_BEHIND}",
        rf"(?<![\w'’-]){_SEVERAL},? \({_YEAR}\),? (?:have |has )?{_SHOWS} (?:it|this|so|the same)\b"
        rf"[ ,:.]*[\[(]+{_LINK}",
    )
)
"""Sentences that say who wrote the work which they give a DOI of: they name them as its authors, or tell what the work
shows in their name."""
_QUOTED = re.compile(r"[\"“][^\"“”]{12,250}[\"”]")
_BEFORE = 500
_GROUP = 400
_NOBODY = re.compile(
    r"\b(?:team|group|consortium|collaboration|committee|developers|contributors|network|investigators|various|unknown"
    r"|anonymous|several|university|institute|inc|ltd|society|association|ministry|agency|organi[sz]ation)\b|(?-i:\b[A-Z]{4,}\b)",
    re.IGNORECASE,
)
_CAPITAL = re.compile(rf"{CAPITAL}[\w’'-]+")
_ENGLISH = frozenset("the of and in for a an on to with from by is are".split())
_FAR = 3
_LEAST_ALIKE = 80.0


def spoken(text: str, at: int) -> Stretch | None:
    """Return who wrote what and when, as the sentence that leads up to a DOI says it; None if it says so in no known
    form."""
    begin = text.rfind("\n\n", max(0, at - _BEFORE), at)
    begin = begin + 2 if begin >= 0 else max(0, at - _BEFORE)
    before = text[begin:at]
    if len(list(printed_dois(before))):
        return None  # of another work
    # What follows the last full stop behind a small letter belongs to the sentence of the DOI.
    said = plain(re.split(r"(?<=[a-zß-öø-ÿ)\]])[.?!]\s+(?=[^\W\d_a-zß-öø-ÿ])", before)[-1])
    said = _QUOTED.sub(lambda found: re.sub(r"[*_]", "", found.group()), said)
    for form in _FORMS:
        if found := form.search(said):
            parts = found.groupdict()
            told = {name: parts.get(name) or "" for name in ("people", "title")}
            told["year"] = parts.get("year") or parts.get("dated") or ""
            return Stretch(said, tuple(told.items()))
    return None


def in_brackets(text: str, at: int) -> str:
    """Return the words of the round brackets around a DOI, which are no target of a link; nothing if there are none."""
    depth, links = 0, 0
    for place in range(at - 1, max(-1, at - _GROUP), -1):
        sign = text[place]
        if sign == "\n" and text[place - 1 : place] == "\n":
            return ""
        depth += (sign == "(") - (sign == ")")
        if depth > 0 and text[place - 1 : place] == "]":
            depth, links = 0, links + 1
        elif depth > 0:
            end = _closed(text, at, 1 + links)
            return plain(text[place + 1 : end]) if end else ""
    return ""


def _closed(text: str, at: int, depth: int) -> int:
    for place in range(at, min(len(text), at + _GROUP)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    return 0


def told_otherwise(stretch: Stretch, records: Sequence[BibRecord]) -> str | None:
    """Return what the record of a DOI denies of what is told of its work by name; None where it bears it out, or where
    it cannot be told. Who is told to have written a work in another script or language, or of which a body is the
    author, is not compared."""
    told = {name: said for name, said in stretch.told if said}
    if not told or not records or any(not each.authors for each in records):
        return None
    record = records[0]
    if is_cjk(record.full_title or "") or is_cjk(str(record.authors[0])):
        return None
    what = f"the DOI leads to “{record.full_title}” by {record.authors[0].family} ({record.year or 'no year'})"
    strangers = _strangers(told.get("people", ""), records)
    other = _unlike(told.get("title", ""), records)
    if strangers and (other or ("title" in told and not _some_of_title(stretch.said, records))):
        return f"{what}; neither this title nor an author of it is told here"
    if strangers:
        return f"{what}, and not to a work of {told['people']}"
    if other and _ENGLISH & set(words(told["title"])) and _ENGLISH & set(words(record.full_title or "")):
        return f"{what}, and not to “{told['title']}”"
    if not _some_of_title(stretch.said, records) and not borne_by(stretch.said, records):
        return None  # the year may be of something else
    return _dated_otherwise(told.get("year", ""), records, what)


def _dated_otherwise(said: str, records: Sequence[BibRecord], what: str) -> str | None:
    from veritas.citations.bibliography._record_differences import years_of

    printed = [int(each) for each in re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", said)]
    years = [] if all(each.kind in RELEASED for each in records) else years_of(records)
    if years and len(set(printed)) == 1 and min(abs(printed[0] - each) for each in years) > _FAR:
        return f"{what}, not of {printed[0]}"
    return None


def borne_by(said: str, records: Sequence[BibRecord]) -> bool:
    """Return whether the family name of an author of a work stands among words."""
    here = {*words(said), *words(said, spelt_out=True)}
    return any(set(words(person.family)) <= here for each in records for person in each.authors)


@lru_cache(maxsize=1024)
def _named(people: str) -> frozenset[str]:
    return frozenset(word for form in (words(people), words(people, spelt_out=True)) for word in form if len(word) > 1)


def _strangers(people: str, records: Sequence[BibRecord]) -> bool:
    """Return whether persons are named and none of them is an author of a work, in any spelling."""
    if not _CAPITAL.search(people) or _NOBODY.search(people) or is_cjk(people):
        return False
    if any(person.corporate for each in records for person in each.authors):
        return False
    said, joined = _named(people), "".join(words(people))
    if not any("a" <= sign <= "z" for sign in joined):
        return False  # names in another script
    known = {word for each in records for person in each.authors for word in words(str(person)) if len(word) > 1}
    known |= {word for each in records for person in each.authors for word in words(person.family)}
    if said & known or any(name in joined for name in known if len(name) > 4):
        return False
    return not any(ratio(one, name) >= _LEAST_ALIKE for one in said for name in known if len(name) > 4)


def _telling(title: str) -> frozenset[str]:
    return frozenset(word[:6] for word in words(title) if len(word) > 3)


def _titles(records: Sequence[BibRecord]) -> list[str]:
    return [title for each in records for title in (each.full_title, each.title, *each.other_titles) if title]


def _unlike(title: str, records: Sequence[BibRecord]) -> bool:
    """Return whether words are another title than any that a work is known by."""
    said = _telling(title)
    if len(said) < 3 or len(words(title)) < 4:
        return False
    for other in _titles(records):
        theirs = _telling(other)
        if len(theirs) < 3 or len(said & theirs) * 3 >= min(len(said), len(theirs)):
            return False
        if ratio(" ".join(words(title)), " ".join(words(other))) >= LIKE:
            return False
    return True


def _some_of_title(said: str, records: Sequence[BibRecord]) -> bool:
    begun = {word[:6] for word in words(said)}
    return any(len(_telling(title) & begun) * 3 >= len(_telling(title)) for title in _titles(records))
