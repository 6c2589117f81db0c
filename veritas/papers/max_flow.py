"""The largest flow, and so the smallest cut, of a DAG with real capacities: Dinic's algorithm for one set of them.

Dinic's phases go by shortest residual paths; here an edge has length 0 and going back over one has length 1. The first
phase so fills the whole DAG at once, and a graph in which no flow needs rerouting, the usual case, needs no other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veritas.papers.dag import Floats, Ints


def max_flow(
    nodes: int,
    tail: Ints,
    head: Ints,
    capacity: Floats,
    is_source: NDArray[np.bool_],
    is_sink: NDArray[np.bool_],
    enough: float = np.inf,
) -> float:
    """The largest flow from all sources to all sinks; stops, at `enough` or above, once that is reached.

    Edges must form a DAG and go up in some order of the nodes; capacities are positive.
    """
    if not len(tail):
        return 0.0
    tails, heads = tail.tolist(), head.tolist()
    edges = len(tails)
    # arc e goes along edge e, arc e + edges back over it
    ends = heads + tails
    residual = capacity.tolist() + [0.0] * edges
    arcs: list[list[int]] = [[] for _ in range(nodes)]
    for edge, u in enumerate(tails):
        arcs[u].append(edge)
    sink = is_sink.tolist()
    sources = [v for v in np.flatnonzero(is_source).tolist() if arcs[v]]
    total = 0.0
    distance = [0] * nodes
    back = False
    while True:
        total += _blocking_flow(arcs, ends, residual, distance, sources, sink, edges, enough - total)
        if total >= enough:
            return total
        if not back:
            back = True
            for edge, v in enumerate(heads):
                arcs[v].append(edge + edges)
        found = _distances(arcs, ends, residual, sink, edges)
        if all(found[v] < 0 for v in sources):
            return total
        distance = found


def _blocking_flow(
    arcs: list[list[int]],
    ends: list[int],
    residual: list[float],
    distance: list[int],
    sources: list[int],
    sink: list[bool],
    edges: int,
    wanted: float,
) -> float:
    """Augment along arcs that lead to a sink the shortest way, until every such way has a full arc."""
    total = 0.0
    following = [iter(a) for a in arcs]
    for source in sources:
        if distance[source] < 0 or sink[source]:
            continue
        path: list[int] = []
        u = source
        while True:
            if sink[u]:
                push = min([residual[a] for a in path])
                total += push
                if total >= wanted:
                    return total
                cut = -1
                for place, a in enumerate(path):
                    left = residual[a] - push
                    residual[a] = left
                    residual[a - edges if a >= edges else a + edges] += push
                    if cut < 0 and left <= 0.0:
                        cut = place
                u = ends[path[cut] - edges if path[cut] >= edges else path[cut] + edges]
                # the arc that filled up is behind its iterator already: go on with the next one
                del path[cut:]
                continue
            d = distance[u]
            for a in following[u]:
                if residual[a] > 0.0 and distance[ends[a]] == (d if a < edges else d - 1):
                    path.append(a)
                    u = ends[a]
                    break
            else:
                if not path:
                    break
                a = path.pop()
                u = ends[a - edges if a >= edges else a + edges]
    return total


def _distances(
    arcs: list[list[int]], ends: list[int], residual: list[float], sink: list[bool], edges: int
) -> list[int]:
    """For each node the fewest backward arcs on a residual way to a sink, -1 where there is none."""
    distance = [-1] * len(arcs)
    here = [v for v, is_sink in enumerate(sink) if is_sink]
    for v in here:
        distance[v] = 0
    steps = 0
    while here:
        farther: list[int] = []
        for v in here:
            # who can step to v: by its edge u -> v, or back over v -> w from w
            for a in arcs[v]:
                u = ends[a]
                if distance[u] >= 0:
                    continue
                if a >= edges:
                    if residual[a - edges] > 0.0:
                        distance[u] = steps
                        here.append(u)
                elif residual[a + edges] > 0.0:
                    farther.append(u)
        steps += 1
        here = []
        for u in farther:
            if distance[u] < 0:
                distance[u] = steps
                here.append(u)
    return distance
