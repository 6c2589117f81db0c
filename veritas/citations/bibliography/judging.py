"""The judge of an entry, from the evidence alone: a work that registries have against what is cited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from veritas.citations._work_aware import best_title
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._differences import EXACT, decisive_differences, like_work, nearest, of_running_text
from veritas.citations.bibliography._editions import independent
from veritas.citations.bibliography._record_differences import (
    EXACT_YEAR,
    told_by_all,
    venue_difference,
    venue_without_record,
)
from veritas.citations.bibliography._registry_evidence import REGISTRANTS, Candidate, Evidence, gather
from veritas.citations.bibliography.difference import Difference, changed, this
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, form_of, names_people
from veritas.citations.bibliography.entry_verdict import Judged, Saying, Verdict, rule, with_page
from veritas.citations.bibliography.linked_page import read_linked
from veritas.policy.citation_policy import BibSettings
from veritas.policy.reference_profile import ReferenceProfile, load_profile
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.reading.reader import Reader
from veritas.registries.all_registries import Registries
from veritas.registries.offline import NOT_ASKED
from veritas.registries.scholarly_source import identifiers_of
from veritas.works.folding import is_cjk
from veritas.works.records import BibRecord
from veritas.works.title_comparison import notice_kind, title_words

EARLIEST = 1950
"""Year before which indexes are too patchy for an absence to mean anything."""
UNSURE = "what in it is author and what is title could not be told for sure"


def not_found(
    said: Saying,
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


def _unanswered(evidence: Evidence) -> str:
    """Return why nothing can be said of an entry that was not found: who was not asked, or did not answer."""
    first, *more = evidence.problems
    if all(each.endswith(NOT_ASKED) for each in evidence.problems):
        return "nobody was asked about it (offline), and no answer that is kept has it"
    lead = "it was not found, but not everybody answered" if any(
        answer.problem is None for answer in evidence.searched
    ) else "nobody who was asked about it answered"
    return f"{lead}: {first}{f'; {len(more)} more' if more else ''}"


def judge(evidence: Evidence, settings: BibSettings, policy: TriangulationPolicy) -> Judged:
    """Return the verdict on an entry.

    An outage is never a fabrication, nor is a work that registries would not hold (I5). A reference whose authors and
    title were not told apart for sure is never accused.
    """
    judged, cited = _judge(evidence, settings, policy), evidence.entry.record
    mild = judged.verdict in (Verdict.VERIFIED, Verdict.MINOR, Verdict.CANNOT_CONFIRM)
    if mild and not evidence.entry.guessed and min(cited.years, default=0) > datetime.now(UTC).year + 1:
        others = [each for each in judged.differences if each.field != "year"]
        future = changed("year", cited.year, judged.match.year if judged.match else None, False, "future")
        reason = f"its year, {cited.year}, is in the future; {judged.reason}"
        update = {"verdict": Verdict.MISATTRIBUTED, "reason": reason, "differences": (future, *others)}
        return judged.model_copy(update=update)
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
    if not any(each.field in ("authors", "first author") for each in told):
        told += _of_one_index(cited, records, settings, policy)
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


def _of_one_index(
    cited: BibRecord, records: Sequence[BibRecord], settings: BibSettings, policy: TriangulationPolicy
) -> list[Difference]:
    """Return a name that a single index has and what was deposited with the work's identifier has not. It is slight."""
    deposited = [each for each in records if each.source in REGISTRANTS]
    strange = [each for each in author_differences(cited, deposited, settings, policy) if each.code in _STRANGE]
    others = [each for each in records if each.source not in REGISTRANTS]
    having = [each.source for each in others if not author_differences(cited, [each], settings, policy)]
    if not strange or independent(having, policy) > 1:
        return []
    return [each.model_copy(update={"minor": True, "code": "one_index"}) for each in strange]


_STRANGE = ("invented", "surname")
AT_ONCE = 8
"""Limit of entries under way at once. Each registry is still asked one thing at a time."""


async def verify(
    entries: Sequence[Entry],
    registries: Registries,
    *,
    policy: TriangulationPolicy | None = None,
    profile: ReferenceProfile | None = None,
    reader: Reader | None = None,
    done: Callable[[Judged], None] = lambda judged: None,
    looking_ahead: Callable[[int], None] = lambda identifiers: None,
) -> list[Judged]:
    """Return one verdict an entry, in the order of the entries.

    `done` is called with each as soon as it is known, `looking_ahead` before that with the number of identifiers asked
    for together. `profile` rules on each verdict (`lenient` by default); if it wants pages and there is a `reader`, the
    pages that unconfirmed entries link are read. Identifiers are asked for many at a time where a registry takes them
    so, then the open ones one by one. Every answer is kept as it comes, so an interrupted run is resumed when it is
    started again.
    """
    settings = registries.policy.bib
    rules = policy or load_triangulation_policy()
    ruled = profile or load_profile()
    sure = "cannot_confirm" in ruled.refuse
    gate = asyncio.Semaphore(AT_ONCE)
    identifiers = list(dict.fromkeys(each for entry in entries for each in identifiers_of(entry.record)))
    if len(identifiers) > 1:
        looking_ahead(len(identifiers))
        await registries.look_ahead(identifiers)

    async def one(entry: Entry) -> Judged:
        async with gate:
            judged = judge(await gather(entry, registries, rules, sure_of_venue=sure), settings, rules)
            if reader is not None and ruled.pages and _needs_its_page(judged, ruled):
                page = await read_linked(entry, reader)
                judged = with_page(judged, page) if page else judged
        judged = judged.model_copy(update={"ruling": rule(judged, ruled)})
        done(judged)
        return judged

    return list(await asyncio.gather(*(one(entry) for entry in entries)))


def _needs_its_page(judged: Judged, profile: ReferenceProfile) -> bool:
    """Return whether only a page can confirm an entry: the registries do not have it, and the profile wants it sure."""
    if judged.verdict is not Verdict.CANNOT_CONFIRM:
        return False
    return "cannot_confirm" in profile.refuse or names_people(judged.entry)
