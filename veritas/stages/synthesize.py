"""Stage 5, synthesize: prose in which every factual sentence cites admitted claims, checked by code (section VIII, I8).

The writer words claims and gaps. Numbers of references, the bibliography, footnotes, the dissent and what the answer
says of itself are written by code from the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from veritas.claims.answer import Answer, Reference, Sentence
from veritas.claims.debate import Contestation
from veritas.claims.envelope import Citation, ClaimEnvelope
from veritas.claims.graph import Event
from veritas.claims.judgment import ClaimJudgment
from veritas.claims.override import Override
from veritas.claims.sources import Source
from veritas.council.families import is_embedded
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.errors import InvariantBroken
from veritas.frozen import Frozen, content_id
from veritas.reading.verbatim import fold_whitespace
from veritas.stages.admission import Group, admit
from veritas.stages.debate import Debate
from veritas.stages.grounding import Ground
from veritas.stages.research import Research
from veritas.stages.runtime import Runtime
from veritas.stages.sentence_check import DraftAnswer, SentenceCheck
from veritas.stages.standing import still_standing
from veritas.stages.steps import Step, Work, asked
from veritas.verifying.equivalence import contradictions


class WriteUnit(Frozen):
    """The question and the claims that may be cited, for the writer."""

    writer: str
    question: str
    claims: tuple[AdmittedClaim, ...]


class Synthesis(Frozen):
    """Output of the stage. `overrides` are the claims that a person let in, those that found no place among them."""

    answer: Answer
    judgments: tuple[ClaimJudgment, ...] = ()
    events: tuple[Event, ...] = ()
    overrides: tuple[Override, ...] = ()


async def _write(unit: WriteUnit, runtime: Runtime) -> DraftAnswer:
    writer = runtime.council.seat(unit.writer).member
    sentences = await asked(
        writer.synthesize(unit.question, unit.claims),
        who=unit.writer,
        turn="synthesize",
        stage="synthesize",
        about=[c.claim_id for c in unit.claims],
    )
    return DraftAnswer(sentences=tuple(sentences))


WRITE = Step("write", "synthesize", _write, lambda unit: f"{unit.writer}: {len(unit.claims)} claims")


def unreachable(research: Research) -> str | None:
    """Why no search of the run was answered, if none was: then the run says nothing about the question (I5)."""
    if any(s.unavailable is None for s in research.searches):
        return None
    reasons = dict.fromkeys(s.unavailable for s in research.searches if s.unavailable)
    reasons.update(dict.fromkeys(e.reason for e in research.events if e.kind == "member-unavailable"))
    return "; ".join(list(reasons)[:3]) or "no search was fired"


class _Synthesis:
    """The making of one answer."""

    def __init__(
        self,
        question: str,
        groups: Sequence[Group],
        left_out: Sequence[Event],
        debated: Debate,
        research: Research,
        runtime: Runtime,
        work: Work,
        overrides: Sequence[Override] = (),
    ) -> None:
        self.research, self.left_out = research, left_out
        self.overrides = {o.claim_id: o for o in overrides}
        self.question, self.runtime, self.work, self.debated = question, runtime, work, debated
        self.groups = {g.first.claim_id: g for g in groups}
        self.sources: Mapping[str, Source] = {s.document_id: s for s in research.sources if s.document_id}
        self.judgments: list[ClaimJudgment] = []
        self.events: list[Event] = []
        self.references: dict[str, Reference] = {}
        self.unreachable = unreachable(research)
        self.of_claim: dict[str, list[Contestation]] = {}
        for contestation in debated.contestations:
            self.of_claim.setdefault(contestation.claim_id, []).append(contestation)
        self.admitted = {g.first.claim_id: self._admitted(g) for g in groups}

    def _contestations(self, group: Group, resolution: str) -> list[Contestation]:
        return [x for c in group.claims for x in self.of_claim.get(c.claim_id, ()) if x.resolution == resolution]

    def _admitted(self, group: Group) -> AdmittedClaim:
        standing = self._contestations(group, "open")
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
        )

    def say(self, kind: str, subject: str, reason: str) -> None:
        self.events.append(
            Event.model_validate(
                {
                    "stage": "synthesize",
                    "kind": kind,
                    "subject_id": subject,
                    "reason": reason,
                    "member": self.runtime.council.writer,
                }
            )
        )

    def _numbers(self, citations: Sequence[Citation]) -> tuple[int, ...]:
        """The reference numbers of citations, best tier first, entering them into the bibliography as needed."""
        numbers: list[int] = []
        for citation in sorted(citations, key=lambda c: (c.tier, c.paywalled)):
            source = self.sources.get(citation.document_id)
            if source is None or source.tier == "wikipedia":
                continue
            known = self.references.get(source.source_id)
            if known is None:
                known = self.references[source.source_id] = Reference(
                    number=len(self.references) + 1,
                    source_id=source.source_id,
                    url=citation.url,
                    title=source.title or citation.url,
                    tier=citation.tier,
                    authors=source.authors,
                    year=source.year,
                    doi=source.doi,
                    paywalled=citation.paywalled,
                )
            numbers.append(known.number)
        return tuple(dict.fromkeys(numbers))

    def _sentence(self, draft: DraftSentence, paragraph: int) -> Sentence:
        text = fold_whitespace(draft.text)
        if draft.kind == "gap":
            return Sentence(sentence_id=content_id("n", text), paragraph=paragraph, kind="gap", text=text)
        groups = [self.groups[i] for i in dict.fromkeys(draft.claim_ids)]
        challenges: dict[tuple[str, str], dict[str, None]] = {}
        for group in groups:
            for x in self._contestations(group, "defended"):
                challenges.setdefault((x.objection, x.ruling), {})[x.challenger] = None
        notes = [
            f"Challenged by {', '.join(who)}: “{objection}” Resolved: {ruling.rstrip('.')}."
            for (objection, ruling), who in challenges.items()
        ]
        notes += dict.fromkeys(
            f"Let in by {o.name}: {fold_whitespace(o.reason)}"
            for g in groups
            for o in (self.overrides.get(c.claim_id) for c in g.claims)
            if o is not None
        )
        return Sentence(
            sentence_id=content_id("n", text),
            paragraph=paragraph,
            kind="claim",
            text=text,
            claim_ids=tuple(dict.fromkeys(c.claim_id for g in groups for c in g.claims)),
            references=self._numbers([c for g in groups for c in g.citations]),
            footnote=" ".join(notes) or None,
            badges=tuple(dict.fromkeys(b for g in groups for b in g.badges)),
        )

    def _dissent(self, cited: Sequence[str], told: frozenset[str], paragraph: int) -> list[Sentence]:
        """The standing objections to what the answer says, word for word, as its last paragraph: one sentence for each
        position, with all who hold it. A position that the answer states itself is not repeated."""
        positions: dict[str, list[Contestation]] = {}
        for claim_id in cited:
            for x in self._contestations(self.groups[claim_id], "open"):
                position = fold_whitespace(x.counter_claim)
                if position not in told:
                    positions.setdefault(position, []).append(x)
        made: list[Sentence] = []
        for position, held in positions.items():
            who = ", ".join(dict.fromkeys(x.challenger for x in held))
            text = f"Dissent ({who}): “{position}”"
            citations = [c for x in held for c in x.counter_citations]
            voices = {self._voice(c) for c in citations}
            lone = all(c.tier == 3 for c in citations) and len(voices) == 1
            notes = dict.fromkeys(fold_whitespace(x.objection) for x in held if x.objection.strip())
            made.append(
                Sentence(
                    sentence_id=content_id("n", text),
                    paragraph=paragraph,
                    kind="dissent",
                    text=text,
                    claim_ids=tuple(dict.fromkeys(x.claim_id for x in held)),
                    references=self._numbers(citations),
                    footnote=" ".join(notes) or None,
                    badges=("single-source",) if lone else (),
                )
            )
        return made

    def _voice(self, citation: Citation) -> str:
        source = self.sources.get(citation.document_id)
        return source.publisher if source and source.publisher else citation.url

    @staticmethod
    def _contradicted(sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences, those marked that another sentence of the answer speaks against. A debate would have said so;
        without one, or when neither side won it, the reader must not have to find it."""
        claims = [s for s in sentences if s.kind == "claim"]
        against: dict[str, dict[int, None]] = {}

        def comparable(i: int, j: int) -> bool:
            # As in the debate, a document is no witness against itself: most such pairs are two measurements in it.
            return not set(claims[i].references) & set(claims[j].references)

        for i, j in contradictions([s.text for s in claims], comparable):
            against.setdefault(claims[i].sentence_id, {}).update(dict.fromkeys(claims[j].references))
            against.setdefault(claims[j].sentence_id, {}).update(dict.fromkeys(claims[i].references))
        marked = []
        for sentence in sentences:
            numbers = against.get(sentence.sentence_id)
            if numbers is not None and sentence.kind == "claim":
                where = "".join(f"[{n}]" for n in numbers)
                note = " ".join(filter(None, (sentence.footnote, f"Contradicted by {where} in this answer.")))
                badges = (*sentence.badges, "contradicted")
                sentence = sentence.model_copy(update={"badges": badges, "footnote": note})
            marked.append(sentence)
        return marked

    async def write(self) -> Synthesis:
        writer = self.runtime.council.writer
        if not self.admitted:
            return self._result(Answer(status="insufficient_evidence", reason=self._why_nothing(), written_by=writer))
        unit = WriteUnit(writer=writer, question=self.question, claims=tuple(self.admitted.values()))
        (outcome,) = await self.work(WRITE, [unit], self.runtime)
        if outcome.value is None:
            self.say("member-unavailable", writer, f"no answer was written: {outcome.unavailable}")
            reason = (
                f"{len(self.admitted)} verified claim(s) stand in the graph, but the writer was unavailable: "
                f"{outcome.unavailable}"
            )
            return self._result(Answer(status="insufficient_evidence", reason=reason, written_by=writer))
        check = SentenceCheck(self.admitted, self.runtime, self.work, self.say)
        drafts = await check.checked(outcome.value.sentences)
        self.judgments.extend(check.judgments)
        drafts += self._persons_own(drafts, check)
        cited = list(dict.fromkeys(i for d in drafts if d.kind == "claim" for i in d.claim_ids))
        for claim_id, group in self.groups.items():
            if claim_id not in cited:
                for claim in group.claims:
                    self.say("claim-unused", claim.claim_id, "it may be cited, and the writer did not use it")
        if not cited:
            reason = "no sentence of the draft could be backed by the claims it cites"
            return self._result(Answer(status="insufficient_evidence", reason=reason, written_by=writer))
        sentences = self._contradicted(self._arranged(drafts))
        last = max(s.paragraph for s in sentences)
        sentences += self._dissent(cited, frozenset(s.text for s in sentences), last + 1)
        return self._result(
            Answer(
                status="answered",
                sentences=tuple(sentences),
                bibliography=tuple(self.references.values()),
                written_by=writer,
            )
        )

    def _persons_own(self, drafts: Sequence[DraftSentence], check: SentenceCheck) -> list[DraftSentence]:
        """The claims a person let in that the writer passed over, each in its own words in a last paragraph: whoever
        answers for a claim with name and reason wants it in the answer. They are checked like any sentence (I8)."""
        used = {i for d in drafts for i in d.claim_ids}
        after = max((d.paragraph for d in drafts), default=0) + 1
        made = [
            DraftSentence(kind="claim", text=group.first.claim, claim_ids=(claim_id,), paragraph=after)
            for claim_id, group in self.groups.items()
            if "override" in group.badges and claim_id not in used
        ]
        return [draft for draft in made if check.fault(draft) is None]

    def _arranged(self, drafts: Sequence[DraftSentence]) -> list[Sentence]:
        sentences: list[Sentence] = []
        paragraphs: dict[int, int] = {}
        seat = self.runtime.council.seat(self.runtime.council.writer)
        if is_embedded(seat.member.family):
            text = (
                "This answer was put together by extraction, without a language model: each sentence below stands "
                "word for word in the source it cites."
            )
            sentences.append(Sentence(sentence_id=content_id("n", text), paragraph=0, kind="frame", text=text))
            paragraphs[-1] = 0
        for draft in drafts:
            number = paragraphs.setdefault(draft.paragraph, len(paragraphs))
            sentences.append(self._sentence(draft, number))
        return sorted(sentences, key=lambda s: s.paragraph)

    def _why_nothing(self) -> str:
        """Why no claim may be cited, from the record."""
        claims = self.debated.claims
        if self.unreachable:
            return f"nothing could be searched: {self.unreachable}"
        if not claims:
            read = sum(s.status == "read" for s in self.research.sources)
            if not read:
                return "nothing was found that could be read and cited"
            return f"none of the {read} source(s) that were read says anything on the question that stands by itself"
        fell = [e for e in (*self.debated.events, *self.left_out) if e.subject_id in {c.claim_id for c in claims}]
        reasons = Counter(e.reason for e in fell)
        common = "; ".join(reason for reason, _ in reasons.most_common(2))
        return f"none of {len(claims)} claim(s) may be cited: {common or 'each was refuted or left unjudged'}"

    def _result(self, answer: Answer) -> Synthesis:
        return Synthesis(answer=answer, judgments=tuple(self.judgments), events=tuple(self.events))


