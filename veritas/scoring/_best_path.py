"""The strongest chain from a Hypothesis to a Conclusion: by product (formula 11) or by geometric mean.

Arrays are in the order of `Structure`: (E, C) and (N, C) with a column for each setting, or 1-D for one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veritas.scoring.graph import Floats, Ints
from veritas.scoring.graph_structure import Structure

_TIED = 1e-12
"""Sums of logarithms that differ by less than this belong to equally good paths."""


@dataclass(frozen=True)
class Path:
    """A chosen path: the geometric mean of its links, its nodes by position in the structure, and whether no other path
    is as good. No nodes if there is no path of positive confidence."""

    value: float = 0.0
    nodes: tuple[int, ...] = ()
    unique: bool = True


@dataclass(frozen=True, eq=False)
class Chains:
    """The best chain that ends in each node: the sum of its weights (-inf: none), and its number of links.

    Of chains of equal sums the longer one counts, because its mean is larger; so the order of nodes never matters.
    """

    total: Floats
    links: Ints

    def mean(self, ends: Ints) -> Floats:
        """Return exp(total / links) of the chains that end at `ends`; 0 where there is none."""
        total, links = self.total[ends], self.links[ends]
        mean: Floats = np.exp(total / np.maximum(links, 1))
        return mean


def logarithm(confidence: Floats) -> Floats:
    """Return the natural logarithm, -inf for 0."""
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(confidence)
    return logs


def chains(structure: Structure, weight: Floats, start: Floats, start_links: int = 0) -> Chains:
    """Return the best chain into every node, for many settings: one sweep over (E, C) weights.

    `start` (N, C) is the initial sum of a chain that begins at a node, -inf where none may begin; it counts as
    `start_links` links.
    """
    total = start.copy()
    links = np.full(total.shape, start_links, dtype=np.intp)
    tail = structure.tail
    for level in structure.levels:
        first, last = level.edge_first, level.edge_last
        arriving = total.take(tail[first:last], axis=0)
        arriving += weight[first:last]
        arriving_links = links.take(tail[first:last], axis=0)
        arriving_links += 1
        for block_first, block_last in level.blocks:
            here = slice(level.first, level.first + block_last - block_first)
            there = slice(block_first, block_last)
            better = arriving[there] > total[here]
            better |= (arriving[there] == total[here]) & (arriving_links[there] > links[here])
            np.copyto(total[here], arriving[there], where=better)
            np.copyto(links[here], arriving_links[there], where=better)
    return Chains(total, links)


def one_chain(structure: Structure, weight: Floats, start: Floats, start_links: int = 0) -> Chains:
    """Return `chains` for one setting, (E) weights: a plain loop, in deep graphs ten times as fast as small slices."""
    total = start.tolist()
    links = [start_links] * structure.nodes
    for u, v, w in zip(structure.tail_list, structure.head_list, weight.tolist(), strict=True):
        arriving = total[u] + w
        if arriving >= total[v] and (arriving > total[v] or links[u] >= links[v]):
            total[v] = arriving
            links[v] = links[u] + 1
    return Chains(np.array(total, dtype=np.float64), np.array(links, dtype=np.intp))


def by_product(structure: Structure, confidence: Floats) -> Chains:
    """Return for every node the chain of largest product from any Hypothesis. `confidence` is (E) or (E, C)."""
    weight = logarithm(confidence)
    start = np.where(structure.is_hypothesis, 0.0, -np.inf)
    if confidence.ndim == 1:
        return one_chain(structure, weight, start)
    return chains(structure, weight, np.repeat(start[:, None], confidence.shape[1], axis=1))


def overall(structure: Structure, found: Chains) -> Floats:
    """Return formula 11: the geometric mean of the path of largest product among all Conclusions, or 0."""
    ends = structure.conclusions
    if not len(ends):
        return np.zeros(found.total.shape[1:])
    totals = found.total[ends]
    value: Floats = np.where(totals == totals.max(axis=0), found.mean(ends), 0.0).max(axis=0)
    return value


def per_conclusion(structure: Structure, found: Chains) -> Floats:
    """Return the largest geometric mean over Conclusions, each by its path of largest product, or 0."""
    ends = structure.conclusions
    if not len(ends):
        return np.zeros(found.total.shape[1:])
    value: Floats = found.mean(ends).max(axis=0)
    return value


def strongest_mean(structure: Structure, confidence: Floats, root: Floats) -> Floats:
    """Return the largest geometric mean, (C), of any chain's links: a Hypothesis's own trust, then the edges to a
    Conclusion.

    It never falls when one of these rises; formula 11 does not promise that. Found by Dinkelbach's iteration: with m
    the best mean so far, a chain of larger mean is one whose links, each less m, sum to more than 0. Every round is a
    sweep, and a handful suffice. `confidence` is (E, C), `root` (N, C).
    """
    ends = structure.conclusions
    if not len(ends):
        return np.zeros(confidence.shape[1])
    weight = logarithm(confidence)
    begin = logarithm(np.where(structure.is_hypothesis[:, None], root, 0.0))
    best = np.full(confidence.shape[1], -np.inf)
    shift = np.zeros(confidence.shape[1])
    while True:
        found = chains(structure, weight - shift, begin - shift, start_links=1)
        total = found.total[ends]
        at = total.argmax(axis=0)[None]
        links = np.take_along_axis(found.links[ends], at, axis=0)[0]
        mean = np.take_along_axis(total, at, axis=0)[0] / links + shift
        if not np.any(mean > best + 1e-15):
            value: Floats = np.exp(best)
            return value
        best = np.maximum(best, mean)
        shift = np.where(np.isfinite(best), best, 0.0)


def path_by_product(structure: Structure, confidence: Floats, found: Chains, overall_best: bool) -> Path:
    """Return the path for one setting: that of formula 11, or of the Conclusion whose path has the largest mean."""
    ends = structure.conclusions
    if not len(ends):
        return Path()
    means, totals = found.mean(ends), found.total[ends]
    rank = totals if overall_best else means
    winner = int(np.where(rank == rank.max(), means, -1.0).argmax())
    if not np.isfinite(totals[winner]):
        return Path()
    alone = int(np.count_nonzero(rank >= rank[winner] - _TIED)) == 1
    start = np.where(structure.is_hypothesis, 0.0, -np.inf)
    nodes, followed = _walk_back(structure, logarithm(confidence), found, start, int(ends[winner]))
    return Path(float(means[winner]), nodes, alone and followed)


def path_by_mean(structure: Structure, confidence: Floats, root: Floats, value: float) -> Path:
    """Return the path whose geometric mean `strongest_mean` found, for one setting: (E) and (N)."""
    ends = structure.conclusions
    if value <= 0.0 or not len(ends):
        return Path()
    shift = float(np.log(value))
    weight = logarithm(confidence) - shift
    start = logarithm(np.where(structure.is_hypothesis, root, 0.0)) - shift
    found = one_chain(structure, weight, start, start_links=1)
    totals = found.total[ends]
    winner = int(totals.argmax())
    alone = int(np.count_nonzero(totals >= totals[winner] - _TIED)) == 1
    nodes, followed = _walk_back(structure, weight, found, start, int(ends[winner]))
    return Path(value, nodes, alone and followed)


def _walk_back(
    structure: Structure, weight: Floats, found: Chains, start: Floats, end: int
) -> tuple[tuple[int, ...], bool]:
    """Return the nodes of the best chain to `end`, first to last, and whether no other choice was as good."""
    nodes = [end]
    unique = True
    total, links = found.total, found.links
    while True:
        here = nodes[-1]
        edges = structure.edges_into(here)
        parents = structure.tail[edges]
        arriving = total[parents] + weight[edges]
        ways = int(np.count_nonzero(arriving >= total[here] - _TIED))
        begins = bool(start[here] >= total[here] - _TIED)
        if ways + begins > 1:
            unique = False
        before = np.flatnonzero((arriving == total[here]) & (links[parents] + 1 == links[here]))
        if not len(before):
            return tuple(reversed(nodes)), unique
        nodes.append(int(parents[before[-1]]))
