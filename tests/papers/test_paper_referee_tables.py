"""The arithmetic referee on whole tables: a table with a slip is told, its right twin is passed over."""

from __future__ import annotations

import pytest

from veritas.papers.reading.captions import find_figures
from veritas.papers.referee.finding import Finding
from veritas.papers.referee.referee import referee

GROUPS = (
    "Table 1. Baseline.\n\n\tYoung (n = 345)\tOld (n = 179)\n\tn\t%\tn\t%\nSex\nMale\t266\t77.1\t96\t53.6\n"
    "Female\t79\t22.9\t83\t46.4\nOther illness\nYes\t{}\t23\t12.8\nNo\t{}\t156\t87.2\np\t0.001\n"
    "Warfarin\nYes\t15\t4.3\t29\t16.2\nNo\t330\t95.7\t150\t83.8\n"
)
WEIGHTED = (
    "Table 1. Sample.\n\nVariable\tFrequency\tWeighted percent\n"
    "Illness\nYes\t40\t52.7\nNo\t60\t47.3\nSex\nMen\t45\t48.0\n"
    "Women\t55\t52.0\nSmoking\nYes\t30\t25.0\nNo\t70\t75.0\nHome\nTown\t50\t61.5\nCountry\t50\t38.5\n"
    "Origin\nNorth\t40\t{}\nSouth\t30\t20.0\nEast\t20\t11.0\n"
)
ACROSS = "Table 2. Illness by trait.\n\nTrait\tN\twt row%\tN\twt row%\n" + "".join(
    f"Trait {c}\t{20 + i}\t{60.5 + i:.1f}\t{30 + i}\t{39.5 - i:.1f}\n" for i, c in enumerate("ABCDEFGHI")
)


def _found(text: str) -> tuple[Finding, ...]:
    return referee(text, figures=find_figures(text, (), ())).findings


HAD = "There were {} who had gum disease.\n\n" + (
    WEIGHTED.format("69.0").replace("Illness", "Gum disease").replace("60\t47.3", "61\t47.3")
)
NAMED = (
    "We saw 341 participants ({} %) from North Hill.\n\nTable 1. Sample.\n\nPlace\tN\t%\n"
    "North Hill\t341\t69.4\nSouth\t150\t30.6\n"
)
TABLES = [
    ("share", GROUPS.format("204\t59.3", "140\t40.7"), GROUPS.format("204\t40.7", "140\t59.3")),
    ("share", GROUPS.format("45\t75.0", "15\t25.0"), GROUPS.format("45\t85.0", "15\t15.0")),
    ("table-sum", WEIGHTED.format("69.0"), WEIGHTED.format("96.0")),
    ("table-sum", ACROSS + "Trait J\t20\t64.6\t30\t35.4\n", ACROSS + "Trait J\t20\t64.6\t30\t14.7\n"),
]


@pytest.mark.parametrize(("check", "right", "wrong"), TABLES)
def test_a_table_that_does_not_hold_together_is_told_and_its_twin_is_not(check: str, right: str, wrong: str) -> None:
    assert _found(right) == ()
    found = _found(wrong)
    assert [(each.check, each.severity) for each in found] == [(check, "error")]
    assert wrong[found[0].location.start : found[0].location.end] == found[0].quote


MOMENTS = (
    "Methods\n\nAdults rated calm once, on a scale from 1 (none) to 5 (full).\n\nResults\n\nCalm was high {}.\n\n"
    "Table 1. Calm.\n\nRoom\tn\tM\tSD\tSE\nWarm\t25\t{}\nCold\t25\t3.64\t1.25\t0.25\n"
)
SUMS = (
    "Table 1. Birds.\n\nBird\tNorth\tSouth\tAll\n"
    "Teal\t{}\t9\t21\nCoot\t8\t7\t{}\nHeron\t5\t6\t11\nTotal\t25\t22\t47\n"
)


@pytest.mark.parametrize(
    ("said", "row", "checks"),
    [
        ("(M = 4.44, SD = 0.82)", "4.44\t0.82\t0.16", []),
        ("(M = 4.43, SD = 0.82)", "4.43\t0.82\t0.16", ["grim"]),
        ("(M = 4.55, SD = 1.63)", "4.55\t1.63\t0.33", ["scale"]),
        ("(SD = 0.82, SE = 0.36, n = 25)", "4.44\t0.82\t0.36", ["standard-error"]),
        ("(M = 4.40, SD = 1.71)", "4.44\t0.82\t0.16", ["scale"]),  # in the text alone, without n
    ],
)
def test_means_of_a_row_and_of_the_text_are_recomputed_with_the_n_of_the_row(
    said: str, row: str, checks: list[str]
) -> None:
    found = _found(MOMENTS.format(said, row))
    assert [each.check for each in found] == checks
    assert all(place.printed for each in found for place in each.inputs)


@pytest.mark.parametrize(
    ("cells", "quoted"), [(("12", "15"), []), (("12", "25"), ["25"]), (("13", "15"), ["13"])], ids=str
)
def test_one_wrong_cell_of_two_sums_is_one_finding_at_the_cell(cells: tuple[str, str], quoted: list[str]) -> None:
    assert [each.quote for each in _found(SUMS.format(*cells))] == quoted


def test_swapped_percentages_are_said_to_be_swapped() -> None:
    (found,) = _found(GROUPS.format("204\t40.7", "140\t59.3"))
    assert found.says == "Table 1, Other illness: Yes 204 (40.7 %), No 140 (59.3 %)"
    assert found.recomputed == "Yes 59.3 %, No 40.7 %"
    assert found.calculation == "100 × 204 / 344 = 59.30; 100 × 140 / 344 = 40.70"
    assert "swapped" in found.right_if


def test_a_swap_is_told_of_a_table_with_one_variable() -> None:
    one = "Table 1. Sex (n = 362).\n\nSex\tn (%)\nMale\t266 ({})\nFemale\t96 ({})\n"
    assert _found(one.format("73.5", "26.5")) == ()
    assert [each.check for each in _found(one.format("26.5", "73.5"))] == ["share"]


def test_no_row_is_held_against_another_total_or_people_without_it() -> None:
    assert _found(HAD.format("61 (47.3%)").replace("had gum", "had no gum")) == ()
    assert _found(NAMED.format("71.7").replace("We saw", "Of 476 asked, we saw")) == ()


def test_several_answers_of_the_same_people_may_pass_a_hundred_percent() -> None:
    several = "Table 1. Sample.\n\nTrait\tAll (n = 100)\n" + "".join(
        f"Trait {n}\nYes\t{n} ({n}.0)\nNo\t{100 - n} ({100 - n}.0)\n" for n in (40, 30, 20, 55, 60)
    )
    several += "Complaints\nHeadache\t45 (45.0)\nFever\t35 (35.0)\nCough\t30 (30.0)\n"
    assert _found(several) == ()
