"""The quality of each node by its own metrics, and the plausibility of each edge by its two nodes (formulas 2 to 6).

Node arrays are (N, C) and edge arrays (E, C) in the order of `Structure`, a column for each setting or sample;
where nothing varies, C is 1.
"""

from __future__ import annotations

import numpy as np

from veritas.scoring.graph import Bools, Floats, Ints
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import Parameters
from veritas.scoring.roles import ROLES


def weighed(metrics: Floats, parameters: Parameters) -> Floats:
    """Return formula 2: (N, 6, C) from (N, 6) or (N, 6, C); a metric that is not known (NaN) counts as 0."""
    if metrics.ndim == 2:
        metrics = metrics[:, :, None]
    with np.errstate(over="ignore"):  # an absurd metric is clipped like any other
        product = _trailing(parameters.metric_weights, 1) * metrics
    np.clip(product, 0.0, 1.0, out=product)
    np.nan_to_num(product, copy=False, nan=0.0)
    return product


def node_quality(roles: Ints, weighed_metrics: Floats, parameters: Parameters) -> Floats:
    """Return formula 3: (N, C)."""
    quality = _mix(parameters.role_shares, roles, weighed_metrics)
    np.clip(quality, 0.0, 1.0, out=quality)
    return quality


def synergy(structure: Structure, edges: Ints | slice, weighed_metrics: Floats, parameters: Parameters) -> Floats:
    """Return formulas 5 and 6 for some edges: (E, C)."""
    pair = structure.tail_role[edges] * len(ROLES) + structure.head_role[edges]
    total = _mix(parameters.parent_shares, pair, weighed_metrics, structure.tail[edges])
    total += _mix(parameters.child_shares, pair, weighed_metrics, structure.head[edges])
    total *= 0.5
    np.clip(total, 0.0, 1.0, out=total)
    return total


def role_prior(structure: Structure, edges: Ints | slice, parameters: Parameters) -> Floats:
    """Return the role prior, (E, C), of some edges."""
    priors = _trailing(parameters.priors, 2)
    prior: Floats = priors[structure.tail_role[edges], structure.head_role[edges]]
    return prior


def raw_confidence(
    structure: Structure, edges: Ints | slice, weighed_metrics: Floats, quality: Floats, parameters: Parameters
) -> Floats:
    """Return formula 4 for some edges, whether scored or not: (E, C)."""
    of_prior, of_parent, of_child, of_alignment, of_synergy = _trailing(parameters.edge_weights, 1)[:, None]
    raw: Floats = of_prior * role_prior(structure, edges, parameters)
    raw = raw + of_alignment * structure.alignment[edges][:, None]
    raw = raw + of_synergy * synergy(structure, edges, weighed_metrics, parameters)
    raw = raw + of_parent * quality.take(structure.tail[edges], axis=0)
    raw = raw + of_child * quality.take(structure.head[edges], axis=0)
    np.clip(raw, 0.0, 1.0, out=raw)
    return raw


def scored_edges(structure: Structure, complete: Bools) -> Bools:
    """Return whether the child of each edge, and every parent of that child, has all six metrics, (E, C)."""
    if complete.all():
        return np.ones((structure.edges, 1), dtype=np.bool_)
    ready = complete.copy()
    for level in structure.levels:
        parents = structure.tail[level.edge_first : level.edge_last]
        for first, last in level.blocks:
            ready[level.first : level.first + last - first] &= complete[parents[first:last]]
    return np.asarray(ready[structure.head])


def _trailing(array: Floats, axes: int) -> Floats:
    """Return the array with a settings axis, of length 1 if it had none."""
    return array if array.ndim > axes else array[..., None]


def _mix(weights: Floats, which: Ints, values: Floats, nodes: Ints | None = None) -> Floats:
    """Sum over metrics, for each entry of `which`, its row of weights times the values of its node.

    One metric at a time, so that no array larger than the result is made.
    """
    total: Floats | None = None
    for metric in range(values.shape[1]):
        value = values[:, metric] if nodes is None else values[:, metric].take(nodes, axis=0)
        term = weights[:, metric].take(which, axis=0) * value
        total = term if total is None else total + term
    assert total is not None
    return total
