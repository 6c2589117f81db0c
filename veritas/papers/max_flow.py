"""The largest flow, and so the smallest cut, of a DAG with real capacities: Dinic's algorithm for one set of them.

Dinic's phases go by shortest residual paths; here an edge has length 0 and going back over one has length 1. The first
phase so fills the whole DAG at once, and a graph in which no flow needs rerouting, the usual case, needs no other.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from veritas.papers.dag import Floats, Ints

_FULL = 1e-14
"""An arc with no more room than this counts as full; over 10,000 edges that is an error below 1e-10."""


class FlowGraph:
    """A DAG laid out for its largest flows under one set of capacities after another.

    Edges go up in some order of the nodes, and come in the order of their heads in it.
    """

    def __init__(
        self, nodes: int, tail: Ints, head: Ints, is_source: NDArray[np.bool_], is_sink: NDArray[np.bool_]
    ) -> None:
        tails, heads = tail.tolist(), head.tolist()
        self.edges = len(tails)
        self._heads = heads
        self._ends = heads + tails  # arc e goes along edge e, arc e + edges back over it
        self._sink: list[bool] = is_sink.tolist()
        far = _steps_to_sink(tails, heads, self._sink)
        self._arcs: list[list[int]] = [[] for _ in range(nodes)]
        # Near sinks first: a flow that goes the short way leaves the long ones free, and costs less to follow.
        for edge in np.argsort(np.array(far)[head], kind="stable").tolist():
            self._arcs[tails[edge]].append(edge)
        self._sources = [v for v in np.flatnonzero(is_source).tolist() if self._arcs[v]]

    @cached_property
    def _both_ways(self) -> list[list[int]]:
        arcs = [list(here) for here in self._arcs]
        for edge, v in enumerate(self._heads):
            arcs[v].append(edge + self.edges)
        return arcs

    def largest(self, capacity: list[float], enough: float = np.inf) -> float:
        """The largest flow from all sources to all sinks; stops, at `enough` or above, once that is reached."""
        edges, ends, sink, sources = self.edges, self._ends, self._sink, self._sources
        residual = capacity + [0.0] * edges
        total = _first_flow(self._arcs, ends, residual, sources, sink, edges, enough)
        while total < enough:
            arcs = self._both_ways
            distance = _distances(arcs, ends, residual, sources, sink, edges)
            if distance is None:
                break
            total += _blocking_flow(arcs, ends, residual, distance, sources, sink, edges, enough - total)
        return total


def max_flow(
    nodes: int,
    tail: Ints,
    head: Ints,
    capacity: Floats,
    is_source: NDArray[np.bool_],
    is_sink: NDArray[np.bool_],
    enough: float = np.inf,
) -> float:
    """`FlowGraph.largest` for one set of capacities."""
    if not len(tail):
        return 0.0
    return FlowGraph(nodes, tail, head, is_source, is_sink).largest(capacity.tolist(), enough)


def _first_flow(
    arcs: list[list[int]],
    ends: list[int],
    residual: list[float],
    sources: list[int],
    sink: list[bool],
    edges: int,
    wanted: float,
) -> float:
    """`_blocking_flow` along edges alone, before any has flow to be taken back: every way counts as shortest."""
    total = 0.0
    following = [0] * len(arcs)
    counts = [len(here) for here in arcs]
    path: list[int] = []
    given: list[float] = []
    before: list[int] = []
    for source in sources:
        if sink[source]:
            continue
        u = source
        left = wanted - total
        lefts: list[float] = []
        while True:
            here = arcs[u]
            place = following[u]
            count = counts[u]
            if left > _FULL:
                while place < count and residual[here[place]] <= _FULL:
                    place += 1
                following[u] = place
                if place < count:
                    a = here[place]
                    room = residual[a]
                    amount = room if room < left else left
                    v = ends[a]
                    if sink[v]:
                        residual[a] = room - amount
                        residual[a + edges] += amount
                        left -= amount
                        if not path:
                            total += amount
                        continue
                    path.append(a)
                    before.append(u)
                    given.append(amount)
                    lefts.append(left)
                    left = amount
                    u = v
                    continue
                blocked = True
            else:
                blocked = False
            if not path:
                break
            a = path.pop()
            u = before.pop()
            pushed = given.pop() - left
            left = lefts.pop()
            if pushed:
                residual[a] -= pushed
                residual[a + edges] += pushed
                left -= pushed
                if not path:
                    total += pushed
            if blocked:
                following[u] += 1
        if total >= wanted:
            break
    return total


def _steps_to_sink(tails: list[int], heads: list[int], sink: list[bool]) -> list[int]:
    """The fewest edges from each node to a sink; edges come in topological order of their heads."""
    never = len(tails) + 1
    steps = [0 if ends_here else never for ends_here in sink]
    for u, v in zip(reversed(tails), reversed(heads), strict=True):
        if steps[v] + 1 < steps[u]:
            steps[u] = steps[v] + 1
    return steps


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
    """Fill arcs that lead to a sink the shortest way until every such way has a full arc.

    Depth first; a node is given as much as may still flow into it and hands on what its arcs take, so an arc is
    looked at again only when it filled up or its far end has nothing left to give.
    """
    total = 0.0
    following = [0] * len(arcs)
    for source in sources:
        if distance[source] < 0 or sink[source]:
            continue
        path: list[int] = []
        given = [0.0]
        left = [wanted - total]  # infinite, if any amount will do
        u = source
        while True:
            blocked = True
            if sink[u]:
                left[-1] = 0.0
                blocked = False
            elif left[-1] <= _FULL:
                blocked = False
            else:
                here, d = arcs[u], distance[u]
                place = following[u]
                count = len(here)
                while place < count:
                    a = here[place]
                    room = residual[a]
                    if room > _FULL and distance[ends[a]] == (d if a < edges else d + 1):
                        break
                    place += 1
                following[u] = place
                if place < count:
                    path.append(a)
                    amount = room if room < left[-1] else left[-1]
                    given.append(amount)
                    left.append(amount)
                    u = ends[a]
                    continue
            if not path:
                break
            a = path.pop()
            pushed = given.pop() - left.pop()
            if pushed:
                residual[a] -= pushed
                back = a - edges if a >= edges else a + edges
                residual[back] += pushed
                left[-1] -= pushed
                if not path:
                    total += pushed
            u = ends[a - edges if a >= edges else a + edges]
            if blocked:
                following[u] += 1
        if total >= wanted:
            break
    return total


def _distances(
    arcs: list[list[int]], ends: list[int], residual: list[float], sources: list[int], sink: list[bool], edges: int
) -> list[int] | None:
    """For each node on a shortest residual way from a source to a sink the number of backward arcs to it, else -1;
    None if there is no such way. From the sources first, as few of them have anything left to give, then back from
    the sinks that were reached, which are fewer still."""
    distance = [-1] * len(arcs)
    here = list(sources)
    for v in here:
        distance[v] = 0
    steps = 0
    reached: list[int] = []
    while here:
        farther: list[int] = []
        for u in here:
            if sink[u]:
                reached.append(u)
                continue
            for a in arcs[u]:
                if residual[a] > _FULL and distance[ends[a]] < 0:
                    if a < edges:
                        distance[ends[a]] = steps
                        here.append(ends[a])
                    else:
                        farther.append(ends[a])
        if reached:
            break
        steps += 1
        here = []
        for v in farther:
            if distance[v] < 0:
                distance[v] = steps
                here.append(v)
    else:
        return None
    useful = [-1] * len(arcs)
    for v in reached:
        useful[v] = steps
    for v in reached:
        d = distance[v]
        for a in arcs[v]:
            u = ends[a]
            if useful[u] >= 0 or distance[u] < 0:
                continue
            # the arc from u to v is the other way over the same edge
            if a < edges:
                usable = distance[u] == d - 1 and residual[a + edges] > _FULL
            else:
                usable = distance[u] == d and residual[a - edges] > _FULL
            if usable:
                useful[u] = distance[u]
                reached.append(u)
    return useful
