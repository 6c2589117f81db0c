"""How many paths of the argument share nothing: augmenting paths of unit capacity, stopping at a small count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veritas.papers.dag import Ints


def disjoint_paths(
    nodes: int,
    tail: Ints,
    head: Ints,
    is_source: NDArray[np.bool_],
    is_sink: NDArray[np.bool_],
    most: int,
    by_node: bool = False,
) -> int:
    """The largest number of paths from sources to sinks without a common edge, but no more than `most`.

    With `by_node` they have no common node either, sources and sinks apart. At most `most` searches, O(E) each.
    """
    if by_node:
        # an inner node v becomes an edge v -> v + nodes that one path can use; its edges leave from the far end
        inner = np.flatnonzero(~(is_source | is_sink))
        leaves = np.arange(nodes)
        leaves[inner] = inner + nodes
        tail, head = np.concatenate((leaves[tail], inner)), np.concatenate((head, inner + nodes))
        none = np.zeros(nodes, dtype=np.bool_)
        is_source, is_sink = np.concatenate((is_source, none)), np.concatenate((is_sink, none))
        nodes *= 2
    tails, heads = tail.tolist(), head.tolist()
    sink = is_sink.tolist()
    # Arcs at a node: 2e leaves along edge e, 2e + 1 goes back over it. `free[a]` says whether arc a can be used.
    free = bytearray(b"\x01\x00") * len(tails)
    ends = [0] * (2 * len(tails))
    ends[::2], ends[1::2] = heads, tails
    arcs: list[list[int]] = [[] for _ in range(nodes)]
    for edge, u in enumerate(tails):
        arcs[u].append(2 * edge)
    for edge, v in enumerate(heads):
        arcs[v].append(2 * edge + 1)
    sources = np.flatnonzero(is_source).tolist()
    for found in range(most):
        came_by = [-1] * nodes
        seen = bytearray(nodes)
        for source in sources:
            seen[source] = 1
        stack = list(sources)
        end = -1
        while stack:
            u = stack.pop()
            if sink[u]:
                end = u
                break
            for arc in arcs[u]:
                if free[arc] and not seen[ends[arc]]:
                    seen[ends[arc]] = 1
                    came_by[ends[arc]] = arc
                    stack.append(ends[arc])
        if end < 0:
            return found
        while came_by[end] >= 0:
            arc = came_by[end]
            free[arc], free[arc ^ 1] = 0, 1
            end = ends[arc ^ 1]
    return most
