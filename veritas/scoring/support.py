"""The rule set `veritas`: support and contradiction kept apart (docs/scoring.md gives the reason for each rule).

Counterevidence supports nothing: it lowers what it contradicts. Limitations are left out. The remaining support graph
alone is scored. Higher metrics never lower the score, and higher metrics of counterevidence never raise it; so the
score of a graph with unknown metrics lies between those with the worst and the best possible values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veritas.scoring import _best_path as best_path
from veritas.scoring import quality
from veritas.scoring._components import normalised, raw_score, static_components
from veritas.scoring._trust import RISING_SOFTMIN, SOFTMIN, aggregation, gated
from veritas.scoring.graph import Floats, Ints, PaperGraph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, Parameters
from veritas.scoring.roles import COUNTEREVIDENCE, LIMITATION


@dataclass(frozen=True, eq=False)
class SupportEvaluation:
    """The numbers of a support graph whose metrics are all known: in its own order, C columns."""

    quality: Floats  # (N, C) of the support graph
    trust: Floats  # (N, C)
    raw: Floats  # (E, C)
    confidence: Floats  # (E, C)
    components: Floats  # (6, C)
    score_raw: Floats  # (C)
    score: Floats  # (C)


class Support:
    """A graph without its Counterevidence and Limitation nodes, and the pairs of counterevidence and contradicted node.

    `kept` are the positions, in the graph, of the nodes of `structure.graph`; `kept_edges` those of its edges.
    """

    def __init__(self, graph: PaperGraph) -> None:
        self.graph = graph
        apart = (graph.roles == COUNTEREVIDENCE) | (graph.roles == LIMITATION)
        self.kept: Ints = np.flatnonzero(~apart)
        self.kept_edges: Ints = np.flatnonzero(~(apart[graph.tail] | apart[graph.head]))
        number = np.cumsum(~apart) - 1
        self.structure = Structure(
            PaperGraph(
                ids=tuple(graph.ids[v] for v in self.kept),
                roles=graph.roles[self.kept],
                texts=tuple(graph.texts[v] for v in self.kept),
                metrics=graph.metrics[self.kept],
                tail=number[graph.tail[self.kept_edges]],
                head=number[graph.head[self.kept_edges]],
            )
        )
        forward = (graph.roles[graph.tail] == COUNTEREVIDENCE) & ~apart[graph.head]
        against, target = graph.tail[forward], graph.head[forward]
        # An extractor often hangs counterevidence below the claim it contradicts: counterevidence that leads to nothing
        # contradicts the nodes that lead to it.
        leaf = graph.roles == COUNTEREVIDENCE
        leaf[against] = False
        backward = leaf[graph.head] & ~apart[graph.tail]
        self.against: Ints = np.concatenate((against, graph.head[backward]))
        self.target_role: Ints = graph.roles[np.concatenate((target, graph.tail[backward]))]
        self.target: Ints = self.structure.node_at[number[np.concatenate((target, graph.tail[backward]))]]

    def standing(self, metrics: Floats, parameters: Parameters) -> Floats:
        """Return the share, (N, C), of each node of the support graph that counterevidence leaves, 1 where there is
        none.

        Each counterevidence takes a share: its own quality, times the role prior of counterevidence against such a
        node, times `contradiction`. Only its own metrics count, so nothing else can make it stronger. `metrics` as in
        `evaluate`.
        """
        if not len(self.against):
            return np.ones((self.structure.nodes, 1))
        weighed = quality.weighed(metrics[self.against], parameters)
        strength = quality.node_quality(self.graph.roles[self.against], weighed, parameters)
        priors = parameters.priors[COUNTEREVIDENCE, self.target_role]
        left = 1.0 - parameters.contradiction * strength * (priors if priors.ndim == 2 else priors[:, None])
        standing = np.ones((self.structure.nodes, left.shape[1]))
        np.multiply.at(standing, self.target, left)
        return standing

    def evaluate(self, metrics: Floats, parameters: Parameters) -> SupportEvaluation:
        """Score the graph. `metrics` is (N, 6) or (N, 6, C) in the order of the *graph*, without NaN."""
        structure = self.structure
        own = metrics[self.kept][structure.node_of]
        weighed = quality.weighed(own, parameters)
        node_quality = quality.node_quality(structure.roles, weighed, parameters)
        raw = quality.raw_confidence(structure, slice(None), weighed, node_quality, parameters)
        standing = self.standing(metrics, parameters)
        trust = trusts(structure, node_quality, standing, parameters)
        confidence = gated(structure, slice(None), raw, trust, parameters) * standing[structure.head]
        components = self.components(node_quality, standing, trust, confidence, parameters)
        score_raw = raw_score(components, parameters)
        return SupportEvaluation(
            node_quality, trust, raw, confidence, components, score_raw, normalised(score_raw, parameters)
        )

    def components(
        self, node_quality: Floats, standing: Floats, trust: Floats, confidence: Floats, parameters: Parameters
    ) -> Floats:
        """Return the components of the score, (6, C), from the numbers of all nodes and edges."""
        structure, bridge = self.structure, self.structure.bridge
        if not bridge.nodes:
            components = np.zeros((len(COMPONENTS), 1))
            components[COMPONENTS.index("fragility")] = 1.0  # an argument that does not exist is fully fragile
            return components
        fixed = static_components(structure, parameters)
        full = parameters.redundancy_full
        rows = (
            trust[bridge.node_index].sum(axis=0) / structure.nodes,
            best_path.strongest_mean(structure, confidence, np.broadcast_to(trust, _wider(trust, confidence))),
            np.array([min(bridge.disjoint_paths(full, by_node=True) / full, 1.0)]),
            1.0 - np.minimum(self._capacity(node_quality * standing, confidence), 1.0),
            fixed.coherence,
            fixed.coverage,
        )
        return np.stack(np.broadcast_arrays(*rows))

    def _capacity(self, worth: Floats, confidence: Floats) -> Floats:
        """Return the largest flow, (C), from Hypotheses to Conclusions, where a node's capacity is its `worth`, (N, C),
        and an edge's its confidence. A flow above 1 may be any value above 1."""
        bridge = self.structure.bridge
        flow_graph, order = bridge.split_flow_graph
        columns = max(worth.shape[1], confidence.shape[1])
        limits = np.concatenate(
            (
                np.broadcast_to(confidence[bridge.edge_index], (bridge.edges, columns)),
                np.broadcast_to(worth[bridge.node_index], (bridge.nodes, columns)),
            )
        )[order]
        return flow_graph.largest(limits, enough=1.0)


