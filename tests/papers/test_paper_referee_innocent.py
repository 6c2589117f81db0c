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
        ("They went together, r = 1.20, p < .001, as had others, r(43) = .36, p = .018.", "error"),
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


@pytest.mark.parametrize(
    "said",
    [
        "HPV16/18(4.4% vs 2.6%) stayed.",
        "Grade 3/4 toxicity included thrombocytopenia (34%).",
        "They went together (log OR, 3.69; 95% CI, 0.35 to 7.04; P = .03).",
    ],
)
def test_a_name_of_numbers_and_a_logarithm_of_a_ratio_are_no_errors(said: str) -> None:
    assert referee(said).findings == ()


def test_a_one_tailed_p_that_misses_by_a_digit_is_a_note() -> None:
    assert flags("Times were longer, t(24) = 0.79, p = .21.") == [("p-value", "note")]


SCALE = "Methods\n\nCalm was rated by each on one scale from 1 to 7.\n\n"
ITEMS = "Methods\n\nCalm was measured with four items on a 7-point scale, which were averaged.\n\n"
FAR = "The room was quiet.\n\nThe task was short.\n\nNobody was told of it.\n\nResults\n\n"


@pytest.mark.parametrize(
    ("methods", "right", "wrong", "check"),
    [
        (SCALE, "Calm was low (M = 3.48, SD = 1.10, N = 25).", "Calm was low (M = 3.47, SD = 1.10, N = 25).", "grim"),
        (SCALE, "Calm was low (SD = 1.10, N = 25, M = 3.48).", "Calm was low (SD = 1.10, N = 25, M = 3.47).", "grim"),
        (SCALE, "Mean calm (n = 25) was 3.48.", "Mean calm (n = 25) was 3.47.", "grim"),
        (SCALE, "The mean calm of the 25 adults was 3.48.", "The mean calm of the 25 adults was 3.47.", "grim"),
        ("We asked how many cats they have. ", "The 25 adults had a mean of 1.48 cats.",
         "The 25 adults had a mean of 1.47 cats.", "grim"),
        (SCALE, "Calm was low (M = 3.20, SD = 1.14, N = 10).",
         "Calm was low (M = 3.20, SD = 1.12, N = 10).", "grimmer"),
        (SCALE, "Calm was low (M = 3.44, SD = 1.60, N = 180).",
         "Calm was low (M = 3.44, SD = 3.60, N = 180).", "scale"),
        (ITEMS, "Calm was low (M = 5.17, SD = 1.02, n = 12).", "Calm was low (M = 5.16, SD = 1.02, n = 12).", "grim"),
        (ITEMS, "Calm was low (M = 5.16, SD = 2.02, n = 40).", "Calm was low (M = 5.16, SD = 4.02, n = 40).", "scale"),
        ("", "It was high (M = 5.2, SD = 1.10, SE = 0.20, n = 30).",
         "It was high (M = 5.2, SD = 1.10, SE = 0.40, n = 30).", "standard-error"),
        ("", "They differed, t(48) = 2.43, p = .019, d = 0.70.", "They differed, t(48) = 2.43, p = .019, d = 1.70.",
         "effect-size"),
        ("", "Salt (n = 25) and rest (n = 25) differed, t(48) = 2.43, p = .019, d = 0.68.",
         "Salt (n = 25) and rest (n = 25) differed, t(48) = 2.43, p = .019, d = 0.30.", "effect-size"),
        ("", "They differed, F(1, 58) = 4.20, p = .045, ηp2 = .07.",
         "They differed, F(1, 58) = 4.20, p = .045, ηp2 = .17.", "effect-size"),
        ("", "They differed, F(2, 58) = 4.20, p = .020, ηp2 = .13.",
         "They differed, F(2, 58) = 4.20, p = .020, ηp2 = .02.", "effect-size"),
    ],
)  # fmt: skip
def test_values_that_stand_apart_or_in_any_order_are_recomputed(
    methods: str, right: str, wrong: str, check: str
) -> None:
    assert referee(methods + FAR + right).findings == ()
    assert [(f.check, f.severity) for f in referee(methods + FAR + wrong).findings] == [(check, "error")]


@pytest.mark.parametrize(
    "said",
    [
        "They differed, t(48) = 2.43, p = .019, d = 0.35.",  # of differences
        "They differed, t(48) = 2.43, p = .019, d = 1.10.",  # of a large and a small group
        "They differed, F(1, 58) = 4.20, p = .045, η2 = .03.",  # of the total
        "They differed, F(1, 58) = 4.20, p = .045, ηp2 = .05.",  # ω²
        "They differed, t(71.7) = 6.36, p < .001, ηp2 = .096.",  # of a mixed model
        "It was high (M = 5.2, SD = 1.10, SE = 0.39, n = 30; n = 8).",
        "Age was higher (M = 33.47, SD = 11.10, N = 25).",  # another variable than the scale's
    ],
)
def test_other_effect_sizes_estimators_and_variables_accuse_nobody(said: str) -> None:
    assert referee(SCALE + FAR + said).findings == ()


def test_r_behind_a_t_that_is_another_one_is_a_note() -> None:
    assert flags("They differed, t(48) = 2.43, p = .019, r = .33.") == []
    assert flags("They differed, t(48) = 2.43, p = .019, r = .73.") == [("effect-size", "note")]


def test_row_of_percentages_that_makes_up_more_than_100_is_told() -> None:
    table = "Table 1. Answers.\n\nItem\tYes (%)\tNo (%)\tUnsure (%)\n" + "".join(
        f"{name}\t{yes}\t{90 - yes}\t10\n" for name, yes in zip("ABCDE", (20, 31, 44, 52, 66), strict=True)
    )
    assert flags(table + "F\t33.3\t33.3\t33.3\n") == []
    assert flags(table + "F\t40\t40\t30\n") == [("table-sum", "error")]


def test_tests_beyond_a_digit_are_errors_and_a_digit_is_told() -> None:
    assert flags("They were alike, χ2(1) = 0.06, p = .939.") == [("p-value", "error")]
    assert flags("They differed, t(48) = 2.43, p = .020.") == [("p-value", "rounding")]


def test_mismatches_of_most_comparisons_are_told_once_as_a_note() -> None:
    said = " ".join(f"They differed, t(28) = 2.20, p = .{digits}." for digits in (36, 46, 56, 26))
    assert flags(said) == [("p-value", "note")]
    others = "They differed, t(28) = 2.20, p = .36, F(2, 28) = 2.20, p = .003, and z = 2.20, p = .42."
    assert len(flags(others)) == 3
    right = "They differed, t(28) = 2.20, p = .036. " * 5
    assert len(flags(right + said)) == 4
