"""An entry that nothing resembles: fabricated only if indexes should have it and every source answered."""

from __future__ import annotations

from veritas.citations.bibliography._editions import independent
from veritas.citations.bibliography._registry_evidence import Evidence
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form
from veritas.citations.bibliography.entry_verdict import Judged, Saying, Verdict
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.registries.offline import NOT_ASKED
from veritas.works.folding import is_cjk
from veritas.works.records import BibRecord
from veritas.works.title_comparison import title_words

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
