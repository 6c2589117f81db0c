"""The parameters that are searched, as points of 23 coordinates: draw them, and turn them into weights.

The coordinates are metric weights, edge weights, propagation and graph weights. Role mixes, priors and synergies stay
fixed, because a hundred papers cannot determine 300 numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from veritas.scoring.graph import Floats
from veritas.scoring.parameters import AGGREGATIONS, COMPONENTS, EDGE_FEATURES, Parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.scorer_policy import ScorerPolicy

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
