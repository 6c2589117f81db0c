"""The flow of trust from parents to children, and its gating of the confidence of edges (formulas 7 to 10).

Every array is 1-D for one setting or has a column for each setting; parameters are scalars or one value a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from veritas.scoring.graph import Floats, Ints
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import AGGREGATIONS, Parameters

MIN, MEAN, SOFTMIN, DAMPMIN = range(len(AGGREGATIONS))
RISING_SOFTMIN = len(AGGREGATIONS)
"""A softmin that never falls when a contribution rises: -log(mean(exp(-beta z))) / beta. Formula 9's can fall, because
its weights depend on the spread of the contributions. The rule set `veritas` uses this one instead."""


@dataclass(frozen=True, eq=False)
class Aggregation:
    """A way to combine the parents' contributions into one support (formula 9)."""

    kind: int
    beta: Floats | float
    lam: Floats | float

    def over(self, cuts: Sequence[tuple[int, int]], z: Floats) -> Floats:
        """Return one value for each node of a level, from `z` of its edges; `cuts` are the `blocks` of the `Level`."""
        if self.kind == MIN:
            return _least(cuts, z)
        if self.kind == MEAN:
            return _mean(cuts, z)
        if self.kind == DAMPMIN:
            return (1.0 - self.lam) * _least(cuts, z) + self.lam * _mean(cuts, z)
        if self.kind == RISING_SOFTMIN:
            return self._rising_softmin(cuts, z)
        return self._softmin(cuts, z)

    def _rising_softmin(self, cuts: Sequence[tuple[int, int]], z: Floats) -> Floats:
        least, mean = _least(cuts, z), _mean(cuts, z)
        total, count = np.zeros_like(least), np.zeros(least.shape[:1] + (1,) * (least.ndim - 1))
        for first, last in cuts:
            total[: last - first] += np.exp(self.beta * (least[: last - first] - z[first:last]))
            count[: last - first] += 1.0
        beta = np.maximum(self.beta, 1e-9)
        return np.where(self.beta < 1e-9, mean, least - np.log(total / count) / beta)

    def _softmin(self, cuts: Sequence[tuple[int, int]], z: Floats) -> Floats:
        least, most = _least(cuts, z), _most(cuts, z)
        span = most - least
        flat = span <= 1e-12
        # if all contributions are equal every weight is exp(0), which gives the mean
        scale = np.where(flat, 0.0, self.beta / np.where(flat, 1.0, span))
        weights, total = np.zeros_like(least), np.zeros_like(least)
        for first, last in cuts:
            count = last - first
            w = np.exp(scale[:count] * (least[:count] - z[first:last]))
            weights[:count] += w
            total[:count] += w * z[first:last]
        return total / weights


def _least(cuts: Sequence[tuple[int, int]], z: Floats) -> Floats:
    first, last = cuts[0]
    if len(cuts) == 1:
        return z[first:last]
    least = z[first:last].copy()
    for first, last in cuts[1:]:
        part = least[: last - first]
        np.minimum(part, z[first:last], out=part)
    return least


def _most(cuts: Sequence[tuple[int, int]], z: Floats) -> Floats:
    return -_least(cuts, -z)


def _mean(cuts: Sequence[tuple[int, int]], z: Floats) -> Floats:
    first, last = cuts[0]
    if len(cuts) == 1:
        return z[first:last]
    total = z[first:last].copy()
    count = np.ones(total.shape[:1] + (1,) * (total.ndim - 1))
    for first, last in cuts[1:]:
        total[: last - first] += z[first:last]
        count[: last - first] += 1.0
    return total / count


def aggregation(parameters: Parameters, kind: int) -> Aggregation:
    """Return the aggregation of that kind, its parameters clamped: beta to 0 and up, lambda to [0, 1]."""
    return Aggregation(kind, np.maximum(parameters.softmin_beta, 0.0), np.clip(parameters.dampmin_lambda, 0.0, 1.0))


def propagate(
    structure: Structure, trust: Floats, quality: Floats, raw: Floats, parameters: Parameters, kind: int
) -> None:
    """Fill in `trust`, in place, at all nodes that have parents (formulas 7 and 8). A sweep over the levels."""
    alpha = np.maximum(parameters.alpha, 0.0)
    plain = bool(np.all(alpha == 1.0))
    floor = parameters.trust_floor
    combine = aggregation(parameters, kind).over
    tail = structure.tail
    for level in structure.levels:
        first, last = level.edge_first, level.edge_last
        z = trust.take(tail[first:last], axis=0)
        np.maximum(z, floor, out=z)
        if not plain:
            z **= alpha
        z *= raw[first:last]
        support = combine(level.blocks, z)
        # quality and support lie in [0, 1], so formula 8 has nothing to clip
        np.multiply(quality[level.first : level.last], support, out=trust[level.first : level.last])


def gated(structure: Structure, edges: Ints | slice, raw: Floats, trust: Floats, parameters: Parameters) -> Floats:
    """Return formula 10 for some edges: their `raw`, reduced by a low trust in the parent, at most to eta times it.
    `trust` is that of all nodes."""
    alpha = np.maximum(parameters.alpha, 0.0)
    eta = np.clip(parameters.eta, 0.0, 1.0)
    gate = trust if np.all(alpha == 1.0) else trust**alpha
    gate = eta + (1.0 - eta) * gate
    lowered: Floats = raw * gate.take(structure.tail[edges], axis=0)
    return lowered
