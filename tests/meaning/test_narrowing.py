"""A sentence that has a word only with what narrows or undoes it does not say the word."""

from __future__ import annotations

import pytest

from veritas.meaning.embedded.entailment import EmbeddedLens
from veritas.meaning.strict import strict_lens

NARROWED = [
    ("All tests passed.", "Almost all tests passed."),
    ("All tests passed.", "Nearly all tests passed."),
    ("The results are significant.", "The results are marginally significant."),
    ("The reaction is elastic.", "The reaction is quasi-elastic."),
    ("The Cox model is parametric.", "The Cox model is semi-parametric."),
    ("The process is automatic.", "The process is semi-automatic."),
    ("The wall is supported by the frame.", "The wall is un-supported by the frame."),
    ("The cells are cancerous.", "The cells are pre-cancerous."),
    ("The result is optimal.", "The result is sub-optimal."),
    ("The program supports old keys in version 12.", "The program dropped support for old keys in version 12."),
    ("The file is read twice.", "The file is read at most twice."),
]
SAID = [
    ("All tests passed.", "In May, all tests passed."),
    ("The results are significant.", "The results are significant at the 5% level."),
    ("The valve is self-cleaning.", "The new valve is self-cleaning."),
    ("The Cox model is semi-parametric.", "The Cox model is semi-parametric."),
    ("The team dropped the case.", "In June the team dropped the case."),
    ("The file is read at most twice.", "The file is read at most twice."),
]


@pytest.mark.parametrize(("claim", "passage"), NARROWED)
async def test_a_narrowed_word_is_not_said(claim: str, passage: str) -> None:
    assert (await EmbeddedLens().judge(claim, passage)).label != "supports"
    assert (await strict_lens().judge(claim, passage)).label != "supports"


@pytest.mark.parametrize(("claim", "passage"), SAID)
async def test_the_word_itself_is(claim: str, passage: str) -> None:
    assert (await EmbeddedLens().judge(claim, passage)).label == "supports"
