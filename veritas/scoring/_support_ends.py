"""Keeps both ends of a score under rules `veritas` up to date while nodes are verified."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from veritas.scoring import quality
from veritas.scoring._components import normalised, raw_score
from veritas.scoring._trust import gated, trust_below
from veritas.scoring.graph import Floats, Ints, PaperGraph
from veritas.scoring.parameters import Parameters
from veritas.scoring.roles import COUNTEREVIDENCE
from veritas.scoring.support import Support, trust_of, trusts, worst_and_best


class Ends:
    """The support graph of a graph at its worst and at its best, two columns each: `confidence` (E, 2) in the order of
    the support graph, `components` (6, 2), `score` (2).

    An update computes the node, its edges and the descendants that it affects, for counterevidence those of what it
    contradicts, and then the components. It gives what `Support.evaluate` gives of both ends.
    """

    def __init__(self, support: Support, graph: PaperGraph, parameters: Parameters) -> None:
        self.support, self.parameters = support, parameters
        structure = support.structure
        self._adverse = graph.roles == COUNTEREVIDENCE
        self._at = np.full(len(graph.ids), -1, dtype=np.intp)
        self._at[support.kept] = structure.node_at
        self._metrics: Floats = np.stack(worst_and_best(graph), axis=2)
        self._weighed = quality.weighed(self._metrics[support.kept][structure.node_of], parameters)
        self._quality = quality.node_quality(structure.roles, self._weighed, parameters)
        self._raw = quality.raw_confidence(structure, slice(None), self._weighed, self._quality, parameters)
        self._standing = self._standings()
        self._trust = trusts(structure, self._quality, self._standing, parameters)
        self.confidence: Floats = np.zeros((structure.edges, 2))
        self._regate(np.arange(structure.edges))
        self._total()

    def update(self, place: int, metrics: Floats) -> None:
        """Take the six metrics, NaN where unknown, of the node at `place` of the graph."""
        low, high = np.nan_to_num(metrics, nan=0.0), np.nan_to_num(metrics, nan=1.0)
        adverse = bool(self._adverse[place])
        self._metrics[place] = np.stack((high, low) if adverse else (low, high), axis=1)
        structure, here = self.support.structure, int(self._at[place])
        if adverse:
            before, self._standing = self._standing, self._standings()
            heads = np.flatnonzero((self._standing != before).any(axis=1)).tolist()
            touched = [structure.edges_into(v) for v in heads]
        elif here >= 0:
            self._weighed[here] = quality.weighed(self._metrics[[place]], self.parameters)[0]
            self._quality[here] = quality.node_quality(
                structure.roles[[here]], self._weighed[[here]], self.parameters
            )[0]
            heads, touched = [here], [structure.edges_into(here), structure.edges_from(here)]
            edges = np.concatenate(touched)
            self._raw[edges] = quality.raw_confidence(structure, edges, self._weighed, self._quality, self.parameters)
        else:
            return
        touched += [structure.edges_from(v) for v in self._retrust(heads)]
        if touched:
            self._regate(np.unique(np.concatenate(touched)))
        self._total()

    def _standings(self) -> Floats:
        standing = self.support.standing(self._metrics, self.parameters)
        return np.broadcast_to(standing, (len(standing), 2)).copy()

    def _retrust(self, heads: Iterable[int]) -> list[int]:
        """Compute trust from `heads` down; return the nodes whose trust changed."""
        structure = self.support.structure

        def trust_at(node: int) -> Floats:
            return trust_of(structure, node, self._trust, self._quality, self._standing, self.parameters)

        return trust_below(structure, heads, self._trust, trust_at)

    def _regate(self, edges: Ints) -> None:
        structure = self.support.structure
        lowered = gated(structure, edges, self._raw[edges], self._trust, self.parameters)
        self.confidence[edges] = lowered * self._standing[structure.head[edges]]

    def _total(self) -> None:
        low, high = (
            [np.ascontiguousarray(v[:, end]) for v in (self._quality, self._standing, self._trust, self.confidence)]
            for end in (slice(0, 1), slice(1, 2))
        )
        lowest = self._components_of(low)
        same = all(np.array_equal(one, other) for one, other in zip(low, high, strict=True))
        highest = lowest if same else self._components_of(high)
        self.components: Floats = np.concatenate((lowest, highest), axis=1)
        self.score: Floats = normalised(raw_score(self.components, self.parameters), self.parameters)

    def _components_of(self, state: list[Floats]) -> Floats:
        worth, standing, trust, confidence = state
        return self.support.components(worth, standing, trust, confidence, self.parameters)
