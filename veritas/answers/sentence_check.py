"""The check of I8 after the writer: every factual sentence cites admitted claims that carry it, or is taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from veritas.answers._turn_moves import moved
from veritas.answers.reference_check import ReferenceCheck, Standing
from veritas.answers.runtime import Runtime
from veritas.claims.graph import Event, EventKind
from veritas.council.seated_council import Seat
from veritas.council.succession import Taken, in_succession, taken
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.documents.verbatim import fold_whitespace
from veritas.engine.units import Step, Work, asked
from veritas.frozen import Frozen, content_id
from veritas.gate.quote_grounding import foreign_address
from veritas.meaning.compare import subject, unnamed
from veritas.text.quantities import quantities
from veritas.text.quantity_relation import agree
from veritas.text.tokens import index_terms


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
    """A check of a draft of `writer` against the claims that may be cited. `standing` collects the references of each
    sentence, and `moved` who repaired in whose place.

    `say(kind, subject_id, reason)` writes a row for each sentence that was repaired or taken out, for each reference
    that is not printed, and for each repair that the writer could not answer (I7).
    """

    def __init__(
        self,
        admitted: Mapping[str, AdmittedClaim],
        references: ReferenceCheck,
        runtime: Runtime,
        work: Work,
        say: Callable[[EventKind, str, str], None],
        writer: str,
    ) -> None:
        self.admitted, self.references, self.say, self.writer = admitted, references, say, writer
        self.runtime, self.work = runtime, work
        self.moved: list[Event] = []
        self.standing: dict[DraftSentence, Standing] = {}

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
        """Return the faulty sentences by index, each with its fault: what code finds, or that no source it cites says
        it. The references of the others are in `standing`."""
        found = {i: why for i, s in enumerate(sentences) if (why := self.fault(s))}
        for i, sentence in enumerate(sentences):
            before = sentences[i - 1] if i and sentences[i - 1].paragraph == sentence.paragraph else None
            if i not in found and (why := self._unnamed(sentence, before)):
                found[i] = why
        asked = [i for i in range(len(sentences)) if i not in found]
        held = await self.references.standing([sentences[i] for i in asked], [authors[i] for i in asked])
        for i, stand in zip(asked, held, strict=True):
            self.standing[sentences[i]] = stand
            if not stand.documents:
                told = "; ".join(dict.fromkeys(stand.fallen.values()))
                found[i] = f"the claims it cites do not carry it, no source of them says it ({told})"
        return found

    def _unnamed(self, sentence: DraftSentence, before: DraftSentence | None) -> str | None:
        """Return what a sentence calls "it" or "these" without a name in its claims' subject or in the sentence before.
        """
        word = unnamed(sentence.text)
        if word is None or any(fold_whitespace(sentence.text) == c.claim for c in self._known(sentence)):
            return None
        named = {word for c in self._known(sentence) for word in index_terms(subject(c.claim))}
        there = set(index_terms(before.text)) if before is not None else set()
        return None if named & there else f"nothing before it names what its “{word}” is"

    async def checked(self, drafted: Sequence[DraftSentence]) -> list[DraftSentence]:
        """Return the sentences that hold, each text once; each failing one was repaired once, or taken out with a row
        (I7)."""
        once: dict[str, DraftSentence] = {}
        for sentence in drafted:
            known = once.get(text := fold_whitespace(sentence.text), sentence)
            ids = tuple(dict.fromkeys((*known.claim_ids, *sentence.claim_ids)))
            once[text] = known.model_copy(update={"claim_ids": ids})
        sentences = list(once.values())
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
        whole = {text for i, text in enumerate(once) if i not in faults}
        for i, sentence in enumerate(sentences):
            subject = content_id("n", sentence.text)
            if i not in faults:
                kept.append(sentence)
            elif i in repaired and places.index(i) not in again and fold_whitespace(repaired[i].text) not in whole:
                kept.append(repaired[i])
                whole.add(fold_whitespace(repaired[i].text))
                self.say("sentence-repaired", subject, f"{faults[i]}; it was “{sentence.text[:200]}”")
            else:
                self.say("sentence-removed", subject, f"{faults[i]}; it was “{sentence.text[:200]}”")
        for sentence in kept:
            for document_id, why in self.standing[sentence].fallen.items():
                named = self.references.named(document_id)
                self.say("reference-dropped", content_id("n", sentence.text), f"{named} does not say it ({why})")
        return kept
