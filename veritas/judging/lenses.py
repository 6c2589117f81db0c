"""The embedded lenses: three mechanisms that judge without a language model, a network or a download."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veritas.claims.judgment import Judgment
from veritas.judging import lexical
from veritas.judging.evidence import MAX_CLAIM, find
from veritas.judging.exact import differences, read
from veritas.judging.learned import MISSING, Chances, learned
from veritas.judging.lens import Lens
from veritas.judging.verdict import STRICT, SUPPORT, Label, judge, shown
from veritas.text.instructions import without_orders
from veritas.text.languages import plainly_foreign
from veritas.text.pointers import without_pointers

COVERED = 0.62
"""Share of the claim's weighted words, 0 to 1, that a sentence has for the exact lens to support."""
ABOUT = 0.5
"""Share from which a difference in a sentence refutes; below it the sentence speaks of something else."""


class EmbeddedLens:
    """The judge as a lens, the default one (`judging.py`). `threshold` is the least probability, 0 to 1, for
    `supports`; raising it trades coverage for fewer false supports."""

    name = "embedded"
    family = "embedded:entailment"

    def __init__(self, *, threshold: float = SUPPORT) -> None:
        self.threshold = threshold

    async def judge(self, claim: str, passage: str) -> Judgment:
        """Return one judgment; deterministic. Never raises on any text."""
        found = judge(claim, passage, threshold=self.threshold)
        why = found.reason if learned() is not None else f"{found.reason} [{MISSING}]"
        return Judgment(
            label=found.label, score=round(found.probability, 4), rationale=why, lens=self.name, family=self.family
        )


class _WordLens:
    """Base of the lenses that read words alone."""

    name = ""
    family = ""

    async def judge(self, claim: str, passage: str) -> Judgment:
        """Return one judgment; deterministic. Never raises on any text."""
        asserted = without_pointers(claim[:MAX_CLAIM])
        text = without_orders(passage)
        if language := plainly_foreign(asserted) or plainly_foreign(text[:2000]):
            label, score, why = self.unread(language)
        elif not any(map(str.isalnum, asserted)) or not find(asserted, text).order:
            label, score, why = "silent", 1.0, "claim or passage has no readable words"
        else:
            label, score, why = self.weigh(asserted, text)
        return Judgment(label=label, score=round(score, 4), rationale=why, lens=self.name, family=self.family)

    def unread(self, language: str) -> tuple[Label, float, str]:
        return "unavailable", 0.0, f"the text is in {language}: this lens reads English"

    def weigh(self, claim: str, passage: str) -> tuple[Label, float, str]:
        """Return label, score and rationale."""
        raise NotImplementedError


class LexicalLens(_WordLens):
    """A logistic regression on eight lexical features (`lexical.py`), of the passage and of its nearest sentence."""

    name = "embedded-coverage"
    family = "embedded:coverage"

    def weigh(self, claim: str, passage: str) -> tuple[Label, float, str]:
        """Return the likeliest label by words alone."""
        evidence = find(claim, passage)
        whole, near = lexical.chances(claim, passage), lexical.chances(claim, evidence.nearest)
        chances = Chances(*(sum(pair) / 2 for pair in zip(whole, near, strict=True)))
        labels: tuple[Label, ...] = ("silent", "supports", "refutes")
        label = max(labels, key=lambda each: getattr(chances, each))
        why = f"{evidence.shares[evidence.order[0]]:.0%} of the claim's words are in {shown(evidence.nearest)}"
        return label, getattr(chances, label), why


class ExactLens(_WordLens):
    """The exact layer as a lens: figures, identifiers, acronyms and quotations must agree, and nothing else is
    weighed."""

    name = "embedded-numeric"
    family = "embedded:numeric"

    def weigh(self, claim: str, passage: str) -> tuple[Label, float, str]:
        """Refute where a term of the nearest sentence differs, support where all agree and it has most of the claim."""
        evidence = find(claim, passage)
        covered = evidence.shares[evidence.order[0]]
        told = next(differences(claim, passage, nearest=evidence.nearest), None)
        quoted = shown(evidence.nearest)
        if told is not None:
            decided = bool(told.first) and covered >= ABOUT
            return "refutes" if decided else "silent", min(0.9, 0.4 + 0.5 * covered), f"{told}: {quoted}"
        mine = read(claim)
        held = len(mine.terms) + len(mine.quantities) + len(mine.quotations)
        if covered >= (ABOUT if held else COVERED):
            agreed = "its exact terms agree" if held else "it has no exact term that differs"
            return "supports", min(0.95, 0.3 + 0.6 * covered), f"{agreed}, and {covered:.0%} of it is in {quoted}"
        return "silent", min(0.95, 1 - covered / 2), f"nothing differs, but only {covered:.0%} of it is in {quoted}"


def builtin_lenses() -> dict[str, Callable[[], Lens]]:
    """Return the factories of all lenses that need nothing but this package, by name; the first is the default."""
    return {EmbeddedLens.name: EmbeddedLens, LexicalLens.name: LexicalLens, ExactLens.name: ExactLens}


@dataclass(frozen=True)
class StrictLens:
    """A lens with the judge behind it: a `supports` that the judge does not bear out at `STRICT` becomes `silent`, and
    its rationale says what the judge found."""

    inner: Lens

    @property
    def name(self) -> str:
        """The inner lens's name."""
        return self.inner.name

    @property
    def family(self) -> str:
        """The inner lens's family (I4)."""
        return self.inner.family

    async def judge(self, claim: str, passage: str) -> Judgment:
        """Return the inner lens's judgment, or `silent` in the place of a `supports` that does not pass."""
        found = await self.inner.judge(claim, passage)
        if found.label != "supports":
            return found
        held = judge(claim, passage, threshold=STRICT)
        if held.label in ("supports", "unavailable"):
            return found
        return found.model_copy(update={"label": "silent", "score": held.probability, "rationale": held.reason})


def strict_lens(lens: Lens | None = None) -> Lens:
    """Return a lens in strict mode: the one given, or the embedded one with its threshold at `STRICT`."""
    return StrictLens(lens) if lens is not None else EmbeddedLens(threshold=STRICT)
