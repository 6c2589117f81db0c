"""Which differences refuse a judge's `supports`, and which are doubts that another judge may settle."""

from __future__ import annotations

import pytest

from veritas.meaning.floor import floor

DOUBTS = {
    "two that may undo each other": (
        "Not all of the banks survived the year.", "Some of the banks did not survive the year.",
    ),
    "a limit and its denial": (
        "A team may replace up to 3 players.", "A team may not replace more than 3 players.",
    ),
    "the name stands in another part of the source": (
        "Pasto is a city of Colombia, smaller than Bogotá, the seat of government.",
        "Bogotá is the seat of government of Colombia.",
    ),
    "how many were studied": (
        "Novalis plans to test an antibody against asthma in 3,000 volunteers.",
        "Novalis plans to test an antibody against asthma.",
    ),
    "what the other clause says": (
        "The median survival was 14 months with chemotherapy and 9 months without it.",
        "With chemotherapy, the median survival was 14 months.",
    ),
}  # fmt: skip
REFUSED = [
    ("The pump weighs 5 kg.", "The pump weighs 9 kg."),
    ("The valve does not open at night.", "The valve opens at night."),
    ("Ann Roe wrote the report.", "Bea Poe wrote the report."),
    ("If the heap is full, the thread waits.", "The thread waits."),
]


@pytest.mark.parametrize(("source", "claim"), DOUBTS.values(), ids=DOUBTS.keys())
def test_what_may_be_a_difference_in_wording_alone_is_not_refused(source: str, claim: str) -> None:
    assert floor(claim, [source]).step != "refuse"


@pytest.mark.parametrize(("source", "claim"), REFUSED)
def test_one_plain_difference_is_refused(source: str, claim: str) -> None:
    assert floor(claim, [source]).step == "refuse"
