"""A paper's audit prepared for the report: every node and edge of the shown graph with its numbers side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from veritas.papers.audit import AuditEdge, AuditNode, Headline, Metric, PaperAudit, PaperEvidence
from veritas.papers.flaw import Flaw, OpenPoint
from veritas.papers.headline import headline_of
from veritas.scoring import quality
from veritas.scoring.alignment import alignments
from veritas.scoring.evaluation import Rules
from veritas.scoring.graph import PaperGraph, read_graph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import AGGREGATIONS, COMPONENTS, EDGE_FEATURES, Parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.score import Scoring, score
from veritas.scoring.support import worst_and_best

SCALARS = (
    "trust_floor", "default_raw_conf", "unscored_confidence", "redundancy_full", "least_capacity", "coherent_from",
    "least_span", "margin", "contradiction",
)  # fmt: skip


Bounds = tuple[float, float]
"""Lower and upper bound of a number: twice the same if it is known."""


@dataclass(frozen=True)
class NodeView:
    """A node with the scorer's values; None for a missing value. `place` counts from 0. `flaws` are the specific ones,
    `points` what is open about it."""

    place: int
    node: AuditNode
    quality: Bounds | None
    trust: Bounds | None
    on_path: bool
    flaws: tuple[Flaw, ...]
    points: tuple[OpenPoint, ...]
    evidence: tuple[PaperEvidence, ...]
    parents: tuple[int, ...]
    children: tuple[int, ...]

    @property
    def flagged(self) -> bool:
        """True if a specific flaw was found in it; that something is open about it is none."""
        return bool(self.flaws)

    def metric(self, name: str) -> Metric:
        """Return one of the six metrics, as not assessed if the audit has none."""
        return self.node.metrics.get(name) or Metric(why="nobody assessed it")


@dataclass(frozen=True)
class EdgeView:
    """An edge with its raw and gated confidence, and the five features that the raw one is made of."""

    place: int
    tail: int
    head: int
    edge: AuditEdge
    raw: Bounds | None
    confidence: Bounds | None
    features: Mapping[str, float | None]
    on_path: bool
    points: tuple[OpenPoint, ...]
    """Why the reading is unsure of it, if it is."""


class PaperView:
    """The primary graph of an audit, scored. `graph` is None if the audit has none that could be scored."""

    def __init__(self, audit: PaperAudit, parameters: Parameters) -> None:
        self.audit = audit
        self.parameters = parameters
        self.rules = cast(Rules, audit.rules)
        self.graph: PaperGraph | None = None
        if audit.primary is not None:
            self.graph = read_graph(audit.graph_document()).graph

    @cached_property
    def scoring(self) -> Scoring | None:
        """The shown graph under the headline's rules, computed anew: the page's numbers start from it."""
        return None if self.graph is None else score(self.graph, self.parameters, self.rules)

    @cached_property
    def _ends(self) -> tuple[Scoring, ...]:
        """The scoring, or, if rules `veritas` meet unknown metrics, the two with their worst and best values."""
        assert self.graph is not None
        assert self.scoring is not None
        if self.rules != "veritas" or not np.isnan(self.graph.metrics).any():
            return (self.scoring,)
        ends = (self.graph.with_metrics(metrics) for metrics in worst_and_best(self.graph))
        return tuple(score(graph, self.parameters, self.rules) for graph in ends)

    def _bounds(self, name: str, place: int) -> Bounds | None:
        values = [float(getattr(end, name)[place]) for end in self._ends]
        return None if np.isnan(values).any() else (min(values), max(values))

    @cached_property
    def agrees(self) -> bool:
        """True if these parameters give the score stored with the audit, or none is stored."""
        stored, made = self.audit.scoring(), self.scoring
        return made is not None and (stored is None or abs(stored.score - made.score) < 1e-9)

    @cached_property
    def nodes(self) -> tuple[NodeView, ...]:
        """Nodes in the order of the graph."""
        if self.graph is None or self.scoring is None:
            return ()
        edges = list(zip(self.graph.tail.tolist(), self.graph.head.tolist(), strict=True))
        path = set(self.scoring.best_path)
        by_id = {node.id: node for node in self.audit.nodes}
        found = []
        for place, name in enumerate(self.graph.ids):
            found.append(
                NodeView(
                    place=place,
                    node=by_id[name],
                    quality=self._bounds("quality", place),
                    trust=self._bounds("trust", place),
                    on_path=name in path,
                    flaws=self._flaws.get(name, ()),
                    points=self._points.get(name, ()),
                    evidence=tuple(e for e in self.audit.evidence if e.node == name),
                    parents=tuple(u for u, v in edges if v == place),
                    children=tuple(v for u, v in edges if u == place),
                )
            )
        return tuple(found)

    @cached_property
    def weakest_first(self) -> list[NodeView]:
        """Nodes by rising lower bound of trust; nodes outside the score last."""
        return sorted(self.nodes, key=lambda n: (n.trust is None, n.trust or (0.0, 0.0)))

    @cached_property
    def edges(self) -> tuple[EdgeView, ...]:
        """Edges in the order of the graph."""
        if self.graph is None or self.scoring is None:
            return ()
        sampled = next(g for g in self.audit.graphs if g.index == self.audit.primary)
        drawn = {(edge.parent, edge.child): edge for edge in sampled.edges}
        links = set(zip(self.scoring.best_path, self.scoring.best_path[1:], strict=False))
        features = edge_features(self.graph, self.parameters)
        found = []
        for place, (tail, head) in enumerate(self.graph.edges):
            found.append(
                EdgeView(
                    place=place,
                    tail=int(self.graph.tail[place]),
                    head=int(self.graph.head[place]),
                    edge=drawn.get((tail, head)) or AuditEdge(parent=tail, child=head),
                    raw=self._bounds("raw", place),
                    confidence=self._bounds("confidence", place),
                    features=dict(zip(EDGE_FEATURES, map(_number, features[place]), strict=True)),
                    on_path=(tail, head) in links,
                    points=self._points.get(f"{tail}->{head}", ()),
                )
            )
        return tuple(found)

    @cached_property
    def headline(self) -> Headline:
        """The score that is shown, or what one would need."""
        return headline_of(self.audit)

    @cached_property
    def flaws(self) -> tuple[Flaw, ...]:
        """The specific flaws, the worst first."""
        return tuple(sorted(self.audit.flaws, key=lambda flaw: -flaw.severity))

    def words_of(self, subject: str) -> str:
        """Return the words of the statement of that id, of whatever reading; empty for anything else."""
        return next((node.text for node in self.audit.nodes if node.id == subject), "")

    def against(self, flaw: Flaw) -> tuple[PaperEvidence, ...]:
        """Return the passages on which a flaw of a statement rests."""
        wanted = {"contradicted": "refutes", "circular": "about"}.get(flaw.kind)
        return tuple(e for e in self.audit.evidence if e.node == flaw.subject and e.label == wanted)

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Place of each node of the shown graph among its nodes, by id."""
        return {} if self.graph is None else {name: place for place, name in enumerate(self.graph.ids)}

    def places_of(self, subject: str) -> list[int]:
        """Return the places of a flaw in the shown graph: a node, the two ends of a link, or none."""
        names = [subject] if subject in self.place_of else subject.split("->", 1)
        return [self.place_of[n] for n in names] if all(n in self.place_of for n in names) else []

    @cached_property
    def unknown(self) -> int:
        """Number of metrics of the shown graph that could not be assessed."""
        return 0 if self.graph is None else int(np.isnan(self.graph.metrics).sum())

    @cached_property
    def components(self) -> list[tuple[str, float, tuple[float, float], float]]:
        """The six components: name, value, interval of what is known, weight in the score."""
        if self.scoring is None:
            return []
        values, ends = self.scoring.components, self.scoring.components_interval
        weights = self.parameters.graph_weights.tolist()
        return [(name, values[name], ends[name], weights[i]) for i, name in enumerate(COMPONENTS)]

    def for_page(self) -> dict[str, Any]:
        """Return the data from which the page's own scorer starts."""
        if self.graph is None or self.scoring is None:
            return {}
        graph = self.graph
        return {
            "rules": self.rules,
            "ids": list(graph.ids),
            "graph": {
                "roles": graph.roles.tolist(),
                "edges": [list(edge) for edge in zip(graph.tail.tolist(), graph.head.tolist(), strict=True)],
                "alignment": alignments(graph).tolist(),
            },
            "metrics": [[_number(value) for value in row] for row in graph.metrics.tolist()],
            "applies": [[node.metric(name).applies for name in METRICS] for node in self.nodes],
            "metricNames": list(METRICS),
            "parameters": parameters_for_page(self.parameters),
        }

    @cached_property
    def _flaws(self) -> dict[str, tuple[Flaw, ...]]:
        subjects: dict[str, tuple[Flaw, ...]] = {}
        for flaw in self.flaws:
            subjects[flaw.subject] = (*subjects.get(flaw.subject, ()), flaw)
        return subjects

    @cached_property
    def _points(self) -> dict[str, tuple[OpenPoint, ...]]:
        subjects: dict[str, tuple[OpenPoint, ...]] = {}
        for point in self.audit.open_points:
            subjects[point.subject] = (*subjects.get(point.subject, ()), point)
        return subjects


