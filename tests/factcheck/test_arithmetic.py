"""What is calculated between the numbers of a statement and of its source is right, and shown."""

from __future__ import annotations

import pytest

from veritas.factcheck.arithmetic import calculations


@pytest.mark.parametrize(
    ("claim", "passage", "shown"),
    [
        ("25 % of the cables were broken", "3 of 12 cables were broken.", "3 of 12 = 25 %"),
        ("Roughly 87 % were women", "Of the 4,182 participants 3,639 were women.", "3,639 of 4,182 = 87 %"),
        ("Revenue doubled", "Revenue rose from 10 to 20 units.", "from 10 to 20 = 2 times"),
        ("The race is 26.2 miles long", "The race is 42.2 km long.", "42.2 km = 26.2 miles"),
        ("It shrank in nine years", "It shrank between 2013 and 2022.", "2013 to 2022 = 9 years"),
        ("Losses fell by five percentage points", "Losses fell from 17 to 12 per cent.", "17 − 12 per cent = 5"),
    ],
)
def test_a_number_that_follows_is_shown(claim: str, passage: str, shown: str) -> None:
    assert [each.shown for each in calculations(claim, passage) if each.agrees] == [shown]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("35 % of the cables were broken", "3 of 12 cables were broken."),
        ("Sales tripled", "Sales rose from 10 to 20 units."),
        ("It shrank in seven years", "It shrank between 2013 and 2022."),
    ],
)
def test_a_number_that_does_not_follow_agrees_with_nothing(claim: str, passage: str) -> None:
    assert not [each for each in calculations(claim, passage) if each.agrees]


_SPEEDS = "LZ4 default (v1.9.0)\t2.101\t780 MB/s\t4970 MB/s"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It compresses at 778 MB/s.", _SPEEDS),  # 780 MB/s less a ratio of 2.101
        ("At level 1 it compresses at 511 MB/s.", "zstd 1.5.6 -1\t2.887\t510 MB/s\t1580 MB/s"),
        ("It compresses at 3 MB/s.", "A compresses at 12 MB/s, B at 9 MB/s."),  # a speed, and no difference
        ("Chinstraps weigh 3699 g more.", "#> 2 Adelie 3701 g"),
        ("The second is 4 MB/s faster.", "A compresses at 12 MB/s, B at 9 MB/s."),
    ],
)
def test_nothing_is_calculated_from_unlike_numbers_names_or_to_another_result(claim: str, passage: str) -> None:
    assert not [each for each in calculations(claim, passage) if each.agrees]


def test_a_difference_of_like_numbers_is_calculated_where_the_statement_speaks_of_one() -> None:
    found = calculations("The first is 3 MB/s faster.", "A compresses at 12 MB/s, B at 9 MB/s.")
    assert [each.shown for each in found] == ["12 MB/s − 9 MB/s = 3"]


def test_a_number_that_stands_there_is_marked_so() -> None:
    said = "Memory use went up by 25 %, from 48 to 60 GB per server."
    assert [each.given for each in calculations("Memory use went up by 25 %.", said)] == [True]
    unsaid = said.replace("by 25 %, ", "")
    assert [each.given for each in calculations("Memory use went up by 25 %.", unsaid)] == [False]
    assert calculations("It compresses at 510 MB/s.", "zstd -1 compresses at 510 MB/s, zlib at 1020 MB/s.") == []
