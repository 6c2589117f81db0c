"""Agreement of scores with labels in ranking papers: AUROC and Spearman of many rows of scores, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from veritas.papers.calibration.paper_labels import Labels
from veritas.scoring.graph import Floats, Ints

Measure = Literal["auroc", "spearman"]
CHANCE: dict[Measure, float] = {"auroc": 0.5, "spearman": 0.0}
_SAME = 10
"""Decimals to which scores must agree to be tied; beyond them is only rounding."""


def average_ranks(values: Floats) -> Floats:
    """Return ranks along the last axis, from 1, ties at the mean of theirs."""
    values = np.round(values, _SAME)
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(values.shape[-1], dtype=np.float64), values.shape)
    new = ordered[..., 1:] != ordered[..., :-1]
    ranks = np.empty(values.shape)
    if new.all():
        np.put_along_axis(ranks, order, place + 1.0, axis=-1)
        return ranks
    edge = np.ones((*values.shape[:-1], 1), dtype=np.bool_)
    first = np.maximum.accumulate(np.where(np.concatenate((edge, new), axis=-1), place, 0.0), axis=-1)
    ends = np.where(np.concatenate((new, edge), axis=-1), place, np.inf)
    last = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    np.put_along_axis(ranks, order, (first + last) / 2 + 1.0, axis=-1)
    return ranks


def auroc(scores: Floats, labels: Labels, which: Ints) -> Floats:
    """Return the AUROC, (C), of scores (C, P) over the papers `which`: the share of pairs in which the upper paper is
    above the lower one, a tie counting half.

    NaN if one of the two groups is missing.
    """
    which = which[(labels.upper | labels.lower)[which]]
    upper = labels.upper[which]
    ups = int(np.count_nonzero(upper))
    pairs = ups * (len(which) - ups)
    if not pairs:
        return np.full(scores.shape[0], np.nan)
    ranks = average_ranks(scores[:, which])
    value: Floats = (ranks[:, upper].sum(axis=1) - ups * (ups + 1) / 2) / pairs
    return value


def spearman(scores: Floats, labels: Labels, which: Ints) -> Floats:
    """Return the rank correlation, (C), with the labels over the papers `which`; 0 if all scores are equal, NaN if all
    labels are."""
    return _correlation(average_ranks(scores[:, which]), average_ranks(labels.values[which])[None])


def measured(measure: Measure, scores: Floats, labels: Labels, which: Ints) -> Floats:
    """Return the measure of that name, (C)."""
    return auroc(scores, labels, which) if measure == "auroc" else spearman(scores, labels, which)


def over_folds(measure: Measure, scores: Floats, labels: Labels, folds: Sequence[Ints]) -> float:
    """Return one value for scores (P) whose folds come from different settings: papers are compared inside a fold only.

    It is the mean over folds, weighted by their pairs (AUROC) or papers (Spearman).
    """
    values = np.array([measured(measure, scores[None], labels, fold)[0] for fold in folds])
    weights = np.array([_weight(measure, labels, fold) for fold in folds])
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    return float((values[known] * weights[known]).sum() / weights[known].sum())


def bootstrap(
    measure: Measure, columns: Sequence[Floats], labels: Labels, folds: Sequence[Ints], draws: int, seed: int
) -> Floats:
    """Return `over_folds`, (draws, columns), for papers drawn anew with replacement within each fold and label; the
    same papers for every column, so that their differences are paired."""
    random = np.random.default_rng(seed)
    strata = np.array(labels.strata)
    scores = np.stack([*columns])
    sums = np.zeros((draws, len(columns)))
    total = 0.0
    for fold in folds:
        weight = _weight(measure, labels, fold)
        if measure == "auroc":
            groups = [fold[labels.upper[fold]], fold[labels.lower[fold]]]
        else:
            groups = [fold[strata[fold] == stratum] for stratum in np.unique(strata[fold])]
        if not weight:
            continue
        drawn = np.concatenate([group[random.integers(0, len(group), (draws, len(group)))] for group in groups], axis=1)
        total += weight
        for column, row in enumerate(scores):
            ranks = average_ranks(row[drawn])
            if measure == "auroc":
                ups = len(groups[0])
                value = (ranks[:, :ups].sum(axis=1) - ups * (ups + 1) / 2) / (ups * len(groups[1]))
            else:
                value = np.nan_to_num(_correlation(ranks, average_ranks(labels.values[drawn])), nan=0.0)
            sums[:, column] += weight * value
    return sums / total if total else np.full(sums.shape, np.nan)


def _weight(measure: Measure, labels: Labels, fold: Ints) -> float:
    if measure == "auroc":
        return float(np.count_nonzero(labels.upper[fold]) * np.count_nonzero(labels.lower[fold]))
    return float(len(fold)) if len(np.unique(labels.values[fold])) > 1 else 0.0


def _correlation(one: Floats, other: Floats) -> Floats:
    one = one - one.mean(axis=1, keepdims=True)
    other = other - other.mean(axis=1, keepdims=True)
    spread = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    value: Floats = (one * other).sum(axis=1) / np.where(spread == 0.0, 1.0, spread)
    value = np.where((other**2).sum(axis=1) == 0.0, np.nan, value)
    return value
