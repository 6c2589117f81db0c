"""Attributions in a claim or a hint: who is said to have written the paper, when, and under which title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._record_differences import years_of
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.citations.verdict import Conflict
from veritas.frozen import Frozen
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.registries.scholarly_source import identifier_in
from veritas.text.dates import MONTHS
from veritas.works.folding import words
from veritas.works.names import PersonName, same_family
from veritas.works.records import BibRecord
from veritas.works.title_comparison import TitleDifference, title_words

_UPPER = f"[{''.join(filter(str.isupper, map(chr, (*range(0x41, 0x250), *range(0x1E00, 0x1F00)))))}]"
_LOWER = f"[{''.join(filter(str.islower, map(chr, (*range(0x61, 0x250), *range(0x1E00, 0x1F00)))))}]"
"""Letters of Latin alphabets, with those of Czech, Turkish or Vietnamese."""
_NAME = (
    rf"(?:(?:Mc|Mac|O['’]|D['’]|De|La|Le|Van|Von|von|van|de)\s?)?{_UPPER}(?:{_LOWER}|['’-](?={_UPPER}|{_LOWER}))+"
    rf"(?:(?<=[-'’]){_UPPER}{_LOWER}+)?"
)
_PARTICLE = r"(?:van|von|der|den|de|del|di|da|la|le)"
_GIVEN, _LAST = rf"(?:{_UPPER}[\w'’.-]+ |{_PARTICLE} ){{0,4}}?", rf"\b(?! (?:{_UPPER}|{_PARTICLE} ))"
"""Given names and particles before a family name, and that none of a name follows it."""
_YEAR = r"((?:19|20)\d\d)[a-z]?"
_YEAR_BESIDE = rf",? [(\[]?{_YEAR}[)\]]?"
_OTHERS = r"(?:colleagues|co-?workers|collaborators|co-?authors|team)"
_WORK = r"(?:paper|article|study|work|review|survey|report|preprint|benchmark)"
_FORMS = (
    # `Liu et al. (2025)`, `Yifei Liu et al.`; two names need a year: `Loss and Accuracy` are no authors
    re.compile(
        rf"\s*\(?(?:\b{_UPPER}[\w'’-]+ )?\b({_UPPER}[\w'’-]+),? (?:et al|ET AL)\b\.?(?:{_YEAR_BESIDE})?\)?"
    ),
    re.compile(
        rf"\s*\(?(?:\b{_UPPER}[\w'’-]+ )?\b({_UPPER}[\w'’-]+) (?:and|&) (?:{_UPPER}[\w'’.-]* ){{0,2}}{_UPPER}[\w'’-]+"
        rf"{_YEAR_BESIDE}\)?"
    ),
    # `Zhang, Liu & He (2025)`; without its sign a year may be a study's, `Injuries and Risk Factors Study 2015`
    re.compile(
        rf"\s*\b({_NAME})(?:, {_NAME}){{1,5}},? (?:and|&) {_NAME}(?:,? [(\[]|, ){_YEAR}[)\]]?"
    ),
    # `Liu and colleagues (2025)`
    re.compile(rf"\s*\b({_NAME}) (?:and|&) (?:(?:his|her|their) )?{_OTHERS}\b(?:{_YEAR_BESIDE})?"),
    re.compile(rf"\s*\b({_NAME}) (?:and|&) others{_YEAR_BESIDE}"),
    # `Liu, Y., Chen, X. (2025)`
    re.compile(rf"\s*\b({_NAME}), (?:[A-Z]\.[ -]?){{1,3}}(?:[,;&]| and\b)?[^()\d]{{0,300}}(?:\(?{_YEAR}\)?)?"),
    # `In 2019 Liu et al.`, `In their 2019 paper, Liu`, `the 2019 paper by Liu`, `Liu et al. showed in 2019`
    re.compile(rf"\s*\b[Ii]n (?P<y>(?:19|20)\d\d),? (?P<n>{_NAME}) et al\b\.?"),
    re.compile(rf"\s*\b[Ii]n (?:their|his|her|an?|the) (?P<y>(?:19|20)\d\d) {_WORK},? (?P<n>{_NAME})\b"),
    re.compile(rf"\s*\b(?P<y>(?:19|20)\d\d) {_WORK} (?:by|of) {_GIVEN}(?P<n>{_NAME}){_LAST}"),
    re.compile(
        rf"\s*\b({_NAME}) et al\.? (?:showed|proposed|published|introduced|proved|demonstrated|reported) in {_YEAR}"
    ),
    # `the paper by Yule Liu`
    re.compile(
        rf"\s*\b(?:{_WORK}|trial|team|group) (?:written |(?:was |is )?led )?by "
        rf"{_GIVEN}({_NAME}){_LAST}(?:{_YEAR_BESIDE})?"
    ),
    # `Liu (2025)`, `Liu [2025]`, `(Liu, 2025)`
    re.compile(rf"\s*\b({_NAME})(?:['’]s)? [(\[]{_YEAR}[)\]]"),
    re.compile(rf"\s*[(\[]({_NAME}),? {_YEAR}[)\]]"),
    # `Liu's benchmark`; a law or a method may bear the name of somebody else
    re.compile(
        rf"\s*\b({_NAME})['’]s? (?:(?:recent|earlier|\d{{4}}|original|new|own) )?"
        r"(?=(?:paper|study|studies|article|work|benchmark|survey|review|report|experiments?|evaluation|findings)\b)"
    ),
)
_OF_HINTS = (
    # In a hint a name needs less around it: `Liu 2025`, `Liu/He 2025`, `Liu Y, Zhang H.`, `according to Liu`
    re.compile(rf"(?:^|[;(]|\bsee\b)\s*({_NAME})(?:/{_NAME})?,? {_YEAR}\b"),
    re.compile(rf"^\s*({_NAME}) [A-Z]{{1,3}}[,.;](?:[^\d]{{0,300}}{_YEAR})?"),
    re.compile(rf"\s*\b(?:by|according to|per) {_GIVEN}({_NAME}){_LAST}(?:{_YEAR_BESIDE})?"),
    re.compile(rf"\s*\b({_NAME})['’]s? (?=(?:group|lab|team|results?)\b)"),
)
_OF_COAUTHORS = (
    # In a claim these may name a thing, so that they count where the name is an author's who is not the first
    re.compile(rf"\s*\b({_NAME}) (?:shows?|showed|reports?|reported|finds?|found|argues?|argued|proves?|proved) "),
    re.compile(rf"\s*\b(?:[Aa]ccording to|(?:shown|reported|found|proved|argued) by) ({_NAME})\b(?!['’]s)"),
    re.compile(rf"\s*\b({_NAME})['’]s? (?:group|lab|team|results?)\b"),
)
_AT_A_PLACE = re.compile(
    r"\b(?:in|from|across|within|near|outside|to|since|until|for)\s+(?:the\s+)?"
    rf"(?:{_NAME} \({_YEAR}\)(?:,| and|, and)\s+)*$"
)
_SHOWN = re.compile(
    r"\b(?:shown|reported|found|described|proposed|introduced|presented|given|noted|argued|proved|studied|defined|used"
    r"|developed|discussed|seen|done|results?|see|as|cited|e\.g\.)\s+(?:in|from)\s+$",
    re.IGNORECASE,
)
"""Words before `in Liu (2025)`, where `in Germany (2021)` is a place."""
_THING = re.compile(rf"\b{_UPPER}[\w-]+ $")
_OF_THINGS = re.compile(r"(?:ing|tion|sion|ment|ness|ism|ity|ology|graphy|ics|nets?)$", re.IGNORECASE)
"""Ends of a name's last word, as in `Federated Averaging (2025)`, behind another word with a capital."""
_NO_NAMES = frozenset(MONTHS) | frozenset(
    "figure table section chapter equation appendix theorem the this these in since until from before after version "
    "release spring summer autumn winter fall today arxiv biorxiv nature science cell neuron lancet energy interspeech "
    "proceedings journal conference workshop springer elsevier wiley preprint online accessed published".split()
)
_LOCATOR = re.compile(
    r"\b(?:see|cf|pages?|pp?|sections?|sec|figures?|fig|tables?|chapters?|appendix|eq|equations?|lines?|version|v)\b"
    r"\.? ?(?:\d[\d.–-]*|[A-Z]\b)?",
    re.IGNORECASE,
)
"""A place within a work, which is no part of its title."""
_JOINING = frozenset("of in the a an on from at and".split())
_LONG_HINT = 6
"""Words from which a hint with authors and year is read as a whole reference."""


