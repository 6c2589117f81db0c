"""An entry's title, year, volume, issue and pages against every record of the work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations._works import is_preprint, same_venue
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._editions import (
    before_its_preprint,
    can_deny_year,
    dated_exactly,
    independent,
    keeps_subtitles,
    same_edition,
)
from veritas.citations.bibliography.difference import Difference, changed
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.folding import words
from veritas.works.identifiers import arxiv_years, preprint_years
from veritas.works.records import BibRecord, Kind
from veritas.works.title_comparison import TitleDifference, title_words

_SERIES = re.compile(
    r"^(?:lecture notes in|communications in computer and information science|proceedings of machine learning research"
    r"|ceur workshop|springer proceedings|(?:the )?springer series|leibniz international"
    r"|advances in intelligent systems|ifip advances)|ebooks$",
    re.IGNORECASE,
)
"""Names of series, which do not tell the conference of a paper."""
_PREPRINTS = re.compile(
    r"\b(?:arxiv|corr|biorxiv|medrxiv|ssrn|preprints?|chemrxiv|psyarxiv|openreview)\b", re.IGNORECASE
)
"""Places that publish nothing, which a preprint is cited with."""
_NO_NAME = re.compile(r"://|^\W*\(.*\)\W*$")
"""What indexes put in the place of a venue that they do not know: an address, or a remark in brackets."""
_PLAIN_WORDS = frozenset(
    "the of on in for and a an international conference proceedings annual journal symposium workshop ieee acm".split()
)


def venue_difference(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> list[Difference]:
    """Return a venue that no record has, which section 5.3 calls not decisive."""
    compared = cited.venue and cited.kind not in (Kind.BOOK, Kind.THESIS, Kind.DATASET)  # theirs is a publisher's name
    venue = _other_venue(cited, records, policy) if compared else None
    return [changed("venue", cited.venue, venue, True)] if venue else []


def venue_without_record(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> str:
    """Return the cited venue if no record has it or another one: all are of the preprint, of a series, or name none.

    Such a venue may be right, so it is no difference.
    """
    compared = cited.venue and cited.kind not in (Kind.BOOK, Kind.THESIS, Kind.DATASET, Kind.PREPRINT)
    if not compared or _PREPRINTS.search(cited.venue or ""):
        return ""
    names = [name for record in records for name in (record.venue, *record.venue_names) if name]
    if any(_like_venue(cited.venue or "", name, policy) for name in names):
        return ""
    return "" if _other_venue(cited, records, policy) else cited.venue or ""


def _other_venue(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> str | None:
    """Return a published venue other than the cited one, if no record has that. Preprints may be cited as such."""
    names = [name for record in records for name in (record.venue, *record.venue_names) if name]
    if not names or any(_like_venue(cited.venue or "", name, policy) for name in names):
        return None
    if cited.kind is Kind.PREPRINT and (cited.arxiv_id or any(record.arxiv_id for record in records)):
        return None
    published = [record for record in records if record.kind is not Kind.PREPRINT]
    named = [name for record in published for name in (record.venue, *record.venue_names) if name]
    no_venue = (_SERIES, _PREPRINTS, _NO_NAME)
    return next((name for name in named if not any(pattern.search(name) for pattern in no_venue)), None)


def _like_venue(one: str, other: str, policy: TriangulationPolicy) -> bool:
    """Return whether two names may be one venue's: an alias, the same acronym, or most of the telling words."""
    if same_venue(one, other, policy.venue_aliases):
        return True
    acronyms = (set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z]{2,}\b", name)) - {"IEEE", "ACM"} for name in (one, other))
    if set.intersection(*acronyms):
        return True
    mine, theirs = ({word for word in words(name) if not word.isdigit()} - _PLAIN_WORDS for name in (one, other))
    return bool(mine & theirs) and len(mine & theirs) >= 0.6 * max(len(mine), len(theirs))


_STATED = ("volume", "pages")
EXACT_YEAR = "exact"
"""Code of a year that is one off and yet no slip."""
_SHORT_TOKEN = re.compile(r"[A-Za-z]*\d+[A-Za-z]*")


def told_by_all(
    cited: BibRecord, records: Sequence[BibRecord], settings: BibSettings, policy: TriangulationPolicy
) -> list[Difference]:
    """Return what no record of the work confirms, although some record has the field: title, authors, year, place.

    Nothing of it is left if one record agrees. These differences are worth asking further sources about.
    """
    return [
        *title_difference(cited, records, policy),
        *author_differences(cited, records, settings, policy),
        *year_difference(cited, records, settings, policy),
        *printed_differences(cited, records),
    ]


