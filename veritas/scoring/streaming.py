"""Keep a paper's score up to date while its nodes are being verified: one node's metrics in, the changes out."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from veritas.errors import InputError
from veritas.scoring.evaluation import Rules
from veritas.scoring.graph import Floats, Ints, PaperGraph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import Parameters, read_parameters
from veritas.scoring.roles import HYPOTHESIS, METRICS
from veritas.scoring.score import score
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
    """The score of a graph while its nodes are verified.

    It starts from `graph.metrics` (all unknown, for a paper not verified yet). An update scores the graph anew and
    tells what changed. Under rules `veritas` the score has two ends, and counterevidence affects what it contradicts.
    """

    def __init__(self, graph: PaperGraph, parameters: Parameters | None = None, rules: Rules = "paper") -> None:
        self.parameters = parameters or read_parameters()
        if self.parameters.settings is not None:
            raise ValueError("a session takes one setting")
        self.rules: Rules = rules
        self.graph = graph
        self._structure = Structure(graph)
        self._support = Support(graph) if rules == "veritas" else None
        self._position = {name: place for place, name in enumerate(graph.ids)}
        self._metrics: Floats = graph.metrics.copy()
        self._score()

    def update(self, node: str, metrics: Mapping[str, float | None]) -> Update:
        """Set a node's six metrics; one that is missing or None is unknown. Raises `InputError` for an unknown id."""
        place = self._position.get(str(node).strip())
        if place is None:
            raise InputError(f"the graph has no node {node!r}")
        given = [metrics.get(metric) for metric in METRICS]
        self._metrics[place] = [np.nan if value is None else value for value in given]
        before, was_scored = self._confidence, self._scored
        self._score()
        new = self._scored & ((self._confidence != before) | ~was_scored)
        return Update(str(node), self._named(np.flatnonzero(new)), self.components, self.score, self.interval)

    def edges_below(self, node: str) -> tuple[tuple[str, str, float], ...]:
        """Return the scored edges into a node or a descendant of it, in the order of the graph: all that an update of
        it may have changed.

        The reference reports these after an update. Under rules `veritas` an update of counterevidence also affects
        what it contradicts.
        """
        below = np.zeros(len(self.graph.ids), dtype=np.bool_)
        below[self._position[node]] = True
        if self._support is not None:
            contradicted = self._support.target[self._support.against == self._position[node]]
            below[self._support.kept[self._support.structure.node_of[contradicted]]] = True
        for u, v in zip(self._structure.tail_list, self._structure.head_list, strict=True):  # parents come first
            below[self._structure.node_of[v]] |= below[self._structure.node_of[u]]
        return self._named(np.flatnonzero(below[self.graph.head] & self._scored))

    def confidences(self) -> list[tuple[str, str, float]]:
        """Return every edge with its present confidence, in the order of the graph. Under rules `veritas` it is the
        middle of the interval, and NaN for an edge that they leave out."""
        return list(self._named(np.arange(len(self.graph.tail))))

    def _score(self) -> None:
        found = score(self.graph.with_metrics(self._metrics), self.parameters, self.rules, self._structure)
        self._scored = np.logical_not(np.isnan(found.confidence))
        if self._support is None:
            unscored = float(np.reshape(self.parameters.unscored_confidence, ()))
            self._confidence: Floats = np.where(self._scored, found.confidence, unscored)
        else:
            self._confidence = found.confidence_ends.mean(axis=1)
        self.components, self.score, self.interval = found.components, found.score, found.interval

    def _named(self, edges: Ints) -> tuple[tuple[str, str, float], ...]:
        ids, tail, head = self.graph.ids, self.graph.tail, self.graph.head
        return tuple((ids[tail[e]], ids[head[e]], float(self._confidence[e])) for e in edges.tolist())


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
