"""Layout of an argument graph: in layers, parents above children, with few crossings and calm lines.

Sugiyama's steps: layers by the longest path, points on the lines that pass layers, orders by medians,
then places by least squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt
from statistics import median

Point = tuple[float, float]

_SWEEPS = 8
_SETTLING = 12
_SHAPE, _ROOM, _ALWAYS = 1.6, 1.3, 7
"""Width to height aimed at when layers are split; factor by which a layer may be wider; nodes it may always hold."""
_BEND = 0.2
"""Width that a line takes when it passes a layer, as a share of a node's width."""


@dataclass(frozen=True)
class Layout:
    """Centres of nodes, and for each edge the points it runs through, from tail to head, in the units of `size`."""

    nodes: tuple[Point, ...]
    edges: tuple[tuple[Point, ...], ...]
    width: float
    height: float
    layers: tuple[tuple[int, ...], ...]
    """Nodes by layer, left to right."""


def layered(count: int, edges: Sequence[tuple[int, int]], size: Point, gap: Point) -> Layout:
    """Lay out `count` nodes of `size` (width, height) with `gap` between them. The edges must form a DAG.

    Deterministic. About O((nodes + edges) * sweeps); 300 nodes take a fraction of a second.
    """
    return _laid(count, edges, _levels(count, edges), size, gap)


def _laid(count: int, edges: Sequence[tuple[int, int]], level: Sequence[int], size: Point, gap: Point) -> Layout:
    chains, levels = _with_bends(count, edges, level)
    depth = max(levels, default=-1) + 1
    up: list[list[int]] = [[] for _ in levels]
    down: list[list[int]] = [[] for _ in levels]
    for chain in chains:
        for a, b in pairwise(chain):
            down[a].append(b)
            up[b].append(a)
    rows = _ordered(levels, depth, up, down)
    widest = _widest(count, size, gap)
    if any(sum(v < count for v in row) > widest for row in rows):
        return _laid(count, edges, _split(count, rows, widest), size, gap)
    # Many lines that pass one layer share the width of its nodes.
    passing = [max(1, sum(v >= count for v in row)) for row in rows]
    bends = [min(size[0] * _BEND, widest * (size[0] + gap[0]) / (4 * many)) for many in passing]
    widths = [size[0] if v < count else bends[of] for v, of in enumerate(levels)]
    x = _places(rows, widths, gap[0], up, down, count)
    step = size[1] + gap[1]
    y = [size[1] / 2 + step * of for of in levels]
    left = min((x[v] - widths[v] / 2 for v in range(len(x))), default=0.0)
    x = [value - left for value in x]
    return Layout(
        nodes=tuple((x[v], y[v]) for v in range(count)),
        edges=tuple(tuple((x[v], y[v]) for v in chain) for chain in chains),
        width=max((x[v] + widths[v] / 2 for v in range(len(x))), default=0.0),
        height=max(depth * step - gap[1], 0.0),
        layers=tuple(tuple(v for v in row if v < count) for row in rows),
    )


def _widest(count: int, size: Point, gap: Point) -> int:
    """Return how many nodes a layer may hold: enough that the whole is no strip, and never fewer than fit a screen."""
    even = sqrt(count * _SHAPE * (size[1] + gap[1]) / (size[0] + gap[0]))
    return max(_ALWAYS, ceil(_ROOM * even))


def _split(count: int, rows: Sequence[Sequence[int]], widest: int) -> list[int]:
    """Return levels in which no layer holds more than `widest` nodes: a wider one becomes several, neighbours dealt out
    among them, so that each node stays about where it was."""
    level = [0] * count
    at = 0
    for row in rows:
        nodes = [v for v in row if v < count]
        parts = max(1, ceil(len(nodes) / widest))
        for place, v in enumerate(nodes):
            level[v] = at + place % parts
        at += parts
    return level


