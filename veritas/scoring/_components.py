"""The six components of a graph's score, and the score they make (Appendix C, formulas 12 to 14)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veritas.scoring.graph import Floats
from veritas.scoring.graph_structure import Bridge, Structure
from veritas.scoring.parameters import Parameters
from veritas.scoring.quality import role_prior
from veritas.scoring.roles import KEY_ROLES


@dataclass(frozen=True, eq=False)
class StaticComponents:
    """The components that no metric changes, (C) each."""

    bridge_coverage: Floats
    coherence: Floats
    coverage: Floats


def static_components(structure: Structure, parameters: Parameters) -> StaticComponents:
    """Return the shares of nodes on the bridge, of its edges with a high role prior, and of key roles on it."""
    bridge = structure.bridge
    coherent = np.zeros(1)
    if bridge.edges:
        coherent = (role_prior(structure, bridge.edge_index, parameters) >= parameters.coherent_from).mean(axis=0)
    return StaticComponents(
        bridge_coverage=np.array([bridge.nodes / max(structure.nodes, 1)]),
        coherence=coherent,
        coverage=np.array([len(bridge.roles.intersection(KEY_ROLES)) / len(KEY_ROLES)]),
    )


def fragility_of_doubt(bridge: Bridge, confidence: Floats, parameters: Parameters) -> Floats:
    """Return the bridge's smallest cut, (C), with edges' doubts as capacities, over its number of edges."""
    if not bridge.edges:
        return np.zeros(1)
    doubt = np.maximum(parameters.least_capacity, 1.0 - confidence[bridge.edge_index])
    return bridge.flow_graph.largest(doubt) / bridge.edges


def raw_score(components: Floats, parameters: Parameters) -> Floats:
    """Return formula 12: the weighted sum, (C), of `components`, (6, C)."""
    weights = parameters.graph_weights
    weights = weights if weights.ndim == 2 else weights[:, None]
    total: Floats = (weights * components).sum(axis=0)
    return total


def normalised(raw: Floats, parameters: Parameters) -> Floats:
    """Return formulas 13 and 14: the raw score between its least and greatest possible value, just inside (0, 1)."""
    weights = parameters.graph_weights
    most = np.maximum(weights, 0.0).sum(axis=0)
    least = np.minimum(weights, 0.0).sum(axis=0)
    unit = np.clip((raw - least) / np.maximum(parameters.least_span, most - least), 0.0, 1.0)
    score: Floats = parameters.margin + (1.0 - 2.0 * parameters.margin) * unit
    return score
