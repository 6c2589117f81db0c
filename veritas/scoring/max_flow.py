"""The largest flow, and so the smallest cut, of a DAG under one or many sets of real capacities: Dinic's algorithm.

A small graph has few minimal cuts: many sets of capacities of it are solved by one matrix product with all of them.
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


class FlowGraph:
    """A DAG, with its edges in topological order, for its largest flows. Edges into a source or out of a sink carry
    nothing and are left out."""

    def __init__(self, nodes: int, tail: Ints, head: Ints, is_source: Bools, is_sink: Bools) -> None:
        self._kept: Ints = np.flatnonzero(~(is_source[head] | is_sink[tail]))
        tail, head = tail[self._kept], head[self._kept]
        self._whole = nodes, tail, head, is_source, is_sink
        self._edges = len(tail)
        self._ends: list[int] = [*head.tolist(), *tail.tolist()]  # arc e goes along edge e, arc e + edges back over it
        self._arcs: list[list[int]] = [[] for _ in range(nodes)]
        for arc, node in enumerate([*tail.tolist(), *head.tolist()]):
            self._arcs[node].append(arc)
        self._sink: list[bool] = is_sink.tolist()
        self._sources = [v for v in np.flatnonzero(is_source).tolist() if self._arcs[v]]

    @cached_property
    def _cuts(self) -> Floats | None:
        return minimal_cuts(*self._whole)

    def largest(self, capacity: Floats, enough: float = np.inf) -> Floats:
        """Return the largest flow, (C), from all sources to all sinks for each column of `capacity`, (E, C). A flow of
        `enough` or more may be reported as any value from `enough` on."""
        if capacity.shape[1] >= WORTH_ALL_CUTS and self._cuts is not None:
            return smallest(self._cuts, capacity[self._kept])
        return np.array([self._largest(column, enough) for column in capacity[self._kept].T.tolist()])

    def _largest(self, capacity: list[float], enough: float) -> float:
        residual, total = [*capacity, *[0.0] * self._edges], 0.0
        while total < enough and (level := self._levels(residual)) is not None:
            following = [0] * len(self._arcs)
            for source in self._sources:
                path: list[int] = []
                u = source
                while total < enough:
                    if self._sink[u]:
                        amount = min(residual[a] for a in path)
                        for a in path:
                            residual[a] -= amount
                            residual[a - self._edges] += amount  # a negative index counts from the end: the other way
                        total += amount
                        full = next(k for k, a in enumerate(path) if residual[a] <= _FULL)
                        u = self._ends[path[full] - self._edges]
                        del path[full:]
                        continue
                    here = self._arcs[u]
                    while following[u] < len(here):
                        a = here[following[u]]
                        if residual[a] > _FULL and level[self._ends[a]] == level[u] + 1:
                            break
                        following[u] += 1
                    if following[u] < len(here):
                        path.append(a)
                        u = self._ends[a]
                    elif path:
                        u = self._ends[path.pop() - self._edges]
                        following[u] += 1
                    else:
                        break
        return total

    def _levels(self, residual: list[float]) -> list[int] | None:
        """Return each node's distance from the sources by arcs with room, -1 if there is no way; None if no sink can be
        reached."""
        level = [-1] * len(self._arcs)
        reached = list(self._sources)
        for v in reached:
            level[v] = 0
        found = False
        for u in reached:
            found = found or self._sink[u]
            for a in self._arcs[u]:
                v = self._ends[a]
                if level[v] < 0 and residual[a] > _FULL:
                    level[v] = level[u] + 1
                    reached.append(v)
        return level if found else None
