"""The judge of an entry, from the evidence alone: a work that registries have against what is cited."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations.bibliography._absence import UNSURE, not_found
from veritas.citations.bibliography._differences import EXACT, decisive_differences, of_running_text
from veritas.citations.bibliography._editions import independent
from veritas.citations.bibliography._like_works import like_work, nearest
from veritas.citations.bibliography._record_differences import EXACT_YEAR, told_by_all
from veritas.citations.bibliography._registry_evidence import Candidate, Evidence
from veritas.citations.bibliography._venue_differences import venue_difference, venue_without_record
from veritas.citations.bibliography.difference import this
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.citations.bibliography.entry_verdict import Judged, Saying, Verdict
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.title_comparison import notice_kind, title_words


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


def _judge(evidence: Evidence, settings: BibSettings, policy: TriangulationPolicy) -> Judged:
    entry, form = evidence.entry, form_of(evidence.entry)

    said = Saying(evidence, form)
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
    near = nearest(cited, evidence.candidates, settings, policy)
    if near is not None:
        alike = [
            each.record.source
            for each in evidence.candidates
            if best_title(cited, each.record, policy).difference in EXACT and each.record.authors
        ]
        return like_work(said, entry, *near, independent(alike, policy) > 1, settings, policy)
    return not_found(said, evidence, cited, form, settings, policy)


def _of_a_work(
    said: Saying, evidence: Evidence, same: Sequence[Candidate], settings: BibSettings, policy: TriangulationPolicy
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
