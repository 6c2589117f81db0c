"""The smallest cuts of one graph under many sets of capacities at once.

Each set is a column. A small graph has few minimal cuts, and `all_cuts` weighs them all. In a larger one, rules that
keep the value of the largest flow shrink all columns together, with no loop over them: most vanish, and what is left
of the others, a small core, goes to `max_flow`. In a column every node has a supply (the capacity from the sources) and
a demand (the capacity to the sinks), and the rules are:

1. what a node both has and wants flows at once;
2. a node with more supply than can leave it belongs to the sources, one with more demand than can reach it to the
   sinks: some smallest cut has it there;
3. an edge carries no more than can leave its head, nor than can reach its tail;
4. the demand of a node with one way in moves up that way, the supply of a node with one way out moves down: flow that
   comes there may as well end there, and flow that leaves may as well begin there.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from veritas.papers.all_cuts import minimal_cuts, smallest
from veritas.papers.dag import Bools, Floats, Ints
from veritas.papers.max_flow import FlowGraph

_GONE = 1e-14
"""Less capacity than this is none; over 10,000 edges an error below 1e-10."""
WORTH_ALL_CUTS = 64
"""Columns from which on it pays to find all minimal cuts of a small graph first."""
_IDLE_ROUNDS = 2
_CRAWL = 0.98


class Cutter:
    """A graph of `nodes`, laid out for `flows`. Edges form a DAG, in topological order of their heads."""

    def __init__(self, nodes: int, tail: Ints, head: Ints, is_source: Bools, is_sink: Bools) -> None:
        self.nodes = nodes
        self._whole = nodes, tail, head, is_source, is_sink
        # An edge out of a sink or into a source is in no cut.
        self.edge_index: Ints = np.flatnonzero(~(is_sink[tail] | is_source[head]))
        tail, head = tail[self.edge_index], head[self.edge_index]
        from_source, to_sink = is_source[tail], is_sink[head]
        self.straight: Ints = self.edge_index[from_source & to_sink]
        self.supplying: Ints = self.edge_index[from_source & ~to_sink]
        self.supplied: Ints = head[from_source & ~to_sink]
        self.demanding: Ints = self.edge_index[~from_source & to_sink]
        self.demanded: Ints = tail[~from_source & to_sink]
        inner = ~(from_source | to_sink)
        self.inner: Ints = self.edge_index[inner]
        self.tail, self.head = tail[inner], head[inner]

    @cached_property
    def _cuts(self) -> Floats | None:
        return minimal_cuts(*self._whole)

    def flows(self, capacity: Floats) -> Floats:
        """(C) the largest flow for each column of `capacity`, (E, C)."""
        columns = capacity.shape[1]
        if columns >= WORTH_ALL_CUTS and self._cuts is not None:
            return smallest(self._cuts, capacity)
        flow: Floats = capacity[self.straight].sum(axis=0)
        supply, demand = np.zeros((self.nodes, columns)), np.zeros((self.nodes, columns))
        np.add.at(supply, self.supplied, capacity[self.supplying])
        np.add.at(demand, self.demanded, capacity[self.demanding])
        core = _Core(self.nodes, self.tail, self.head, capacity[self.inner], supply, demand, np.arange(columns), flow)
        core.shrink()
        core.finish()
        return flow


class _Sum:
    """Sums edges by one of their ends, for all columns: the j-th edges of all nodes are added together."""

    def __init__(self, end: Ints, nodes: int) -> None:
        degree = np.bincount(end, minlength=nodes)
        by_end = np.argsort(end, kind="stable")
        which = np.empty(len(end), dtype=np.intp)
        which[by_end] = np.arange(len(end)) - (np.cumsum(degree) - degree)[end[by_end]]
        by_degree = np.argsort(-degree, kind="stable")
        self.rank = np.empty(nodes, dtype=np.intp)
        self.rank[by_degree] = np.arange(nodes)
        order = np.lexsort((self.rank[end], which))
        cuts = np.searchsorted(which[order], np.arange(which.max() + 2)) if len(end) else np.zeros(1, dtype=np.intp)
        self.blocks = [order[first:last] for first, last in pairwise(cuts.tolist())]
        self.nodes = nodes

    def __call__(self, values: Floats) -> Floats:
        total = np.zeros((self.nodes, values.shape[1]), dtype=values.dtype)
        for block in self.blocks:
            total[: len(block)] += values.take(block, axis=0)
        summed: Floats = total.take(self.rank, axis=0)
        return summed


class _Core:
    """What is left of a graph in some columns."""

    def __init__(
        self,
        nodes: int,
        tail: Ints,
        head: Ints,
        room: Floats,
        supply: Floats,
        demand: Floats,
        column: Ints,
        flow: Floats,
    ) -> None:
        self.nodes = nodes
        self.tail, self.head = tail, head
        self.room, self.supply, self.demand = room, supply, demand
        self.column = column  # which entry of `flow` a column is
        self.flow = flow
        self.by_tail, self.by_head = _Sum(tail, nodes), _Sum(head, nodes)

    def shrink(self) -> None:
        """Apply the rules for as long as they make edges go away at more than a crawl."""
        idle, before = 0, self.room.size
        while self.room.size:
            self._round()
            live = self.room > 0.0
            count = int(np.count_nonzero(live))
            idle = idle + 1 if count > _CRAWL * before else 0
            before = count
            rows: Bools = np.any(live, axis=1)
            columns: Bools = np.any(live, axis=0)
            if rows.mean() < 0.8 or columns.mean() < 0.8:
                self._keep(rows, columns)
            if idle == _IDLE_ROUNDS:
                break
        self._meet()

    def _round(self) -> None:
        self._meet()
        room, tail, head = self.room, self.tail, self.head
        room[room < _GONE] = 0.0
        leaving, arriving = self.by_tail(room), self.by_head(room)
        live = (room > 0.0).astype(np.int32)
        ways_out, ways_in = self.by_tail(live), self.by_head(live)  # type: ignore[arg-type]
        leaving += self.demand
        arriving += self.supply

        near = self.supply >= leaving
        far = (self.demand >= arriving) & ~near
        self._merge(near, far)

        np.minimum(room, leaving.take(head, axis=0), out=room)
        np.minimum(room, arriving.take(tail, axis=0), out=room)

        self._meet()
        moved = np.minimum(np.where(ways_in == 1, self.demand, 0.0).take(head, axis=0), room)
        room -= moved
        self.demand += self.by_tail(moved)
        self.demand -= self.by_head(moved)
        self._meet()
        moved = np.minimum(np.where(ways_out == 1, self.supply, 0.0).take(tail, axis=0), room)
        room -= moved
        self.supply += self.by_head(moved)
        self.supply -= self.by_tail(moved)
        np.maximum(self.supply, 0.0, out=self.supply)
        np.maximum(self.demand, 0.0, out=self.demand)

    def _meet(self) -> None:
        both = np.minimum(self.supply, self.demand)
        self._count(both)
        self.supply -= both
        self.demand -= both

    def _merge(self, near: Bools, far: Bools) -> None:
        """Nodes that belong to the sources pass their edges on as supply, those of the sinks as demand."""
        room = self.room
        out_of_near, into_far = near.take(self.tail, axis=0), far.take(self.head, axis=0)
        self._count(np.where(out_of_near & into_far, room, 0.0))
        self._count(np.where(near, self.demand, 0.0))
        self._count(np.where(far, self.supply, 0.0))
        self.supply += self.by_head(np.where(out_of_near & ~into_far, room, 0.0))
        self.demand += self.by_tail(np.where(into_far & ~out_of_near, room, 0.0))
        done = near | far
        self.supply[done] = 0.0
        self.demand[done] = 0.0
        room[done.take(self.tail, axis=0) | done.take(self.head, axis=0)] = 0.0

    def _count(self, amounts: Floats) -> None:
        self.flow[self.column] += amounts.sum(axis=0)

    def _keep(self, rows: Bools, columns: Bools) -> None:
        self._meet()
        self.column = self.column[columns]
        self.supply, self.demand = self.supply[:, columns], self.demand[:, columns]
        self.tail, self.head, self.room = self.tail[rows], self.head[rows], self.room[np.ix_(rows, columns)]
        self.by_tail, self.by_head = _Sum(self.tail, self.nodes), _Sum(self.head, self.nodes)

    def finish(self) -> None:
        """Solve what is left, column by column."""
        left = np.flatnonzero((self.room > 0.0).any(axis=0) & (self.supply > 0.0).any(axis=0))
        if not len(left):
            return
        # One graph for all columns: node 0 is the source, 1 the sink; the edges stay in topological order.
        room, supply, demand = self.room[:, left], self.supply[:, left], self.demand[:, left]
        edges = np.flatnonzero((room > 0.0).any(axis=1))
        rich, poor = np.flatnonzero((supply > 0.0).any(axis=1)), np.flatnonzero((demand > 0.0).any(axis=1))
        names = np.unique(np.concatenate((self.tail[edges], self.head[edges], rich, poor)))
        number = np.empty(self.nodes, dtype=np.intp)
        number[names] = np.arange(2, len(names) + 2)
        tail = np.concatenate((np.zeros(len(rich), np.intp), number[self.tail[edges]], number[poor]))
        head = np.concatenate((number[rich], number[self.head[edges]], np.ones(len(poor), np.intp)))
        ends = np.zeros((2, len(names) + 2), dtype=np.bool_)
        ends[0, 0] = ends[1, 1] = True
        graph = FlowGraph(len(names) + 2, tail, head, ends[0], ends[1])
        capacity = np.concatenate((supply[rich], room[edges], demand[poor])).T.tolist()
        for column, amounts in zip(self.column[left].tolist(), capacity, strict=True):
            self.flow[column] += graph.largest(amounts)
