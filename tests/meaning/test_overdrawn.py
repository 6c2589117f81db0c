"""A claim with nearly all words of a sentence that says another thing is not passed; its true twin is."""

from __future__ import annotations

import pytest

from veritas.meaning.floor import floor
from veritas.meaning.overdrawn import overdrawn

CASES = [
    ("apply: Like pop, but do not remove the state from the stash list.",
     "Like apply, pop does not remove the state from the stash list.",
     "Apply does not remove the state from the stash list."),
    ("Lahars account for the largest proportion of deaths, and flows for the most injuries.",
     "Flows account for the largest proportion of deaths, and lahars for the most injuries.",
     "Lahars account for the largest proportion of deaths."),
    ("It was the last eruption within the contiguous United States.",
     "It was the last eruption within the United States.",
     "It was the last eruption within the contiguous United States."),
    ("The Commission published a proposal for a directive on 11 April 2018.",
     "The Commission published a directive on 11 April 2018.", "The Commission published a proposal on 11 April 2018."),
    ("Equity ratio 42.6% (41.2%).", "The equity ratio fell from 42.6% to 41.2%.",
     "The equity ratio was 42.6%, against 41.2% a year earlier."),
    ("The eruption killed 57 people.", "The eruption killed 57 people and injured hundreds.",
     "The eruption killed 57 people."),
    ("About 1800 strokes occur among 15 000 patients.", "About 1800 strokes occur among 15 000 elderly patients.",
     "About 1800 strokes occur among 15 000 patients."),
    ("The program ignores the home folder; plugins are loaded only from PLUGIN_PATH.",
     "Plugins are loaded from the home folder.", "Plugins are loaded from PLUGIN_PATH."),
    ("A new article would require members to introduce fines.", "A new article requires members to introduce fines.",
     "A new article would require members to introduce fines."),
    ("The server stops answering if the dataset is big.", "The server stops answering even if the dataset is small.",
     "The server stops answering if the dataset is big."),
    ("From its base, the mountain is taller than Everest.", "The mountain is taller than Everest.",
     "From its base, the mountain is taller than Everest."),
    ("The aim of the cost-cutting plan is to reduce unit costs by 15 per cent.",
     "The aim of the plan is to reduce costs by 15 per cent.",
     "The aim of the cost-cutting plan is to reduce unit costs by 15 per cent."),
    ("Earnings per share -0.12 euros (-0.05).", "Earnings per share were -0.05 euros, against -0.12 euros before.",
     "Earnings per share were -0.12 euros, against -0.05 euros before."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "lie", "truth"), CASES)
def test_what_says_more_than_its_sentence_is_not_passed(source: str, lie: str, truth: str) -> None:
    assert overdrawn(lie, source) is not None
    assert floor(lie, [source]).step != "pass"
    assert overdrawn(truth, source) is None


OWN = (
    "--verify Marks our own locks by 'O'. Own locks are actually held by us. All other locks are held by someone else. "
    "Contrary to --local, this option will also detect locks which are held by us despite no local lock information."
)


def test_a_claim_of_several_sentences_that_stands_whole_draws_out_nothing() -> None:
    text = f"--cached\nLists cached locks.\n\n{OWN.replace('--verify ', '--verify' + chr(10))}"
    assert floor(OWN, [text]).entailed
    assert not floor(OWN.replace("All other", "All our"), [text]).entailed
