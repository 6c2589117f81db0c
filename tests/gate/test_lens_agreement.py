"""Agreement of lenses against values worked out by hand and against scikit-learn's."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.gate.lens_agreement import cohen, fleiss, measure, wilson

LABELS = ("supports", "refutes", "silent")


def spread(*cells: tuple[str, str, int]) -> tuple[list[str], list[str]]:
    first = [a for a, _, n in cells for _ in range(n)]
    second = [b for _, b, n in cells for _ in range(n)]
    return first, second


def test_cohens_kappa_of_a_table_worked_by_hand() -> None:
    # 20 both yes, 15 both no, 5 and 10 split: p_o = 0.7, p_e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa = 0.4
    first, second = spread(
        ("supports", "supports", 20), ("supports", "silent", 5), ("silent", "supports", 10), ("silent", "silent", 15)
    )
    assert cohen(first, second) == pytest.approx(0.4)


def test_fleiss_kappa_of_the_classic_table() -> None:
    # Ten subjects, fourteen raters, five categories (Fleiss 1971 as worked in the textbooks): kappa = 0.210
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    items = [[str(j) for j, n in enumerate(row) for _ in range(n)] for row in table]
    assert fleiss(items) == pytest.approx(0.20993, abs=1e-5)


def test_wilsons_interval_worked_by_hand() -> None:
    low, high = wilson(9, 10)
    assert (low, high) == (pytest.approx(0.5958, abs=1e-4), pytest.approx(0.9821, abs=1e-4))
    assert wilson(30, 30)[1] == 1.0
    assert wilson(30, 30)[0] == pytest.approx(0.8865, abs=1e-4)


@settings(deadline=None)  # the first example imports scikit-learn
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=60))
def test_cohens_kappa_is_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    mine = cohen(first, second)
    if mine is None:
        assert len({*first, *second}) == 1
        return
    assert mine == pytest.approx(metrics.cohen_kappa_score(first, second), abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=2, max_size=40))
def test_fleiss_of_two_is_never_above_one_and_one_only_when_all_agree(pairs: list[tuple[str, str]]) -> None:
    value = fleiss([list(p) for p in pairs])
    if value is not None:
        assert value <= 1.0 + 1e-12
        assert math.isclose(value, 1.0) == all(a == b for a, b in pairs)


def lenses(n: int, seed: int = 1) -> dict[str, dict[int, str]]:
    """A right one, one that errs by itself in a fifth, and a pair of which the second copies the first's errors."""
    rng = random.Random(seed)
    truth = {i: rng.choice(LABELS) for i in range(n)}

    def erring() -> dict[int, str]:
        return {i: rng.choice(LABELS) if rng.random() < 0.3 else label for i, label in truth.items()}

    twin = erring()
    return {"right": truth, "own": erring(), "twin-1": twin, "twin-2": dict(twin)}


def test_two_lenses_that_are_one_are_named_with_n_and_interval_and_no_others() -> None:
    (warning,) = measure(lenses(200)).warnings
    assert warning.startswith("twin-1 and twin-2 may be one lens in disguise: kappa 1.00 (95 % interval 0.97 to 1.00")
    assert "n = 200" in warning
    assert "dissents from the others are the same in both" in warning
