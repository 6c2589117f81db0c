"""A council of liars: members, writer and judge lie, and no lie that code can decide on reaches an answer.

The big run, with rates, is benchmarks/lying_council.py.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.loopback.liar import ANSWER_LIES, DRAFT_LIES, FIELD_LIES, HARD_LIES, RATES, WRITER_LIES, Liar, corpus
from tests.loopback.lying_council import Fates, tell

FORMS = {**dict.fromkeys((*FIELD_LIES, *ANSWER_LIES), 0.15), "planted order": 4.0}
"""Enough answers in a lying form, and enough of the orders of which few pages have one, that each is told in a few
hundred envelopes."""
ONLY_HARD = dict.fromkeys((*DRAFT_LIES, *FIELD_LIES, *ANSWER_LIES), 0.0)


@pytest.fixture(scope="module")
def before_a_lying_judge(tmp_path_factory: pytest.TempPathFactory) -> Fates:
    return asyncio.run(tell(tmp_path_factory.mktemp("liars"), "liar", 200, FORMS, pumps=40))


@pytest.fixture(scope="module")
def before_the_lens_too(tmp_path_factory: pytest.TempPathFactory) -> Fates:
    return asyncio.run(tell(tmp_path_factory.mktemp("lens"), "liar and lens", 70, ONLY_HARD, pumps=40))


@pytest.mark.parametrize("kind", DRAFT_LIES)
def test_a_lying_draft_falls_by_code_although_the_judge_grants_everything(
    before_a_lying_judge: Fates, kind: str
) -> None:
    fates = before_a_lying_judge
    assert fates.told[kind] >= 3
    fell = {where for (k, where) in fates.fell if k == kind}
    expected = {"passage not shown": "I1 passage", "invented URL": "I2 source", "planted order": "I3 order"}
    assert fell == {expected.get(kind, "I1 quote")}
    # Members are shown the same passages, so that what a stand-in is sent was sent before: some fall twice.
    assert 0 < sum(n for (k, _), n in fates.fell.items() if k == kind) <= 1.25 * fates.told[kind]
    assert fates.granted[kind] == fates.leaked[kind] == 0


@pytest.mark.parametrize("kind", ANSWER_LIES)
def test_claims_in_a_lying_form_become_no_envelopes(before_a_lying_judge: Fates, kind: str) -> None:
    fates = before_a_lying_judge
    assert fates.told[kind] >= 1
    assert fates.granted[kind] == fates.leaked[kind] == 0
    assert not [where for (k, where) in fates.fell if k == kind]


def test_sentences_of_a_lying_writer_are_taken_out(before_a_lying_judge: Fates) -> None:
    told = {kind for kind in WRITER_LIES if before_a_lying_judge.told[kind]}
    assert len(told) >= 3
    assert not told & set(before_a_lying_judge.leaked)


def test_no_address_of_a_liars_own_stands_in_an_answer_or_a_citation(before_a_lying_judge: Fates) -> None:
    assert before_a_lying_judge.answered
    assert all(before_a_lying_judge.told[kind] for kind in FIELD_LIES)
    assert before_a_lying_judge.strangers == []


def test_the_truth_reaches_the_answer_even_so(before_a_lying_judge: Fates) -> None:
    fates = before_a_lying_judge
    assert fates.told["truth"] > 15
    assert fates.leaked["truth"] > 0.5 * fates.told["truth"]  # what is told twice is one claim


def test_a_misstated_claim_falls_although_the_judge_grants_everything(
    before_a_lying_judge: Fates, before_the_lens_too: Fates
) -> None:
    """What its quote does not say is seen by the comparison behind every judge; a lens beside it sees no less."""
    alone, both = before_a_lying_judge, before_the_lens_too
    for fates in (alone, both):
        told = sum(fates.told[k] for k in HARD_LIES)
        assert told > 50
        assert sum(fates.leaked[k] for k in HARD_LIES) <= 0.05 * told
    for kind in ("misstated negation", "misstated name", "unrelated", "obeyed order"):
        assert both.told[kind] >= 5
        assert both.leaked[kind] == alone.leaked[kind] == 0
    assert both.leaked["truth"] > 0.5 * both.told["truth"]


def test_a_liar_calls_nothing_a_lie_that_is_true(tmp_path: Path) -> None:
    """The yardstick itself: what counts as a lie stands in no document."""
    rows = corpus(20)
    liar = Liar(rows, {**RATES, **FORMS}, drafts=10)
    assert liar.truths
    assert all(not liar._tell(truth, "misstated number") for truth in liar.truths)
    assert liar._tell("The Borealis 100 pump moves 3 litres of water per minute.", "misstated number")
    assert not liar._tell("The Borealis 100 pump moves 3 litres of water per minute.", "altered number")
