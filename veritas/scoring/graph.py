"""Read the JSON of a paper's argument graph into a checked DAG: ids, roles, and one of two edge lists."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from veritas.errors import InputError
from veritas.scoring.roles import CONCLUSION, HYPOTHESIS, METRICS, ROLES, role_number

Reconcile = Literal["strict", "prefer_parents", "prefer_children", "union", "intersection"]
"""The ways to settle edges on which `parents` and `children` disagree: refuse, believe one, or take either or both."""
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
        """Return the same graph with other metrics, (N, 6)."""
        return replace(self, metrics=metrics)

    @cached_property
    def levels(self) -> list[int] | None:
        """Number of edges on the longest path that ends in each node; None if there is a cycle."""
        return topological_levels(len(self.ids), self.tail, self.head)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Edges as pairs of ids."""
        return [(self.ids[u], self.ids[v]) for u, v in zip(self.tail.tolist(), self.head.tolist(), strict=True)]


@dataclass(frozen=True)
class Verdict:
    """The result of checking a graph: the DAG, or `errors`. `graph` is None exactly when there are errors."""

    graph: PaperGraph | None
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True if the graph can be scored."""
        return self.graph is not None

    def as_json(self) -> dict[str, Any]:
        """Return `{ok, errors, warnings, edges, stats}`; edges and stats are empty for a refused graph."""
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
    """Raised for JSON that is no object with a list under `nodes`, so that there is nothing to check."""


def read_graph(document: Any, reconcile: Reconcile = "prefer_parents") -> Verdict:
    """Check a graph `{"nodes": [{id, role, text, parents, children, metrics}, ...]}`.

    Ids may be strings or whole numbers, and are compared as strings without outer blanks. Errors are collected in the
    verdict. Raises `NotAGraph` if there is no list of nodes.
    """
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        raise NotAGraph('a graph is an object with a list under "nodes"')
    nodes: list[Any] = document["nodes"]
    errors: list[str] = []
    position: dict[str, int] = {}
    known: dict[Any, int] = {}  # also by an id as written, because most references are written the same way
    for place, node in enumerate(nodes):
        if not isinstance(node, dict):
            errors.append(f"nodes[{place}] is not an object")
            continue
        written = node.get("id")
        try:
            name = _node_id(written)
        except ValueError as error:
            errors.append(f"nodes[{place}]: {error}")
            continue
        if position.setdefault(name, place) != place:
            errors.append(f"node {name!r} appears twice")
        known[written] = known[name] = place
    if errors:
        return Verdict(None, tuple(errors))

    ids, count = tuple(position), len(nodes)
    roles: list[int] = []
    texts: list[str] = []
    rows: list[Sequence[Any]] = []
    # An edge u -> v is the number u * count + v, which sorts as the pair does.
    from_parents: set[int] = set()
    from_children: set[int] = set()
    for place, node in enumerate(nodes):
        role = node.get("role")
        number = role_number(role) if isinstance(role, str) else None
        if number is None:
            errors.append(f"node {ids[place]!r}: {role!r} is not one of the roles {', '.join(ROLES)}")
        else:
            roles.append(number)
        text = node.get("text", "")
        if isinstance(text, str):
            texts.append(text)
        elif text is None:
            texts.append("")
        else:
            errors.append(f"node {ids[place]!r}: its text is not a string")
        metrics = node.get("metrics")
        try:
            rows.append(_PICK(metrics) if metrics else _UNKNOWN)
        except (KeyError, TypeError):
            if isinstance(metrics, dict):
                rows.append([metrics.get(metric) for metric in METRICS])
            else:
                errors.append(f"node {ids[place]!r}: its metrics are neither an object nor null")
        for key in ("parents", "children"):
            listed = node.get(key)
            if listed is None:
                continue
            if not isinstance(listed, list):
                errors.append(f"node {ids[place]!r}: {key} is not a list")
                continue
            for entry in listed:
                try:
                    there = known[entry]
                except (KeyError, TypeError):
                    try:
                        there = position[_node_id(entry)]
                    except KeyError:
                        errors.append(f"node {ids[place]!r}, {key}: there is no node {_node_id(entry)!r}")
                        continue
                    except ValueError as error:
                        errors.append(f"node {ids[place]!r}, {key}: {error}")
                        continue
                if there == place:
                    errors.append(f"node {ids[place]!r} is its own {'parent' if key == 'parents' else 'child'}")
                elif key == "parents":
                    from_parents.add(there * count + place)
                else:
                    from_children.add(place * count + there)
    table, wrong = _metric_table(rows, ids)
    errors += wrong
    if errors:
        return Verdict(None, tuple(errors))

    edges, warnings, refusal = _reconcile(from_parents, from_children, reconcile, ids)
    if refusal:
        return Verdict(None, (refusal,), tuple(warnings))
    tail, head = np.divmod(np.array(sorted(edges), dtype=np.intp), max(count, 1))
    graph = PaperGraph(ids, np.array(roles, dtype=np.intp), tuple(texts), table, tail, head)
    if graph.levels is None:
        return Verdict(None, ("the edges form a cycle",), tuple(warnings))
    return Verdict(graph, (), (*warnings, *_shape_warnings(graph)))


def topological_levels(nodes: int, tail: Ints, head: Ints) -> list[int] | None:
    """Return the number of edges on the longest path that ends in each node; None if there is a cycle."""
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
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if not value.is_integer():  # true of infinity too
            raise ValueError(f"{value!r} is no id: ids are strings or whole numbers")
        return str(int(value))
    raise ValueError(f"{json.dumps(value)[:40]} is no id: ids are strings or whole numbers")


_UNKNOWN = (None,) * len(METRICS)
_PICK = itemgetter(*METRICS)


def _metric_table(rows: Sequence[Sequence[Any]], ids: Sequence[str]) -> tuple[Floats, list[str]]:
    """Return the metrics, (N, 6) with NaN for null, and errors for values that are neither null nor finite numbers."""
    if {type(value) for row in rows for value in row} <= {float, int, type(None)}:
        with contextlib.suppress(OverflowError):
            table = np.array(rows, dtype=np.float64).reshape(len(rows), len(METRICS))
            odd = np.argwhere(~np.isfinite(table)).tolist()
            if all(rows[place][metric] is None for place, metric in odd):
                return table, []
    return np.zeros((0, len(METRICS))), [
        f"node {name!r}: its {metric} is {str(value)[:40]!r}, which is no number"
        for name, row in zip(ids, rows, strict=False)
        for metric, value in zip(METRICS, row, strict=True)
        if not _is_number(value)
    ]


def _is_number(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _reconcile(
    from_parents: set[int], from_children: set[int], mode: Reconcile, ids: Sequence[str]
) -> tuple[set[int], list[str], str]:
    """Return the edges to use, warnings of dropped or added disputed edges, and the error if refused, else ''."""
    disputed = from_parents ^ from_children
    if mode == "strict":
        return from_parents, [], "the lists of parents and of children name different edges" if disputed else ""
    edges = {
        "prefer_parents": from_parents,
        "prefer_children": from_children,
        "union": from_parents | from_children,
        "intersection": from_parents & from_children,
    }[mode]
    added = mode == "union"
    warnings = []
    for edge in sorted(disputed):
        if added or edge not in edges:
            u, v = divmod(edge, len(ids))
            done = "added" if added else "left out"
            warnings.append(f"edge {ids[u]} -> {ids[v]}, in one list only, was {done}")
    return edges, warnings, ""


def _shape_warnings(graph: PaperGraph) -> list[str]:
    """Return warnings about where the argument starts and ends; none is a reason to refuse the graph."""
    ids, warnings = graph.ids, []
    ways = ((HYPOTHESIS, graph.head, "parents", "root"), (CONCLUSION, graph.tail, "children", "leaf"))
    for role, ends, word, kind in ways:
        inner = np.zeros(len(ids), dtype=np.bool_)
        inner[ends] = True
        of_role = graph.roles == role
        warnings += [f"{ROLES[role]} {ids[v]} has {word}" for v in np.flatnonzero(of_role & inner).tolist()]
        outer = [ids[v] for v in np.flatnonzero(of_role & ~inner).tolist()]
        if not outer:
            warnings.append(f"no {ROLES[role]} without {word}")
        elif len(outer) > 1:
            warnings.append(f"several {ROLES[role]} nodes at a {kind}: {', '.join(outer)}")
    return warnings
