"""Score the argument graph of a paper: one graph, one setting, all numbers by node and edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veritas.scoring import _best_path as best_path
from veritas.scoring.evaluation import Rules, evaluate
from veritas.scoring.graph import Floats, PaperGraph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, Parameters, read_parameters
from veritas.scoring.support import Support, SupportEvaluation, worst_and_best


@dataclass(frozen=True, eq=False)
class Scoring:
    """A score with all its parts, nodes and edges in the order of the graph.

    NaN means that there is no such value (a node that lacks a metric, an edge with such a node, what the rule set
    leaves out). `best_path` holds ids. If rules `veritas` meet unknown metrics, `interval` and `components_interval`
    are the ends between which the score and the components must lie, and `score` and `components` their middles;
    `trust_ends` and `confidence_ends` are those of nodes and edges, also where `trust` and `confidence` are NaN.
    """

    graph: PaperGraph
    rules: Rules
    quality: Floats  # (N)
    trust: Floats  # (N)
    raw: Floats  # (E)
    confidence: Floats  # (E)
    trust_ends: Floats  # (N, 2)
    confidence_ends: Floats  # (E, 2)
    components: dict[str, float]
    score_raw: float
    score: float
    best_path: tuple[str, ...]
    best_path_unique: bool
    overall_path: tuple[str, ...]
    overall_value: float
    interval: tuple[float, float]
    components_interval: dict[str, tuple[float, float]]

    def as_json(self) -> dict[str, Any]:
        """Return the form of the golden vectors, with intervals of score and components under rules `veritas`."""
        made: dict[str, Any] = {
            "node_quality": as_numbers(self.quality),
            "node_trust": as_numbers(self.trust),
            "edge_raw": as_numbers(self.raw),
            "edge_gated": as_numbers(self.confidence),
            "components": {name: significant(value) for name, value in self.components.items()},
            "best_path_nodes": list(self.best_path),
            "best_path_unique": self.best_path_unique,
            "best_path_strict": significant(self.overall_value),
            "best_path_strict_nodes": list(self.overall_path),
            "score_raw": significant(self.score_raw),
            "score": significant(self.score),
        }
        if self.rules == "veritas":
            made["score_interval"] = [significant(end) for end in self.interval]
            made["components_interval"] = {
                name: [significant(end) for end in ends] for name, ends in self.components_interval.items()
            }
        return made


def score(
    graph: PaperGraph,
    parameters: Parameters | None = None,
    rules: Rules = "paper",
    structure: Structure | None = None,
) -> Scoring:
    """Score a graph under one setting (default: `policies/scorer.yaml`). `structure` saves laying it out again.
    Raises `ValueError` for parameters of several settings."""
    parameters = parameters or read_parameters()
    if parameters.settings is not None:
        raise ValueError("score takes one setting; score_batch takes many")
    if rules == "veritas":
        return _score_support(graph, parameters)
    structure = structure or Structure(graph)
    found = evaluate(structure, graph.metrics[structure.node_of], parameters, rules)
    confidence = found.confidence[:, 0]
    overall = best_path.path_by_product(structure, confidence, found.chains, overall_best=True)
    chosen = overall
    if rules == "reference":
        chosen = best_path.path_by_product(structure, confidence, found.chains, overall_best=False)
    complete, scored = found.complete[:, 0], found.scored[:, 0]
    nodes, edges = structure.node_at, structure.edge_at
    trust = np.where(complete, found.trust[:, 0], np.nan)[nodes]
    given = np.where(scored, confidence, np.nan)[edges]
    components = _named(found.components[:, 0])
    value = float(found.score[0])
    return Scoring(
        graph=graph,
        rules=rules,
        quality=np.where(complete, found.quality[:, 0], np.nan)[nodes],
        trust=trust,
        raw=np.where(scored, found.raw[:, 0], np.nan)[edges],
        confidence=given,
        trust_ends=np.stack((trust, trust), axis=1),
        confidence_ends=np.stack((given, given), axis=1),
        components=components,
        score_raw=float(found.score_raw[0]),
        score=value,
        best_path=_ids(structure, chosen),
        best_path_unique=chosen.unique,
        overall_path=_ids(structure, overall),
        overall_value=overall.value,
        interval=(value, value),
        components_interval={name: (part, part) for name, part in components.items()},
    )


def as_numbers(array: Floats) -> list[float | None]:
    """Return a JSON list with null for NaN, and numbers to 12 significant digits."""
    return [None if np.isnan(value) else significant(value) for value in array.tolist()]


def significant(value: float) -> float:
    """Round to 12 significant digits, beyond which only rounding errors differ."""
    return float(f"{value:.12g}")


def _score_support(graph: PaperGraph, parameters: Parameters) -> Scoring:
    support = Support(graph)
    structure = support.structure
    worst, best = worst_and_best(graph)
    low = support.evaluate(worst, parameters)
    high = low if np.array_equal(worst, best) else support.evaluate(best, parameters)
    path = best_path.path_by_mean(
        structure, low.confidence[:, 0], low.trust[:, 0], float(low.components[COMPONENTS.index("best_path"), 0])
    )
    by_product = best_path.by_product(structure, low.confidence[:, 0])
    overall = best_path.path_by_product(structure, low.confidence[:, 0], by_product, overall_best=True)

    def over(count: int, where: Any, order: Any, name: str) -> Floats:
        full = np.full(count, np.nan)
        one, other = (getattr(ends, name)[:, 0][order] for ends in (low, high))
        full[where] = np.where(one == other, one, np.nan)
        return full

    def both(count: int, where: Any, order: Any, name: str) -> Floats:
        full = np.full((count, 2), np.nan)
        full[where] = np.sort(np.stack([getattr(ends, name)[:, 0][order] for ends in (low, high)], axis=1), axis=1)
        return full

    nodes, edges = len(graph.ids), len(graph.tail)
    ends = (float(low.score[0]), float(high.score[0]))
    parts = _named_ends(low, high)
    return Scoring(
        graph=graph,
        rules="veritas",
        quality=over(nodes, support.kept, structure.node_at, "quality"),
        trust=over(nodes, support.kept, structure.node_at, "trust"),
        raw=over(edges, support.kept_edges, structure.edge_at, "raw"),
        confidence=over(edges, support.kept_edges, structure.edge_at, "confidence"),
        trust_ends=both(nodes, support.kept, structure.node_at, "trust"),
        confidence_ends=both(edges, support.kept_edges, structure.edge_at, "confidence"),
        components={name: (one + other) / 2 for name, (one, other) in parts.items()},
        score_raw=float(low.score_raw[0] + high.score_raw[0]) / 2,
        score=sum(ends) / 2,
        best_path=_ids(structure, path),
        best_path_unique=path.unique,
        overall_path=_ids(structure, overall),
        overall_value=overall.value,
        interval=ends,
        components_interval=parts,
    )


def _named(column: Floats) -> dict[str, float]:
    return dict(zip(COMPONENTS, column.tolist(), strict=True))


def _named_ends(low: SupportEvaluation, high: SupportEvaluation) -> dict[str, tuple[float, float]]:
    one, other = _named(low.components[:, 0]), _named(high.components[:, 0])
    return {name: (min(one[name], other[name]), max(one[name], other[name])) for name in COMPONENTS}


def _ids(structure: Structure, path: best_path.Path) -> tuple[str, ...]:
    return tuple(structure.graph.ids[structure.node_of[node]] for node in path.nodes)
