"""AUROC, Spearman and their bootstrap intervals, against definitions written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.papers.calibration.paper_labels import _groups
from veritas.papers.calibration.surface import auroc, average_ranks, bootstrap, measured, over_folds, spearman

values = st.lists(st.integers(0, 6).map(lambda n: n / 7), min_size=4, max_size=12)


@settings(deadline=None)
@given(values, st.randoms(use_true_random=False))
def test_auroc_is_the_share_of_pairs_in_order_with_ties_as_half(scores: list[float], random) -> None:
    labels = np.array([float(random.random() < 0.5) for _ in scores])
    labels[:2] = 0.0, 1.0
    pairs = [
        1.0 if scores[i] > scores[j] else 0.5 if scores[i] == scores[j] else 0.0
        for i in range(len(scores))
        for j in range(len(scores))
        if labels[i] > labels[j]
    ]
    got = auroc(np.array([scores]), _groups(labels), np.arange(len(scores)))[0]
    assert got == pytest.approx(np.mean(pairs), abs=1e-12)


@settings(deadline=None)
@given(values)
def test_ranks_are_the_mean_place_among_equals(scores: list[float]) -> None:
    below = [sum(other < one for other in scores) for one in scores]
    expected = [less + (scores.count(one) + 1) / 2 for less, one in zip(below, scores, strict=True)]
    assert average_ranks(np.array([scores, scores[::-1]]))[0].tolist() == expected


def test_scores_that_differ_by_rounding_alone_are_tied() -> None:
    assert average_ranks(np.array([[0.3, 0.1 + 0.2, 0.5]])).tolist() == [[1.5, 1.5, 3.0]]


def test_spearman_is_pearson_of_ranks() -> None:
    random = np.random.default_rng(0)
    scores, labels = random.random((3, 40)), random.integers(0, 5, 40).astype(float)
    ranks = average_ranks(np.stack([*scores, labels]))
    expected = [np.corrcoef(ranks[row], ranks[3])[0, 1] for row in range(3)]
    assert spearman(scores, _groups(labels), np.arange(40)) == pytest.approx(expected)


def test_all_scores_equal_are_chance_and_all_labels_equal_have_no_measure() -> None:
    labels = _groups(np.array([0.0, 1.0, 1.0, 0.0]))
    flat = np.full((1, 4), 0.3)
    assert auroc(flat, labels, np.arange(4))[0] == 0.5
    assert spearman(flat, labels, np.arange(4))[0] == 0.0
    for measure in ("auroc", "spearman"):
        assert np.isnan(measured(measure, flat, labels, np.array([1, 2]))[0])


def test_papers_of_different_folds_are_never_compared() -> None:
    labels = _groups(np.array([0.0, 1.0, 0.0, 1.0]))
    shifted = np.array([0.8, 0.9, 0.1, 0.2])  # right in each fold, wrong across
    assert over_folds("auroc", shifted, labels, [np.array([0, 1]), np.array([2, 3])]) == 1.0
    assert over_folds("auroc", shifted, labels, [np.arange(4)]) == 0.75


@pytest.mark.parametrize("measure", ["auroc", "spearman"])
def test_a_bootstrap_interval_covers_about_as_often_as_it_says(measure) -> None:
    random = np.random.default_rng(1)
    covered = 0
    for seed in range(60):
        truth = random.normal(size=60)
        labels = _groups((truth > np.median(truth)).astype(float))
        drawn = bootstrap(measure, [random.normal(size=60)], labels, [np.arange(60)], 300, seed)[:, 0]
        low, high = np.quantile(drawn, (0.025, 0.975))
        covered += low <= (0.5 if measure == "auroc" else 0.0) <= high
    assert covered >= 51


def test_the_difference_of_a_score_and_itself_has_no_width() -> None:
    labels = _groups(np.tile([0.0, 1.0], 10))
    scores = np.random.default_rng(0).random(20)
    drawn = bootstrap("auroc", [scores, scores], labels, [np.arange(10), np.arange(10, 20)], 50, 0)
    assert np.array_equal(drawn[:, 0], drawn[:, 1])
    assert drawn[:, 0].std() > 0.0


def test_three_labels_compare_the_outer_two_and_many_their_halves() -> None:
    three = _groups(np.array([0.0, 1.0, 2.0, 2.0]))
    assert (three.upper.tolist(), three.lower.tolist()) == ([False, False, True, True], [True, False, False, False])
    assert "1 papers in between" in three.meaning
    many = _groups(np.arange(20.0))
    assert many.upper.sum() == 10
    assert "median" in many.meaning
    assert len(set(many.strata)) == 4
