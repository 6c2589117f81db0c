"""Each reference of an answer's sentence is judged again, against the printed sentence (I8).

A claim was judged on all of its passages and in its own words. A sentence may reword it and cites each of its sources;
a source that does not say the whole sentence is not printed on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veritas.answers.admission import Group
from veritas.answers.claim_judging import Question, judge_all
from veritas.answers.runtime import Runtime
from veritas.claims.envelope import Badge, ClaimEnvelope, SpanRef
from veritas.claims.graph import Event
from veritas.claims.judgment import ClaimJudgment
from veritas.council.turns import DraftSentence
from veritas.documents.document import Document
from veritas.documents.verbatim import fold_whitespace
from veritas.engine.units import Work
from veritas.frozen import content_id
from veritas.gate import OracleSetup, oracle_for
from veritas.gate.comparing import held
from veritas.gate.ruling import told


class Reference(NamedTuple):
    """A source of a sentence: what the claims that it cites rest on in one document."""

    document_id: str
    claims: tuple[ClaimEnvelope, ...]
    passages: tuple[str, ...]
    spans: tuple[SpanRef, ...]


@dataclass(frozen=True)
class Standing:
    """The references of a sentence: the documents whose passages say it, and the reason for each of the others."""

    documents: frozenset[str] = frozenset()
    fallen: Mapping[str, str] = field(default_factory=dict)


class ReferenceCheck:
    """Checks sentences against the passages of the claims that they cite.

    Code decides alone where it can: a passage that entails the sentence, one that differs from it, and an unchanged
    claim on the passage that it was judged on. Everything else goes through the gate. `judgments` and `moved` collect
    the lenses' answers and replacements.
    """

    def __init__(
        self, groups: Mapping[str, Group], documents: Sequence[Document], runtime: Runtime, work: Work
    ) -> None:
        self.groups, self.runtime, self.work = groups, runtime, work
        self._documents = {d.document_id: d for d in documents}
        texts = tuple(t for g in groups.values() for c in g.claims for t in c.source_passages)
        setup = OracleSetup(kind="answer-sentence", texts=texts, documents=tuple(documents))
        self.oracle = oracle_for(setup, runtime.gate)
        self.judgments: list[ClaimJudgment] = []
        self.moved: list[Event] = []

    async def standing(self, sentences: Sequence[DraftSentence], authors: Sequence[str]) -> list[Standing]:
        """Return the references of each sentence that are printed on it. `authors` are the seats that worded them."""
        stand: list[dict[str, str | None]] = [{} for _ in sentences]
        questions: dict[str, tuple[int, Question]] = {}
        for i, sentence in enumerate(sentences):
            for reference in self._references(sentence):
                question = self._question(f"{i} {reference.document_id}", sentence, reference, authors[i])
                known, why = self._told(question, reference)
                if known:
                    stand[i][reference.document_id] = why
                else:
                    questions[question.subject_id] = (i, question)
        decisions, judgments, moved = await judge_all(
            [question for _, question in questions.values()],
            self.runtime.gate.rule_for("answer-sentence"),
            self.oracle,
            self.runtime,
            self.work,
            "synthesize",
        )
        self.moved.extend(moved)
        for judgment in judgments:
            text = questions[judgment.subject_id][1].claim
            self.judgments.append(judgment.model_copy(update={"subject_id": content_id("n", text)}))
        for key, (i, _) in questions.items():
            decision = decisions[key, "sentence"]
            said = None if decision.admitted else f"{decision.grounded.label}: {decision.reason}"
            stand[i][key.partition(" ")[2]] = said
        return [
            Standing(frozenset(d for d, why in one.items() if why is None), {d: w for d, w in one.items() if w})
            for one in stand
        ]

    def named(self, document_id: str) -> str:
        """Return the name of a document for a reader: its title, else its address."""
        document = self._documents.get(document_id)
        return f"“{document.title or document.url}”" if document is not None else document_id

    def _references(self, sentence: DraftSentence) -> list[Reference]:
        found: dict[str, list[tuple[ClaimEnvelope, str, SpanRef]]] = {}
        for claim_id in dict.fromkeys(sentence.claim_ids):
            for claim in self.groups[claim_id].claims:
                for span, text in zip(claim.spans, claim.source_passages, strict=True):
                    found.setdefault(span.document_id, []).append((claim, text, span))
        return [
            Reference(
                document_id,
                tuple({claim.claim_id: claim for claim, _, _ in rests}.values()),
                tuple(dict.fromkeys(text for _, text, _ in rests)),
                tuple(dict.fromkeys(span for *_, span in rests)),
            )
            for document_id, rests in found.items()
        ]

    def _question(self, key: str, sentence: DraftSentence, reference: Reference, author: str) -> Question:
        seat = self.runtime.council.seat(author)
        return Question(
            subject_id=key,
            claim=sentence.text,
            passages=reference.passages,
            spans=reference.spans,
            author=seat.name,
            family=seat.member.family,
            purpose="sentence",
            kind="answer-sentence",
        )

    def _told(self, question: Question, reference: Reference) -> tuple[bool, str | None]:
        """Return whether code can decide without a lens, and the reason if the reference is rejected."""
        own = [c for c in reference.claims if fold_whitespace(question.claim) == c.claim]
        if any("override" in self._badges(c) for c in own):
            return True, None  # a person answers for it in these words
        floor = held(question.finding(), self.oracle)
        if floor.step == "refuse":
            return True, told(floor)
        if floor.step == "pass" and floor.entailed:
            return True, None
        judged = any(
            c.verifier_judgment == "supports" and {s.document_id for s in c.spans} == {reference.document_id}
            for c in own
        )
        return judged and (floor.step == "pass" or any("doubtful" in c.badges for c in own)), None

    def _badges(self, claim: ClaimEnvelope) -> Sequence[Badge]:
        return next((g.badges for g in self.groups.values() if claim in g.claims), ())
