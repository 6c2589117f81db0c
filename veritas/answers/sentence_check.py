"""The check of I8 after the writer: every factual sentence cites admitted claims that carry it, or is taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from veritas.answers.claim_judging import Question, judge_all
from veritas.answers.runtime import Runtime
from veritas.answers.turn_moves import moved
from veritas.claims.graph import Event, EventKind
from veritas.claims.judgment import ClaimJudgment
from veritas.council.seated_council import Seat
from veritas.council.succession import Taken, in_succession, taken
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.documents.verbatim import fold_whitespace
from veritas.engine.units import Step, Work, asked
from veritas.frozen import Frozen, content_id
from veritas.gate import AdmittedTexts
from veritas.gate.quote_grounding import foreign_address
from veritas.text.quantities import quantities
from veritas.text.quantity_relation import agree


class RepairUnit(Frozen):
    """One sentence that failed its check, for the writer to repair."""

    writer: str
    sentence: DraftSentence
    claims: tuple[AdmittedClaim, ...]
    fault: str


class DraftAnswer(Taken):
    """Unchecked sentences, and the member that worded them."""

    sentences: tuple[DraftSentence, ...]


async def _repair(unit: RepairUnit, runtime: Runtime) -> DraftAnswer:
    async def take(seat: Seat) -> DraftAnswer:
        return await asked(
            seat.member.repair(unit.sentence, unit.claims, unit.fault),
            lambda sentence: DraftAnswer(sentences=(sentence,) if sentence is not None else ()),
            who=seat.name,
            turn="repair",
            stage="synthesize",
            about=(unit.sentence.model_dump(), unit.fault),
        )

    return taken(await in_succession(runtime.council.speakers(unit.writer, writes=True), take))


REPAIR = Step("repair", "synthesize", _repair, lambda unit: f"{unit.writer}: {unit.sentence.text[:60]}")


class SentenceCheck:
    """A check of a draft of `writer` against the claims that may be cited. `judgments` collects the lenses' judgments
    of it, and `moved` who judged or repaired in whose place.

    `say(kind, subject_id, reason)` writes a row for each sentence that was repaired or taken out, and for each repair
    that the writer could not answer (I7).
    """

    def __init__(
        self,
        admitted: Mapping[str, AdmittedClaim],
        runtime: Runtime,
        work: Work,
        say: Callable[[EventKind, str, str], None],
        writer: str,
    ) -> None:
        self.admitted, self.runtime, self.work, self.say, self.writer = admitted, runtime, work, say, writer
        self.judgments: list[ClaimJudgment] = []
        self.moved: list[Event] = []

    def _known(self, sentence: DraftSentence) -> list[AdmittedClaim]:
        return [self.admitted[i] for i in dict.fromkeys(sentence.claim_ids) if i in self.admitted]

    def fault(self, sentence: DraftSentence) -> str | None:
        """Return the fault of a sentence that code alone can find, or None."""
        if sentence.kind == "gap":
            return "what is missing is worded by code alone"
        unknown = [i for i in sentence.claim_ids if i not in self.admitted]
        if unknown:
            return f"it cites what is no admitted claim: {', '.join(unknown)[:200]}"
        if not sentence.claim_ids:
            return "it cites no claim"
        claims = self._known(sentence)
        backing = " ".join(text for c in claims for text in (c.claim, *c.passages))
        named = foreign_address(sentence.text, backing)
        if named is not None:
            return f"it names a source of its own ({named[:80]})"
        theirs = quantities(backing)
        for mine in quantities(sentence.text):
            if not any(agree(mine, q) for q in theirs):
                return f"its number “{sentence.text[mine.start : mine.end]}” is in none of the claims it cites"
        return None

    async def faults(self, sentences: Sequence[DraftSentence], authors: Sequence[str]) -> dict[int, str]:
        """Return the faulty sentences by index, each with its fault. A sentence that is not a claim's own words is
        judged by a lens of another family than its author's; unavailable is a fault too (I5)."""
        found = {i: why for i, s in enumerate(sentences) if (why := self.fault(s))}
        questions = []
        for i, sentence in enumerate(sentences):
            seat = self.runtime.council.seat(authors[i])
            claims = self._known(sentence)
            if i in found or fold_whitespace(sentence.text) in {c.claim for c in claims}:
                continue
            questions.append(
                Question(
                    subject_id=str(i),
                    claim=sentence.text,
                    passages=tuple(dict.fromkeys(t for c in claims for t in (c.claim, *c.passages))),
                    spans=(),
                    author=seat.name,
                    family=seat.member.family,
                    purpose="sentence",
                    kind="answer-sentence",
                )
            )
        admitted = AdmittedTexts(t for c in self.admitted.values() for t in (c.claim, *c.passages))
        rule = self.runtime.gate.rule_for("answer-sentence")
        decisions, judgments, stood_in = await judge_all(
            questions, rule, admitted, self.runtime, self.work, "synthesize"
        )
        self.moved.extend(stood_in)
        for judgment in judgments:
            text = sentences[int(judgment.subject_id)].text
            self.judgments.append(judgment.model_copy(update={"subject_id": content_id("n", text)}))
        for (place, _), decision in decisions.items():
            if not decision.admitted:
                said = decision.grounded.label
                found[int(place)] = f"the claims it cites do not carry it ({said}: {decision.reason})"
        return found

    async def checked(self, sentences: Sequence[DraftSentence]) -> list[DraftSentence]:
        """Return the sentences that hold; each failing one was repaired once, or taken out with a row (I7)."""
        faults = await self.faults(sentences, [self.writer] * len(sentences))
        mendable = sorted(i for i in faults if sentences[i].kind != "gap")
        units = [
            RepairUnit(
                writer=self.writer,
                sentence=sentences[i],
                claims=tuple(self.admitted.values()),
                fault=faults[i],
            )
            for i in mendable
        ]
        outcomes = await self.work(REPAIR, units, self.runtime)
        repaired: dict[int, DraftSentence] = {}
        authors: dict[int, str] = {}
        for i, outcome in zip(mendable, outcomes, strict=True):
            if outcome.value is None:
                subject = content_id("n", sentences[i].text)
                self.say("member-unavailable", subject, f"the sentence was not repaired: {outcome.unavailable}")
                continue
            author = authors[i] = outcome.value.by or self.writer
            subject = content_id("n", sentences[i].text)
            self.moved.extend(moved(outcome.value, "synthesize", subject, f"{author} repaired a sentence in its place"))
            if outcome.value.sentences:
                repaired[i] = outcome.value.sentences[0]
        places = sorted(repaired)
        again = await self.faults([repaired[i] for i in places], [authors[i] for i in places])
        kept: list[DraftSentence] = []
        for i, sentence in enumerate(sentences):
            subject = content_id("n", sentence.text)
            if i not in faults:
                kept.append(sentence)
            elif i in repaired and places.index(i) not in again:
                kept.append(repaired[i])
                self.say("sentence-repaired", subject, f"{faults[i]}; it was “{sentence.text[:200]}”")
            else:
                self.say("sentence-removed", subject, f"{faults[i]}; it was “{sentence.text[:200]}”")
        return kept
