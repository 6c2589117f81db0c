"""All minimal cuts of a small graph: with them, the smallest cut under any capacities is one matrix product."""

from __future__ import annotations

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
