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


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The pass lies at 2,315 m.", "The pass lies at 2,153 m."),
        ("The tenant shall give notice within 14 days.", "The tenant shall give notice within 40 days."),
        ("Yoga did not help (p = 0.34).", "Yoga did not help (p = 0.04)."),
        ("The bridge was closed for six weeks.", "The bridge was closed for six days."),
        ("According to its maker, the test detects 99 %.", "According to its maker, the test detects 91 %."),
        ("The bank cut its rate to 4.5 % in June.", "The bank cut its rate to 5.4 % in June."),
        ("The river flows north of the town.", "The river flows south of the town."),
        ("The museum is closed on Mondays.", "The museum is open on Mondays."),
        ("Half of the delta lies below sea level.", "Half of the delta lies above sea level."),
        ("Copper conducts heat better than iron does.", "Copper conducts heat worse than iron does."),
        ("Anna Kessler won the prize in 1990.", "Anna Kessler did not win the prize."),
        ("The licence lasts a year and cannot be sold to another firm.", "The licence can be sold to another firm."),
        ("The lake is the second largest of the country.", "The lake is the third largest of the country."),
        ("The pump has two valves and weighs 5 kg.", "The pump has two valves and weighs 9 kg."),
        ("Dry pumps last longer than oiled pumps.", "Dry pumps do not last longer than oiled pumps."),
        ("Copper conducts heat better than iron.", "Copper does not conduct heat better than iron."),
    ],
)
def test_a_number_a_word_or_a_denial_for_which_there_is_one_place_excludes_in_one_text(first: str, second: str) -> None:
    assert compare(first, second, of_first=MANUAL, of_second=MANUAL).relation == "excludes"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The pulse was taken at rest and after ten minutes.", "The pulse was taken at rest and after twenty minutes."),
        ("The alloy is magnetic below 80 K.", "The alloy is magnetic above 80 K."),
        ("If the token is missing, an error is returned.", "If the token is not missing, an error is returned."),
        ("Twelve of the bridges were in good repair.", "Twelve of the bridges were in bad repair."),
        ("All that glitters is not gold.", "All that glitters is gold."),
        ("On small matrices, the port is fast.", "On large matrices, the port is fast."),
        ("Nobody noticed that the valve was open.", "Nobody noticed that the valve was closed."),
        ("Workers began to dismantle the reactor.", "Workers finished dismantling the reactor."),
        ("The lake is said to be the deepest.", "The lake is said to be the shallowest."),
        ("The minimum of `skip` is 1 and its maximum is 10.", "The minimum of `depth` is 5 and its maximum is 60."),
        ("Doses between 5 and 20 mg were tolerated.", "Doses above 20 mg were tolerated."),
        ("The guide taught the children.", "The guide taught the parents."),
        ("The thread does not wait, except when it is full.", "The thread waits except when it is full."),
        ("At Arden it is colder than at Bram.", "At Bram it is warmer than at Arden."),
        ("Profit before tax was 12 million.", "Profit after tax was 12 million."),
    ],
)
def test_what_holds_of_a_case_of_some_or_of_what_is_said_excludes_nothing(first: str, second: str) -> None:
    assert compare(first, second, of_first=MANUAL, of_second=MANUAL).relation != "excludes"


def test_a_claim_of_several_whole_sentences_is_said_by_the_passage_that_holds_them() -> None:
    passage = "Tarn is small.\n\nTarn reads these:\n\n- CSV files\n\n- Parquet files\n\nTarn is free."
    assert compare_passage(passage, "Tarn reads these: - CSV files - Parquet files").entailed
    assert not compare_passage(passage, "Tarn reads these: - CSV files - XML files").entailed
    assert not compare_passage("It is false that Tarn is small. Tarn is free.", "Tarn is small. Tarn is free.").entailed
