"""Stage 5, synthesize: prose in which every factual sentence cites admitted claims, checked by code (section VIII, I8).

The writer words claims; `answer_prose` writes all else from the record, `gaps` the gaps of the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from veritas.answers._answer_prose import NOT_PRINTED, Prose
from veritas.answers._brief import brief_of, parts_of, verdict
from veritas.answers._source_recheck import still_standing
from veritas.answers._turn_moves import moved
from veritas.answers._unmentioned_names import names_in, nowhere, told
from veritas.answers.admission import Group, admit
from veritas.answers.debate import Debate
from veritas.answers.gaps import gaps, unsure
from veritas.answers.gather import Research
from veritas.answers.reference_check import ReferenceCheck
from veritas.answers.runtime import Runtime
from veritas.answers.sentence_check import DraftAnswer, SentenceCheck
from veritas.claims.answer import Answer, Sentence
from veritas.claims.brief import Brief, BriefPart
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import Event, EventKind, SubQuery
from veritas.claims.judgment import ClaimJudgment
from veritas.claims.override import Override
from veritas.council.embedded.compose import disagreeing
from veritas.council.embedded.questions import AS_ASKED
from veritas.council.families import EMBEDDED, is_embedded
from veritas.council.seated_council import Seat
from veritas.council.succession import in_succession, taken
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.documents.document import Document
from veritas.engine.units import Step, Work, asked
from veritas.errors import InvariantBroken
from veritas.frozen import Frozen, content_id
from veritas.gate.quote_grounding import Ground
from veritas.search.encoder import encoder
from veritas.search.ranking import closeness
from veritas.text.languages import ENGLISH, READ, language_named, read_in, unread_language
from veritas.text.plural import plural
from veritas.text.tokens import terms


def language_reason(question: str, documents: Sequence[Document]) -> str:
    """Return why the language of a question, or of all documents that were read, leaves it without an answer; "" if it
    does not: the rules read a few languages, and answer from documents in the question's own."""
    if unread := unread_language(question):
        return (
            f"the question is in {unread}, and without a language model only {_and(READ)} are read: ask in one of "
            "these, or seat a language model in the council"
        )
    asked = language_named(question)
    others = Counter(filter(None, (language_named(document.text) for document in documents)))
    if not asked or not others or others[asked]:
        return ""
    return (
        f"the question is in {asked}, and what was read is in {_and([name for name, _ in others.most_common()])}: "
        "without a language model a question is answered from documents in its own language"
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


FAR = 0.36
"""Least closeness to the question of the nearest sentence of an answer. Of 81 answers of members that quote what is
near, 13 came less close, and 2 of these held what was asked for."""
VERBATIM = "no answer was worded, so it gives the verified claims verbatim, one by one"
"""The beginning of the row of an answer without a writer."""


class WriteUnit(Frozen):
    """The writer of the run's answer, and the claims that may be cited in it."""

    writer: str
    claims: tuple[AdmittedClaim, ...]


class Synthesis(Frozen):
    """Output of the stage. `overrides` are the claims that a person let in, even if the answer does not use them."""

    answer: Answer
    judgments: tuple[ClaimJudgment, ...] = ()
    events: tuple[Event, ...] = ()
    overrides: tuple[Override, ...] = ()


async def _write(unit: WriteUnit, runtime: Runtime) -> DraftAnswer:
    async def take(seat: Seat) -> DraftAnswer:
        return await asked(
            seat.member.synthesize(runtime.request.question, unit.claims),
            lambda sentences: DraftAnswer(sentences=tuple(sentences)),
            who=seat.name,
            turn="synthesize",
            stage="synthesize",
            about=[c.claim_id for c in unit.claims],
        )

    return taken(await in_succession(runtime.council.speakers(unit.writer, writes=True), take))


WRITE = Step("write", "synthesize", _write, lambda unit: f"{unit.writer}: {len(unit.claims)} claims")


class _Synthesis:
    """The making of one answer."""

    def __init__(
        self,
        groups: Sequence[Group],
        left_out: Sequence[Event],
        debated: Debate,
        research: Research,
        runtime: Runtime,
        work: Work,
        overrides: Sequence[Override] = (),
        sub_queries: Sequence[SubQuery] = (),
    ) -> None:
        self.research, self.left_out, self.sub_queries = research, left_out, sub_queries
        self.runtime, self.work, self.debated = runtime, work, debated
        self.groups = {g.first.claim_id: g for g in groups}
        self.judgments: list[ClaimJudgment] = []
        self.events: list[Event] = []
        self.writer = runtime.council.writer
        self.prose = Prose(
            self.groups,
            debated.contestations,
            {s.document_id: s for s in research.sources if s.document_id},
            {o.claim_id: o for o in overrides},
            writer=runtime.council.seat(self.writer).member.family,
            judges=[lens.family for lens in runtime.council.lenses.values()],
            texts={d.document_id: d.text for d in research.documents},
        )
        place = {query.sub_query_id: at for at, query in enumerate(sub_queries)}
        admitted = sorted(map(self._admitted, groups), key=lambda c: place.get(c.sub_query_ids[0], len(place)))
        self.admitted = {claim.claim_id: claim for claim in admitted}
        """The claims that may be cited, in the order of the sub-queries that they were made for."""

    @property
    def question(self) -> str:
        """The run's question."""
        return self.runtime.request.question

    def _admitted(self, group: Group) -> AdmittedClaim:
        standing = self.prose.contestations(group, "open")
        first = group.first
        return AdmittedClaim(
            claim_id=first.claim_id,
            claim=first.claim,
            claim_type=first.claim_type,
            tier=group.tier,
            members=group.members,
            confidence=first.confidence,
            sub_query_ids=tuple(
                dict.fromkeys(
                    q
                    for c in (first, *group.claims)
                    for q in (c.provenance.sub_query_id, *c.provenance.also)
                )
            ),
            passages=first.source_passages,
            dissent=standing[0].counter_claim if standing else None,
            paywalled="paywalled-only" in group.badges,
            documents=tuple(dict.fromkeys(span.document_id for span in first.spans)),
        )

    def say(self, kind: EventKind, subject: str, reason: str) -> None:
        self.events.append(Event(stage="synthesize", kind=kind, subject_id=subject, reason=reason, member=self.writer))

    async def write(self) -> Synthesis:
        writer = self.writer
        because = "" if self.prose.overrides else self._foreign()
        if because or not self.admitted:
            reason = because or self._why_nothing()
            return self._result(Answer(status="insufficient_evidence", reason=reason, written_by=writer))
        unit = WriteUnit(writer=writer, claims=tuple(self.admitted.values()))
        (outcome,) = await self.work(WRITE, [unit], self.runtime)
        drafted = outcome.value.sentences if outcome.value is not None else ()
        if outcome.value is None and outcome.cause is not None:
            # Nobody is paid for wording them, or whoever answered cannot: they are verified as they stand.
            drafted = tuple(DraftSentence(text=c.claim, claim_ids=(c.claim_id,)) for c in self.admitted.values())
            kind: EventKind = "budget-degraded" if outcome.cause == "budget" else "member-unavailable"
            self.say(kind, writer, f"{VERBATIM}: {outcome.unavailable}")
            self.prose.writer = EMBEDDED
        elif outcome.value is None:
            self.say("member-unavailable", writer, f"no answer was written: {outcome.unavailable}")
            reason = (
                f"the claim graph holds {plural(len(self.admitted), 'verified claim')}, but the writer was "
                f"unavailable: {outcome.unavailable}"
            )
            return self._result(Answer(status="insufficient_evidence", reason=reason, written_by=writer))
        writer = self._written_by(outcome.value) if outcome.value is not None else writer
        references = ReferenceCheck(self.groups, self.research.documents, self.runtime, self.work)
        check = SentenceCheck(self.admitted, references, self.runtime, self.work, self.say, writer)
        drafts = await check.checked(drafted)
        drafts += self._persons_own(drafts, check)
        self.judgments.extend(references.judgments)
        self.events.extend((*references.moved, *check.moved))
        self.prose.standing = {sentence: held.documents for sentence, held in check.standing.items()}
        cited, used = ({i for d in each for i in d.claim_ids} for each in (drafts, drafted))
        for claim_id, group in self.groups.items():
            if claim_id not in cited:
                why = "every sentence that used it was removed" if claim_id in used else "the writer did not use it"
                for claim in group.claims:
                    self.say("claim-unused", claim.claim_id, f"it may be cited, and {why}")
        if not cited:
            reason = "no sentence of the draft could be backed by the claims it cites"
            return self._result(Answer(status="insufficient_evidence", reason=reason, written_by=writer))
        answered = {i for claim in self.admitted.values() for i in claim.sub_query_ids}
        parts = parts_of(self.question, self.sub_queries, [c for g in self.groups.values() for c in g.claims])
        far = self._far(drafts)
        sentences = self.prose.sentences(drafts, gaps(self.question, self.sub_queries, answered), unsure(parts), far)
        said = {i for s in sentences for i in s.claim_ids}
        for x in self.prose.unprinted.values():
            if x.claim_id in said:
                self.say("note", x.contestation_id, NOT_PRINTED)
        bibliography = tuple(self.prose.references.values())
        by = writer if outcome.value is not None else ""
        brief = self._brief(sentences, parts) if self.prose.brief else None
        if brief is not None:
            line = verdict(brief)
            sentences = (Sentence(sentence_id=content_id("n", line), paragraph=0, kind="frame", text=line), *sentences)
        # `Answer` itself says `closest_passages` of a brief that no passage surely answers.
        answer = Answer(status="answered", sentences=sentences, bibliography=bibliography, written_by=by, brief=brief)
        beside = {"status": "closest_passages", "reason": far} if far and brief is None else {}
        return self._result(answer.model_copy(update=beside))

    def _far(self, drafts: Sequence[DraftSentence]) -> str:
        """Return that no sentence seems to answer the question or a part of it; "" if one may, or nobody can tell."""
        texts = [draft.text for draft in drafts]
        if encoder() is None or read_in(self.question, texts) is not ENGLISH:
            return ""
        asked = dict.fromkeys((self.question, *(q.text for q in self.sub_queries if q.facet == AS_ASKED)))
        near = max(close for question in asked for close in closeness(question, texts))
        return "" if near >= FAR else "None of these sentences seems to answer the question. They are the closest."

    def _brief(self, sentences: Sequence[Sentence], parts: Sequence[BriefPart]) -> Brief:
        numbers = {
            document: self.prose.references[source.source_id].number
            for document, source in self.prose.sources.items()
            if source.source_id in self.prose.references
        }
        passages = self.research.passages
        lost = nowhere(names_in(self.question), self.research.documents)
        read = {document.document_id: document for document in self.research.documents}
        first = [claim for s in sentences if s.kind == "claim" and (claim := self.admitted.get(s.claim_ids[0]))][:2]
        disagree = len(first) > 1 and bool(disagreeing(first[0], first[1:]))
        return brief_of(sentences, self.groups, passages, numbers, lost, parts, read, disagree)

    def _written_by(self, draft: DraftAnswer) -> str:
        """Record and return the name of the member that wrote the answer."""
        listed, self.writer = self.writer, draft.by or self.writer
        self.prose.writer = self.runtime.council.seat(self.writer).member.family
        self.events.extend(moved(draft, "synthesize", listed, f"{self.writer} wrote the answer in its place"))
        return self.writer

    def _persons_own(self, drafts: Sequence[DraftSentence], check: SentenceCheck) -> list[DraftSentence]:
        """Return the claims that a person let in and the writer left out, each in its own words in a last paragraph: a
        person who answers for a claim wants it in the answer. They are checked like any sentence (I8)."""
        used = {i for d in drafts for i in d.claim_ids}
        after = max((d.paragraph for d in drafts), default=0) + 1
        made = [
            DraftSentence(kind="claim", text=group.first.claim, claim_ids=(claim_id,), paragraph=after)
            for claim_id, group in self.groups.items()
            if "override" in group.badges and claim_id not in used
        ]
        return [draft for draft in made if check.fault(draft) is None]

    def _foreign(self) -> str:
        """Return why no member can read the question or the documents in their language; "" if one can."""
        if not all(is_embedded(seat.member.family) for seat in self.runtime.council.seats):
            return ""
        return language_reason(self.question, self.research.documents)

    def _why_nothing(self) -> str:
        """Return why no claim may be cited, from the record."""
        claims = self.debated.claims
        if not claims:
            read = sum(s.status == "read" for s in self.research.sources)
            if not read and (lost := self.research.unanswered):
                return (
                    f"{lost} of {len(self.research.schedule)} searches were not answered, and the others found nothing "
                    "that could be read and cited"
                )
            if not read:
                words = "" if terms(self.question) else "the question has no word that could be searched for: "
                return f"{words}nothing was found that could be read and cited"
            missing = told(names_in(self.question), self.research.documents)
            because = f": nothing that was read mentions {missing}" if missing else ""
            none = f"none of the {read:,} sources that were read answers"
            return f"{'the one source that was read does not answer' if read == 1 else none} the question{because}"
        fell = {e.subject_id: _in_code(e) for e in (*self.debated.events, *self.left_out)}
        why = {c.claim: _VERDICTS.get(c.verifier_judgment or "") or fell.get(c.claim_id, "left out") for c in claims}
        reasons = Counter(why.values())
        counted = [f"{reason} ({number})" if len(reasons) > 1 else reason for reason, number in reasons.most_common()]
        return f"none of {plural(len(why), 'claim')} may be cited: {'; '.join(counted)}"

    def _result(self, answer: Answer) -> Synthesis:
        return Synthesis(answer=answer, judgments=tuple(self.judgments), events=tuple(self.events))


_VERDICTS = {"refutes": "refuted by its own passages", "unavailable": "could not be checked"}


def _in_code(event: Event) -> str:
    """Return why a claim was dropped, without words of the member that made it: nobody judged those."""
    if event.kind == "claim-refuted":
        return "refuted by its own passages"
    return "conceded by the member that made it" if event.reason.startswith("conceded:") else event.reason


def _verbatim(
    overrides: Sequence[Override], claims: Mapping[str, ClaimEnvelope], research: Research
) -> tuple[frozenset[str], tuple[Event, ...]]:
    """Return the ids of the overridden claims whose passages stand in the documents read, and a row for each other: no
    person can lift I1."""
    ground = Ground(research.documents, research.passages, research.sources)
    sound: list[str] = []
    events: list[Event] = []
    for override in overrides:
        claim = claims[override.claim_id]
        try:
            ground.check(claim.spans, claim.source_passages)
        except InvariantBroken as broken:
            why = f"{override.who} let it in, but {broken}"
            events.append(Event(stage="synthesize", kind="claim-dropped", subject_id=claim.claim_id, reason=why))
        else:
            sound.append(claim.claim_id)
    return frozenset(sound), tuple(events)


async def synthesize(
    debated: Debate,
    research: Research,
    runtime: Runtime,
    work: Work,
    overrides: Sequence[Override] = (),
    notes: Sequence[Event] = (),
    sub_queries: Sequence[SubQuery] = (),
) -> Synthesis:
    """Answer the run's question from the claims that are live after the debate, and from those a person let in.

    `notes` are rows to keep with it, of overrides that do not hold any more. A part of `sub_queries` that none of the
    claims answers is marked as a gap.
    """
    claims = {c.claim_id: c for c in debated.claims}
    sources = {s.document_id: s for s in research.sources if s.document_id}
    let_in, broken = _verbatim(overrides, claims, research)
    live = dict.fromkeys((*debated.live, *(i for i in claims if i in let_in)))
    standing = await still_standing([claims[i] for i in live], debated.contestations, research, runtime.reader)
    debated = debated.model_copy(update={"contestations": standing.contestations})
    groups, left_out = admit(standing.claims, sources, let_in)
    left_out = (*notes, *broken, *standing.events, *left_out)
    writing = _Synthesis(groups, left_out, debated, research, runtime, work, overrides, sub_queries)
    made = await writing.write()
    return made.model_copy(update={"events": (*left_out, *made.events), "overrides": tuple(overrides)})
