"""The parameters that are searched, as points of 23 coordinates: draw them, and turn them into weights.

The coordinates are metric weights, edge weights, propagation and graph weights. Role mixes, priors and synergies stay
fixed, because a hundred papers cannot determine 300 numbers.

Agreement of scores with labels in ranking papers: AUROC and Spearman of many rows of scores, with intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from veritas.papers.calibration.paper_labels import Labels
from veritas.scoring.graph import Floats, Ints
from veritas.scoring.parameters import AGGREGATIONS, COMPONENTS, EDGE_FEATURES, Parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.scorer_policy import ScorerPolicy

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


_SCALARS = ("enabled", "agg", "alpha", "eta", "softmin_beta", "dampmin_lambda")
COORDINATES: tuple[str, ...] = (
    *(f"metric_weights.{name}" for name in METRICS),
    *(f"edge_weights.{name}" for name in EDGE_FEATURES),
    *(f"propagation.{name}" for name in _SCALARS),
    *(f"graph_weights.{name}" for name in COMPONENTS),
)
METRIC, EDGE, FLOW, GRAPH = slice(0, 6), slice(6, 11), slice(11, 17), slice(17, 23)
ENABLED, AGG, ALPHA, ETA, BETA, LAMBDA = range(11, 17)
_TOP = {ALPHA: 3.0, ETA: 1.0, BETA: 12.0, LAMBDA: 1.0}
_METRIC_TOP = 2.0
_UNEVEN = 0.5
"""Concentration of the Dirichlet draws of weights; below 1, so that some settings have one dominant part."""
_DIGITS = 4
"""Decimals to which points are rounded before they are tried, so that the policy file holds the tested values."""


def point_of(parameters: Parameters) -> Floats:
    """Return one setting as a point, (23)."""
    flow = [float(getattr(parameters, name).reshape(())) for name in _SCALARS]
    return np.concatenate((parameters.metric_weights, parameters.edge_weights, flow, parameters.graph_weights))


def parameters_of(base: Parameters, points: Floats) -> Parameters:
    """Return points (C, 23) as C settings of `base`."""
    columns = np.ascontiguousarray(points.T)
    scalars: dict[str, Any] = {name: columns[FLOW][place] for place, name in enumerate(_SCALARS)}
    scalars["agg"] = scalars["agg"].astype(np.intp)
    return base.varied(
        metric_weights=columns[METRIC], edge_weights=columns[EDGE], graph_weights=columns[GRAPH], **scalars
    )


def policy_of(base: ScorerPolicy, point: Floats) -> ScorerPolicy:
    """Return `base` with a point's weights."""
    values = [float(value) for value in point]
    flow: dict[str, Any] = dict(zip(_SCALARS, values[FLOW], strict=True))
    flow |= {"enabled": bool(flow["enabled"]), "agg": AGGREGATIONS[int(flow["agg"])]}
    changed = {
        "metric_weights": dict(zip(METRICS, values[METRIC], strict=True)),
        "edge_weights": dict(zip(EDGE_FEATURES, values[EDGE], strict=True)),
        "propagation": base.propagation.model_dump() | flow,
        "graph_weights": dict(zip(COMPONENTS, values[GRAPH], strict=True)),
    }
    return ScorerPolicy.model_validate(base.model_dump() | changed)


def dense(start: Floats, count: int, random: np.random.Generator) -> Floats:
    """Draw points from the whole space, `start` first. A graph weight keeps its sign, so a penalty stays one."""
    points = np.empty((count, len(COORDINATES)))
    points[:, METRIC] = random.uniform(0.0, 1.5, (count, len(METRICS)))
    points[:, EDGE] = random.dirichlet(np.full(len(EDGE_FEATURES), _UNEVEN), count)
    points[:, ENABLED] = random.random(count) < 0.9
    points[:, AGG] = random.integers(0, len(AGGREGATIONS), count)
    for coordinate, top in _TOP.items():
        points[:, coordinate] = random.uniform(0.0, top, count)
    points[:, GRAPH] = random.dirichlet(np.full(len(COMPONENTS), _UNEVEN), count) * _signs(start)
    return _first(start, points)


def refined(best: Floats, count: int, spread: float, random: np.random.Generator) -> Floats:
    """Draw points around good ones (T, 23), every coordinate moved by about `spread` of its range; `best[0]` first."""
    points = best[random.integers(0, len(best), count)].copy()
    points[:, METRIC] += random.normal(0.0, spread, (count, len(METRICS)))
    points[:, EDGE] *= np.exp(random.normal(0.0, 2 * spread, (count, len(EDGE_FEATURES))))
    points[:, GRAPH] *= np.exp(random.normal(0.0, 2 * spread, (count, len(COMPONENTS))))
    for coordinate, top in _TOP.items():
        points[:, coordinate] += random.normal(0.0, spread * top, count)
    other = random.random(count) < spread
    points[other, AGG] = random.integers(0, len(AGGREGATIONS), int(other.sum()))
    return _first(best[0], _within(points))


def sparse(best: Floats, count: int, random: np.random.Generator) -> Floats:
    """Draw points that differ from one by little in one or two coordinates; `best` itself first."""
    points = np.repeat(best[None], count, axis=0)
    for _ in range(2):
        which = random.integers(0, len(COORDINATES), count)
        rows = np.arange(count)
        step = random.normal(0.0, 0.1, count)
        moved = points[rows, which]
        tops = np.ones(len(COORDINATES))
        tops[list(_TOP)] = list(_TOP.values())
        moved = moved + step * tops[which]
        switch = which == AGG
        moved[switch] = random.integers(0, len(AGGREGATIONS), int(switch.sum()))
        fixed = which == ENABLED
        moved[fixed] = points[rows, which][fixed]
        flipped = (which >= GRAPH.start) & (np.sign(moved) * np.sign(points[rows, which]) < 0)
        moved[flipped] = 0.0
        points[rows, which] = moved
    return _first(best, _within(points))


def _signs(start: Floats) -> Floats:
    return np.where(start[GRAPH] < 0.0, -1.0, 1.0)


def _within(points: Floats) -> Floats:
    points[:, METRIC] = np.clip(points[:, METRIC], 0.0, _METRIC_TOP)
    points[:, EDGE] = np.maximum(points[:, EDGE], 0.0)
    for part in (EDGE, GRAPH):
        size = np.abs(points[:, part]).sum(axis=1, keepdims=True)
        points[:, part] /= np.where(size == 0.0, 1.0, size)
    for coordinate, top in _TOP.items():
        points[:, coordinate] = np.clip(points[:, coordinate], 0.0, top)
    return points


def _first(start: Floats, points: Floats) -> Floats:
    """Return the points rounded, the first replaced by `start` as it is."""
    points = np.round(points, _DIGITS)
    points[0] = start
    return points
