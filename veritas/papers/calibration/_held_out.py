"""Measures of scores on the papers that were held out while they were found, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veritas.papers.calibration.nested import Plan
from veritas.papers.calibration.paper_labels import Labels
from veritas.papers.calibration.rank_measures import Measure, bootstrap, over_folds
from veritas.papers.calibration.report import Figure
from veritas.scoring.graph import Floats

LEVEL = 0.95


class HeldOut:
    """Measures on held-out papers, with intervals."""

    def __init__(self, labels: Labels, plan: Plan, draws: int, seed: int) -> None:
        self.labels, self.folds, self.draws, self.seed = labels, plan.outer, draws, seed

    def value(self, measure: Measure, scores: Floats) -> float | None:
        return known(over_folds(measure, scores, self.labels, self.folds))

    def figure(self, measure: Measure, scores: Floats) -> Figure:
        return _figure(self.value(measure, scores), self._drawn(measure, [scores])[:, 0])

    def over(self, measure: Measure, scores: Sequence[Floats], other: Floats) -> list[Figure]:
        """Return by how much each of `scores` is better than `other`, in paired draws."""
        drawn = self._drawn(measure, [*scores, other])
        values = [self.value(measure, each) for each in (*scores, other)]
        last = values.pop()
        return [
            _figure(None if value is None or last is None else value - last, drawn[:, place] - drawn[:, -1])
            for place, value in enumerate(values)
        ]

    def _drawn(self, measure: Measure, columns: Sequence[Floats]) -> Floats:
        return bootstrap(measure, columns, self.labels, self.folds, self.draws, self.seed)


def _figure(value: float | None, drawn: Floats) -> Figure:
    if value is None or np.isnan(drawn).any():
        return Figure(value=value, low=None, high=None)
    low, high = np.quantile(drawn, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Figure(value=value, low=float(low), high=float(high))


def known(value: float) -> float | None:
    """Return None for NaN, a value that cannot be measured."""
    return None if np.isnan(value) else float(value)


def of_folds(rows: Sequence[Floats], plan: Plan) -> Floats:
    """Return each paper's score, (P), from the row of the fold it was held out in."""
    scores = np.empty(len(plan.subsets[0]))
    for row, fold in zip(rows, plan.outer, strict=True):
        scores[fold] = row[fold]
    return scores
