"""Amounts and ordinals told in other words or in another unit, and amounts that only look alike."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare
from veritas.meaning.relation import Setting

HERE = Setting("one")
SAME = [
    ("She finished in second place.", "She finished in 2nd place."),
    ("The vote was held in the nineteenth century.", "The vote was held in the 19th century."),
    ("The plan failed twice.", "The plan failed two times."),
    ("The kitchen serves six to eight guests.", "The kitchen serves 6 to 8 guests."),
    ("The meeting lasts between 2 and 3 hours.", "The meeting lasts two to three hours."),
    ("The river is 800 miles long.", "The river is 1,287 km long."),
    ("The holes merged 410 megaparsecs away.", "The holes merged 410,000 kiloparsecs away."),
    ("The dish serves four as a main course or 6 to 8 as a starter.",
     "The dish serves 4 as a main course or six to eight as a starter."),
    ("One of its nine governors voted against.", "1 of its 9 governors voted against."),
    ("The tank needs 12 litres.", "The tank requires 12 litres."),
    ("The lift carries at most 8 people.", "The lift does not carry more than 8 people."),
]  # fmt: skip
ENTAILED = [
    ("Adults receive 200 mg of iron.", "Adults receive iron."),
    ("Team Fjord won the trial in 2016.", "Team Fjord won the trial."),
    ("Sound is faster in water than in air, and faster still in steel.", "Sound is faster in water than in air."),
]
OTHERS = [
    ("She finished in second place.", "She finished in 3rd place."),
    ("The kitchen serves six to eight guests.", "The kitchen serves 6 to 9 guests."),
    ("The river is 800 miles long.", "The river is 1,387 km long."),
    ("The firm did not sell more than 40 cars.", "The firm sold fewer than 40 cars."),
    ("The lift does not carry more than 8 people.", "The lift carries more than 8 people."),
    ("The plan failed twice.", "The plan failed three times."),
    ("Doses between 5 and 20 mg were tolerated.", "Doses up to 25 mg were tolerated."),
    ("The drug and the diet did not help.", "The diet and the drug helped."),
    ("The drug works, and only in mice.", "The drug works."),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_an_amount_in_other_words_is_the_same(first: str, second: str) -> None:
    assert compare(first, second, of_first=HERE, of_second=HERE).relation == "same"
    assert compare(second, first, of_first=HERE, of_second=HERE).relation == "same"


@pytest.mark.parametrize(("first", "second"), ENTAILED)
def test_an_amount_a_time_or_a_conjunct_may_go(first: str, second: str) -> None:
    assert compare(first, second, of_first=HERE, of_second=HERE).relation == "entails"


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_another_amount_is_another(first: str, second: str) -> None:
    assert not compare(first, second, of_first=HERE, of_second=HERE).entailed
