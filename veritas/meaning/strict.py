"""Strict judging: a lens's `supports` counts only if the floor does not refuse it."""

from __future__ import annotations

from dataclasses import dataclass

from veritas.claims.judgment import Judgment
from veritas.meaning.embedded.entailment import STRICT_THRESHOLD, EmbeddedLens
from veritas.meaning.floor import FloorRuling, floor
from veritas.meaning.lens import Lens


@dataclass(frozen=True)
class StrictLens:
    """A lens with the floor (`veritas.meaning.floor`) behind it: a `supports` that the floor refuses becomes `silent`,
    and its rationale names the difference. One that it defers stays: the gate decides who is asked about a doubt."""

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
        ruled = floor(claim, [passage])
        return found.model_copy(update=_stopped(ruled)) if ruled.step == "refuse" else found


def _stopped(ruled: FloorRuling) -> dict[str, object]:
    why = str(ruled.difference) if ruled.difference else "the passage does not plainly say it"
    return {"label": "silent", "score": HELD, "rationale": why}


HELD = 0.5
"""Score of a `silent` by which a `supports` is held back."""


def strict_lens(lens: Lens | None = None) -> StrictLens:
    """Return a lens in strict mode: the one given, or the embedded one at its strict threshold."""
    if lens is None or type(lens) is EmbeddedLens:
        lens = EmbeddedLens(support_threshold=STRICT_THRESHOLD)
    return StrictLens(lens)
