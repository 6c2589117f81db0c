"""The base of the three lenses: the same short cuts, in the same order, before each judges by its own means."""

from __future__ import annotations

from veritas.claims.envelope import Label
from veritas.claims.judgment import Judgment
from veritas.meaning.embedded.addressed_to_judge import without_instructions
from veritas.meaning.embedded.claim_evidence import MAX_CLAIM, Alignment, Passage, Statement
from veritas.meaning.embedded.held_back import HELD, held_back
from veritas.meaning.embedded.overruling import overruled
from veritas.meaning.embedded.retraction import standing
from veritas.text.languages import plainly_foreign
from veritas.text.pointers import without_pointers

OVERRULED = 0.8
"""Score of a rule's `silent` or `refutes` where the words alone would have supported."""

READ = 2_000
"""Characters of a passage by which its language is told."""
ONLY = "the lenses without a language model compare English sentences, and of others only equal words"

Finding = tuple[Label, float, str]
"""Label, score, rationale."""


class EmbeddedJudge:
    """Base of the embedded lenses: settles the plain cases and leaves the rest to `weigh`. Never raises on any text."""

    name: str = ""
    family: str = ""

    async def judge(self, claim: str, passage: str) -> Judgment:
        """Return one judgment; deterministic, and in time linear in the passage."""
        label, score, rationale = self.find(claim, passage)
        return Judgment(label=label, score=score, rationale=rationale, lens=self.name, family=self.family)

    def find(self, claim: str, passage: str) -> Finding:
        """Return the judgment as label, score and rationale, without a coroutine."""
        asserted = without_pointers(claim[:MAX_CLAIM])
        stated = Statement(asserted)
        if not stated.tokens:
            return "silent", 1.0, "the claim has no words to look for"
        if not any(c.isalnum() for c in passage):
            return "silent", 1.0, "the passage is empty or has no readable words"
        passage = without_instructions(passage)
        how = standing(claim, passage)
        if how == "absent":
            how = standing(asserted, passage)
        if how == "stated":
            return "supports", 0.99, "the passage states the claim word for word"
        if how == "retracted":
            return "refutes", 0.9, "the passage quotes the claim word for word and denies or withdraws it"
        if how == "reported":
            return "silent", 0.9, "the passage quotes the claim only as something asked or claimed by others"
        if how == "limited":
            return "silent", 0.9, "the passage says it in these words only with a bound or an exception"
        if language := plainly_foreign(asserted) or plainly_foreign(passage[:READ]):
            return "unavailable", 0.0, f"the text is in {language}: {ONLY}"
        if len(claim) > MAX_CLAIM:
            return "silent", 1.0, f"the claim has {len(claim):,} characters, of which {MAX_CLAIM:,} are read"
        read = Passage(passage, stated)
        if not read.statements:
            return "silent", 1.0, "the passage is empty or has no readable words"
        alignment = Alignment(stated, read)
        label, score, rationale = self.weigh(alignment)
        if label == "supports" and alignment.best is not None and (against := overruled(alignment)):
            return against.label, OVERRULED, f"{against.why}: {shown(alignment.best.text)}"
        if label == "supports" and alignment.best is not None and (told := held_back(alignment)):
            return "silent", HELD, f"{told}: {shown(alignment.best.text)}"
        return label, score, rationale

    def weigh(self, alignment: Alignment) -> Finding:
        """Return the lens's own judgment of a claim that the passage does not state word for word."""
        raise NotImplementedError


def shown(text: str) -> str:
    """Return a sentence as a rationale quotes it: one line, cut at a word after at most 120 characters."""
    line = " ".join(text.split())
    if len(line) <= 120:
        return f"“{line}”"
    return f"“{line[:120].rsplit(' ', 1)[0]} …”"
