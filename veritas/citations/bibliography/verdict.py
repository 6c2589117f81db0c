"""The verdict on an entry, from the evidence alone: one of eight, with what differs and why."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import get_args

from rapidfuzz import fuzz

from veritas.citations.author_lists import compare_authors
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.evidence import Candidate, Evidence
from veritas.citations.bibliography.forms import Form, form_of
from veritas.citations.citation_policy import BibSettings
from veritas.citations.folding import is_cjk, words
from veritas.citations.records import BibRecord, Kind, Source
from veritas.citations.titles import TitleDifference, notice_kind, title_words
from veritas.citations.triangulation_policy import TriangulationPolicy
from veritas.citations.venues import same_venue
from veritas.citations.work_aware import best_title
from veritas.frozen import Frozen

TYPO = 75
"""How alike (0 to 100) each changed word of a title must be to its original to be a slip of the pen."""
EARLIEST = 1950
"""Papers before that are in the indexes too patchily for an absence to mean anything."""


class Verdict(StrEnum):
    """What an entry is."""

    VERIFIED = "verified"
    MINOR = "minor"
    MISATTRIBUTED = "misattributed"
    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"
    FABRICATED = "fabricated"
    CANNOT_CONFIRM = "cannot_confirm"
    UNAVAILABLE = "unavailable"


FINDINGS = frozenset({Verdict.MISATTRIBUTED, Verdict.RETRACTED, Verdict.WITHDRAWN, Verdict.FABRICATED})
"""Verdicts that should stop a pipeline."""


class Difference(Frozen):
    """A field in which the entry differs from the records; values as they stand, None where there is none."""

    field: str
    cited: str | None
    found: str | None
    minor: bool


class Judged(Frozen):
    """One entry's verdict. `match` is the record that it is held against; `independent` counts the independent sources
    that confirm it."""

    entry: Entry
    form: Form
    verdict: Verdict
    reason: str
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    match: BibRecord | None = None
    independent: int = 0
    evidence: Evidence


class _Saying:
    """Makes the verdict on one entry."""

    def __init__(self, evidence: Evidence, form: Form) -> None:
        self._evidence, self._form = evidence, form

    def __call__(
        self,
        verdict: Verdict,
        reason: str,
        *,
        differences: Sequence[Difference] = (),
        notes: Sequence[str] = (),
        match: BibRecord | None = None,
        independent: int = 0,
    ) -> Judged:
        return Judged(
            entry=self._evidence.entry,
            form=self._form,
            verdict=verdict,
            reason=reason,
            differences=tuple(differences),
            notes=tuple(notes),
            match=match,
            independent=independent,
            evidence=self._evidence,
        )


def judge(evidence: Evidence, settings: BibSettings, policy: TriangulationPolicy) -> Judged:
    """The verdict. An outage is never a fabrication, nor is what registries would not hold (I5)."""
    entry, form = evidence.entry, form_of(evidence.entry)

    said = _Saying(evidence, form)
    if entry.problem:
        return said(Verdict.CANNOT_CONFIRM, f"the entry cannot be read: {entry.problem}")
    cited = entry.record
    same = [each for each in evidence.candidates if each.same_work]
    if same:
        return _of_a_work(said, evidence, same, settings, policy)
    if not title_words(cited.title or "") and not evidence.candidates:
        return said(Verdict.CANNOT_CONFIRM, "the entry has no title and no identifier that leads to a record")
    near = _nearest(cited, evidence.candidates, settings, policy)
    if near is not None:
        return _near(said, cited, *near, policy)
    return _not_found(said, evidence, cited, form, settings, policy)


def _of_a_work(
    said: _Saying, evidence: Evidence, same: Sequence[Candidate], settings: BibSettings, policy: TriangulationPolicy
) -> Judged:
    cited = evidence.entry.record
    best = same[0]
    records = [each.record for each in same]
    differences = [*_decisive(cited, best, settings, policy), *_slight(cited, records, policy)]
    if "year" not in best.conflicts and (year := _year_of_nobody(cited, same, settings)):
        differences.append(year)
    if evidence.entry.guessed:  # a venue or author cut out of running text wrongly is the reader's error
        differences = [each for each in differences if each.field not in ("venue", "authors")]
    status = evidence.status
    told = status.sentences()
    grave = [each.field for each in differences if not each.minor]
    where = f"{best.source} has it" + (f" under {best.by}" if best.by != "title" else "")
    if not status.stands and notice_kind(cited.title or "") is None:
        verdict = Verdict.RETRACTED if status.standing == "retracted" else Verdict.WITHDRAWN
        reason = f"the paper was {status.standing}: {'; '.join(told)}"
    elif grave:
        verdict, reason = Verdict.MISATTRIBUTED, f"the work exists ({where}), but not with this {', '.join(grave)}"
    elif differences:
        fields = ", ".join(each.field for each in differences)
        verdict, reason = Verdict.MINOR, f"the work exists ({where}); it differs in {fields}"
    else:
        verdict, reason = Verdict.VERIFIED, where
    return said(
        verdict,
        reason,
        differences=differences,
        notes=[*told, *(note for note in best.notes if not note.startswith(("year_missing", "venue")))],
        match=best.record,
        independent=independent_sources([each.record.source for each in same if not each.conflicts], policy),
    )


def _decisive(
    cited: BibRecord, best: Candidate, settings: BibSettings, policy: TriangulationPolicy
) -> list[Difference]:
    """The conflicts of the best match, each called minor or not."""
    found = best.record
    listed: list[Difference] = []
    for field in best.conflicts:
        if field == "title":
            listed.append(_changed("title", cited.full_title, found.full_title, _is_typo(cited, found, policy)))
        elif field == "year":
            near = [year for year in (found.year, *found.years) if year is not None]
            slip = cited.year is not None and any(abs(cited.year - year) <= settings.year_slips for year in near)
            listed.append(_changed("year", cited.year, found.year, slip))
        elif field == "first_author_surname":
            mine, theirs = _first(cited), _first(found)
            alike = fuzz.ratio(" ".join(words(mine or "")), " ".join(words(theirs or "")))
            listed.append(_changed("first author", mine, theirs, alike >= settings.misspelt))
        elif field == "authors":
            listed.append(_changed("authors", _people(cited), _people(found), False))
        elif field == "doi" and cited.doi and not _conflicting_doi(best):
            continue  # nobody says what it leads to, so nobody says that it is wrong
        elif field == "doi" and not cited.doi:
            listed.append(_changed("doi", next(iter(cited.problems), None), found.doi, True))  # no DOI at all
        else:
            listed.append(_changed(field, getattr(cited, field, None), getattr(found, field, None), False))
    return listed


def _conflicting_doi(best: Candidate) -> bool:
    return any(note.startswith(("doi_not_registered", "doi_other_work")) for note in best.notes)


def _is_typo(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> bool:
    """Whether the titles differ by slips of the pen alone: each changed word nearly the same, none more or less."""
    title = best_title(cited, found, policy)
    return title.difference is not TitleDifference.OTHER and all(
        mine and theirs and fuzz.ratio(mine, theirs) >= TYPO for mine, theirs in title.changed
    )


def _year_of_nobody(cited: BibRecord, same: Sequence[Candidate], settings: BibSettings) -> Difference | None:
    """A year that one record could explain, that another contradicts, and that none of them has."""
    known = {year for each in same for year in (each.record.year, *each.record.years) if year is not None}
    against = next((each.record.year for each in same if "year" in each.conflicts), None)
    if cited.year is None or against is None or cited.year in known:
        return None
    slip = any(abs(cited.year - year) <= settings.year_slips for year in known)
    return _changed("year", cited.year, against, slip)


def _slight(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> list[Difference]:
    """What section 5.3 calls not decisive and a bibliography should still get right: venue, and the list of authors."""
    listed = []
    if cited.venue and (venue := _other_venue(cited, records, policy)):
        listed.append(_changed("venue", cited.venue, venue, True))
    lists = [record for record in records if record.authors and record.authors_complete]
    if cited.authors and lists:
        compared = [compare_authors(cited.authors, record.authors) for record in lists]
        agrees = any(
            each.matched == len(cited.authors)
            and (not cited.authors_complete or len(cited.authors) == len(record.authors))
            for each, record in zip(compared, lists, strict=True)
        )
        if not agrees and all(each.comparable for each in compared) and any(each.matched for each in compared):
            listed.append(_changed("authors", _people(cited), _people(lists[0]), True))
    return listed


def _other_venue(cited: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy) -> str | None:
    """Another venue than the cited one, where no record has that: a paper cited as its preprint is cited rightly."""
    names = [name for record in records for name in (record.venue, *record.venue_names) if name]
    if not names or any(_like_venue(cited.venue or "", name, policy) for name in names):
        return None
    if cited.kind is Kind.PREPRINT and (cited.arxiv_id or any(record.arxiv_id for record in records)):
        return None
    published = [record for record in records if record.kind is not Kind.PREPRINT and record.venue]
    return published[0].venue if published else None


_PLAIN_WORDS = frozenset(
    "the of on in for and a an international conference proceedings annual journal symposium workshop ieee acm".split()
)


def _like_venue(one: str, other: str, policy: TriangulationPolicy) -> bool:
    """Whether two names may be one venue's: an alias or abbreviation, or most of the words that tell venues apart."""
    if same_venue(one, other, policy.venue_aliases):
        return True
    mine, theirs = ({word for word in words(name) if not word.isdigit()} - _PLAIN_WORDS for name in (one, other))
    return bool(mine & theirs) and len(mine & theirs) >= min(len(mine), len(theirs)) / 2


