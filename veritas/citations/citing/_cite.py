"""The five tools joined: extract, search, fetch, match, triangulate, the gate, and only then write and cite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.citations._work_aware import compare_work_aware
from veritas.citations.artifacts import Excerpt
from veritas.citations.citing import gate_verdict
from veritas.citations.citing._write_artifact import (
    NO_ABSTRACT,
    checked,
    seen_of,
    without_pointer,
    without_pointers,
    write,
)
from veritas.citations.citing.adviser import Adviser, EmbeddedAdviser, attribution, search_words, without_attribution
from veritas.citations.citing.attributions import against_attribution
from veritas.citations.citing.full_text import PaperText, fetch_paper_text
from veritas.citations.citing.identity_gate import Identity, establish
from veritas.citations.citing.outcomes import (
    Citation,
    NoCandidates,
    NoSupportingExcerpts,
    NotAdmitted,
    Outcome,
    Refused,
    RetriesExhausted,
    StandsNoMore,
    TriangulationConflict,
)
from veritas.citations.verdict import Conflict
from veritas.errors import InputError, Unavailable
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.reading.corpus import Corpus
from veritas.reading.reader import Reader
from veritas.registries.all_registries import Registries, silence
from veritas.registries.scholarly_source import Found, identifier_in
from veritas.text.sentences import split_sentences
from veritas.works.folding import words
from veritas.works.title_comparison import normalise_title

if TYPE_CHECKING:
    from veritas.gate import Gate

SEARCHED = ("semantic_scholar", "openalex", "crossref", "arxiv", "europepmc")

_A_SENTENCE = 3
"""Words from which a sentence of a claim says something that a citation would be for."""


async def verify_and_cite(
    claim: str,
    hint: str | None = None,
    *,
    folder: Path,
    registries: Registries | None = None,
    reader: Reader | None = None,
    corpus: Corpus | None = None,
    adviser: Adviser | None = None,
    policy: TriangulationPolicy | None = None,
    gate: Gate | None = None,
    override: bool = False,
    override_reason: str | None = None,
    override_name: str = "",
    now: datetime | None = None,
) -> Outcome:
    """Return a citation for a claim, with its artifact in `folder`, or a refusal with its precise reason.

    `hint` is an identifier, a title, or an attribution such as `Baruch et al., 2019`. Without a `reader` only abstracts
    and the `corpus` are read. `gate` decides last; by default its lenses need no model. What it, or a check before it,
    refuses about a paper waits for a person (`Refusal.approval`); once they have approved it, the same question is
    answered with an artifact that has their name and reason. `override` writes the artifact of the best candidate in
    spite of a conflict, of missing excerpts or of a retraction, with the name and the reason in it, marked as unsigned.

    Raises `InputError` for an empty claim, for one of several sentences, for an override without a reason, and for any
    override if there is a roster of approvers. An outage is `RetriesExhausted`, never an exception.
    """
    from veritas.approvals import signed_here

    if not claim.strip():
        raise InputError("there is no claim to cite")
    if override and not (override_reason or "").strip():
        raise InputError("an override needs a reason, which is written into the artifact")
    if override and signed_here():
        raise InputError(
            "there is a roster of approvers, so an override is a signed decision: cite without one, and settle the "
            "case that it names with veritas approve"
        )
    who = f"{' '.join(override_name.split())} (unsigned)".lstrip()
    registries = registries or Registries()
    settings = registries.policy.cite
    rules = policy or load_triangulation_policy()
    citing = _Citing(
        folder=folder, registries=registries, reader=reader, corpus=corpus,
        adviser=adviser or EmbeddedAdviser(supports=settings.supports), policy=rules,
        gate=gate or gate_verdict.citation_gate(registries, rules),
        reason=f"{who}: {override_reason}" if override else None, now=now or datetime.now(UTC),
    )  # fmt: skip
    try:
        return await citing.cite(claim, hint)
    except Unavailable as error:
        return RetriesExhausted(reason=f"{citing.adviser.name} did not answer: {error}", problems=(str(error),))


class _Citing:
    def __init__(
        self,
        *,
        folder: Path,
        registries: Registries,
        reader: Reader | None,
        corpus: Corpus | None,
        adviser: Adviser,
        policy: TriangulationPolicy,
        gate: Gate,
        reason: str | None,
        now: datetime,
    ) -> None:
        self.folder, self.registries, self.reader, self.corpus = folder, registries, reader, corpus
        self.adviser, self.policy, self.gate, self.reason, self.now = adviser, policy, gate, reason, now
        self.passages: dict[str, tuple[str, ...]] = {}
        """Title -> what was found or proposed as its excerpts, for the person who may be asked."""
        self.settings = registries.policy.cite

    async def cite(self, text: str, hint: str | None) -> Outcome:
        _one_sentence(text)
        claim = await self.adviser.distil(text)
        said = without_attribution(claim) or claim
        query, candidates, problems, asked = await self.search_papers(said, hint or _named(claim))
        if not candidates:
            if problems:
                why = f"no candidates, and {silence(problems, asked)}"
                return RetriesExhausted(reason=why, query=query, problems=problems)
            return NoCandidates(reason=f"no paper was found for “{query}”", query=query)
        order = list(await self.adviser.rank(said, candidates))
        if hint and identifier_in(hint) is not None:
            order = list(dict.fromkeys([*order, *range(len(candidates))]))  # the caller has chosen already
        ranked = [candidates[at] for at in order]
        if not ranked:
            shown = tuple(seen_of(each, "its title and abstract are not about the claim") for each in candidates[:10])
            return NoCandidates(reason="none of the papers found is about the claim", query=query, candidates=shown)
        refusals: list[Refused] = []
        for number, candidate in enumerate(ranked[: self.settings.tries]):
            outcome = await self.consider(candidate, claim, said, hint, may_override=number == 0)
            if isinstance(outcome, Citation):
                return outcome
            refusals.append(outcome)
        return await self._before_a_person(self._gravest(refusals, ranked, query), claim, said, hint, ranked[0])

    async def _before_a_person(
        self, refusal: Refused, claim: str, said: str, hint: str | None, candidate: Found
    ) -> Outcome:
        """Put a refusal that a person may lift before one; return the citation if it was already lifted.

        Any refusal but an outage is the best candidate's own (`_gravest`).
        """
        if not isinstance(refusal, TriangulationConflict | NoSupportingExcerpts | StandsNoMore | NotAdmitted):
            return refusal
        if isinstance(refusal, NotAdmitted) and not refusal.needs_person:
            return refusal  # the table drops it, and asks nobody
        seen = seen_of(candidate)
        asked = await gate_verdict.ask_person(claim, hint, refusal, seen, self.passages.get(seen.title, ()))
        if asked is None:
            return refusal
        if (reason := gate_verdict.overriding(asked)) is not None:
            self.reason = reason
            return await self.consider(candidate, claim, said, hint, may_override=True)
        state = asked.state()
        if state == "pending":
            return refusal.model_copy(update={"approval": asked.approval_id, "contrast": asked.sentence})
        by = f" by {asked.by}: {asked.why}" if asked.voices else ""
        return refusal.model_copy(update={"approval": asked.approval_id, "reason": f"{refusal.reason} ({state}{by})"})

    async def search_papers(self, claim: str, hint: str | None) -> tuple[str, list[Found], tuple[str, ...], int]:
        """Return candidates, one a paper: under the hint's identifier, else by search (section 4.1); with what kept
        registries from answering, and how many were asked."""
        identifier = identifier_in(hint) if hint else None
        if identifier is not None:
            query = str(identifier)
            answers = await self.registries.look_up(identifier)
        else:
            query = search_words(claim, hint)
            names = (*SEARCHED, *self.registries.added)
            answers = await self.registries.search(query, names, limit=self.settings.candidates, anywhere=True)
        found: dict[str, list[Found]] = {}
        for answer in answers:
            for each in answer.found:
                if each.record.title is not None:
                    self._keep_apart(found.setdefault(normalise_title(each.record.title), []), each)
        problems = tuple(answer.problem for answer in answers if answer.problem)
        return query, [each for known in found.values() for each in known], problems, len(answers)

    def _keep_apart(self, known: list[Found], new: Found) -> None:
        """Add a record to those of its title, unless one of them is of the same work; one with an abstract stays."""
        for at, each in enumerate(known):
            if compare_work_aware(each.record, new.record, self.policy).same_work:
                if each.abstract is None and new.abstract is not None:
                    known[at] = new
                return
        known.append(new)

    async def consider(
        self, candidate: Found, claim: str, said: str, hint: str | None, *, may_override: bool
    ) -> Outcome:
        """Check a candidate's identity, standing, text and excerpts; return its artifact's citation, or a refusal."""
        identity = await establish(candidate, self.registries, self.policy)
        records = [each.record for each in identity.found]
        said_of_it = against_attribution(identity.record, records, self.policy, claim, hint)
        conflicts = (*identity.conflicts, *said_of_it)
        reason = self.reason if may_override else None
        if not reason:
            if conflicts:
                seen = (seen_of(candidate),)
                return TriangulationConflict(reason=_disagree(conflicts), fields=conflicts, candidates=seen)
            if not identity.verified or (identity.problems and not identity.secondary and not identity.alone):
                return self._undecided(identity, candidate)
            if not identity.status.trusted:
                return StandsNoMore(
                    reason=f"{identity.status.told()}: {'; '.join(identity.status.sentences())}",
                    standing=identity.status.standing,
                    candidates=(seen_of(candidate),),
                )
        text = await fetch_paper_text(identity.found, self.registries, self.reader, self.corpus)
        if text is None:
            if not reason:
                return NoSupportingExcerpts(
                    reason="neither its text nor an abstract is to be had", candidates=(seen_of(candidate),)
                )
            text = PaperText(text=NO_ABSTRACT, abstract_only=True)
        excerpts, rejected = await self.match_evidence(said, text)
        lacking = without_pointer(said, excerpts) if excerpts else ()
        self.passages[seen_of(candidate).title] = tuple(excerpt.text for excerpt in excerpts)
        if (not excerpts or lacking) and not reason:
            where = "its abstract" if text.abstract_only else "its text"
            why = f"nothing in {where} says the claim"
            if lacking:
                why = f"no excerpt that says the claim names {', '.join(lacking)}"
            if text.abstract_only and text.problems:
                why += f" (its full text could not be read: {text.problems[0]})"
            return NoSupportingExcerpts(reason=why, rejected=rejected, candidates=(seen_of(candidate),))
        note, refused = "", bool(conflicts) or not identity.verified or not identity.status.trusted or not excerpts
        if not refused and not lacking:
            decision = await gate_verdict.decide(self.gate, said, self.adviser.family, identity.record, excerpts)
            if not decision.admitted and not reason:
                return gate_verdict.refusal_of(decision, seen_of(candidate))
            note, refused = gate_verdict.note_of(decision), not decision.admitted
        return write(
            identity, conflicts, claim, text, excerpts, reason if refused or lacking else None, note,
            folder=self.folder, adviser=self.adviser.name, now=self.now, keep_text=self.settings.keep_text,
        )  # fmt: skip

    def _undecided(self, identity: Identity, candidate: Found) -> Refused:
        seen = (seen_of(candidate),)
        if identity.problems:
            return RetriesExhausted(
                reason=f"the paper could not be triangulated: {identity.problems[0]}",
                problems=identity.problems,
                candidates=seen,
            )
        return TriangulationConflict(
            reason="no second source knows this paper under its identifiers, so nobody confirms what it is",
            candidates=seen,
        )

    async def match_evidence(self, claim: str, text: PaperText) -> tuple[tuple[Excerpt, ...], tuple[str, ...]]:
        """Return the adviser's excerpts that stand verbatim in the text, and its proposals that do not."""
        bare = without_pointers(claim)
        proposed = await self.adviser.propose(bare, text.text, limit=self.settings.excerpts)
        return checked(
            proposed, text.text, page_starts=text.page_starts, abstract=text.abstract_only,
            limit=self.settings.excerpts,
        )  # fmt: skip

    def _gravest(self, refusals: Sequence[Refused], ranked: Sequence[Found], query: str) -> Refused:
        """Choose among several refusals: an outage before all, else the best candidate's own."""
        chosen = next((each for each in refusals if isinstance(each, RetriesExhausted)), refusals[0])
        reasons = [each.reason for each in refusals]
        seen = tuple(
            seen_of(each, reasons[at] if at < len(reasons) else "not looked at") for at, each in enumerate(ranked[:10])
        )
        return chosen.model_copy(update={"query": query, "candidates": seen})


def _one_sentence(text: str) -> None:
    """Raise `InputError` for a claim of several sentences: an artifact is for one, and the others would be lost."""
    plain = " ".join(text.split())
    told = [plain[start:end] for start, end in split_sentences(plain) if len(words(plain[start:end])) >= _A_SENTENCE]
    if len(told) > 1:
        listed = "; ".join(f"“{each[:120]}”" for each in told[:5])
        raise InputError(f"the claim has {len(told)} sentences, and a citation is for one: cite each alone: {listed}")


def _named(claim: str) -> str | None:
    """Return an attribution in the claim, as a hint for the search."""
    said = attribution(claim)
    return f"{said[0]} et al." if said else None


def _disagree(conflicts: Sequence[Conflict]) -> str:
    said = [f"{each.field}: {each.primary!r} against {each.secondary!r}" for each in conflicts]
    return "the sources disagree: " + "; ".join(said)
