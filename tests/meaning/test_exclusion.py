"""Exclusion: sentences that align in all but one number, negation or opposite, and when both may be true."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare, compare_passage
from veritas.meaning.relation import Setting

MANUAL, GUIDE = Setting("manual"), Setting("guide")


def relation(first: str, second: str) -> str:
    return compare(first, second, of_first=MANUAL, of_second=GUIDE).relation


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The cache_size option can be set in a file.", "The cache_size option can not be set in a file."),
        ("The core of Tarn.Core is available by default.", "The core of Tarn.Core is unavailable by default."),
        ("The timeout of Tarn.Core is 30 seconds.", "The timeout of Tarn.Core is 45 seconds."),
    ],
)
def test_one_number_negation_or_opposite_about_the_same_thing_excludes(first: str, second: str) -> None:
    assert relation(first, second) == "excludes"
    assert relation(second, first) == "excludes"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The cache_size option can be set.", "The file_size option can not be set."),
        ("The skip_rows option defaults to 0.", "The limit_rows option defaults to 100."),
        ("The patients were given a drug.", "The patients were not given a drug."),
        ("Tarn.Core may be slow at night.", "Tarn.Core may not be slow at night."),
        ("Tarn.Core now reads folders.", "Tarn.Core now does not read folders."),
        ("If it is cold, Tarn.Core reads 3 files.", "If it is warm, Tarn.Core reads 5 files."),
        ("The first rule of Tarn.Core is plain.", "The last rule of Tarn.Core is plain."),
    ],
)
def test_another_name_a_room_for_both_or_another_case_does_not(first: str, second: str) -> None:
    assert relation(first, second) != "excludes"


def test_a_claim_of_several_whole_sentences_is_said_by_the_passage_that_holds_them() -> None:
    passage = "Tarn is small.\n\nTarn reads these:\n\n- CSV files\n\n- Parquet files\n\nTarn is free."
    assert compare_passage(passage, "Tarn reads these: - CSV files - Parquet files").entailed
    assert not compare_passage(passage, "Tarn reads these: - CSV files - XML files").entailed
    assert not compare_passage("It is false that Tarn is small. Tarn is free.", "Tarn is small. Tarn is free.").entailed
