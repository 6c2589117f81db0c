"""The accuracy of a lens: worked by hand, and its edges."""

from __future__ import annotations

import pytest

from veritas.gate.lens_accuracy import accuracy_of

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
