"""The strongest chain from a Hypothesis to a Conclusion: by product (formula 11) or by geometric mean.

Arrays are 1-D for one setting or have a column for each, in the order of `Structure`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veritas.papers.dag import Floats, Ints
from veritas.papers.structure import Structure

_TIED = 1e-12
"""Two sums of logarithms nearer than this belong to equally good paths."""


@dataclass(frozen=True, eq=False)
class Chains:
    """For every node the best chain that ends there: the sum of its logarithms, and its number of links.

    The sum is -inf where no chain of positive confidence arrives.
    """

    total: Floats
    links: Ints
    link_weight: Floats

    def geometric_mean(self) -> Floats:
        """exp(total / links); 0 where there is no chain."""
        return np.where(np.isfinite(self.total), np.exp(self.total / np.maximum(self.links, 1)), 0.0)


@dataclass(frozen=True)
class Path:
    """One chosen path: its value, its nodes by position in the structure, and whether no other is as good."""

    value: float
    nodes: tuple[int, ...] = ()
    unique: bool = True


def logarithm(confidence: Floats) -> Floats:
    """Natural logarithm, -inf for 0."""
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(confidence)
    return logs


def chains(structure: Structure, link_weight: Floats, start: Floats, start_links: int = 0) -> Chains:
    """The best chain into every node: one sweep, O(E) a column.

    `link_weight` (E, ...) is what an edge adds; `start` (N, ...) what a chain has that begins at a node, -inf where
    none may; `start_links` how many links that counts as.
    """
    total = start.copy()
    links = np.full(total.shape, start_links, dtype=np.intp)
    tail = structure.tail
    for level in structure.levels:
        first, last = level.edge_first, level.edge_last
        parents = tail[first:last]
        arriving = total.take(parents, axis=0)
        arriving += link_weight[first:last]
        arriving_links = links.take(parents, axis=0)
        for block_first, block_last in level.blocks:
            here = slice(level.first, level.first + block_last - block_first)
            there = slice(block_first - first, block_last - first)
            better = arriving[there] > total[here]
            np.copyto(total[here], arriving[there], where=better)
            np.copyto(links[here], arriving_links[there] + 1, where=better)
    return Chains(total, links, link_weight)


def by_product(structure: Structure, confidence: Floats) -> Chains:
    """For every node the chain of largest product from any Hypothesis."""
    start = np.where(structure.is_hypothesis, 0.0, -np.inf)
    if confidence.ndim == 2:
        start = np.repeat(start[:, None], confidence.shape[1], axis=1)
    return chains(structure, logarithm(confidence), start)


def overall_value(structure: Structure, found: Chains) -> Floats:
    """Formula 11: the geometric mean of the path of largest product among all Conclusions."""
    ends = np.flatnonzero(structure.is_conclusion)
    if not len(ends):
        return np.zeros(found.total.shape[1:])
    winner = found.total[ends].argmax(axis=0)
    mean = found.geometric_mean()[ends]
    value: Floats = np.take_along_axis(mean, winner[None], axis=0)[0]
    return value


def per_conclusion_value(structure: Structure, found: Chains) -> Floats:
    """The largest, over Conclusions, of the geometric mean of the path of largest product to it."""
    ends = np.flatnonzero(structure.is_conclusion)
    if not len(ends):
        return np.zeros(found.total.shape[1:])
    value: Floats = found.geometric_mean()[ends].max(axis=0)
    return value


def strongest_mean(structure: Structure, confidence: Floats, root: Floats) -> Chains:
    """For the Conclusion where it is largest, the chain of largest geometric mean over a Hypothesis's own trust and
    the confidences of the edges after it. Never falls when one of these rises, which formula 11 does not promise.

    Dinkelbach's iteration: with m the best mean so far, a chain of larger mean is one whose links, each less m, sum
    to more than 0. Every round is a sweep, and a handful of rounds suffice.
    """
    begin = np.where(structure.is_hypothesis if root.ndim == 1 else structure.is_hypothesis[:, None], root, 0.0)
    begin = logarithm(begin)
    weight = logarithm(confidence)
    ends = np.flatnonzero(structure.is_conclusion)
    mean = np.zeros(confidence.shape[1:])
    found = chains(structure, weight, begin, start_links=1)
    if not len(ends):
        return found
    found_mean = found
    best = np.full(mean.shape, -np.inf)
    while True:
        at = found_mean.total[ends].argmax(axis=0)[None]
        links = np.take_along_axis(found_mean.links[ends], at, axis=0)[0]
        total = np.take_along_axis(found_mean.total[ends], at, axis=0)[0]
        mean = total / links + np.where(np.isfinite(best), best, 0.0)
        if not np.any(mean > best + 1e-15):
            break
        best = np.maximum(best, mean)
        shift = np.where(np.isfinite(best), best, 0.0)
        found_mean = chains(structure, weight - shift, begin - shift, start_links=1)
    shift = np.where(np.isfinite(best), best, 0.0)
    return Chains(found_mean.total + shift * found_mean.links, found_mean.links, weight)