class Attributed(Frozen):
    """An attribution: the first author's surname, the year, and the passage of the text that says so."""

    surname: str
    year: int | None = None
    start: int
    end: int


def find_attribution(text: str, *, hint: bool = False) -> Attributed | None:
    """Return the first attribution in a text; None without one. In a hint a name needs less around it."""
    found = []
    for form in (*_FORMS, *(_OF_HINTS if hint else ())):
        for match in form.finditer(text[:5_000]):
            named = match.groupdict()
            group = "n" if "n" in named else 1
            name, before = match[group], text[: match.start(group)]
            year = named.get("y") or next(filter(None, match.groups()[1:]), None)
            if name.casefold() in _NO_NAMES:
                continue
            if not hint and _is_place_or_thing(name, before, text[match.end(group) :]):
                continue
            found.append(
                Attributed(surname=name, year=int(year) if year else None, start=match.start(), end=match.end())
            )
            break
    return min(found, key=lambda each: (each.start, each.year is None), default=None)


def _is_place_or_thing(name: str, before: str, behind: str) -> bool:
    """Return whether a name and a year in a claim need be no author: `in Germany (2021)`, `Federated Averaging (2025)`.

    `et al.` and the like make a person of any name.
    """
    if not re.match(rf"(?:['’]s)?,? ?[(\[]?{_YEAR}", behind):
        return False
    place = _AT_A_PLACE.search(before) is not None and _SHOWN.search(before) is None
    return place or (_THING.search(before) is not None and _OF_THINGS.search(name) is not None)


