"""The accuracy of a lens: worked by hand, and its edges."""

from __future__ import annotations

import pytest

from veritas.gate.lens_accuracy import accuracy_of, calibration_error

TRUTH = ["supports", "supports", "refutes", "refutes", "silent"]
SAID = [("supports", 0.9), ("silent", 0.6), ("supports", 0.8), ("refutes", 0.7), ("silent", 0.5)]


def test_each_share_is_the_one_worked_by_hand() -> None:
    found = accuracy_of(TRUTH, SAID)
    assert found.items == 5
    assert found.accuracy == 3 / 5
    assert found.balanced == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)
    assert found.macro_f1 == pytest.approx((2 / 4 + 2 / 3 + 2 / 3) / 3)
    assert found.false_supports == 1 / 3
    assert found.refuted_supported == 1 / 2
    assert found.supports_kept == 1 / 2
    assert found.precision == 1 / 2
    assert found.calibration == pytest.approx((0.1 + 0.6 + 0.8 + 0.3 + 0.5) / 5)


def test_a_label_that_never_occurs_counts_in_no_mean() -> None:
    found = accuracy_of(["supports", "silent"], [("supports", 1.0), ("refutes", 1.0)])
    assert (found.balanced, found.macro_f1) == (0.5, 0.5)
    assert found.refuted_supported is None


def test_without_answers_nothing_is_said() -> None:
    found = accuracy_of([], [])
    assert found.items == 0
    assert set(found.model_dump(exclude={"items"}).values()) == {None}


def test_errors_of_one_bin_cancel_each_other_and_of_two_bins_do_not() -> None:
    same = calibration_error(["supports", "silent"], [("supports", 0.55), ("supports", 0.55)])
    apart = calibration_error(["supports", "silent"], [("supports", 0.55), ("supports", 0.45)])
    assert same == pytest.approx(0.05)
    assert apart == pytest.approx(0.45)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_the_ends_of_the_scale_are_in_a_bin(score: float) -> None:
    assert calibration_error(["supports"], [("silent" if score else "supports", score)]) == 1.0


def test_answers_and_truth_of_different_lengths_are_an_error() -> None:
    with pytest.raises(ValueError):
        accuracy_of(["supports"], [])
