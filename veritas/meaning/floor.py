"""The floor behind every judge: a decisive difference refuses a `supports`, a doubtful one defers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from veritas.meaning.compare import compare_passage
from veritas.meaning.relation import NOWHERE, Comparison, Difference, Setting

Step = Literal["pass", "defer", "refuse"]


@dataclass(frozen=True, slots=True)
class FloorRuling:
    """What the floor says of a judge's `supports`. `difference` is named where it does not pass. `entailed`: it passes
    because a passage entails the claim, not because the comparison cannot tell."""

    step: Step
    difference: Difference | None = None
    entailed: bool = False


def floor(claim: str, passages: Sequence[str], *, setting: Setting = NOWHERE) -> FloorRuling:
    """Rule on a claim that a judge called supported by `passages`, which all stand in `setting`. Without a passage it
    is deferred."""
    found = [compare_passage(passage, claim, setting=setting) for passage in passages]
    return of_all(found) if found else FloorRuling("defer", Difference("unexplained", "", claim, False))


def of_all(found: Sequence[Comparison]) -> FloorRuling:
    """Rule on a claim by its comparisons with several passages, at least one. One that entails it lets it pass. Else
    the one that comes nearest decides: a passage that speaks of other things takes nothing from it. If another one
    cannot be read, a decisive difference is a doubt."""
    if any(each.entailed for each in found):
        return FloorRuling("pass", entailed=True)
    read = [each for each in found if each.differences]
    if not read:
        return FloorRuling("pass")
    nearest = ruling(max(read, key=lambda each: (len(each.aligned), -len(each.differences))))
    if nearest.step == "refuse" and len(read) < len(found):
        return FloorRuling("defer", nearest.difference)
    return nearest


def ruling(found: Comparison) -> FloorRuling:
    """Return the floor's ruling on one comparison."""
    if found.entailed:
        return FloorRuling("pass", entailed=True)
    if found.decisive is not None:
        return FloorRuling("refuse", found.decisive)
    if found.doubt is not None:
        return FloorRuling("defer", found.doubt)
    return FloorRuling("pass")
