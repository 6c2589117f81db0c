"""Differences of an entry from the records of the work it cites, each a slip or an error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from veritas.citations._venues import same_venue
from veritas.citations._work_aware import best_title
from veritas.citations.author_lists import compare_authors, is_body
from veritas.citations.bibliography._registry_evidence import Candidate
from veritas.frozen import Frozen
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.folding import words
from veritas.works.records import BibRecord, Kind
from veritas.works.title_comparison import TitleDifference

TYPO = 75
"""Least similarity (0 to 100) of each changed word of a title to its original for the change to be a typo."""
_SERIES = re.compile(
    r"^(?:lecture notes in|communications in computer and information science|proceedings of machine learning research"
    r"|ceur workshop|springer proceedings|leibniz international|advances in intelligent systems|ifip advances)|ebooks$",
    re.IGNORECASE,
)
"""Names of series, which do not tell the conference of a paper."""
_PLAIN_WORDS = frozenset(
    "the of on in for and a an international conference proceedings annual journal symposium workshop ieee acm".split()
)


class Difference(Frozen):
    """A field in which the entry differs from the records, with both values; None where there is none."""

    field: str
    cited: str | None
    found: str | None
    minor: bool


def decisive_differences(
    cited: BibRecord, best: Candidate, settings: BibSettings, policy: TriangulationPolicy
) -> list[Difference]:
    """Return the conflicts of the best match, each marked minor or not."""
    found = best.record
    listed: list[Difference] = []
    for field in best.conflicts:
        if field == "title":
            listed.append(changed("title", cited.full_title, found.full_title, _is_typo(cited, found, policy)))
        elif field == "year":
            near = [year for year in (found.year, *found.years) if year is not None]
            slip = cited.year is not None and any(abs(cited.year - year) <= settings.year_slips for year in near)
            listed.append(changed("year", cited.year, found.year, slip))
        elif field in ("first_author_surname", "authors") and is_body(cited.authors) and _begins_with(found, cited):
            continue  # `OpenAI` for its people; some indexes write the body before the first of them
        elif field == "first_author_surname":
            mine, theirs = _first(cited), _first(found)
            alike = fuzz.ratio(" ".join(words(mine or "")), " ".join(words(theirs or "")))
            listed.append(changed("first author", mine, theirs, alike >= settings.misspelt))
        elif field == "authors":
            listed.append(changed("authors", people(cited), people(found), False))
        elif field == "doi" and cited.doi and not _conflicting_doi(best):
            continue  # nobody says what it leads to, so nobody says that it is wrong
        elif field == "doi" and not cited.doi:
            listed.append(changed("doi", next(iter(cited.problems), None), found.doi, True))  # no DOI at all
        else:
            listed.append(changed(field, getattr(cited, field, None), getattr(found, field, None), False))
    return listed


def _begins_with(found: BibRecord, cited: BibRecord) -> bool:
    mine = words(str(cited.authors[0]))
    return bool(found.authors) and words(str(found.authors[0]))[: len(mine)] == mine


def _conflicting_doi(best: Candidate) -> bool:
    return any(note.startswith(("doi_not_registered", "doi_other_work")) for note in best.notes)


def _is_typo(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> bool:
    """Return whether the titles differ by typos alone: each changed word nearly the same, none added or missing."""
    title = best_title(cited, found, policy)
    return title.difference is not TitleDifference.OTHER and all(
        mine and theirs and fuzz.ratio(mine, theirs) >= TYPO for mine, theirs in title.changed
    )


def slight_differences(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> list[Difference]:
    """Return differences that section 5.3 calls not decisive: the venue and the list of authors."""
    listed = []
    if cited.venue and (venue := _other_venue(cited, records, policy)):
        listed.append(changed("venue", cited.venue, venue, True))
    lists = [record for record in records if record.authors and record.authors_complete]
    if cited.authors and lists and not is_body(cited.authors):
        compared = [compare_authors(cited.authors, record.authors) for record in lists]
        agrees = any(
            each.matched == len(cited.authors)
            and (not cited.authors_complete or len(cited.authors) == len(record.authors))
            for each, record in zip(compared, lists, strict=True)
        )
        if not agrees and all(each.comparable for each in compared) and any(each.matched for each in compared):
            listed.append(changed("authors", people(cited), people(lists[0]), True))
    return listed


def _other_venue(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> str | None:
    """Return a published venue other than the cited one, if no record has that. Preprints may be cited as such."""
    names = [name for record in records for name in (record.venue, *record.venue_names) if name]
    if not names or any(_like_venue(cited.venue or "", name, policy) for name in names):
        return None
    if cited.kind is Kind.PREPRINT and (cited.arxiv_id or any(record.arxiv_id for record in records)):
        return None
    published = [record.venue for record in records if record.kind is not Kind.PREPRINT and record.venue]
    return next((name for name in published if not _SERIES.search(name)), None)


def _like_venue(one: str, other: str, policy: TriangulationPolicy) -> bool:
    """Return whether two names may be one venue's: an alias, the same acronym, or most of the telling words."""
    if same_venue(one, other, policy.venue_aliases):
        return True
    acronyms = (set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z]{2,}\b", name)) - {"IEEE", "ACM"} for name in (one, other))
    if set.intersection(*acronyms):
        return True
    mine, theirs = ({word for word in words(name) if not word.isdigit()} - _PLAIN_WORDS for name in (one, other))
    return bool(mine & theirs) and len(mine & theirs) >= 0.6 * max(len(mine), len(theirs))


def year_of_nobody(cited: BibRecord, same: Sequence[Candidate], settings: BibSettings) -> Difference | None:
    """Return a difference in a year that no record has, one record contradicts and another could explain."""
    known = {year for each in same for year in (each.record.year, *each.record.years) if year is not None}
    against = next((each.record.year for each in same if "year" in each.conflicts), None)
    if cited.year is None or against is None or cited.year in known:
        return None
    slip = any(abs(cited.year - year) <= settings.year_slips for year in known)
    return changed("year", cited.year, against, slip)


def changed(field: str, cited: object, found: object, minor: bool) -> Difference:
    return Difference(
        field=field,
        cited=None if cited is None else str(cited),
        found=None if found is None else str(found),
        minor=minor,
    )


def _first(record: BibRecord) -> str | None:
    return str(record.authors[0]) if record.authors else None


def people(record: BibRecord) -> str | None:
    names = [str(name) for name in record.authors[:6]]
    return "; ".join(names) + ("; …" if len(record.authors) > 6 else "") if names else None
