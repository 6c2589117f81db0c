"""Two claims are one only if they are the same words in the same order."""

from __future__ import annotations

import pytest

from veritas.meaning.agreement import cluster
from veritas.meaning.equivalence import equivalent


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Dray battery lasts 10 hours.", "The Dray battery lasts more than 9 hours."),
        ("The Torr valve must be opened before the pump is started.",
         "The pump must be started before the Torr valve is opened."),
        ("The Sable compiler runs on Linux.", "The Sable compiler does not only run on Linux."),
        ("Zinc shortens colds.", "Zinc may shorten colds."),
        ("Zinc shortens colds.", "Zinc shortened colds."),
        ("The cable holds 5 kg.", "The cable holds -5 kg."),
        ("Vitamin A shortens colds.", "Vitamin shortens colds."),
        ("No, drugs are allowed here.", "No drugs are allowed here."),
        ("The care costs 10 euros.", "The car costs 10 euros."),
        ("The lock was made by Tam for Rus.", "The lock was made by Rus for Tam."),
    ],
)  # fmt: skip
def test_what_is_worded_otherwise_is_not_the_same_claim(one: str, other: str) -> None:
    assert not equivalent(one, other)
    assert cluster([one, other]) == [[0], [1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The pump lasts 1,000 hours.", "the pump  lasts 1000 hours"),
        ("The pump can't run.", "A pump cannot run."),
        ("Pumps need “clean” oil.", "The pump needs clean oil."),
        ("It costs two euros.", "It costs 2 euros."),
    ],
)
def test_case_articles_quotation_marks_and_endings_make_no_other_claim(one: str, other: str) -> None:
    assert equivalent(one, other)
    assert cluster([one, "Something else.", other]) == [[0, 2], [1]]
