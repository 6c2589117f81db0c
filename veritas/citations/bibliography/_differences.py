"""Differences of an entry from the records of the work it cites, each a slip or an error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations.author_lists import compare_authors, names_a_body
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._record_differences import years_of
from veritas.citations.bibliography._registry_evidence import Candidate
from veritas.citations.bibliography.difference import Difference, changed, people
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_verdict import Judged, Saying, Verdict
from veritas.citations.bibliography.formats.printed.authors import People, read_people
from veritas.citations.bibliography.formats.printed.reference_parts import bare_text, read_parts
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.text.likeness import ratio
from veritas.works.folding import words
from veritas.works.names import PersonName, same_family
from veritas.works.records import BibRecord, Kind
from veritas.works.title_comparison import TitleDifference, title_words

_WITH_INITIALS = ("inverted", "initials-first", "initials-after", "initials-dotted")
_TITLE_OR_DATE = re.compile(r"[\s.,:;]*(?:[(\[]\s*)?(?:(?:1[5-9]|20)\d\d[a-z]?\b|``|[“\"„«‘])")


def surely_no_authors(text: str, cited: BibRecord, author: str, title: str, records: Sequence[BibRecord]) -> bool:
    """Return whether a reference surely names somebody whom no record of the work lists.

    `author` and `title` are the entry's fields. They must be what the reference's style gives, and all names must be in
    one form, either with initials or directly before a date or a quotation mark. Somebody is a stranger only if no
    record has a word of the surname in any name, nor the same initials at that place beside people who agree.
    """
    parts, bare = read_parts(text), bare_text(text)
    people = read_people(bare)
    if people is None or not author or (parts.author, parts.title) != (author, title) or not _one_form(people, bare):
        return False
    everyone = [name for record in records for name in record.authors]
    printed = set(words(bare[: people.end]))
    read = {word for name in cited.authors for word in words(name.family)}
    lost = {word for name in everyone for word in words(name.family) if len(word) > 2} & printed - read
    if lost:  # a listed surname is printed there, and was not read as one
        return False
    known = {word for name in everyone for word in words(str(name))}
    some = any(same_family(name, other) for name in cited.authors for other in everyone)
    return any(
        not known & set(words(name.family)) and not (some and _renamed(name, at, records))
        for at, name in enumerate(cited.authors)
    )


def _one_form(people: People, bare: str) -> bool:
    if not all(", " in name for name in people.names):
        return False  # a surname whose given name was lost, or a name that is not cut in two
    return people.form in _WITH_INITIALS or bool(_TITLE_OR_DATE.match(bare, people.end))


def _renamed(name: PersonName, at: int, records: Sequence[BibRecord]) -> bool:
    """Return whether a record has the same initials at this place: the person may have another surname there."""
    beside = (record.authors[at] for record in records if at < len(record.authors))
    return any(_initials(name) and _initials(name) == _initials(other) for other in beside)


def _initials(name: PersonName) -> str:
    return "".join(word[0] for word in words(name.given))[:1]


_PRODUCT = re.compile(
    r"\b(?:data ?sets?|corpus|system card|model card|technical report|white ?paper|documentation)\b", re.IGNORECASE
)
"""Words with which a title says that the work is no paper of a journal or a meeting."""


def nearest(
    cited: BibRecord, candidates: Sequence[Candidate], settings: BibSettings, policy: TriangulationPolicy
) -> tuple[Candidate, float] | None:
    """Return the record that may be meant although it is not the same work, with the share of people in common.

    It has a like title and some of the same people, or the same title.
    """
    found = []
    for each in candidates:
        shared = compare_authors(cited.authors, each.record.authors) if cited.authors and each.record.authors else None
        share = shared.shared if shared else 0.0
        title = best_title(cited, each.record, policy)
        exact = title.difference in EXACT
        if exact or (title.ratio >= settings.resembles and (share >= 0.5 or title.ratio >= 90)):
            found.append((exact, each.tied, share, title.ratio, each))
    best = max(found, key=lambda each: each[:4], default=None)
    return (best[4], best[2]) if best else None


def like_work(
    said: Saying,
    entry: Entry,
    near: Candidate,
    share: float,
    several: bool,
    settings: BibSettings,
    policy: TriangulationPolicy,
) -> Judged:
    cited, record = entry.record, near.record
    title = best_title(cited, record, policy)
    exact = title.difference in EXACT
    differences = []
    if not exact:
        code = title_code(cited, record, policy) if share == 1 else "other"
        differences.append(changed("title", cited.full_title, record.full_title, False, code))
    people_of_both = compare_authors(cited.authors, record.authors) if cited.authors and record.authors else None
    begins_alike = people_of_both is not None and people_of_both.first_family_agrees
    if share < 1 or (cited.authors and not begins_alike):
        told = author_differences(cited, [record], settings, policy)
        invented = any(each.code == "invented" for each in told)
        code = "invented" if invented else ""
        differences.append(changed("authors", people(cited), people(record), False, code))
    if cited.year and record.year and abs(cited.year - record.year) > settings.year_slips:
        differences.append(changed("year", cited.year, record.year, False))
    what = f"“{record.full_title}” by {people(record) or 'nobody named'} ({record.year or 'no year'})"
    slight = all(each.field == "authors" and each.code != "invented" for each in differences)
    if exact and share >= 0.5 and begins_alike and slight:
        verdict, reason = Verdict.MINOR, f"{near.source} has it, by more or other people besides: {what}"
        differences = [changed("authors", people(cited), people(record), True)]
    elif exact and cited.authors and not near.tied:
        verdict = Verdict.CANNOT_CONFIRM
        reason = f"not found; nothing but the title agrees with what {near.source} has: {what}"
        differences = []
    elif exact and share == 1 and all(each.field == "authors" for each in differences) and not several:
        verdict, reason = Verdict.MINOR, f"{near.source} alone has it, by the same people in another order: {what}"
        differences = [changed("authors", people(cited), people(record), True, "order")]
    elif exact and not cited.authors:
        verdict, reason = Verdict.CANNOT_CONFIRM, f"it names no authors; {near.source} has {what}"
    elif not exact and (doubt := _may_be_meant(cited, record)):
        verdict, reason = Verdict.CANNOT_CONFIRM, f"{doubt}; {near.source} has {what}"
        differences = []
    elif exact or share >= 0.5:
        verdict, reason = Verdict.MISATTRIBUTED, f"no such work, but {near.source} has {what}"
    else:
        verdict, reason = Verdict.CANNOT_CONFIRM, f"nothing fits; the nearest that {near.source} has is {what}"
    return said(verdict, reason, differences=differences, match=record, notes=near.notes)


def _may_be_meant(cited: BibRecord, record: BibRecord) -> str:
    """Return why a like title of the same people need not be an error; empty if nothing speaks for it."""
    if _PRODUCT.search(cited.title or ""):
        return "not found, and what it is given as need not be in the registries"
    mine, theirs = ((each.title or "").partition(":") for each in (cited, record))
    whole = len(cited.authors) > 2 and len(cited.authors) == len(record.authors)
    people_agree = whole and all(map(same_family, cited.authors, record.authors))
    preprint = cited.arxiv_id or record.arxiv_id or cited.kind is Kind.PREPRINT or record.kind is Kind.PREPRINT
    if people_agree and preprint and mine[1] and title_words(mine[0]) == title_words(theirs[0]):
        return "not found under this title, which an earlier version of the preprint may have had"
    return ""


EXACT = (TitleDifference.NONE, TitleDifference.PUNCTUATION, TitleDifference.SPELLING)
"""Differences of titles that make no other title."""
TYPO = 75
"""Least similarity (0 to 100) of each changed word of a title to its original for the change to be a typo."""
_EDITION = re.compile(r"\d{1,2}(?:st|nd|rd|th)?(?: ?e| ed| edn| edition)?|(?:second|third|fourth|revised) edition")
_SAYS_NO_MORE = frozenset(("a", "an", "the", "data", "set", "sets", "dataset", "datasets", "corpus"))
"""Words by which the title of a work may be longer where it is cited as what it made."""


def decisive_differences(cited: BibRecord, best: Candidate, policy: TriangulationPolicy) -> list[Difference]:
    """Return the conflicts of the best match in title and identifiers, each marked minor or not."""
    found = best.record
    listed: list[Difference] = []
    for field in best.conflicts:
        if field == "title":
            if not _names_its_body(cited, found, policy):
                typo, code = _is_typo(cited, found, policy), title_code(cited, found, policy)
                listed.append(changed("title", cited.full_title, found.full_title, typo, code))
        elif field in ("year", "first_author_surname", "authors"):
            continue  # compared with all records of the work
        elif field == "doi" and cited.doi and not _conflicting_doi(best):
            continue  # nobody says what it leads to, so nobody says that it is wrong
        elif field == "doi" and not cited.doi:
            listed.append(changed("doi", next(iter(cited.problems), None), found.doi, True))  # no DOI at all
        else:
            listed.append(changed(field, getattr(cited, field, None), getattr(found, field, None), False))
    return listed


def title_code(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> str:
    """Return the code of a difference of titles: `near` if a word or two were changed, `other` if more."""
    return "near" if best_title(cited, found, policy).difference is TitleDifference.WORDS else "other"


def _conflicting_doi(best: Candidate) -> bool:
    return any(note.startswith(("doi_not_registered", "doi_other_work")) for note in best.notes)


def _is_typo(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> bool:
    """Return whether the titles differ by typos alone: each changed word nearly the same, none added or missing.

    Another number is another work of a series: `statistics 2019`, `part 2`.
    """
    title = best_title(cited, found, policy)
    if title.difference is TitleDifference.SPELLING:
        return True
    if any(mine and theirs and _numbers(mine) != _numbers(theirs) for mine, theirs in title.changed):
        return False
    return title.difference is not TitleDifference.OTHER and all(
        _adds_nothing(mine or theirs, [each.full_title or "" for each in (cited, found)])
        if not mine or not theirs
        else ratio(mine, theirs) >= TYPO or _abbreviates(mine, theirs) or _abbreviates(theirs, mine)
        for mine, theirs in title.changed
    )


def _abbreviates(short: str, long: str) -> bool:
    """Return whether a word is the initials of several (`LLMs` for `large language models`)."""
    initials = "".join(word[0] for word in long.split())
    return " " not in short and len(initials) > 2 and short in (initials, f"{initials}s")


def _numbers(run: str) -> list[str]:
    return re.findall(r"\d+|\b(?:i{1,3}|iv|vi{0,3}|ix)\b", run)


def _adds_nothing(run: str, titles: Sequence[str]) -> bool:
    """Return whether words that only one title has are an article, an edition, `data set`, or in brackets the title's
    initials."""
    if set(run.split()) <= _SAYS_NO_MORE or _EDITION.fullmatch(run):
        return True
    for title in titles:
        if f"({run})" in title.lower():
            initials = iter(word[0] for word in title_words(title))
            return all(sign in initials for sign in run)  # in this order, with gaps
    return False


def _names_its_body(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> bool:
    """Return whether the titles differ by the name of the body that wrote the work: `OpenAI GPT-5 System Card`."""
    own = {
        word for record in (cited, found) for name in record.authors if names_a_body(name) for word in words(str(name))
    }
    runs = best_title(cited, found, policy).changed
    return bool(runs) and all(not (mine and theirs) and set((mine or theirs).split()) <= own for mine, theirs in runs)


def of_running_text(
    entry: Entry, differences: Sequence[Difference], records: Sequence[BibRecord], policy: TriangulationPolicy
) -> list[Difference]:
    """Return the differences that are the reference's own: a venue or author cut out wrongly is the reader's error.

    Of its authors only those are told whom no record lists, if they and the title were surely told apart.
    """
    fields, cited = entry.fields, entry.record
    titled = cited.title is not None and any(
        best_title(cited, record, policy).difference in EXACT for record in records if record.title
    )
    kept = []
    for each in differences:
        if each.field in ("authors", "first author"):
            grave = titled and each.code == "invented" and not each.minor
            if not grave or not surely_no_authors(
                entry.text, cited, fields.get("author", ""), fields.get("title", ""), records
            ):
                continue
        elif each.field in ("venue", "volume", "issue", "pages"):
            continue
        elif each.field == "year" and any(re.search(rf"(?<!\d){year}(?!\d)", entry.text) for year in years_of(records)):
            continue  # a page or a volume was taken for it
        kept.append(each)
    return kept