def parameters_for_page(parameters: Parameters) -> dict[str, Any]:
    """Return the parameters as the page's scorer reads them: mixes as shares, the aggregation by name."""
    arrays = {name: getattr(parameters, name).tolist() for name in ("metric_weights", "edge_weights", "priors")}
    shares = {
        name: getattr(parameters, name)[..., 0].tolist() for name in ("role_shares", "parent_shares", "child_shares")
    }
    single = ("enabled", "alpha", "eta", "softmin_beta", "dampmin_lambda")
    return {
        **arrays,
        **shares,
        **{name: float(getattr(parameters, name)) for name in single},
        **{name: getattr(parameters, name) for name in SCALARS},
        "agg": AGGREGATIONS[int(parameters.agg)],
        "graph_weights": parameters.graph_weights.tolist(),
    }


def edge_features(graph: PaperGraph, parameters: Parameters) -> list[list[float]]:
    """Return the (E, 5) features of formula 4 in the order of the graph, NaN where a metric behind one is unknown."""
    if not len(graph.tail):
        return []
    structure = Structure(graph)
    metrics = graph.metrics[structure.node_of]
    weighed = quality.weighed(metrics, parameters)
    worth = quality.node_quality(structure.roles, weighed, parameters)
    doubt = np.where(np.isnan(metrics).any(axis=1), np.nan, 0.0)
    every = slice(None)
    columns = (
        quality.role_prior(structure, every, parameters)[:, 0],
        worth[structure.tail, 0] + doubt[structure.tail],
        worth[structure.head, 0] + doubt[structure.head],
        structure.alignment,
        quality.synergy(structure, every, weighed, parameters)[:, 0] + doubt[structure.tail] + doubt[structure.head],
    )
    rows: list[list[float]] = np.stack(columns, axis=1)[structure.edge_at].tolist()
    return rows


def spoken(bounds: Bounds | None) -> str:
    """Return `0.62`, `0.20–0.62`, or `–` for a number outside the score."""
    if bounds is None:
        return "–"
    low, high = (f"{end:.2f}" for end in bounds)
    return low if low == high else f"{low}–{high}"


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