def against_attribution(
    record: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy, *texts: str | None
) -> tuple[Conflict, ...]:
    """Return conflicts of what the claim and the hint say of the paper with its records (section 5.5).

    An attribution must name the first author and a year that a record has. A hint that is a whole reference, or has a
    title beside an identifier, must say what the records say. `texts` are the claim and then the hint.
    """
    conflicts: list[Conflict] = []
    everything = [record, *records]
    for at, text in enumerate(texts):
        if not text:
            continue
        if not at:
            conflicts += _of_a_name(find_attribution(text), record, everything) or _of_a_coauthor(text, everything)
            continue
        title = _title_beside_identifier(text)
        against_title = _of_a_title(title, record, everything, policy) if title is not None else []
        whole = _reference(text)
        # A title beside an identifier that the records bear out is no reference whose authors were cut out of it.
        cut_wrongly = title is not None and not against_title and whole is not None and bool(
            _of_a_title(whole.full_title or "", record, everything, policy)
        )
        if whole is not None and not cut_wrongly:
            conflicts += _of_a_reference(whole, record, everything, policy)
            continue
        if title is not None and not _describes(title, everything):
            conflicts += against_title
        conflicts += _of_a_name(find_attribution(text, hint=True), record, everything)
    return tuple(dict.fromkeys(conflicts))


