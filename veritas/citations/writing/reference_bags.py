"""References whose parts cannot be cut out, held as a bag of words against the record of their DOI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.citations.bibliography.formats.printed.authors import MORE
from veritas.citations.bibliography.formats.printed.whole_titles import goes_on, only_names
from veritas.citations.writing.people_patterns import CAPITAL, PARTICLE, SMALL
from veritas.citations.writing.venue_words import is_venue, may_be_venue, names_venue
from veritas.text.likeness import ratio
from veritas.works.access_dates import without_access
from veritas.works.folding import is_cjk, words
from veritas.works.printed_dois import printed_dois
from veritas.works.records import BibRecord

_NO_NAME = r"(?!(?:See|Cf|From|Source|Via|Also)\b)"
_NAME = rf"(?:{_NO_NAME}(?:{PARTICLE}[ ]){{0,3}}{CAPITAL}['’]?{CAPITAL}?{SMALL}[\w’'-]{{1,30}})"
_LETTERS = rf"(?:(?:{CAPITAL}\.[ -]?){{1,3}}|{CAPITAL}{{1,3}}(?![\w.]))"
_SURE = (
    rf"(?:{_NAME},? {_LETTERS}(?<!, {CAPITAL}{{3}})|(?:{CAPITAL}\.[ -]?){{1,3}} ?{_NAME}"
    rf"|{_NAME} \({_NAME}(?: {_NAME})?\))"
)
"""One person in a form that only persons are written in: with initials, or with the given name in brackets."""
_FULL = rf"{_NAME} (?:{CAPITAL}\. )?{_NAME}"
_TURNED = rf"{_NAME}, {_NAME}(?: {CAPITAL}\.)?"
_AND = r"(?:,? (?:and|et|und|y|e|og|och|en|&) |[,;] ?| ?[/·•] ?)"
_OTHERS = rf"(?:,? (?:{MORE}|and (?:others|colleagues)))"
_SEVERAL = re.compile(rf"{_OTHERS}|{_AND}{_SURE}")
_LISTS = (
    (re.compile(rf"(?<![\w’'-]){_SURE}(?:{_AND}{_SURE})*{_OTHERS}?"), True),
    (re.compile(rf"(?<![\w’'-])(?:{_FULL}|{_NAME}){_OTHERS}"), True),
    (re.compile(rf"(?<![\w’'-]){_TURNED}(?: ?[;/] ?{_TURNED})+"), True),
    (re.compile(rf"(?<![\w’'-])(?:{_NAME}, )*{_NAME}(?:,? and |,? & ){_NAME}(?=,? \(?(?:1[89]|20)\d\d)"), True),
    (re.compile(rf"(?<![\w’'-]){_FULL}(?:{_AND}{_FULL})+"), False),
)
"""Lists of persons, and whether nothing else is written so: `Deep Learning, Single Cell` may be two subjects."""
_CAPITALS = re.compile(
    r"(?:\A\W{0,4}|(?<=[;,&/:|.\]] )|(?<= and )|(?<= et )|(?<= e )|(?<= y ))"
    rf"{CAPITAL}(?P<rest>(?:['’-]?[^\W\d_a-zß-öø-ÿ]){{1,30}})"
    rf"(?=, {CAPITAL}(?:\.|{SMALL}[\w’'-]*(?: {CAPITAL}[\w.’'-]*){{0,2}} ?[;.:]))"
)
"""A family name in capitals before initials or a given name. Initials in capitals stand behind a name."""
_NO_PERSON = re.compile(
    r"\b(?:Journal|Press|University|Institute|Conference|Proceedings|Proc|Trans|Transactions|Letters|Annals|Review"
    r"|Reviews|Science|Sciences|Nature|Research|Society|Systems|Methods|Biology|Physics|Vol|Chapter|Section|Table|Figure"
    r"|January|February|March|April|May|June|July|August|September|October|November|December|Data|Learning|Analysis"
    r"|Networks?|Python|Julia|License|Version|Supplement)\b"
)
_MARKED = re.compile(
    r"“([^“”]{12,300})”|\"([^\"]{12,300})\"|«\s*([^«»]{12,300}?)\s*»|„([^„“”]{12,300})[“”]|\*\*([^*]{12,300})\*\*"
    r"|(?<!\w)['‘]([^\"“”]{12,300}?)[,.]?['’](?!\w)|(?<![*\w])\*([^*]{12,300})\*(?!\*)|\[([^\[\]]{12,300})\]\("
    r"|\A\W{0,4}\((?:1[89]|20)\d\d[^()]{0,80}\)[ .,:]*([^\W\d_a-zß-öø-ÿ][^\[\]()\"“”*]{12,300}?)[ .,:]*"
    r"\(<?https?://"
)
"""Words in the marks of a title: quotation marks, bold or slanted letters, a link."""
_SPOKEN_OF = re.compile(r"\b(?:on|of|to|with|for|against)\s+(?:doi:?\s?|https?://\S{0,40})?10\.\d{4}")
"""A DOI that a sentence speaks of."""
_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|<?https?://[^\s<>)\]]+>?|<[^<>]{1,80}>")
_LABEL = re.compile(r"\[+\w{2,10}\]+(?=\()")
"""What a link is called that says nothing of a work, `[paper](…)`, `[[code]](…)`."""
_CUTS = re.compile(r"(?<!\b[^\W\d_])[.?!](?=\s|\Z)|[;:|()\[\]—“”\"«»]| [–/-]+ |//|, (?=[^\W\d_a-zß-öø-ÿ])")
_YEAR = re.compile(r"(?<![\d./:-])(?:1[89]|20)\d\d(?![\d/-])")
_PROSE = re.compile(
    r"\b(?:we|our|us|you|your|they|their|this|these|those|it|its|is|are|was|were|has|have|had|can|will|would|should|must"
    r"|may|does|do|did|shows?|showed|found|uses?|used|see|thanks?|described|published|proposed|introduced|provides?"
    r"|provided|added|fix(?:es|ed)?|implements?|implemented|supports?|contains?|please|which|who|where|when|because"
    r"|maintains?|recommend(?:s|ed)?|presented|available|developed|adapted|taken|according)\b"
)
"""Words of sentences, in small letters: a person or a venue is not written so."""
_ROLES = re.compile(
    r"\b(?:[Tt]ranslated|[Ee]dited|[Rr]eprinted|[Rr]eviewed|[Rr]eview of|[Ss]ummary|[Ii]mplement(?:s|ing|ed|ation)"
    r"|[Pp]ackage|[Bb]ased on|[Cc]ited (?:in|by)|[Dd]ata from|[Dd]ataset|[Ee]rratum|[Cc]orrection|[Cc]omment on"
    r"|[Rr]eply to|[Cc]f|[Vv]ersion|[Ss]oftware|[Cc]ode|[Mm]aintain(?:s|ed|er)|[Rr]ecommended|[Ss]lides|[Tt]alk"
    r"|[Pp]resented|after)\b"
)
"""Words by which who is named need not have written the work: nobody is accused then."""
_VENUE = re.compile(r"\b(?:of|the|for|on|vol|no|nr|pp?|doi|https?)\b|\]")
"""Words in small letters of journals and their numbers."""
_FAR = 3
"""Years between a printed one and the record's that a preprint and its paper may be apart."""
_LIKE = 80.0


