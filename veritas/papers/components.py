"""The six components of a graph's score, and the score they make (Appendix C, formulas 11 to 14)."""

from __future__ import annotations

import numpy as np

from veritas.papers.dag import Floats
from veritas.papers.parameters import Parameters
from veritas.papers.roles import KEY_ROLES
from veritas.papers.structure import Bridge

BRIDGE_COVERAGE, BEST_PATH, REDUNDANCY, FRAGILITY, COHERENCE, COVERAGE = range(6)


def coherence(bridge: Bridge, role_prior: Floats, coherent_from: float) -> Floats:
    """(C) share of the bridge's edges whose role prior is high enough; `role_prior` is (E, C)."""
    if not bridge.edges:
        return np.zeros(role_prior.shape[1])
    share: Floats = (role_prior[bridge.edge_index] >= coherent_from).mean(axis=0)
    return share


def coverage(bridge: Bridge) -> float:
    """Share of the key roles that are on the bridge."""
    return len(bridge.roles.intersection(KEY_ROLES)) / len(KEY_ROLES)


def raw_score(components: Floats, parameters: Parameters) -> Floats:
    """Formula 12: (C) the weighted sum of `components`, (6, C)."""
    weights = parameters.graph_weights
    weights = weights if weights.ndim == 2 else weights[:, None]
    total: Floats = (weights * components).sum(axis=0)
    return total


def normalised(raw: Floats, parameters: Parameters) -> Floats:
    """Formulas 13 and 14: the raw score between the least and the greatest it could be, just inside (0, 1)."""
    weights = parameters.graph_weights
    most = np.maximum(weights, 0.0).sum(axis=0)
    least = np.minimum(weights, 0.0).sum(axis=0)
    unit = np.clip((raw - least) / np.maximum(parameters.least_span, most - least), 0.0, 1.0)
    score: Floats = parameters.margin + (1.0 - 2.0 * parameters.margin) * unit
    return score
