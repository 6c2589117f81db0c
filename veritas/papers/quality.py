"""How good each node is by its own metrics, and how plausible each edge is by its two nodes (formulas 2 to 6).

Node arrays are (N, C) and edge arrays (E, C) in the order of `Structure`, a column for each setting or sample;
where nothing varies, C is 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veritas.papers.dag import Floats
from veritas.papers.parameters import Parameters
from veritas.papers.structure import Structure


@dataclass(frozen=True, eq=False)
class Features:
    """The five features of every edge, and the quality they rest on. `synergy` counts unknown metrics as 0."""

    quality: Floats  # (N, C)
    role_prior: Floats  # (E, C)
    alignment: Floats  # (E, 1)
    synergy: Floats  # (E, C)
    scored: NDArray[np.bool_]  # (E, C): child and all its parents have all six metrics
    complete: NDArray[np.bool_]  # (N, C): all six metrics are known


def features(structure: Structure, metrics: Floats, parameters: Parameters) -> Features:
    """`metrics` is (N, 6) or (N, 6, C) in the order of the structure, NaN where a metric is not known."""
    if metrics.ndim == 2:
        metrics = metrics[:, :, None]
    unknown = np.isnan(metrics)
    complete = ~unknown.any(axis=1)
    if not complete.all():
        metrics = np.where(unknown, 0.0, metrics)
    weighed = np.clip(_trailing(parameters.metric_weights, 1) * metrics, 0.0, 1.0)
    role_weights = _shares(_trailing(parameters.role_weights, 2), axis=1)
    quality = np.clip(_mix(role_weights[structure.roles], weighed), 0.0, 1.0)

    tail, head = structure.tail, structure.head
    pair = structure.tail_role, structure.head_role
    synergy = _mix(_shares(_trailing(parameters.synergy_parent, 3), axis=2)[pair], weighed[tail])
    synergy += _mix(_shares(_trailing(parameters.synergy_child, 3), axis=2)[pair], weighed[head])
    synergy *= 0.5
    np.clip(synergy, 0.0, 1.0, out=synergy)
    return Features(
        quality=quality,
        role_prior=_trailing(parameters.priors, 2)[pair],
        alignment=structure.alignment[:, None],
        synergy=synergy,
        scored=_scored(structure, complete),
        complete=complete,
    )


def raw_confidence(structure: Structure, given: Features, parameters: Parameters) -> Floats:
    """(E, C) formula 4, for every edge, whether scored or not."""
    prior, parent, child, alignment, synergy = _trailing(parameters.edge_weights, 1)[:, None]
    raw = prior * given.role_prior
    raw = raw + alignment * given.alignment
    raw = raw + synergy * given.synergy
    raw = raw + parent * given.quality[structure.tail]
    raw = raw + child * given.quality[structure.head]
    np.clip(raw, 0.0, 1.0, out=raw)
    return raw


def _scored(structure: Structure, complete: NDArray[np.bool_]) -> NDArray[np.bool_]:
    if complete.all():
        return np.ones((structure.edges, 1), dtype=np.bool_)
    ready = complete.copy()
    for level in structure.levels:
        for first, last in level.blocks:
            ready[level.first : level.first + last - first] &= complete[structure.tail[first:last]]
    return ready[structure.head]


def _trailing(array: Floats, axes: int) -> Floats:
    """The array with a settings axis, of length 1 if it had none."""
    return array if array.ndim > axes else array[..., None]


def _shares(weights: Floats, axis: int) -> Floats:
    """Weights divided by the sum of their magnitudes, which counts as 1 where it is 0."""
    total = np.abs(weights).sum(axis=axis, keepdims=True)
    total[total == 0.0] = 1.0
    return weights / total


def _mix(weights: Floats, values: Floats) -> Floats:
    """The sum over the second axis (metrics) of weights times values, one metric at a time to stay in the cache."""
    total: Floats = weights[:, 0] * values[:, 0]
    for metric in range(1, values.shape[1]):
        total = total + weights[:, metric] * values[:, metric]
    return total
