"""Compute scores from metrics, for many settings at once, by the paper's or its reference's rules (Appendix C)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from veritas.scoring import _best_path as best_path
from veritas.scoring import quality
from veritas.scoring._best_path import Chains
from veritas.scoring._components import fragility_of_doubt, normalised, raw_score, static_components
from veritas.scoring._trust import gated, propagate
from veritas.scoring.graph import Bools, Floats
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, Parameters

Rules = Literal["paper", "reference", "veritas"]
"""The rule sets. `paper`: the published formulas. `reference`: what the authors' program makes of them (docs/scoring.md
names the differences). `veritas`: our own rules, in `veritas.scoring.support`."""
RULES: tuple[Rules, ...] = ("paper", "reference", "veritas")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All numbers of a score, in the order of the structure: C columns, or 1 where nothing varies.

    `raw` and `confidence` hold default values for edges that are not `scored`.
    """

    complete: Bools  # (N, C) all six metrics known
    scored: Bools  # (E, C) child and all its parents complete
    quality: Floats  # (N, C)
    trust: Floats  # (N, C)
    raw: Floats  # (E, C)
    confidence: Floats  # (E, C)
    chains: Chains  # by product, 1-D if C is 1
    components: Floats  # (6, C)
    score_raw: Floats  # (C)
    score: Floats  # (C)


def evaluate(structure: Structure, metrics: Floats, parameters: Parameters, rules: Rules = "paper") -> Evaluation:
    """Score a graph. `metrics` is (N, 6) or (N, 6, C) in the order of the structure, NaN for unknown. The parameters
    hold one setting or C; no Python loop runs over them, except over some cuts (see `max_flow`)."""
    sampled = metrics if metrics.ndim == 3 else metrics[:, :, None]
    complete = np.logical_not(np.isnan(sampled).any(axis=1))
    weighed = quality.weighed(metrics, parameters)
    node_quality = quality.node_quality(structure.roles, weighed, parameters)
    raw = quality.raw_confidence(structure, slice(None), weighed, node_quality, parameters)
    scored = quality.scored_edges(structure, complete)
    if not scored.all():
        raw = np.where(scored, raw, parameters.default_raw_conf)
    trust = trusts(structure, node_quality, raw, parameters)
    confidence = gated(structure, slice(None), raw, trust, parameters)
    if not scored.all():
        confidence = np.where(scored, confidence, parameters.unscored_confidence)
    chains = best_path.by_product(structure, confidence[:, 0] if confidence.shape[1] == 1 else confidence)
    components = graph_components(structure, confidence, chains, parameters, rules)
    score_raw, score = graph_score(structure, components, parameters)
    return Evaluation(complete, scored, node_quality, trust, raw, confidence, chains, components, score_raw, score)


def trusts(structure: Structure, node_quality: Floats, raw: Floats, parameters: Parameters) -> Floats:
    """Return formulas 7 to 9, (N, C); where propagation is off, trust is quality."""
    varying = (parameters.agg, parameters.alpha, parameters.enabled, parameters.softmin_beta, parameters.dampmin_lambda)
    columns = np.broadcast_shapes(node_quality.shape[1:], raw.shape[1:], *(v.shape for v in varying))[0]
    if columns == 1:
        trust = node_quality[:, 0].copy()
        if parameters.enabled.all():
            kind = int(parameters.agg.reshape(()))
            propagate(structure, trust, node_quality[:, 0], raw[:, 0], parameters, kind)
        return trust[:, None]
    trust = np.repeat(node_quality, columns, axis=1) if node_quality.shape[1] == 1 else node_quality.copy()
    kinds = np.where(np.broadcast_to(parameters.enabled, columns) > 0, np.broadcast_to(parameters.agg, columns), -1)
    for kind in np.unique(kinds[kinds >= 0]):
        which = np.flatnonzero(kinds == kind)
        if len(which) == columns:
            propagate(structure, trust, node_quality, raw, parameters, int(kind))
        else:
            part = trust.take(which, axis=1)
            some_quality = node_quality if node_quality.shape[1] == 1 else node_quality.take(which, axis=1)
            some_raw = raw if raw.shape[1] == 1 else raw.take(which, axis=1)
            propagate(structure, part, some_quality, some_raw, parameters.columns(which), int(kind))
            trust[:, which] = part
    return trust


def graph_components(
    structure: Structure, confidence: Floats, chains: Chains, parameters: Parameters, rules: Rules
) -> Floats:
    """Return the components, (6, C), from the confidence of every edge, (E, C), and the chains by its product."""
    bridge = structure.bridge
    fixed = static_components(structure, parameters)
    if not bridge.nodes:
        return np.zeros((len(COMPONENTS), 1))
    value = best_path.per_conclusion if rules == "reference" else best_path.overall
    path = np.atleast_1d(value(structure, chains))
    redundancy = np.array([min(bridge.disjoint_paths(parameters.redundancy_full) / parameters.redundancy_full, 1.0)])
    fragility = fragility_of_doubt(bridge, confidence, parameters)
    if rules == "reference":
        # The reference leaves a component of weight 0 at 0; the score is the same.
        redundancy = np.where(_weight(parameters, "redundancy") == 0.0, 0.0, redundancy)
        fragility = np.where(_weight(parameters, "fragility") == 0.0, 0.0, fragility)
    rows = (fixed.bridge_coverage, path, redundancy, fragility, fixed.coherence, fixed.coverage)
    if all(row.shape == (1,) for row in rows):
        return np.array(rows)
    return np.stack(np.broadcast_arrays(*rows))


def graph_score(structure: Structure, components: Floats, parameters: Parameters) -> tuple[Floats, Floats]:
    """Return formula 12, and formulas 13 and 14, (C) each. A graph without nodes scores one half."""
    score_raw = raw_score(components, parameters)
    if not structure.nodes:
        return score_raw, np.full(score_raw.shape, 0.5)
    return score_raw, normalised(score_raw, parameters)


def _weight(parameters: Parameters, component: str) -> Floats:
    weight: Floats = np.atleast_1d(parameters.graph_weights[COMPONENTS.index(component)])
    return weight

