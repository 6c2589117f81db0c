"""An entry's venue against every record of the work: another one, or one that no record confirms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._venues import same_venue
from veritas.citations.bibliography.difference import Difference, changed
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.folding import words
from veritas.works.records import BibRecord, Kind

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
    return next((name for name in named if not _SERIES.search(name)), None)


def _like_venue(one: str, other: str, policy: TriangulationPolicy) -> bool:
    """Return whether two names may be one venue's: an alias, the same acronym, or most of the telling words."""
    if same_venue(one, other, policy.venue_aliases):
        return True
    acronyms = (set(re.findall(r"\b[A-Z][A-Za-z]*[A-Z]{2,}\b", name)) - {"IEEE", "ACM"} for name in (one, other))
    if set.intersection(*acronyms):
        return True
    mine, theirs = ({word for word in words(name) if not word.isdigit()} - _PLAIN_WORDS for name in (one, other))
    return bool(mine & theirs) and len(mine & theirs) >= 0.6 * max(len(mine), len(theirs))
