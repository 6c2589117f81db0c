"""Strict judging: what a lens supports counts only where the floor does not refuse it."""

from __future__ import annotations

import pytest

from veritas.claims.judgment import Judgment
from veritas.meaning.embedded.entailment import SAID as SAID_AT_LEAST
from veritas.meaning.embedded.entailment import EmbeddedLens
from veritas.meaning.strict import HELD, strict_lens

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


DOUBTFUL = {
    "role": ("The ferry from Split to Hvar runs daily.", "The ferry from Hvar to Split runs daily."),
    "modality": ("The tenant intends to appeal.", "The tenant appealed."),
    "object": ("The bill passed the lower house but was blocked in the senate.", "The bill passed the senate."),
    "condition": ("If the notice is late, the landlord may keep the deposit.", "The landlord may keep the deposit."),
    "attribution": ("A clerk said that debts were moved to a shell firm.", "Debts were moved to a shell firm."),
    "quantifier": ("Rye bread keeps longer than wheat bread.", "Rye bread keeps longer than any other bread."),
}


@pytest.mark.parametrize("kind", DOUBTFUL)
async def test_a_doubt_that_would_make_the_claim_false_stops_a_support_and_is_named(kind: str) -> None:
    passage, claim = DOUBTFUL[kind]
    found = await strict_lens(Yes()).judge(claim, passage)
    assert (found.label, found.score) == ("silent", HELD)
    assert "the source" in found.rationale


def test_a_doubt_lowers_the_chance_of_a_support_and_is_named() -> None:
    passage = "The school employs 14 teachers, of whom 9 work part-time."
    label, score, why = EmbeddedLens().find("The school has 14 teachers.", passage)
    assert label == "supports"
    assert 0.5 < score < SAID_AT_LEAST
    assert "in doubt: the source says “employs”" in why
    assert "contradicts" not in why


def test_what_is_a_condition_in_its_sentence_is_not_stated_word_for_word() -> None:
    passage, claim = DOUBTFUL["condition"]
    label, _, why = EmbeddedLens().find(claim, passage)
    assert label != "supports"
    assert "word for word" not in why


@pytest.mark.parametrize(
    ("passage", "claim", "said"),
    [
        ("Children under six travel free on all buses.", "Children over six travel free on all buses.",
         "the passage says 'six' where the claim says 'six'"),
        ("The ferry from Split to Hvar runs four times a day in summer and once a day in winter.",
         "In the summer months there are four ferries daily from Split to Hvar.",
         "does not give the number"),
        ("The Turks captured the town in 1453.", "The Turks captured the town in 1521.", "(unit)"),
    ],
)  # fmt: skip
def test_a_rationale_says_nothing_false_of_a_number(passage: str, claim: str, said: str) -> None:
    why = EmbeddedLens().find(claim, passage)[2]
    assert said not in why
