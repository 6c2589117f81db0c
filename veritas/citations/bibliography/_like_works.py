"""An entry whose work nobody has, but one like it: with the title or the people of another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations.author_lists import compare_authors
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._differences import EXACT, title_code
from veritas.citations.bibliography._registry_evidence import Candidate
from veritas.citations.bibliography.difference import changed, people
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import may_share_a_title
from veritas.citations.bibliography.entry_verdict import Judged, Saying, Verdict
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.names import same_family
from veritas.works.records import BibRecord, Kind
from veritas.works.title_comparison import title_words

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
            found.append((exact, share, title.ratio, each))
    best = max(found, key=lambda each: each[:3], default=None)
    return (best[3], best[1]) if best else None


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
    elif exact and cited.authors and not share and near.by == "title" and may_share_a_title(
        entry, said.form, record.year
    ):
        verdict = Verdict.CANNOT_CONFIRM
        reason = f"not found, and what it is given as is no paper ({said.form.value}); {near.source} has {what}"
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
