"""The largest flow, and so the smallest cut, of a DAG under one or many sets of real capacities: Dinic's algorithm.

Dinic's phases go by shortest residual paths. Here an edge has length 0 and going back over one has length 1, so the
first phase fills the whole DAG at once; a graph in which no flow needs rerouting, the usual case, needs no other.

Each set of capacities is a column, and columns learn from each other: a path on which flow was found in one is tried in
all that follow, by a few operations on rows. Most columns then need one search, which finds nothing left to do. A small
graph has few minimal cuts, and many columns of it are solved by a matrix product with all of them.

All minimal cuts of a small graph: with them, the smallest cut under any capacities is one matrix product.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from veritas.scoring.graph import Bools, Floats, Ints

_INNER = 14
"""Nodes between sources and sinks above which there are too many divisions to enumerate."""
_CELLS = 40_000
"""Cuts times edges above which other ways are faster."""
_COLUMNS = 2_000_000


def minimal_cuts(nodes: int, tail: Ints, head: Ints, is_source: Bools, is_sink: Bools) -> Floats | None:
    """Return the minimal cuts, (cuts, E), 1 for an edge in a cut; None if there are too many to be worth it.

    Edges come in topological order. A division of the nodes counts if each node of the near side is reached from a
    source inside it. Its cut holds the edges out of the near side that lead to a sink without coming back: a path's
    last way out of the near side is one of them.
    """
    inner = np.flatnonzero(~(is_source | is_sink)).tolist()
    if len(inner) > _INNER:
        return None
    near = np.zeros((1 << len(inner), nodes), dtype=np.bool_)
    near[:, is_source] = True
    number = np.arange(len(near))
    for place, node in enumerate(inner):
        near[:, node] = (number >> place) & 1
    ends = list(zip(tail.tolist(), head.tolist(), strict=True))
    reached = near & is_source
    for u, v in ends:
        reached[:, v] |= reached[:, u] & near[:, v]
    near = near[(reached == near).all(axis=1)]
    far = ~near
    leading = far & is_sink
    for u, v in reversed(ends):
        leading[:, u] |= leading[:, v] & far[:, u]
    cuts = np.unique(near[:, tail] & leading[:, head], axis=0)
    if len(cuts) * len(tail) > _CELLS:
        return None
    return cuts.astype(np.float64)


def smallest(cuts: Floats, capacity: Floats) -> Floats:
    """Return the capacity of the smallest cut, (C), under each column of `capacity`, (E, C)."""
    width = max(1, _COLUMNS // len(cuts))
    parts = [(cuts @ capacity[:, first : first + width]).min(axis=0) for first in range(0, capacity.shape[1], width)]
    return np.concatenate(parts)


WORTH_ALL_CUTS = 64
"""Columns from which it pays to find all minimal cuts of a small graph first."""
_FULL = 1e-14
"""An arc with no more room than this counts as full; over 10,000 edges that is an error below 1e-10."""
_LESSONS = 4
"""Columns after which a column hands on its paths only if it needed less than half as many as the first. In a deep
graph whose columns all differ, every column needs its own paths, and trying them elsewhere is in vain."""

Path = list[int]
"""Arcs from a source to a sink."""


class FlowGraph:
    """A DAG laid out for its largest flows.

    Edges are in topological order, sorted by their heads. Those into a source or out of a sink carry nothing and are
    left out.
    """

    def __init__(self, nodes: int, tail: Ints, head: Ints, is_source: Bools, is_sink: Bools) -> None:
        self._kept: Ints = np.flatnonzero(~(is_source[head] | is_sink[tail]))
        tail, head = tail[self._kept], head[self._kept]
        self._whole = nodes, tail, head, is_source, is_sink
        tails, heads = tail.tolist(), head.tolist()
        self.edges = len(tails)
        self._heads = heads
        self._ends = heads + tails  # arc e goes along edge e, arc e + edges back over it
        self._sink: list[bool] = is_sink.tolist()
        far = _steps_to_sink(tails, heads, self._sink)
        self._arcs: list[list[int]] = [[] for _ in range(nodes)]
        # Near sinks first: a flow by the short way leaves the long ones free, and costs less to follow.
        for edge in np.argsort(np.array(far)[head], kind="stable").tolist():
            self._arcs[tails[edge]].append(edge)
        self._sources = [v for v in np.flatnonzero(is_source).tolist() if self._arcs[v]]

    @cached_property
    def _both_ways(self) -> list[list[int]]:
        arcs = [list(here) for here in self._arcs]
        for edge, v in enumerate(self._heads):
            arcs[v].append(edge + self.edges)
        return arcs

    @cached_property
    def _cuts(self) -> Floats | None:
        return minimal_cuts(*self._whole)

    def largest(self, capacity: Floats, enough: float = np.inf) -> Floats:
        """Return the largest flow, (C), from all sources to all sinks for each column of `capacity`, (E, C). A flow of
        `enough` or more may be reported as any value from `enough` on."""
        columns = capacity.shape[1]
        if columns >= WORTH_ALL_CUTS and self._cuts is not None:
            return smallest(self._cuts, capacity[self._kept])
        flow = np.zeros(columns)
        room = np.concatenate((capacity[self._kept], np.zeros((self.edges, columns))))
        back = np.roll(np.arange(2 * self.edges), self.edges)
        of_first = 0
        for column in range(columns):
            paths: list[Path] | None = None if column == columns - 1 else []
            residual = room[:, column].tolist()
            if not column:
                flow[0] = self._first(residual, enough, paths)
            flow[column] += self._more(residual, enough - flow[column], paths)
            if not paths:
                continue
            of_first = of_first or len(paths)
            if column >= _LESSONS and len(paths) > of_first / 2:
                continue
            others = room[:, column + 1 :]
            for path in map(np.array, paths):
                along = others[path]
                amount = along.min(axis=0)
                along -= amount
                others[path] = along
                others[back[path]] += amount
                flow[column + 1 :] += amount
        return flow

    def _first(self, residual: list[float], enough: float, paths: list[Path] | None) -> float:
        return _first_flow(self._arcs, self._ends, residual, self._sources, self._sink, self.edges, enough, paths)

    def _more(self, residual: list[float], enough: float, paths: list[Path] | None) -> float:
        """Return the flow that can be added to the present one."""
        ends, sink, sources, edges = self._ends, self._sink, self._sources, self.edges
        total = 0.0
        while total < enough:
            arcs = self._both_ways
            distance = _distances(arcs, ends, residual, sources, sink, edges)
            if distance is None:
                break
            total += _blocking_flow(arcs, ends, residual, distance, sources, sink, edges, enough - total, paths)
        return total


def _first_flow(
    arcs: list[list[int]],
    ends: list[int],
    residual: list[float],
    sources: list[int],
    sink: list[bool],
    edges: int,
    wanted: float,
    paths: list[Path] | None,
) -> float:
    """Run `_blocking_flow` along edges alone, before any has flow to be taken back: every way counts as shortest."""
    total = 0.0
    following = [0] * len(arcs)
    counts = [len(here) for here in arcs]
    path: list[int] = []
    given: list[float] = []
    before: list[int] = []
    for source in sources:
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
                        if paths is not None:
                            paths.append([*path, a])
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
    """Return the fewest edges from each node to a sink; edges come in topological order of their heads."""
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
    paths: list[Path] | None,
) -> float:
    """Fill arcs that lead to a sink the shortest way until every such way has a full arc.

    Depth first. A node is given as much as may still flow into it and hands on what its arcs take, so an arc is visited
    again only when it filled up or its far end has nothing left to give.
    """
    total = 0.0
    following = [0] * len(arcs)
    for source in sources:
        if distance[source] < 0:
            continue
        path: list[int] = []
        given = [0.0]
        left = [wanted - total]  # infinite if there is no limit
        u = source
        while True:
            blocked = True
            if sink[u]:
                if paths is not None:
                    paths.append(path.copy())
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
    """Return the number of backward arcs to each node on a shortest residual path from a source to a sink, else -1;
    None if there is no such path.

    The search goes forward from the sources, because few of them have capacity left, then back from the reached sinks,
    which are fewer still.
    """
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