def _of_a_name(said: Attributed | None, record: BibRecord, records: Sequence[BibRecord]) -> list[Conflict]:
    if said is None or not record.authors or words(said.surname)[0] in title_words(record.full_title or ""):
        return []  # `Gemini (2024)` names the thing that the paper is about
    if any(words(said.surname)[0] in words(each.venue or "") for each in records):
        return []  # `Neuroscience 2024`
    found = []
    if not any(same_family(PersonName(family=said.surname), each.authors[0]) for each in records if each.authors):
        found.append(_conflict("first_author_surname", record.authors[0].family, said.surname))
    known = years_of(records)
    if said.year is not None and known and said.year not in known:
        found.append(_conflict("year", record.year, said.year))
    return found


def _of_a_coauthor(text: str, records: Sequence[BibRecord]) -> list[Conflict]:
    """Return the conflict of a claim that `Liu shows`, if Liu is an author in every record and first in none."""
    lists = [each.authors for each in records if each.authors]
    for form in _OF_COAUTHORS:
        for match in form.finditer(text[:5_000]):
            said = PersonName(family=match[1])
            later = bool(lists) and all(any(same_family(said, name) for name in names[1:]) for names in lists)
            if later and not any(same_family(said, names[0]) for names in lists):
                return [_conflict("first_author_surname", lists[0][0].family, match[1])]
    return []


def _describes(title: str, records: Sequence[BibRecord]) -> bool:
    """Return whether words in lower case say what a paper is about: most of them begin as words of its title do."""
    if any(word[:1].isupper() for word in title.split()[1:]):
        return False
    own = title_words(title)
    for each in records:
        theirs = title_words(each.full_title or "")
        if len(own) <= len(theirs) and sum(any(a[:5] == b[:5] for b in theirs) for a in own) >= 0.6 * len(own):
            return True
    return False


def _reference(hint: str) -> BibRecord | None:
    """Return a hint that is a whole reference as a citation; None if authors and title cannot be told apart."""
    if len(hint.split()) < _LONG_HINT:
        return None
    if hint.lstrip().startswith("@"):
        entries = read_bibtex(hint, "hint")
        return entries[0].record if entries and entries[0].record.title else None
    cited = reference_entry(hint, "", "hint", 1).record
    return cited if cited.authors and len(title_words(cited.title or "")) >= 3 else None


def _of_a_reference(
    cited: BibRecord, record: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy
) -> list[Conflict]:
    found = _of_a_title(cited.full_title or "", record, records, policy)
    for each in author_differences(cited, records, BibSettings(), policy):
        field = "first_author_surname" if each.field == "first author" else "authors"
        if each.code != "omitted":
            found.append(_conflict(field, each.found, each.cited))
    known = years_of(records)
    if cited.year is not None and known and cited.year not in known:
        found.append(_conflict("year", record.year, cited.year))
    return found


def _of_a_title(
    title: str, record: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy
) -> list[Conflict]:
    cited = BibRecord(source="bibtex", title=title)
    apart = (TitleDifference.WORDS, TitleDifference.OTHER)
    if all(best_title(cited, each, policy).difference in apart for each in records if each.title):
        return [_conflict("title", record.full_title, title)]
    return []


def _title_beside_identifier(hint: str) -> str | None:
    """Return the words of a hint beside its identifier and its attribution, if they can be a title."""
    if identifier_in(hint) is None:
        return None
    rest = re.sub(
        r"(?:https?://|doi\.org/|www\.)\S+|\b(?:doi|arxiv|pmid)\s*:?\s*\S*\d\S*|\b10\.\d{4,}/\S+|\b\d{4}\.\d{4,5}\S*",
        " ",
        hint,
        flags=re.IGNORECASE,
    )
    if (said := find_attribution(rest, hint=True)) is not None:
        rest = rest[: said.start] + " " + rest[said.end :]
    rest = _LOCATOR.sub(" ", rest)
    rest = " ".join(rest.split()).strip(" ,;:.()“”\"'")
    return rest if len([word for word in title_words(rest) if word not in _JOINING]) >= 3 else None


def _conflict(field: str, primary: str | int | None, said: str | int | None) -> Conflict:
    return Conflict(field=f"cited.{field}", primary=primary, secondary=said)
