"""Strict judging: what a lens supports counts only where the floor does not refuse it."""

from __future__ import annotations

import pytest

from veritas.claims.judgment import Judgment
from veritas.meaning.strict import strict_lens

SAID = "The Borealis pump moves 40 litres of water per minute."


class Yes:
    name = "yes"
    family = "test"

    async def judge(self, claim: str, passage: str) -> Judgment:
        return Judgment(label="supports", score=0.9, rationale="yes", lens=self.name, family=self.family)


async def test_a_judge_that_supports_everything_is_held_back_with_the_difference_named() -> None:
    lens = strict_lens(Yes())
    assert (lens.name, lens.family) == ("yes", "test")
    assert (await lens.judge(SAID, SAID)).label == "supports"
    held = await lens.judge("The Borealis pump moves 400 litres of water per minute.", SAID)
    assert held.label == "silent"
    assert "40" in held.rationale


@pytest.mark.parametrize("claim", [SAID, "The Borealis pump moves forty litres of water per minute."])
async def test_the_embedded_lens_still_supports_what_is_said(claim: str) -> None:
    assert (await strict_lens().judge(claim, f"{SAID} It has a frame of steel.")).label == "supports"
