"""From the JSON of a paper's argument graph to a checked DAG: ids, roles, and which of two edge lists to believe."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from veritas.errors import InputError
from veritas.papers.roles import CONCLUSION, HYPOTHESIS, METRICS, ROLES, role_number

Reconcile = Literal["strict", "prefer_parents", "prefer_children", "union", "intersection"]
"""What to do where `parents` and `children` disagree: refuse, believe one, or take either or both."""
RECONCILE: tuple[Reconcile, ...] = get_args(Reconcile)

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PaperGraph:
    """A checked DAG of N nodes and E edges.

    `roles` (N) indexes `ROLES`; `metrics` (N, 6) has NaN where a metric is not known; `tail` and `head` (E) are
    positions of nodes, edges ordered by (tail, head).
    """

    ids: tuple[str, ...]
    roles: Ints
    texts: tuple[str, ...]
    metrics: Floats
    tail: Ints
    head: Ints

    def with_metrics(self, metrics: Floats) -> PaperGraph:
        """The same graph with other metrics, (N, 6)."""
        return replace(self, metrics=metrics)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Edges by id."""
        return [(self.ids[u], self.ids[v]) for u, v in zip(self.tail.tolist(), self.head.tolist(), strict=True)]


@dataclass(frozen=True)
class Verdict:
    """Whether a graph is a DAG over known roles and ids. `graph` is None exactly when there are `errors`."""

    graph: PaperGraph | None
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True when the graph can be scored."""
        return self.graph is not None

    def as_json(self) -> dict[str, Any]:
        """`{ok, errors, warnings, edges, stats}`; edges and stats are empty for a refused graph."""
        stats: dict[str, int] = {}
        edges: list[list[str]] = []
        if self.graph is not None:
            edges = [list(edge) for edge in self.graph.edges]
            roles = len(set(self.graph.roles.tolist()))
            stats = {"num_nodes": len(self.graph.ids), "num_edges": len(edges), "num_roles": roles}
        return {
            "ok": self.ok,
            "errors": list(self.errors),
            "warnings": list(self.warnings),
            "edges": edges,
            "stats": stats,
        }


class NotAGraph(InputError):
    """The JSON is no object with a list under `nodes`: there is nothing to check."""


def read_graph(document: Any, reconcile: Reconcile = "prefer_parents") -> Verdict:
    """Check a graph `{"nodes": [{id, role, text, parents, children, metrics}, ...]}`.

    Ids may be strings or whole numbers, and are compared as strings without outer blanks. Errors are collected and
    do not raise; `NotAGraph` does, where there are no nodes to look at.
    """
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        raise NotAGraph('a graph is an object with a list under "nodes"')
    nodes: list[Any] = document["nodes"]
    errors: list[str] = []
    position: dict[str, int] = {}
    for place, node in enumerate(nodes):
        if not isinstance(node, dict):
            errors.append(f"nodes[{place}] is not an object")
            continue
        try:
            name = _node_id(node.get("id"))
        except ValueError as error:
            errors.append(f"nodes[{place}]: {error}")
            continue
        if position.setdefault(name, place) != place:
            errors.append(f"node {name!r} appears twice")
    if errors:
        return Verdict(None, tuple(errors))

    ids = tuple(position)
    roles: list[int] = []
    texts: list[str] = []
    metrics: list[Sequence[float]] = []
    from_parents: set[tuple[int, int]] = set()
    from_children: set[tuple[int, int]] = set()
    for place, (name, node) in enumerate(zip(ids, nodes, strict=True)):
        role = node.get("role")
        number = role_number(role) if isinstance(role, str) else None
        if number is None:
            errors.append(f"node {name!r}: {role!r} is none of the roles {', '.join(ROLES)}")
        else:
            roles.append(number)
        text = node.get("text")
        if text is None:
            text = ""
        if not isinstance(text, str):
            errors.append(f"node {name!r}: its text is not a string")
        texts.append(text)
        try:
            metrics.append(_metrics(node.get("metrics")))
        except ValueError as error:
            errors.append(f"node {name!r}: {error}")
        for key, edges in (("parents", from_parents), ("children", from_children)):
            listed = node.get(key)
            if not listed and (listed is None or isinstance(listed, list)):
                continue
            if not isinstance(listed, list):
                errors.append(f"node {name!r}: {key} is not a list")
                continue
            for entry in listed:
                try:
                    other = entry if entry.__class__ is str and entry in position else _node_id(entry)
                except ValueError as error:
                    errors.append(f"node {name!r}, {key}: {error}")
                    continue
                there = position.get(other)
                if there is None:
                    errors.append(f"node {name!r}, {key}: there is no node {other!r}")
                elif there == place:
                    errors.append(f"node {name!r} is its own {'parent' if key == 'parents' else 'child'}")
                elif key == "parents":
                    edges.add((there, place))
                else:
                    edges.add((place, there))
    if errors:
        return Verdict(None, tuple(errors))

    edges, warnings, refusal = _reconcile(from_parents, from_children, reconcile, ids)
    if refusal:
        return Verdict(None, (refusal,), tuple(warnings))
    order = sorted(edges)
    tail = np.array([u for u, _ in order], dtype=np.intp)
    head = np.array([v for _, v in order], dtype=np.intp)
    if topological_levels(len(ids), tail, head) is None:
        return Verdict(None, ("the edges form a cycle",), tuple(warnings))
    role_array = np.array(roles, dtype=np.intp)
    warnings += _shape_warnings(ids, role_array, tail, head)
    table = np.array(metrics, dtype=np.float64).reshape(len(ids), len(METRICS))
    return Verdict(PaperGraph(ids, role_array, tuple(texts), table, tail, head), (), tuple(warnings))


def topological_levels(nodes: int, tail: Ints, head: Ints) -> list[int] | None:
    """For each node the number of edges on the longest path that ends in it; None if there is a cycle."""
    waiting = [0] * nodes
    children: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in zip(tail.tolist(), head.tolist(), strict=True):
        waiting[v] += 1
        children[u].append(v)
    ready = [v for v in range(nodes) if not waiting[v]]
    level = [0] * nodes
    for u in ready:
        after = level[u] + 1
        for v in children[u]:
            level[v] = max(level[v], after)
            waiting[v] -= 1
            if not waiting[v]:
                ready.append(v)
    return level if len(ready) == nodes else None


def _node_id(value: Any) -> str:
    if isinstance(value, str):
        name = value.strip()
        if not name:
            raise ValueError("a blank id")
        return name
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, float):
        if not value.is_integer():
            raise ValueError(f"{value!r} is no id: ids are strings or whole numbers")
        return str(int(value))
    raise ValueError(f"{json.dumps(value)[:40]} is no id: ids are strings or whole numbers")


_UNKNOWN = (math.nan,) * len(METRICS)


def _metrics(value: Any) -> Sequence[float]:
    if value is None:
        return _UNKNOWN
    if not isinstance(value, dict):
        raise ValueError("its metrics are neither an object nor null")
    row = []
    for metric in METRICS:
        number = value.get(metric)
        if number is None:
            row.append(math.nan)
        elif isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            raise ValueError(f"its {metric} is {number!r}, not a number")
        else:
            row.append(float(number))
    return row


def _reconcile(
    from_parents: set[tuple[int, int]], from_children: set[tuple[int, int]], mode: Reconcile, ids: Sequence[str]
) -> tuple[set[tuple[int, int]], list[str], str]:
    """The edges to use, a warning for each the two lists disagree about, and why they are refused ('' if not)."""
    if mode == "strict":
        if from_parents != from_children:
            return set(), [], "the lists of parents and of children name different edges"
        return from_parents, [], ""
    edges = {
        "prefer_parents": from_parents,
        "prefer_children": from_children,
        "union": from_parents | from_children,
        "intersection": from_parents & from_children,
    }[mode]
    disputed = from_parents ^ from_children
    added = mode == "union"
    warnings = [
        f"edge {ids[u]} -> {ids[v]}, in one list only, was {'added' if added else 'left out'}"
        for u, v in sorted(disputed)
        if added or (u, v) not in edges
    ]
    return edges, warnings, ""


def _shape_warnings(ids: Sequence[str], roles: Ints, tail: Ints, head: Ints) -> list[str]:
    """What is odd about where the argument starts and ends, but no reason to refuse it."""
    warnings = []
    for role, ends, word, kind in ((HYPOTHESIS, head, "parents", "root"), (CONCLUSION, tail, "children", "leaf")):
        inner = np.zeros(len(ids), dtype=bool)
        inner[ends] = True
        of_role = roles == role
        warnings += [f"{ROLES[role]} {ids[v]} has {word}" for v in np.flatnonzero(of_role & inner).tolist()]
        outer = [ids[v] for v in np.flatnonzero(of_role & ~inner).tolist()]
        if not outer:
            warnings.append(f"no {ROLES[role]} without {word}")
        elif len(outer) > 1:
            warnings.append(f"several {ROLES[role]} nodes at a {kind}: {', '.join(outer)}")
    return warnings
