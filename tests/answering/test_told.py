"""Which texts hold the number or the place that a question is for."""

from __future__ import annotations

import pytest

from veritas.answering.question import read_question
from veritas.answering.told import may_tell


@pytest.mark.parametrize(
    ("question", "told", "silent"),
    [
        ("How many readers does tarn have?", "Some 300 people read tarn.", "The name of the reader."),
        ("How many stores are kept?", "Twelve stores are kept.", "The stores are kept."),
        ("Where was tarn developed?", "Tarn was developed in Oslo.", "Tarn was developed with care."),
    ],
)
def test_a_number_and_a_place_are_told_by_a_text_that_holds_one(question: str, told: str, silent: str) -> None:
    assert may_tell(read_question(question), told)
    assert not may_tell(read_question(question), silent)