def _nearest(
    cited: BibRecord, candidates: Sequence[Candidate], settings: BibSettings, policy: TriangulationPolicy
) -> tuple[Candidate, float] | None:
    """The record that may be meant although it is not the same work: a like title by some of the same people, or
    the same title by others. With the share of people."""
    found = []
    for each in candidates:
        people = compare_authors(cited.authors, each.record.authors) if cited.authors and each.record.authors else None
        share = people.shared if people else 0.0
        title = best_title(cited, each.record, policy)
        exact = title.difference in (TitleDifference.NONE, TitleDifference.PUNCTUATION, TitleDifference.SPELLING)
        if exact or (title.ratio >= settings.resembles and (share >= 0.5 or title.ratio >= 90)):
            found.append((exact, share, title.ratio, each))
    best = max(found, key=lambda each: each[:3], default=None)
    return (best[3], best[1]) if best else None


def _near(said: _Saying, cited: BibRecord, near: Candidate, share: float, policy: TriangulationPolicy) -> Judged:
    record = near.record
    title = best_title(cited, record, policy)
    exact = title.difference in (TitleDifference.NONE, TitleDifference.PUNCTUATION, TitleDifference.SPELLING)
    differences = []
    if not exact:
        differences.append(_changed("title", cited.full_title, record.full_title, False))
    if share < 1:
        differences.append(_changed("authors", _people(cited), _people(record), False))
    what = f"“{record.full_title}” by {_people(record) or 'nobody named'} ({record.year or 'no year'})"
    if exact and not cited.authors:
        verdict, reason = Verdict.CANNOT_CONFIRM, f"it names no authors; {near.source} has {what}"
    elif exact or share >= 0.5:
        verdict, reason = Verdict.MISATTRIBUTED, f"no such work, but {near.source} has {what}"
    else:
        verdict, reason = Verdict.CANNOT_CONFIRM, f"nothing fits; the nearest that {near.source} has is {what}"
    return said(verdict, reason, differences=differences, match=record, notes=near.notes)


