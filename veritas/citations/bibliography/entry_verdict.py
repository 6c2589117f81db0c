"""The verdict on an entry, from the evidence alone: one of eight, with what differs and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from veritas.citations._work_aware import best_title
from veritas.citations.author_lists import compare_authors
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._differences import EXACT, decisive_differences, of_running_text
from veritas.citations.bibliography._editions import independent
from veritas.citations.bibliography._record_differences import EXACT_YEAR, told_by_all
from veritas.citations.bibliography._registry_evidence import Candidate, Evidence
from veritas.citations.bibliography._venue_differences import venue_difference, venue_without_record
from veritas.citations.bibliography.difference import Difference, changed, people, this
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, form_of, may_share_a_title
from veritas.citations.bibliography.linked_page import LinkedPage
from veritas.citations.bibliography.ruling import Ruling
from veritas.citations.retractions import Status
from veritas.frozen import Frozen
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.registries.offline import NOT_ASKED
from veritas.works.folding import is_cjk
from veritas.works.names import same_family
from veritas.works.records import BibRecord, Kind, Update, UpdateKind
from veritas.works.title_comparison import notice_kind, title_words

EARLIEST = 1950
"""Year before which indexes are too patchy for an absence to mean anything."""
_PRODUCT = re.compile(
    r"\b(?:data ?sets?|corpus|system card|model card|technical report|white ?paper|documentation)\b", re.IGNORECASE
)
"""Words with which a title says that the work is no paper of a journal or a meeting."""
UNSURE = "what in it is author and what is title could not be told for sure"


class Verdict(StrEnum):
    """A verdict on an entry."""

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


class Judged(Frozen):
    """The verdict on one entry.

    `match` is the record that the entry was compared with; `independent` counts the independent sources that confirm
    it.
    """

    entry: Entry
    form: Form
    verdict: Verdict
    reason: str
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    match: BibRecord | None = None
    independent: int = 0
    evidence: Evidence
    unconfirmed_venue: str = ""
    """The venue, if the work exists and no record of it names any place where it was published."""
    ruling: Ruling | None = None
    """What the profile makes of the verdict."""

    @property
    def is_finding(self) -> bool:
        """Whether something is wrong that nobody should publish with: misattributed, retracted, withdrawn, made up."""
        return self.verdict in FINDINGS

    @property
    def refused(self) -> bool:
        """Whether the profile refuses the entry; without a ruling, whether it is a finding."""
        return self.is_finding if self.ruling is None else self.ruling.refused


class _Saying:
    """A factory of verdicts on one entry."""

    def __init__(self, evidence: Evidence, form: Form) -> None:
        self._evidence, self.form = evidence, form

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
            form=self.form,
            verdict=verdict,
            reason=reason,
            differences=tuple(differences),
            notes=tuple(notes),
            match=match,
            independent=independent,
            evidence=self._evidence,
        )


def judge(evidence: Evidence, settings: BibSettings, policy: TriangulationPolicy) -> Judged:
    """Return the verdict on an entry.

    An outage is never a fabrication, nor is a work that registries would not hold (I5). A reference whose authors and
    title were not told apart for sure is never accused.
    """
    judged, cited = _judge(evidence, settings, policy), evidence.entry.record
    accused = judged.verdict in (Verdict.FABRICATED, Verdict.MISATTRIBUTED)
    if accused and evidence.entry.guessed and not (cited.title and cited.authors):
        reason = f"{judged.reason}; but {UNSURE}"
        return judged.model_copy(update={"verdict": Verdict.CANNOT_CONFIRM, "reason": reason, "differences": ()})
    return judged


def with_page(judged: Judged, page: LinkedPage) -> Judged:
    """Return the verdict with what was found on the page that the entry links. An outage there is an outage (I5)."""
    said = {"says": "and", "mentions": "but", "silent": "but", "gone": "and", "unread": "and"}[page.state]
    what = {
        "says": f"its page {page.url} confirms it: {page.detail}",
        "mentions": f"its page {page.url} is no confirmation: {page.detail}",
        "silent": f"its page {page.url} does not say so: {page.detail}",
        "gone": f"its page is not there: {page.detail}",
        "unread": f"its page could not be read: {page.detail}",
    }[page.state]
    update: dict[str, object] = {
        "reason": f"{judged.reason}; {said} {what}",
        "evidence": judged.evidence.model_copy(update={"page": page, "status": _standing(judged, page)}),
    }
    if page.state == "unread":
        update["verdict"] = Verdict.UNAVAILABLE
    return judged.model_copy(update=update)


def _standing(judged: Judged, page: LinkedPage) -> Status:
    """Return the standing of the cited work, with what its own page says of it."""
    status = judged.evidence.status
    if page.standing is None or not status.stands:
        return status
    kind = UpdateKind.RETRACTION if page.standing == "retracted" else UpdateKind.WITHDRAWAL
    told = Update(kind=kind, of_this=True, asserted_by=f"its page {page.url}")
    return Status(standing=page.standing, updates=(*status.updates, told))


def _judge(evidence: Evidence, settings: BibSettings, policy: TriangulationPolicy) -> Judged:
    entry, form = evidence.entry, form_of(evidence.entry)

    said = _Saying(evidence, form)
    if entry.problem:
        return said(Verdict.CANNOT_CONFIRM, f"the entry cannot be read: {entry.problem}")
    cited = entry.record
    same = [each for each in evidence.candidates if each.same_work]
    if same:
        return _of_a_work(said, evidence, same, settings, policy)
    nameless = not title_words(cited.title or "")
    if nameless and (evidence.candidates or not evidence.problems):
        what = UNSURE if entry.guessed else "the entry has no title"
        led = f"an identifier in it leads to “{evidence.resolved_title}”" if evidence.resolved_title else ""
        return said(Verdict.CANNOT_CONFIRM, f"{what}, and {led or 'no identifier in it leads to a record'}")
    near = _nearest(cited, evidence.candidates, settings, policy)
    if near is not None:
        alike = [
            each.record.source
            for each in evidence.candidates
            if best_title(cited, each.record, policy).difference in EXACT and each.record.authors
        ]
        return _near(said, entry, *near, independent(alike, policy) > 1, settings, policy)
    return _not_found(said, evidence, cited, form, settings, policy)


def _of_a_work(
    said: _Saying, evidence: Evidence, same: Sequence[Candidate], settings: BibSettings, policy: TriangulationPolicy
) -> Judged:
    cited = evidence.entry.record
    best = same[0]
    records = [each.record for each in same]
    known = decisive_differences(cited, best, policy)
    told = [
        each for each in told_by_all(cited, records, settings, policy) if each.field not in {d.field for d in known}
    ]
    differences = [*known, *told, *venue_difference(cited, records, policy)]
    if evidence.entry.guessed:
        differences = of_running_text(evidence.entry, differences, records, policy)
    if best.by == "title" and said.form is not Form.PAPER:  # a book has a year for each of its editions
        differences = [each.model_copy(update={"minor": True}) if each.field == "year" else each
                       for each in differences]  # fmt: skip
    differences = [  # who did not answer may know an edition of that year
        each.model_copy(update={"minor": True}) if each.code == EXACT_YEAR and evidence.problems else each
        for each in differences
    ]
    status = evidence.status
    news = status.sentences()
    grave = [each.field for each in differences if not each.minor]
    where = f"{best.source} has it" + (f" under {best.by}" if best.by != "title" else "")
    if not status.stands and notice_kind(cited.title or "") is None:
        verdict = Verdict.RETRACTED if status.standing == "retracted" else Verdict.WITHDRAWN
        reason = f"the paper was {status.standing}: {'; '.join(news)}"
    elif grave:
        verdict, reason = Verdict.MISATTRIBUTED, f"the work exists ({where}), but not with {this(grave)}"
    elif differences:
        fields = ", ".join(each.field for each in differences)
        verdict, reason = Verdict.MINOR, f"the work exists ({where}); it differs in {fields}"
    else:
        verdict, reason = Verdict.VERIFIED, where
    return said(
        verdict,
        reason,
        differences=differences,
        notes=[*news, *(note for note in best.notes if not note.startswith(("year_missing", "venue")))],
        match=best.record,
        independent=independent([each.record.source for each in same if not each.conflicts], policy),
    ).model_copy(update={"unconfirmed_venue": venue_without_record(cited, records, policy)})


def _nearest(
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


def _near(
    said: _Saying,
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
        differences.append(changed("title", cited.full_title, record.full_title, False))
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


def _unanswered(evidence: Evidence) -> str:
    """Return why nothing can be said of an entry that was not found: who was not asked, or did not answer."""
    first, *more = evidence.problems
    if all(each.endswith(NOT_ASKED) for each in evidence.problems):
        return "nobody was asked about it (offline), and no answer that is kept has it"
    lead = "it was not found, but not everybody answered" if any(
        answer.problem is None for answer in evidence.searched
    ) else "nobody who was asked about it answered"
    return f"{lead}: {first}{f'; {len(more)} more' if more else ''}"


def _not_found(
    said: _Saying,
    evidence: Evidence,
    cited: BibRecord,
    form: Form,
    settings: BibSettings,
    policy: TriangulationPolicy,
) -> Judged:
    """Judge an entry that nothing resembles: fabricated only if indexes should have it and every source answered."""
    elsewhere = f"; its identifier leads to “{evidence.resolved_title}”" if evidence.resolved_title else ""
    unregistered = f"; its DOI {cited.doi} is registered nowhere" if evidence.registered is False else ""
    if evidence.problems:
        return said(Verdict.UNAVAILABLE, _unanswered(evidence))
    if why := _need_not_be_there(evidence.entry, cited, form):
        if unregistered or elsewhere:
            return said(Verdict.MISATTRIBUTED, f"{why}, but{(unregistered or elsewhere).removeprefix(';')}")
        return said(Verdict.CANNOT_CONFIRM, why)
    asked = [answer.source for answer in evidence.searched if answer.problem is None]
    count = independent([answer.source for answer in evidence.searched if answer.telling], policy)
    if count < settings.searched:
        return said(
            Verdict.UNAVAILABLE,
            f"it was not found, but only {count} independent indexes were searched; {settings.searched} are needed",
        )
    names = ", ".join(dict.fromkeys(asked))
    return said(Verdict.FABRICATED, f"no record of it, or of anything like it, in {names}{unregistered}{elsewhere}")


def _need_not_be_there(entry: Entry, cited: BibRecord, form: Form) -> str | None:
    """Return why the indexes need not have the entry; None for a paper that they should have."""
    if form is not Form.PAPER:
        return f"not in the registries, and need not be: what it is given as is no paper ({form.value})"
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