def unconfirmed(cited: BibRecord, records: Sequence[BibRecord]) -> bool:
    """Return whether the entry states a volume or pages that no record of the work has, right or wrong."""
    return any(getattr(cited, field) and not any(getattr(each, field) for each in records) for field in _STATED)


def title_difference(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> list[Difference]:
    """Return a subtitle that no record has, or a title shorter than every record's.

    Two independent sources without the subtitle make it an invention, or one that keeps titles whole: publishers leave
    subtitles out of what they deposit with Crossref, from which OpenAlex takes them.
    """
    title = cited.full_title
    whole = cited.model_copy(update={"title": title, "subtitle": None, "other_titles": ()})
    compared = [(record, best_title(whole, record, policy)) for record in records if record.title]
    parts = [(record, each) for record, each in compared if each.difference is TitleDifference.SUBTITLE]
    if not title or not parts or len(parts) < len(compared):
        same = (TitleDifference.NONE, TitleDifference.PUNCTUATION, TitleDifference.SPELLING, TitleDifference.VERSION)
        if not parts or any(each.difference in same for _, each in compared):
            return []
    longest = max((record.full_title or "" for record, _ in parts), key=len)
    if len(title_words(title or "")) < len(title_words(longest)):
        return [changed("title", title, longest, True, "shortened")]
    invented = independent([record.source for record, _ in parts], policy) > 1 or any(
        keeps_subtitles(cited, record) for record, _ in parts
    )
    return [changed("title", title, longest, not invented, "subtitle")]


def years_of(records: Sequence[BibRecord]) -> frozenset[int]:
    """Return every year by which a record dates the work: stated, online, print, of the preprint and its versions.

    arXiv tells the first and the last version; any year between may be that of another one.
    """
    known: set[int] = set()
    for record in records:
        own = {year for year in (record.year, *record.years) if year is not None}
        known |= set(range(min(own), max(own) + 1)) if own and record.source == "arxiv" else own
        for arxiv_id, doi in [(record.arxiv_id, record.doi), *((each.arxiv_id, each.doi) for each in record.related)]:
            known |= arxiv_years(arxiv_id) | preprint_years(doi)
    return frozenset(known)


def year_difference(
    cited: BibRecord, records: Sequence[BibRecord], settings: BibSettings, policy: TriangulationPolicy
) -> list[Difference]:
    """Return a cited year that no record has.

    It is an error where a record of such an edition as the citation names says otherwise, and no slip. A slip is one
    (`exact`) in a paper of a meeting that two independent sources date by one year, and in what is cited as a preprint
    of arXiv if the number is of a later year. Without a record of the edition,
    the year may be that of one that no source shows.
    """
    known = years_of(records)
    if cited.year is None or not known or known & {cited.year, *cited.years}:
        return []
    nearest = min(known, key=lambda year: abs(year - (cited.year or 0)))
    if abs(cited.year - nearest) <= settings.year_slips:
        exact = dated_exactly(cited, records, policy) or before_its_preprint(cited, records)
        return [changed("year", cited.year, nearest, not exact, EXACT_YEAR if exact else "")]
    denied = any(can_deny_year(cited, record, nearest, policy) for record in records)
    return [changed("year", cited.year, nearest, not denied, "" if denied else "unseen_edition")]


def printed_differences(cited: BibRecord, records: Sequence[BibRecord]) -> list[Difference]:
    """Return volume, issue and pages that differ from every record of such an edition that has them. All are slight."""
    found = []
    published = [record for record in records if not is_preprint(record) and same_edition(cited, record)]
    for field in ("volume", "issue", "pages"):
        mine = getattr(cited, field)
        theirs = {value for record in published if (value := getattr(record, field))}
        if not mine or not theirs or cited.kind is Kind.PREPRINT:
            continue
        every = {value for record in published for name in (field, _BESIDE[field]) if (value := getattr(record, name))}
        if not any(_agree(field, mine, value) for value in every):
            found.append(changed(field, mine, sorted(theirs)[0], True))
    return found


_BESIDE = {"volume": "issue", "issue": "volume", "pages": "issue"}
"""A field that sources fill with the value of another: `44 1` as a volume, an article's number as an issue."""


def _agree(field: str, mine: str, theirs: str) -> bool:
    """Return whether two values are one: the same first page, or a number in common where one has two."""
    one, other = ([each.lower().lstrip("0") for each in _SHORT_TOKEN.findall(text)] for text in (mine, theirs))
    if not one or not other:
        return True  # nothing to compare, such as a volume in words
    if field == "pages":
        return one[0] == other[0] or one[0] in other[:2] or other[0] in one[:2]
    return one[0] in other or other[0] in one
