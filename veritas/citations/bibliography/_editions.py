"""The edition that a citation names, and which records tell of it exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._works import is_preprint, same_venue
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.identifiers import arxiv_years
from veritas.works.records import BibRecord, Kind

_KEEPS_WHOLE = frozenset({"dblp", "europepmc"})
_DATES_ONLINE = frozenset({"openalex", "semantic_scholar"})
"""Sources that may date an article of a journal by its first day online, and know no date of its issue."""


def same_edition(cited: BibRecord, record: BibRecord) -> bool:
    """Return whether a record can be of the edition that is cited: a preprint is no proceedings paper."""
    if cited.kind is Kind.UNKNOWN:
        return True
    if cited.kind is Kind.PREPRINT:
        return is_preprint(record) or record.arxiv_id is not None
    if is_preprint(record):
        return False
    mine, theirs = (Kind.PROCEEDINGS if kind is Kind.CHAPTER else kind for kind in (cited.kind, record.kind))
    return theirs in (mine, Kind.UNKNOWN)


def lists_everybody(cited: BibRecord, record: BibRecord) -> bool:
    """Return whether a record's authors are all of them: DBLP and PubMed name everybody of what was published.

    A later version of a preprint may have added one.
    """
    return record.source in _KEEPS_WHOLE and not is_preprint(record) and same_edition(cited, record)


def keeps_subtitles(cited: BibRecord, record: BibRecord) -> bool:
    """Return whether a record has the title of the cited edition whole.

    Publishers leave subtitles out of what they deposit with Crossref, from which OpenAlex takes them. DBLP and PubMed
    write them out, and every source takes the title of a preprint from its server.
    """
    if is_preprint(record):
        return cited.kind is Kind.PREPRINT
    return lists_everybody(cited, record)


def can_deny_year(cited: BibRecord, record: BibRecord, nearest: int, policy: TriangulationPolicy) -> bool:
    """Return whether a record of the cited edition says that its year is another.

    An article may wait some years for its issue, of which a source that dates it by its first day online knows nothing.
    """
    if record.year is None or not same_edition(cited, record):
        return False
    waits = 0 < (cited.year or 0) - nearest <= policy.years.early_access
    return not (waits and cited.kind is Kind.JOURNAL and record.source in _DATES_ONLINE)


def dated_exactly(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> bool:
    """Return whether two independent sources date the meeting's paper that is cited, and all of them by one year.

    An article `in` a meeting that a record names is such a paper. DBLP dates a paper by its meeting: with a number of
    arXiv of the same year it is enough against an earlier year, and so is a record whose meeting has that year in its
    name. A venue that names the cited year (`ICLR 2018`), the citation's or a record's, speaks for it, and so does the
    citation's own number of arXiv.
    """
    if cited.kind not in (Kind.PROCEEDINGS, Kind.JOURNAL) or cited.year is None:
        return False
    if any(_names_year(each.venue, cited.year) for each in (cited, *records)):
        return False
    if cited.year in arxiv_years(cited.arxiv_id):
        return False
    dated = [each for each in records if each.year is not None and each.kind in (Kind.PROCEEDINGS, Kind.CHAPTER)]
    named = [
        each for each in dated if cited.venue and same_venue(cited.venue, each.venue or "", policy.venue_aliases)
    ]
    if cited.kind is Kind.JOURNAL and not named:
        return False
    years = {year for each in dated for year in (each.year, *each.years) if year is not None}
    if len(years) != 1:
        return False
    numbered = {year for each in (cited, *records) for year in arxiv_years(each.arxiv_id)}
    by_dblp = any(each.source == "dblp" for each in named) and numbered == years and cited.year < min(years)
    by_name = any(_names_year(each.venue, min(years)) for each in named)
    return by_dblp or by_name or independent([each.source for each in dated], policy) > 1


def _names_year(venue: str | None, year: int) -> bool:
    return re.search(rf"(?<!\d)(?:{year}|['’]{year % 100:02d})(?!\d)", venue or "") is not None


def before_its_preprint(cited: BibRecord, records: Sequence[BibRecord]) -> bool:
    """Return whether a citation of an arXiv preprint gives a year in which the number of the work did not exist yet.

    The number itself tells the year of the first version. A work may have appeared elsewhere before, so that only what
    is cited as the preprint is dated by it.
    """
    years = {year for each in (cited, *records) for year in arxiv_years(each.arxiv_id)}
    return cited.kind is Kind.PREPRINT and cited.year is not None and bool(years) and cited.year < min(years)


def independent(names: Sequence[str], policy: TriangulationPolicy) -> int:
    """Return how many of the sources are independent of each other: OpenAlex after Crossref adds nothing."""
    kept: list[str] = []
    for name in dict.fromkeys(names):
        if all(policy.dependence(name, other) is None for other in kept):
            kept.append(name)
    return len(kept)