def _not_found(
    said: _Saying,
    evidence: Evidence,
    cited: BibRecord,
    form: Form,
    settings: BibSettings,
    policy: TriangulationPolicy,
) -> Judged:
    """Nothing like it anywhere: fabricated only if it would have to be there and everybody who was asked answered."""
    elsewhere = f"; its identifier leads to “{evidence.resolved_title}”" if evidence.resolved_title else ""
    unregistered = f"; its DOI {cited.doi} is registered nowhere" if evidence.registered is False else ""
    if evidence.problems:
        return said(Verdict.UNAVAILABLE, f"it was not found, but not everybody answered: {evidence.problems[0]}")
    if why := _need_not_be_there(evidence.entry, cited, form):
        if unregistered or elsewhere:
            return said(Verdict.MISATTRIBUTED, f"{why}, but{(unregistered or elsewhere).removeprefix(';')}")
        return said(Verdict.CANNOT_CONFIRM, why)
    asked = [answer.source for answer in evidence.searched if answer.problem is None]
    whole = [name for name in get_args(Source) if name in asked]  # a snapshot may hold only a part
    count = independent_sources(whole, policy)
    if count < settings.searched:
        return said(
            Verdict.UNAVAILABLE,
            f"it was not found, but only {count} independent indexes were searched; {settings.searched} are needed",
        )
    names = ", ".join(dict.fromkeys(asked))
    return said(Verdict.FABRICATED, f"no record of it, or of anything like it, in {names}{unregistered}{elsewhere}")


def _need_not_be_there(entry: Entry, cited: BibRecord, form: Form) -> str | None:
    """Why the indexes might well not have it; None for a paper that they should."""
    if form is not Form.PAPER:
        return f"not in the registries, which says nothing of a {form.value}"
    title = title_words(cited.title or "")
    if len(title) < 3:
        return "not found, and its title is too short to be searched for"
    if is_cjk(cited.title or "") or not any("a" <= sign <= "z" for sign in " ".join(title)):
        return "not found, and its title is in a script that the indexes cover badly"
    if cited.year is not None and cited.year < EARLIEST:
        return f"not found, and papers of {cited.year} are in the indexes patchily"
    if not cited.authors and not entry.guessed:
        return "not found, and it names no authors"
    if entry.guessed and (not cited.authors or cited.year is None):
        return "not found, and the reference could not be told apart into its parts for sure"
    return None


def independent_sources(names: Sequence[Source], policy: TriangulationPolicy) -> int:
    """How many of the sources are independent of each other: OpenAlex after Crossref counts for nothing more."""
    kept: list[Source] = []
    for name in dict.fromkeys(names):
        if all(policy.dependence(name, other) is None for other in kept):
            kept.append(name)
    return len(kept)


def _changed(field: str, cited: object, found: object, minor: bool) -> Difference:
    return Difference(
        field=field,
        cited=None if cited is None else str(cited),
        found=None if found is None else str(found),
        minor=minor,
    )


def _first(record: BibRecord) -> str | None:
    return str(record.authors[0]) if record.authors else None


def _people(record: BibRecord) -> str | None:
    names = [str(name) for name in record.authors[:6]]
    return "; ".join(names) + ("; …" if len(record.authors) > 6 else "") if names else None