@dataclass(frozen=True, slots=True)
class Bag:
    """The words of an item, a note or a paragraph with one DOI.

    `people` are the words of the names in it, `several` whether they are more than one person's, `sure` whether nothing
    but persons is written so. `titled` says whether words stand in it that may be a title, `marked` has those in the
    marks of one, and `roles` says whether who is named may be another than an author.
    """

    said: str
    people: tuple[str, ...]
    several: bool
    sure: bool
    titled: bool
    marked: tuple[str, ...]
    years: tuple[int, ...]
    roles: bool
    lists: tuple[tuple[tuple[str, ...], bool, bool], ...] = ()
    """Every list of names in it, of which `people`, `several` and `sure` are of the first."""
    loose: bool = False
    """Whether words without marks are in it that may be a title."""

    def without_venue(self, records: Sequence[BibRecord]) -> Bag:
        """Return it without the names and the marked words that are the venue of a work."""
        marked = tuple(each for each in self.marked if not is_venue(each, records))
        left = [each for each in self.lists if not names_venue(each[0], records)]
        people, several, sure = left[0] if left else ((), False, False)
        bare = replace(self, people=people, several=several, sure=sure, lists=tuple(left))
        return bare if marked == self.marked else replace(bare, marked=marked, titled=bool(marked) or self.loose)