def _verbatim(
    overrides: Sequence[Override], claims: Mapping[str, ClaimEnvelope], research: Research
) -> tuple[frozenset[str], tuple[Event, ...]]:
    """The ids of the overridden claims whose passages stand in what was read: no person can lift I1."""
    ground = Ground(research.documents, research.passages, research.sources)
    sound: list[str] = []
    events: list[Event] = []
    for override in overrides:
        claim = claims[override.claim_id]
        try:
            ground.check(claim.spans, claim.source_passages)
        except InvariantBroken as broken:
            why = f"{override.name} let it in, but {broken}"
            events.append(Event(stage="synthesize", kind="claim-dropped", subject_id=claim.claim_id, reason=why))
        else:
            sound.append(claim.claim_id)
    return frozenset(sound), tuple(events)


async def synthesize(
    question: str,
    debated: Debate,
    research: Research,
    runtime: Runtime,
    work: Work,
    overrides: Sequence[Override] = (),
    notes: Sequence[Event] = (),
) -> Synthesis:
    """The answer to the question from the claims that are live after the debate, and from those a person let in.

    `notes` are rows to keep with it: of overrides that do not hold any more.
    """
    claims = {c.claim_id: c for c in debated.claims}
    sources = {s.document_id: s for s in research.sources if s.document_id}
    let_in, broken = _verbatim(overrides, claims, research)
    live = dict.fromkeys((*debated.live, *(i for i in claims if i in let_in)))
    standing = await still_standing([claims[i] for i in live], debated.contestations, research, runtime.reader)
    debated = debated.model_copy(update={"contestations": standing.contestations})
    groups, left_out = admit(standing.claims, sources, let_in)
    left_out = (*notes, *broken, *standing.events, *left_out)
    made = await _Synthesis(question, groups, left_out, debated, research, runtime, work, overrides).write()
    return made.model_copy(update={"events": (*left_out, *made.events), "overrides": tuple(overrides)})