def worst_and_best(graph: PaperGraph, upper: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the metrics twice, (N, 6) or (N, 6, C): unknown ones at the values that lower the score most, and raise it
    most.

    With `upper`, of the shape of the graph's metrics, a metric is known to lie between the graph's and that.
    """
    low = np.nan_to_num(graph.metrics, nan=0.0)
    high = np.nan_to_num(graph.metrics if upper is None else upper, nan=1.0)
    adverse = (graph.roles == COUNTEREVIDENCE).reshape(-1, *(1,) * (graph.metrics.ndim - 1))
    return np.where(adverse, high, low), np.where(adverse, low, high)


def trusts(structure: Structure, node_quality: Floats, standing: Floats, parameters: Parameters) -> Floats:
    """Return the trust of nodes, (N, C): at most a node's quality and its parents' aggregated trust, of which
    counterevidence leaves its share. Unlike formula 8 this does not shrink with every step, so that a distant root
    still counts."""
    alpha = np.maximum(parameters.alpha, 0.0)
    varying = (parameters.agg, parameters.alpha, parameters.enabled, parameters.softmin_beta, parameters.dampmin_lambda)
    columns = np.broadcast_shapes(node_quality.shape[1:], standing.shape[1:], *(v.shape for v in varying))[0]
    trust = np.broadcast_to(node_quality * standing, (structure.nodes, columns)).copy()
    kinds = np.broadcast_to(parameters.agg, columns)
    kinds = np.where(kinds == SOFTMIN, RISING_SOFTMIN, kinds)
    kinds = np.where(np.broadcast_to(parameters.enabled, columns) > 0, kinds, -1)
    for kind in np.unique(kinds[kinds >= 0]):
        which = np.flatnonzero(kinds == kind)
        some = parameters.columns(which) if columns > 1 else parameters
        exponent = alpha[which] if alpha.ndim and len(alpha) == columns else alpha
        combine = aggregation(some, int(kind)).over
        part = trust.take(which, axis=1)
        left = standing if standing.shape[1] == 1 else standing.take(which, axis=1)
        for level in structure.levels:
            parents = structure.tail[level.edge_first : level.edge_last]
            support = combine(level.blocks, part.take(parents, axis=0) ** exponent)
            here = slice(level.first, level.last)
            np.minimum(part[here], support * left[here], out=part[here])
        trust[:, which] = part
    return trust


def _wider(one: Floats, other: Floats) -> tuple[int, int]:
    return one.shape[0], max(one.shape[1], other.shape[1])