@dataclass(frozen=True, slots=True)
class Denied:
    """What the record of a DOI denies of a bag. `sure` says that no form of a reference to the work is like it."""

    message: str
    sure: bool


@lru_cache(maxsize=2048)
def bag_of(said: str) -> Bag | None:
    """Return a block that has one DOI as a bag of words; None if it is a sentence, or says too little."""
    said = without_access(said)
    dois = list(printed_dois(said))
    if len({each.doi.lower() for each in dois}) != 1 or _SPOKEN_OF.search(said):
        return None
    if "```" in said or re.search(r"@\w+ ?\{", said):
        return None
    for each in reversed(dois):
        said = said[: each.start] + said[each.end :]
    said = _LABEL.sub(" ", said)
    marked = [next(group for group in each.groups() if group) for each in _MARKED.finditer(said)]
    telling = tuple(each for each in marked if _may_be_title(each, marked=True))
    plain = " ".join(_TARGET.sub(" ] ", said).split())
    outside = plain
    for title in telling:
        outside = outside.replace(title, " ; ")
    if _PROSE.search(outside):
        return None
    lists = tuple(_people(_lowered(outside.replace("*", "").replace("_", " "))))
    people, several, sure = lists[0] if lists else ((), False, False)
    loose = [each for each in _CUTS.split(outside) if _may_be_title(each)]
    years = tuple(int(each) for each in _YEAR.findall(plain))
    roles = _ROLES.search(outside) is not None or _sentence(outside)
    return Bag(plain, people, several, sure, bool(telling or loose), telling, years, roles, lists, bool(loose))


def _sentence(outside: str) -> bool:
    """Return whether more than names, a year and marks stands between the names and a title in its marks, or behind the
    names where none is marked: then it may be said of others than the authors."""
    bare = _lowered(outside.replace("*", "").replace("_", " "))
    for form, _ in _LISTS:
        for found in form.finditer(bare):
            if _NO_PERSON.search(found.group()):
                continue
            before, behind = bare[: found.start()], bare[found.end() :]
            gaps = [behind.partition(" ; ")[0]] if " ; " in behind else []
            gaps += [before.rpartition(" ; ")[2]] if " ; " in before else []
            return any(not only_names(_VENUE.sub(" ", each)) for each in gaps) if gaps else goes_on(behind)
    return False


def _lowered(said: str) -> str:
    """Return words with family names in capitals, `SMITH, J.; DOE, A.`, as other styles write them."""
    return _CAPITALS.sub(lambda found: found.group().removesuffix(found["rest"]) + found["rest"].lower(), said)


def _may_be_title(said: str, *, marked: bool = False) -> bool:
    telling = re.findall(r"\b[^\W\d_]{4,}" if marked else r"\b[a-zß-öø-ÿ]{4,}", said)
    return len(words(said)) > 3 and len(telling) > 1 and not (marked and _SEVERAL.search(said))


def _people(said: str) -> Iterator[tuple[tuple[str, ...], bool, bool]]:
    for form, sure in _LISTS:
        for found in form.finditer(said):
            told = re.sub(rf"{_OTHERS}|{_AND}", " ", found.group())
            names = tuple(word for word in words(told) if len(word) > 2)
            alone = not re.search(rf"{_AND}(?!{_LETTERS})|{_OTHERS}", found.group())
            if not names or _NO_PERSON.search(found.group()) or may_be_venue(names):
                continue
            if not (alone and found.start() > 3):
                yield names, not alone, sure


