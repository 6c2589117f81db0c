"""Export a scored graph for other programs: feature matrices, random walks, a fingerprint vector, GraphML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from veritas.scoring.alignment import alignments
from veritas.scoring.graph import Bools, Floats, Ints, PaperGraph
from veritas.scoring.parameters import COMPONENTS
from veritas.scoring.roles import METRICS, ROLES
from veritas.scoring.score import Scoring

CONFIDENCE_BINS = 5


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix with named rows and columns; `mask` is 0 where a value is unknown, and `values` has a 0 there."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats
    mask: Bools


def node_matrix(graph: PaperGraph) -> Matrix:
    """Return the nodes, by id as strings, with a column for each role (1 for the node's own) and each metric."""
    order = np.array(sorted(range(len(graph.ids)), key=graph.ids.__getitem__), dtype=np.intp)
    roles = (graph.roles[order][:, None] == np.arange(len(ROLES))).astype(np.float64)
    metrics = graph.metrics[order]
    known = np.concatenate((np.ones(roles.shape, dtype=np.bool_), np.logical_not(np.isnan(metrics))), axis=1)
    values = np.concatenate((roles, np.nan_to_num(metrics, nan=0.0)), axis=1)
    columns = (*(f"role::{role}" for role in ROLES), *METRICS)
    return Matrix(tuple(graph.ids[v] for v in order.tolist()), columns, values, known)


def edge_matrix(scoring: Scoring) -> Matrix:
    """Return a row for each edge `from->to`, in the order of the graph: roles, alignment, qualities, confidences."""
    graph = scoring.graph
    count = len(graph.tail)
    parents = (graph.roles[graph.tail][:, None] == np.arange(len(ROLES))).astype(np.float64)
    children = (graph.roles[graph.head][:, None] == np.arange(len(ROLES))).astype(np.float64)
    measured = np.stack(
        (
            alignments(graph),
            scoring.quality[graph.tail],
            scoring.quality[graph.head],
            scoring.raw,
            scoring.confidence,
        ),
        axis=1,
    )
    values = np.concatenate((parents, children, measured), axis=1).reshape(count, -1)
    columns = (
        *(f"parent::{role}" for role in ROLES),
        *(f"child::{role}" for role in ROLES),
        "alignment",
        "parent_quality",
        "child_quality",
        "raw_confidence",
        "confidence",
    )
    known = np.logical_not(np.isnan(values))
    return Matrix(tuple(f"{u}->{v}" for u, v in graph.edges), columns, np.nan_to_num(values, nan=0.0), known)


def random_walks(scoring: Scoring, walks: int = 10, length: int = 8, seed: int = 0) -> list[list[str]]:
    """Return `walks` walks from each node, of at most `length` nodes down the edges. An edge is taken in proportion to
    its confidence, or to the middle of its interval; an edge without one counts as 0.5. The same seed gives the same
    walks."""
    graph = scoring.graph
    middle = scoring.confidence_ends.mean(axis=1)
    weight = np.where(np.isnan(middle), 0.5, middle)
    cuts = np.searchsorted(graph.tail, np.arange(len(graph.ids) + 1))
    random = np.random.default_rng(seed)
    corpus = []
    for start in range(len(graph.ids)):
        for draws in random.random((walks, max(length - 1, 0))):
            walk = [start]
            for draw in draws:
                first, last = cuts[walk[-1]], cuts[walk[-1] + 1]
                reach = np.cumsum(weight[first:last])
                if not len(reach) or reach[-1] <= 0.0:
                    break
                step = min(int(np.searchsorted(reach, draw * reach[-1], side="right")), len(reach) - 1)
                walk.append(int(graph.head[first + step]))
            corpus.append([graph.ids[v] for v in walk])
    return corpus


def fingerprint(graph: PaperGraph, components: Sequence[float], confidence: Floats) -> dict[str, float]:
    """Return 121 numbers for a paper: components, share of each role, share of confidence between each two roles, share
    of edges in each fifth of confidence. `confidence` is (E) in the order of the graph, NaN counts as 0.5."""
    confidence = np.where(np.isnan(confidence), 0.5, confidence)
    vector = {f"score::{name}": float(value) for name, value in zip(COMPONENTS, components, strict=True)}
    nodes, edges = max(len(graph.ids), 1), max(len(graph.tail), 1)
    shares = np.bincount(graph.roles, minlength=len(ROLES)) / nodes
    vector |= {f"role_frac::{role}": float(share) for role, share in zip(ROLES, shares, strict=True)}
    pairs: Ints = graph.roles[graph.tail] * len(ROLES) + graph.roles[graph.head]
    total = float(confidence.sum())
    weight = np.bincount(pairs, confidence, minlength=len(ROLES) ** 2) / (total if total > 0.0 else 1.0)
    names = (f"pairW::{parent}->{child}" for parent in ROLES for child in ROLES)
    vector |= {name: float(share) for name, share in zip(names, weight, strict=True)}
    bins = np.minimum((confidence * CONFIDENCE_BINS).astype(np.intp), CONFIDENCE_BINS - 1)
    fifths = np.bincount(bins, minlength=CONFIDENCE_BINS) / edges
    return vector | {f"conf_bin_{number}": float(share) for number, share in enumerate(fifths)}


def graphml(scoring: Scoring) -> str:
    """Return the graph with its numbers as GraphML: quality and trust on nodes; raw confidence and `weight`, the gated
    one, on edges. An interval is given by its middle and by `…_low` and `…_high`; unknown values have no entry."""
    graph = scoring.graph
    root = ElementTree.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    keys = [("node", name, "string") for name in ("role", "text")]
    keys += [("node", name, "double") for name in (*METRICS, "quality", "trust", "trust_low", "trust_high")]
    keys += [("edge", name, "double") for name in ("raw_confidence", "weight", "weight_low", "weight_high")]
    for domain, name, kind in keys:
        ElementTree.SubElement(
            root, "key", {"id": f"{domain}_{name}", "for": domain, "attr.name": name, "attr.type": kind}
        )
    body = ElementTree.SubElement(root, "graph", id="paper", edgedefault="directed")

    def numbers(parent: ElementTree.Element, domain: str, values: dict[str, float]) -> None:
        for name, value in values.items():
            if not np.isnan(value):
                ElementTree.SubElement(parent, "data", key=f"{domain}_{name}").text = repr(float(value))

    for place, name in enumerate(graph.ids):
        node = ElementTree.SubElement(body, "node", id=_xml(name))
        ElementTree.SubElement(node, "data", key="node_role").text = ROLES[int(graph.roles[place])]
        ElementTree.SubElement(node, "data", key="node_text").text = _xml(graph.texts[place])
        metrics = dict(zip(METRICS, graph.metrics[place].tolist(), strict=True))
        trust = _spread("trust", scoring.trust_ends[place])
        numbers(node, "node", metrics | {"quality": scoring.quality[place]} | trust)
    for place, (tail, head) in enumerate(graph.edges):
        edge = ElementTree.SubElement(body, "edge", source=_xml(tail), target=_xml(head))
        weight = _spread("weight", scoring.confidence_ends[place])
        numbers(edge, "edge", {"raw_confidence": scoring.raw[place]} | weight)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _spread(name: str, ends: Floats) -> dict[str, float]:
    """Return a number by name, or its middle with both ends."""
    low, high = ends.tolist()
    return {name: low} if low == high else {name: (low + high) / 2, f"{name}_low": low, f"{name}_high": high}


def _xml(text: str) -> str:
    """Replace what XML 1.0 cannot hold (most control characters, lone surrogates) by spaces."""
    return "".join(c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "￾￿" else " " for c in text)