def _levels(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the longest path into each node; a node without parents goes right above the first of its children."""
    parents: list[list[int]] = [[] for _ in range(count)]
    children: list[list[int]] = [[] for _ in range(count)]
    for u, v in edges:
        parents[v].append(u)
        children[u].append(v)
    waiting = [len(p) for p in parents]
    ready = [v for v in range(count) if not waiting[v]]
    level = [0] * count
    for u in ready:
        for v in children[u]:
            level[v] = max(level[v], level[u] + 1)
            waiting[v] -= 1
            if not waiting[v]:
                ready.append(v)
    if len(ready) < count:
        raise ValueError("a graph with a cycle has no layers")
    for v in range(count):
        if not parents[v] and children[v]:
            level[v] = min(level[child] for child in children[v]) - 1
    return level


def _with_bends(
    count: int, edges: Sequence[tuple[int, int]], level: Sequence[int]
) -> tuple[list[list[int]], list[int]]:
    """Return each edge as a chain of one vertex a layer, and the layer of every vertex, bends after the nodes."""
    levels = list(level)
    chains = []
    for u, v in edges:
        chain = [u]
        for between in range(level[u] + 1, level[v]):
            chain.append(len(levels))
            levels.append(between)
        chains.append([*chain, v])
    return chains, levels


def _ordered(
    levels: Sequence[int], depth: int, up: Sequence[Sequence[int]], down: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Return the order of layers: by the medians of neighbours, which leaves few crossings."""
    rows: list[list[int]] = [[] for _ in range(depth)]
    seen = [False] * len(levels)
    for root in sorted(range(len(levels)), key=lambda v: levels[v]):
        stack = [root]
        while stack:
            v = stack.pop()
            if not seen[v]:
                seen[v] = True
                rows[levels[v]].append(v)
                stack.extend(reversed(down[v]))
    for sweep in range(_SWEEPS):
        downward = sweep % 2 == 0
        for at in range(1, depth) if downward else range(depth - 2, -1, -1):
            fixed = rows[at - 1] if downward else rows[at + 1]
            _by_median(rows[at], up if downward else down, {v: i for i, v in enumerate(fixed)})
    return rows


def _by_median(row: list[int], neighbours: Sequence[Sequence[int]], place: dict[int, int]) -> None:
    """Sort by the median place of the neighbours; a vertex without any keeps its place."""
    wanted = {v: float(median(place[n] for n in neighbours[v])) for v in row if neighbours[v]}
    moving = sorted((v for v in row if v in wanted), key=wanted.__getitem__)
    following = iter(moving)
    row[:] = [next(following) if v in wanted else v for v in row]


def _places(
    rows: Sequence[Sequence[int]],
    widths: Sequence[float],
    gap: float,
    up: Sequence[Sequence[int]],
    down: Sequence[Sequence[int]],
    count: int,
) -> list[float]:
    """Return horizontal centres: each vertex near the mean of its neighbours, bends most of all, without overlaps."""
    x = [0.0] * len(widths)
    for row in rows:
        offset = 0.0
        for v in row:
            x[v] = offset + widths[v] / 2
            offset += widths[v] + (gap if v < count else min(gap * 0.5, widths[v]))
        for v in row:
            x[v] -= offset / 2
    for turn in range(_SETTLING):
        order = range(len(rows)) if turn % 2 == 0 else range(len(rows) - 1, -1, -1)
        for at in order:
            row = rows[at]
            wanted, weight = [], []
            for v in row:
                near = [*up[v], *down[v]] if turn >= 2 else (up[v] if turn % 2 == 0 else down[v]) or [v]
                wanted.append(sum(x[n] for n in near) / len(near) if near else x[v])
                weight.append(1.0 if v < count else 6.0)
            room = [
                (widths[a] + widths[b]) / 2
                + (gap if a < count and b < count else min(gap * 0.5, *(widths[v] for v in (a, b) if v >= count)))
                for a, b in pairwise(row)
            ]
            for v, value in zip(row, _apart(wanted, weight, room), strict=True):
                x[v] = value
    return x


def _apart(wanted: Sequence[float], weight: Sequence[float], room: Sequence[float]) -> list[float]:
    """Return the places nearest to those wanted (least squares) that keep `room` between neighbours: pooled means."""
    offset = [0.0]
    for space in room:
        offset.append(offset[-1] + space)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for value, heavy, shift in zip(wanted, weight, offset, strict=False):
        mean, total, many = value - shift, heavy, 1
        while blocks and blocks[-1][0] >= mean:
            other, more, count = blocks.pop()
            mean = (mean * total + other * more) / (total + more)
            total, many = total + more, many + count
        blocks.append((mean, total, many))
    means = [mean for mean, _, many in blocks for _ in range(many)]
    return [mean + shift for mean, shift in zip(means, offset, strict=False)]
