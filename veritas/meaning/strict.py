"""Strict judging: a lens's `supports` counts only if the floor finds no difference that stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veritas.claims.judgment import Judgment
from veritas.meaning.deletions import is_deletion, telling
from veritas.meaning.embedded.entailment import EmbeddedLens
from veritas.meaning.embedded.held_back import HELD as HELD
from veritas.meaning.floor import Standing, held_to
from veritas.meaning.lens import Lens
from veritas.meaning.relation import Difference, DifferenceKind

STOPPING: frozenset[DifferenceKind] = frozenset((
    "number", "unit", "measure", "role", "opposite", "polarity", "modality", "causality", "tense", "quantifier",
    "comparison", "addition", "attribution", "exception",
))  # fmt: skip
"""Kinds of doubts that stop a support: where they are right, the claim is false in one word. The others are mostly
other words for the same, or what the claim leaves out."""


def stop(claim: str, standing: Sequence[Standing]) -> Difference | None:
    """Return the difference that stops a support of a claim by passages, if any: one that decides, a doubt of a kind
    that no reader overlooks, or a doubt of a claim that is a sentence of a passage with words left out."""
    ruled = held_to(claim, standing, ())
    why = ruled.difference
    if why is None or ruled.step == "pass":
        return None
    widened = why.kind == "scope" and bool(why.second)
    if ruled.step == "refuse" or why.kind in STOPPING or widened:
        return why
    return why if any(is_deletion(claim, text) and telling(why, text) for text, _ in standing) else None


@dataclass(frozen=True)
class StrictLens:
    """A lens with the floor (`veritas.meaning.floor`) behind it: a `supports` that is stopped becomes `silent`, and its
    rationale names the difference. Other doubts only lower the embedded lens's score."""

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
        why = stop(claim, [Standing(passage)])
        if why is None:
            return found
        return found.model_copy(update={"label": "silent", "score": HELD, "rationale": str(why)})


def strict_lens(lens: Lens | None = None) -> StrictLens:
    """Return a lens in strict mode: the one given, or the embedded one."""
    return StrictLens(lens or EmbeddedLens())
