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
        ("Where was tarn developed?", "It comes from the University of Oslo.", "Get it from TARN_Dev Yum Repo."),
        ("How many lines may a file have?", "A file is limited (max 300 lines).", "1 / Each file\n2 / No lines"),
        ("How many people live there?", "There are about 300 residents.", "Version 3 of the map is on port 80."),
        ("How many users does tarn have?", "Tarn serves 2,000 accounts.", "Make a new one? Then 3 keys are shown."),
    ],
)
def test_a_number_and_a_place_are_told_by_a_text_that_holds_one(question: str, told: str, silent: str) -> None:
    assert may_tell(read_question(question), told)
    assert not may_tell(read_question(question), silent)


PURPOSE = "What does --trial-mode do?"


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Do everything but write.", "-t, --trial-mode"),
        ("--trial-mode   Do everything but write", "Options"),
        ("The --trial-mode option lists what would be written.", "Writing"),
        ("Pass --trial-mode to see what would be written.", "Writing"),
        ("With --trial-mode, nothing is written.", "Writing"),
    ],
)
def test_what_an_option_does_is_told_under_its_name_in_its_line_or_of_it(text: str, heading: str) -> None:
    assert may_tell(read_question(PURPOSE), text, heading)


@pytest.mark.parametrize(
    "text",
    [
        "The --trial-mode messages are confusing.",
        "If all looks good, run it again without --trial-mode.",
        "This is an artifact of the --trial-mode flag.",
        "With --trial-mode-colour, the list is green.",
    ],
)
def test_what_an_option_does_is_not_told_by_a_text_that_mentions_it(text: str) -> None:
    assert not may_tell(read_question(PURPOSE), text, "Oddities of the trial mode")
