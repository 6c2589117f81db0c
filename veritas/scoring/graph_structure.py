"""What depends on the shape of a graph alone: the order of computation, the bridge, and the disjoint paths."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from veritas.scoring.alignment import alignments
from veritas.scoring.graph import Bools, Floats, Ints, PaperGraph
from veritas.scoring.max_flow import FlowGraph
from veritas.scoring.roles import CONCLUSION, HYPOTHESIS


class Level(NamedTuple):
    """The nodes `[first, last)` of one level, and the edges `[edge_first, edge_last)` that lead into them.

    `blocks` divides these edges, as offsets from `edge_first`. Block j contains the j-th incoming edge of every node
    that has at least j; these nodes come first in the level. An aggregate over all parents therefore takes one
    operation on slices for each block.
    """

    first: int
    last: int
    edge_first: int
    edge_last: int
    blocks: tuple[tuple[int, int], ...]


class Structure:
    """A graph whose nodes and edges are sorted for the computation.

    Nodes are sorted by level and then by falling number of parents, edges by level of the head, rank among the edges
    into that head, and head. All arrays of the scorer use this order. Their first axis is N (nodes) or E (edges), their
    last has one column for each setting. `node_of[i]` and `edge_of[i]` are positions in the original graph; `node_at`
    and `edge_at` are the inverse permutations.
    """

    def __init__(self, graph: PaperGraph) -> None:
        self.graph = graph
        nodes, edges = len(graph.ids), len(graph.tail)
        self.nodes, self.edges = nodes, edges
        found = graph.levels
        if found is None:
            raise ValueError("a graph with a cycle has no order")
        level = np.array(found, dtype=np.intp)
        parents = np.bincount(graph.head, minlength=nodes) if edges else np.zeros(nodes, dtype=np.intp)
        self.node_of: Ints = np.lexsort((-parents, level))
        self.node_at: Ints = np.empty(nodes, dtype=np.intp)
        self.node_at[self.node_of] = np.arange(nodes)

        head = self.node_at[graph.head]
        # the rank of each edge among the edges into its head
        by_head = np.argsort(head, kind="stable")
        sorted_head = head[by_head]
        which = np.empty(edges, dtype=np.intp)
        which[by_head] = np.arange(edges) - np.searchsorted(sorted_head, sorted_head)
        self.edge_of: Ints = np.lexsort((head, which, level[graph.head]))
        self.edge_at: Ints = np.empty(edges, dtype=np.intp)
        self.edge_at[self.edge_of] = np.arange(edges)
        self.head: Ints = head[self.edge_of]
        self.tail: Ints = self.node_at[graph.tail][self.edge_of]
        self.roles: Ints = graph.roles[self.node_of]
        self.tail_role: Ints = self.roles[self.tail]
        self.head_role: Ints = self.roles[self.head]
        self.levels = tuple(_levels(level[self.node_of], level[graph.head][self.edge_of], which[self.edge_of]))

    @cached_property
    def alignment(self) -> Floats:
        """Lexical overlap of the two nodes of each edge, (E)."""
        return alignments(self.graph)[self.edge_of]

    @cached_property
    def is_hypothesis(self) -> Bools:
        """Mask, (N), of the Hypothesis nodes."""
        return np.asarray(self.roles == HYPOTHESIS)

    @cached_property
    def is_conclusion(self) -> Bools:
        """Mask, (N), of the Conclusion nodes."""
        return np.asarray(self.roles == CONCLUSION)

    @cached_property
    def conclusions(self) -> Ints:
        """Positions of the Conclusion nodes."""
        return np.flatnonzero(self.is_conclusion)

    @cached_property
    def tail_list(self) -> list[int]:
        """`tail` as a list, for loops over single edges."""
        return list(self.tail.tolist())

    @cached_property
    def head_list(self) -> list[int]:
        """`head` as a list."""
        return list(self.head.tolist())

    @cached_property
    def _into(self) -> tuple[Ints, list[int]]:
        order = np.argsort(self.head, kind="stable")
        return order, np.searchsorted(self.head[order], np.arange(self.nodes + 1)).tolist()

    def edges_into(self, node: int) -> Ints:
        """Return the edges whose head is `node`."""
        order, cuts = self._into
        return order[cuts[node] : cuts[node + 1]]

    @cached_property
    def bridge(self) -> Bridge:
        """All nodes and edges between a Hypothesis and a Conclusion."""
        return Bridge(self)


class Bridge:
    """The nodes on a path from a Hypothesis to a Conclusion, and the edges between them (Appendix C).

    `node_index` and `edge_index` list these nodes and edges. `tail` and `head` give the ends of the edges as positions
    in `node_index`. `roles` are the roles of the nodes. A bridge does not refer to its structure: reference counting
    then frees both.
    """

    def __init__(self, structure: Structure) -> None:
        tail, head = structure.tail_list, structure.head_list
        reached = bytearray(structure.is_hypothesis.tobytes())
        for u, v in zip(tail, head, strict=True):
            if reached[u]:
                reached[v] = 1
        leading = bytearray(structure.is_conclusion.tobytes())
        for u, v in zip(reversed(tail), reversed(head), strict=True):
            if leading[v]:
                leading[u] = 1
        on_bridge = np.frombuffer(reached, dtype=np.bool_) & np.frombuffer(leading, dtype=np.bool_)
        self.node_index: Ints = np.flatnonzero(on_bridge)
        self.edge_index: Ints = np.flatnonzero(on_bridge[structure.tail] & on_bridge[structure.head])
        self.nodes, self.edges = len(self.node_index), len(self.edge_index)
        number = np.cumsum(on_bridge) - 1
        self.tail: Ints = number[structure.tail[self.edge_index]]
        self.head: Ints = number[structure.head[self.edge_index]]
        self.is_source: Bools = structure.is_hypothesis[self.node_index]
        self.is_sink: Bools = structure.is_conclusion[self.node_index]
        self.roles: set[int] = set(structure.roles[self.node_index].tolist())
        self._paths: dict[tuple[int, bool], int] = {}

    @cached_property
    def flow_graph(self) -> FlowGraph:
        """The bridge as a graph for `max_flow`."""
        return FlowGraph(self.nodes, self.tail, self.head, self.is_source, self.is_sink)

    @cached_property
    def split_flow_graph(self) -> tuple[FlowGraph, Ints]:
        """The same graph with each node v replaced by an edge v -> v + nodes that has the node's capacity. The second
        value is the permutation that sorts the edges, followed by the nodes, topologically."""
        nodes = np.arange(self.nodes)
        tail = np.concatenate((self.tail + self.nodes, nodes))
        head = np.concatenate((self.head, nodes + self.nodes))
        order = np.argsort(np.concatenate((2 * self.head, 2 * nodes + 1)), kind="stable")
        none = np.zeros(self.nodes, dtype=np.bool_)
        ends = np.concatenate((self.is_source, none)), np.concatenate((none, self.is_sink))
        return FlowGraph(2 * self.nodes, tail[order], head[order], *ends), order

    def disjoint_paths(self, most: int, by_node: bool = False) -> int:
        """Return how many paths from a Hypothesis to a Conclusion share no edge (with `by_node`, no inner node), up to
        `most`."""
        known = self._paths.get((most, by_node))
        if known is None:
            graph, capacity = self.flow_graph, np.ones(self.edges)
            if by_node:
                graph, order = self.split_flow_graph
                capacity = np.concatenate((capacity, np.where(self.is_source | self.is_sink, most, 1.0)))[order]
            found = graph.largest(capacity[:, None], enough=most)
            known = self._paths[most, by_node] = min(round(float(found[0])), most)
        return known


def _levels(node_level: Ints, edge_level: Ints, which: Ints) -> Iterator[Level]:
    depth = int(node_level[-1]) + 1 if len(node_level) else 0
    node_cuts = np.searchsorted(node_level, np.arange(depth + 1)).tolist()
    # a block starts where the level or the number of the parent changes
    starts = np.flatnonzero(np.diff(edge_level, prepend=-1) | np.diff(which, prepend=-1))
    ends = np.append(starts, len(edge_level))[1:].tolist()
    block_level = edge_level[starts].tolist()
    edge_cuts = np.searchsorted(edge_level, np.arange(depth + 1)).tolist()
    blocks: list[list[tuple[int, int]]] = [[] for _ in range(depth)]
    for start, end, level in zip(starts.tolist(), ends, block_level, strict=True):
        blocks[level].append((start - edge_cuts[level], end - edge_cuts[level]))
    for level in range(1, depth):
        yield Level(
            node_cuts[level], node_cuts[level + 1], edge_cuts[level], edge_cuts[level + 1], tuple(blocks[level])
        )
