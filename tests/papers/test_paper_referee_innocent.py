"""Innocent readings of numbers that do not hold together, and values that nothing can have, each by its numbers."""

from __future__ import annotations

import pytest

from veritas.papers.referee.referee import referee

HEAD = "Methods\n\nForty adults took part, each once.\n\nResults\n\n"


def flags(said: str) -> list[tuple[str, str]]:
    return [(each.check, each.severity) for each in referee(HEAD + said).findings]


@pytest.mark.parametrize(
    ("innocent", "wrong"),
    [
        (  # the interval is that of the mean difference whose t stands beside it
            "The slopes differed, t(40) = 3.00, p = .005, Cohen's d = 0.61, 95% CI = [0.033, 0.167].",
            "The slopes differed, t(40) = 3.00, p = .005, Cohen's d = 0.61, 95% CI = [0.133, 0.167].",
        ),
        (  # what cannot exceed 1 is printed without its 0, the interval reaches beyond 1
            "It was strong, r = .71, 95% CI = [1.12, 1.64].",
            "It was strong, r = .71, 95% CI = [.12, .64].",
        ),
        (
            "Agreement was 94.2% (95% confidence interval, 0.911 to 0.967) in all.",
            "Agreement was 94.2% (95% confidence interval, 95.1 to 96.7) in all.",
        ),
        (
            "150 patients randomly assigned to receive either salt (n = 70) or water (n = 68) came. As 12 left.",
            "150 patients randomly assigned to receive either salt (n = 70) or water (n = 68) came. As many left.",
        ),
    ],
    ids=["whose interval", "beyond 1", "scale", "attrition"],
)
def test_one_innocent_reading_makes_the_referee_silent(innocent: str, wrong: str) -> None:
    assert flags(innocent) == []
    assert [severity for _, severity in flags(wrong)] == ["error"]


@pytest.mark.parametrize(
    ("said", "severity"),
    [
        ("They differed, t(60) = 2.10, p = -.04.", "error"),
        ("They differed, t(60) = 2.10, p = 1.04.", "error"),
        ("They differed, t(60) = 4.10, p < .000.", "error"),
        ("They went together, r(60) = 1.20, p < .001.", "error"),
        ("They differed, F(1, 60) = -4.10, p = .047.", "error"),
        ("They were alike, F(1, 60) = 1, p = 0.", "decision"),
        ("They differed, t₂₈ = 2.20, p = .30.", "decision"),
        ("They differed, F2,28 = 2.20, p = .003.", "decision"),
        ("They differed, χ²1 = 9.20, p = .40.", "decision"),
        ("They differed, t(28) = 2,20, p = 0,30; and later t(28) = 2,20, p = 0,04.", "decision"),
    ],
)
def test_what_no_test_can_have_is_told(said: str, severity: str) -> None:
    assert ("p-value", severity) in flags(said)


def test_counts_of_events_are_not_shares_of_people() -> None:
    table = (
        "Table 1. Events.\n\nEvent\tA (n = 10)\tB (n = 25)\tC (n = 30)\nCold\t{}\t2 (8)\t4 (13)\nCough\t1 (10)\t"
        "3 (12)\t3 (10)\nItch\t0 (0)\t{}\t2 (7)\nFever\t2 (20)\t1 (4)\t3 (10)\nRash\t1 (10)\t2 (8)\t1 (3)\n"
    )
    assert flags(table.format("3 (20)", "4 (12)")) == []  # in both, one person had two
    assert flags(table.format("3 (20)", "4 (24)")) != []
    assert flags(table.format("3 (20)", "4 (16)")) == [("share", "error")]


def test_a_one_tailed_p_that_misses_by_a_digit_is_a_note() -> None:
    assert flags("Times were longer, t(24) = 0.79, p = .21.") == [("p-value", "note")]
