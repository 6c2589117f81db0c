"""An entry's title, year, volume, issue and pages against every record of the work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations._works import is_preprint
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
from veritas.works.identifiers import arxiv_years, preprint_years
from veritas.works.records import BibRecord, Kind
from veritas.works.title_comparison import TitleDifference, title_words

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
    if cited.year is None or not known or cited.year in known:
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
