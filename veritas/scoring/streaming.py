"""Keep a paper's score up to date while its nodes are being verified: one node's metrics in, the changes out."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from veritas.errors import InputError
from veritas.scoring import quality
from veritas.scoring._best_path import by_product
from veritas.scoring._support_ends import Ends
from veritas.scoring._trust import gated, trust_below, trust_of
from veritas.scoring.evaluation import Rules, graph_components, graph_score
from veritas.scoring.graph import Floats, Ints, PaperGraph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, Parameters, read_parameters
from veritas.scoring.roles import HYPOTHESIS, METRICS
from veritas.scoring.support import Support


@dataclass(frozen=True)
class Update:
    """The changes that one node's metrics made: `edges` that are scored and whose confidence is new, `(from, to,
    confidence)` in the order of the graph; and the state of the whole after them. `interval` is the two ends of the
    score under rules `veritas`, else the score at both ends."""

    node: str
    edges: tuple[tuple[str, str, float], ...]
    components: dict[str, float]
    score: float
    interval: tuple[float, float]


class Session:
    """A graph's score, kept up to date.

    It starts from `graph.metrics` (all unknown, for a paper not verified yet). An update computes the node, its edges,
    the descendants that it affects, and the graph's score; it gives what `score` gives from scratch. Under rules
    `veritas` it does so for both ends of the interval, and counterevidence affects what it contradicts.
    """

    def __init__(self, graph: PaperGraph, parameters: Parameters | None = None, rules: Rules = "paper") -> None:
        self.parameters = parameters or read_parameters()
        if self.parameters.settings is not None:
            raise ValueError("a session takes one setting")
        self.rules: Rules = rules
        self.graph = graph
        self.structure = structure = Structure(graph)
        self._position = {name: int(structure.node_at[place]) for place, name in enumerate(graph.ids)}
        self.metrics: Floats = graph.metrics[structure.node_of]
        self.components: dict[str, float] = {}
        self.score: float = 0.0
        self.interval: tuple[float, float] = (0.0, 0.0)
        self._support = Support(graph) if rules == "veritas" else None
        if self._support is not None:
            self._ends = Ends(self._support, graph, self.parameters)
            self._take_ends(self._support)
            return
        every_edge = np.arange(structure.edges)
        self._complete = np.logical_not(np.isnan(self.metrics).any(axis=1))
        self._scored = np.zeros(structure.edges, dtype=np.bool_)
        self._weighed = np.zeros((structure.nodes, len(METRICS), 1))
        self._quality = np.zeros(structure.nodes)
        self._raw = np.full(structure.edges, self.parameters.default_raw_conf)
        self._trust = np.zeros(structure.nodes)
        self._confidence = np.full(structure.edges, self.parameters.unscored_confidence)
        self._weigh(np.arange(structure.nodes))
        self._rescore(every_edge, range(structure.nodes))
        self._regate(every_edge)
        self._total()

    def update(self, node: str, metrics: Mapping[str, float | None]) -> Update:
        """Set a node's six metrics; one that is missing or None is unknown. Raises `InputError` for an unknown id."""
        place = self._position.get(str(node).strip())
        if place is None:
            raise InputError(f"the graph has no node {node!r}")
        structure = self.structure
        given = [metrics.get(metric) for metric in METRICS]
        self.metrics[place] = [np.nan if value is None else value for value in given]
        if self._support is not None:
            before, was_scored = self._confidence, self._scored
            self._ends.update(int(structure.node_of[place]), self.metrics[place])
            self._take_ends(self._support)
            new = self._scored & ((self._confidence != before) | ~was_scored)
            return Update(str(node), self._named(np.flatnonzero(new)), self.components, self.score, self.interval)
        self._complete[place] = not np.isnan(self.metrics[place]).any()
        self._weigh(np.array([place]))
        children = [int(structure.head[edge]) for edge in structure.edges_from(place)]
        touched = np.unique(np.concatenate([structure.edges_into(v) for v in (place, *children)]))
        changed_nodes = self._rescore(touched, (place, *children))
        gates = [structure.edges_from(v) for v in changed_nodes]
        edges = np.unique(np.concatenate((touched, *gates)))
        before = self._confidence[edges]
        was_scored = self._was_scored[edges]
        self._regate(edges)
        new = self._scored[edges] & ((self._confidence[edges] != before) | ~was_scored)
        self._total()
        return Update(str(node), self._named(edges[new]), self.components, self.score, self.interval)

    def edges_below(self, node: str) -> tuple[tuple[str, str, float], ...]:
        """Return the scored edges into a node or a descendant of it, in the order of the graph: all that an update of
        it may have changed.

        The reference reports these after an update. Under rules `veritas` an update of counterevidence also affects
        what it contradicts.
        """
        structure = self.structure
        below = {self._position[node]}
        if self._support is not None:
            contradicted = self._support.target[self._support.against == structure.node_of[self._position[node]]]
            targets = self._support.kept[self._support.structure.node_of[contradicted]]
            below |= set(structure.node_at[targets].tolist())
        waiting = list(below)
        into: list[int] = []
        while waiting:
            here = waiting.pop()
            into += structure.edges_into(here).tolist()
            for child in structure.head[structure.edges_from(here)].tolist():
                if child not in below:
                    below.add(child)
                    waiting.append(child)
        edges = np.array(into, dtype=np.intp)
        return self._named(edges[self._scored[edges]])

    def confidences(self) -> list[tuple[str, str, float]]:
        """Return every edge with its present confidence, in the order of the graph. Under rules `veritas` it is the
        middle of the interval, and NaN for an edge that they leave out."""
        return list(self._named(np.arange(self.structure.edges)))

    def _take_ends(self, support: Support) -> None:
        """Take the state from both ends under rules `veritas`; an edge is scored if both ends agree about it."""
        ends = self._ends
        edges = self.structure.edge_at[support.kept_edges]
        both = ends.confidence[support.structure.edge_at]
        self._confidence = np.full(self.structure.edges, np.nan)
        self._confidence[edges] = both.mean(axis=1)
        self._scored = np.zeros(self.structure.edges, dtype=np.bool_)
        self._scored[edges] = both[:, 0] == both[:, 1]
        self.components = dict(zip(COMPONENTS, ends.components.mean(axis=1).tolist(), strict=True))
        self.interval = float(ends.score[0]), float(ends.score[1])
        self.score = sum(self.interval) / 2

    def _named(self, edges: Ints) -> tuple[tuple[str, str, float], ...]:
        structure, ids = self.structure, self.graph.ids
        order = edges[np.argsort(structure.edge_of[edges])]
        return tuple(
            (ids[structure.node_of[structure.tail[e]]], ids[structure.node_of[structure.head[e]]], float(confidence))
            for e, confidence in zip(order.tolist(), self._confidence[order].tolist(), strict=True)
        )

    def _weigh(self, nodes: Ints) -> None:
        weighed = quality.weighed(self.metrics[nodes], self.parameters)
        self._weighed[nodes] = weighed
        self._quality[nodes] = quality.node_quality(self.structure.roles[nodes], weighed, self.parameters)[:, 0]

    def _rescore(self, edges: Ints, heads: Sequence[int] | range) -> list[int]:
        """Compute the raw confidence of `edges`, then trust from `heads` down; return the nodes whose trust changed."""
        structure = self.structure
        self._was_scored = self._scored.copy()
        for head in heads:
            into = structure.edges_into(head)
            self._scored[into] = self._complete[head] and bool(self._complete[structure.tail[into]].all())
        raw = quality.raw_confidence(structure, edges, self._weighed, self._quality[:, None], self.parameters)[:, 0]
        self._raw[edges] = np.where(self._scored[edges], raw, self.parameters.default_raw_conf)

        def trust_at(node: int) -> float:
            if not self.parameters.enabled:
                return float(self._quality[node])
            return trust_of(structure, node, self._trust, self._quality, self._raw, self.parameters)

        return trust_below(structure, heads, self._trust, trust_at)

    def _regate(self, edges: Ints) -> None:
        lowered = gated(self.structure, edges, self._raw[edges], self._trust, self.parameters)
        self._confidence[edges] = np.where(self._scored[edges], lowered, self.parameters.unscored_confidence)

    def _total(self) -> None:
        chains = by_product(self.structure, self._confidence)
        components = graph_components(self.structure, self._confidence[:, None], chains, self.parameters, self.rules)
        _, score = graph_score(self.structure, components, self.parameters)
        self.components = dict(zip(COMPONENTS, components[:, 0].tolist(), strict=True))
        self.score = float(score[0])
        self.interval = self.score, self.score


def visiting_order(graph: PaperGraph) -> list[str]:
    """Return the order in which to verify nodes: breadth first from the Hypotheses without parents, or from all
    Hypotheses if there is none, or from the first node; children by id as strings; then unreached nodes, by id."""
    parents = np.bincount(graph.head, minlength=len(graph.ids)) if len(graph.head) else np.zeros(len(graph.ids))
    hypotheses = np.flatnonzero(graph.roles == HYPOTHESIS).tolist()
    start = [v for v in hypotheses if not parents[v]] or hypotheses or list(range(len(graph.ids)))[:1]
    children: list[list[int]] = [[] for _ in graph.ids]
    for u, v in zip(graph.tail.tolist(), graph.head.tolist(), strict=True):
        children[u].append(v)
    seen = set(start)
    queue = deque(start)
    order = []
    while queue:
        u = queue.popleft()
        order.append(graph.ids[u])
        for v in sorted(children[u], key=graph.ids.__getitem__):
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return order + sorted(set(graph.ids) - {graph.ids[v] for v in seen})
