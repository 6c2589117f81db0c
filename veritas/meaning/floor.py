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
    """What the floor says of a judge's `supports`. `difference` is named where it does not pass."""

    step: Step
    difference: Difference | None = None


def floor(claim: str, passages: Sequence[str], *, setting: Setting = NOWHERE) -> FloorRuling:
    """Rule on a claim that a judge called supported by `passages`: one passage that entails it, or that leaves the
    comparison without a named difference, lets it pass."""
    told = [ruling(compare_passage(passage, claim, setting=setting)) for passage in passages]
    for step in ("pass", "defer"):
        for one in told:
            if one.step == step:
                return one
    return told[0] if told else FloorRuling("defer", Difference("unexplained", "", claim, False))


def ruling(found: Comparison) -> FloorRuling:
    """Return the floor's ruling on one comparison."""
    if found.entailed:
        return FloorRuling("pass")
    if found.decisive is not None:
        return FloorRuling("refuse", found.decisive)
    if found.doubt is not None:
        return FloorRuling("defer", found.doubt)
    return FloorRuling("pass")