def held_against(bag: Bag, records: Sequence[BibRecord]) -> Denied | None:
    """Return what the record of a DOI denies of the words around it; None where it bears them out, or where they name
    neither people nor a title. Nobody is accused of what a record in another script has, or one without authors."""
    if not records or any(not each.authors for each in records):
        return None
    if any(is_cjk(each.full_title or "") or is_cjk(str(each.authors[0])) for each in records):
        return None
    bag = bag.without_venue(records)
    body = any(one.corporate for each in records for one in each.authors)  # it may be named in many ways
    said = {*words(bag.said), *words(bag.said, spelt_out=True)}
    joined = "".join(words(bag.said))
    families = [words(person.family) for each in records for person in each.authors]
    names = {word for each in families for word in each if len(word) > 2 or len(each) == 1}
    whole = {word for each in records for person in each.authors for word in words(str(person)) if len(word) > 2}
    certain = bag.sure and not set(bag.people) & whole  # a record may take a family name for a given one
    entitled = {word for each in records for title in _titles(each) for word in words(title)}
    named = body or (bool(bag.people) and entitled.issuperset(bag.people)) or bool(said & names)
    named = named or any(name in joined for name in names if len(name) > 4) or _misspelt(bag, names)
    share = max(_share(title, said) for each in records for title in _titles(each))
    record = records[0]
    what = f"the DOI leads to “{record.full_title}” by {record.authors[0].family} ({record.year or 'no year'})"
    if share < 1 / 3 and bag.titled and not named and bag.several:
        sure = certain and bool(bag.years) and not bag.roles
        return Denied(f"{what}; neither this title nor an author of it is printed here", sure)
    if share < 1 / 3 and bag.titled and (bag.people or bag.years) and (bag.marked or bag.several):
        return Denied(f"{what}, and its title is not printed here", False)
    if share >= 0.6 and not named and bag.several and not bag.roles:
        return Denied(f"{what}, and none of its authors is named here", certain)
    if share >= 0.6 and (bag.people or named or _dated_first(bag.said)):
        return _told_otherwise(bag, records, what)
    return None


def borne_out(said: str, records: Sequence[BibRecord]) -> bool:
    """Return whether words hold nearly the whole title of a work, and the name of one of its authors."""
    here = {*words(said), *words(said, spelt_out=True)}
    return any(
        _share(title, here) >= 0.8 and len(words(title)) > 3
        and any(set(words(person.family)) <= here for person in each.authors)
        for each in records
        for title in _titles(each)
    )  # fmt: skip


def _dated_first(said: str) -> bool:
    """Return whether words begin with a year, alone or with a venue, in brackets."""
    found = re.match(r"\W{0,4}[(\[](?:1[89]|20)\d\d([^()\[\]]*)[)\]]", said)
    return found is not None and only_names(_VENUE.sub(" ", found[1]))


def _told_otherwise(bag: Bag, records: Sequence[BibRecord], what: str) -> Denied | None:
    """Return what else of a reference to the work its record does not bear out: its year, a denial in its title."""
    from veritas.citations.bibliography._record_differences import years_of
    from veritas.citations.writing.prose_references import altered_title
    from veritas.citations.writing.reference_units import RELEASED, denial_added

    titles = [title for each in records for title in _titles(each)]
    if other := next((each for each in bag.marked if _share(titles[0], set(words(each))) >= 0.6
                      and altered_title(each, titles)), None):  # fmt: skip
        return Denied(f"{what}, which is not titled “{other}” in any record", False)
    if denial_added(bag.said, titles):
        return Denied(f"{what}: one of the two titles denies what the other says", False)
    years = years_of(records)
    if all(each.kind in RELEASED for each in records):
        return None
    if years and len(set(bag.years)) == 1 and min(abs(bag.years[0] - each) for each in years) > _FAR:
        return Denied(f"the DOI leads to a work of {records[0].year or max(years)}, not of {bag.years[0]}", False)
    return None


def _misspelt(bag: Bag, names: set[str]) -> bool:
    """Return whether a printed name is like one of an author, letter for letter but one or two."""
    return any(ratio(one, name) >= _LIKE for one in bag.people for name in names if len(name) > 4)


def _titles(record: BibRecord) -> list[str]:
    return [each for each in (record.full_title or "", record.title or "", *record.other_titles) if each] or [""]


def share_of(title: str, said: str) -> float:
    """Return which part of the telling words of a title stands among words; 0 where it has too few."""
    return _share(title, {*words(said)}) if len({word for word in words(title) if len(word) > 3}) > 2 else 0.0


def _share(title: str, said: set[str]) -> float:
    """Return which part of the telling words of a title stands among the words of a text; 1 where it has too few."""
    telling = {word[:6] for word in words(title) if len(word) > 3}
    return len(telling & {word[:6] for word in said}) / len(telling) if len(telling) > 2 else 1.0
