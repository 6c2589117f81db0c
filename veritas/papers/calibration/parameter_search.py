"""Search in three stages, dense, refine and sparse, for many sets of training papers at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from veritas.papers.calibration import surface
from veritas.papers.calibration.sheet import Calculator
from veritas.scoring.graph import Floats

Stage = Literal["default", "dense", "refine", "sparse"]
STAGES: tuple[Stage, ...] = ("default", "dense", "refine", "sparse")
"""The stages; `default` is the policy as it was, without a search."""
KEPT = 20
_ROUNDS = (0.2, 0.1)
"""Spread of the two rounds of refinement, in shares of a coordinate's range."""


@dataclass(frozen=True)
class Budget:
    """Numbers of settings to try: `dense` ones by all searches together, the others by each."""

    dense: int
    refine: int
    sparse: int

    @classmethod
    def of(cls, settings: int) -> Budget:
        """Divide so many settings, all seen by one search, among the three stages."""
        local = max(20, min(settings // 50, 2000))
        return cls(max(20, settings), local, max(20, local // 2))

    def total(self, searches: int) -> int:
        """Return the number of settings scored by so many searches."""
        return self.dense + searches * (2 * (self.refine // 2) + self.sparse)


def searched(
    calculator: Calculator, start: Floats, budget: Budget, seed: int, done: Callable[[int], None] | None = None
) -> list[dict[Stage, Floats]]:
    """Return for each subset of the sheet the point that each stage ends with.

    Every stage begins with the result of the one before, so on its own papers a search never loses.
    """
    random = np.random.default_rng(seed)
    subsets = len(calculator.sheet.subsets)
    best = calculator.best(surface.dense(start, budget.dense, random), None, KEPT, done)
    found: list[dict[Stage, Floats]] = [{"default": start, "dense": points[0]} for _, points in best]
    for spread in _ROUNDS:
        count = budget.refine // 2
        drawn = [surface.refined(points, count, spread, random) for _, points in best]
        best = _locally(calculator, drawn, KEPT // 2, done)
    for stages, (_, points) in zip(found, best, strict=True):
        stages["refine"] = points[0]
    drawn = [surface.sparse(points[0], budget.sparse, random) for _, points in best]
    best = _locally(calculator, drawn, 1, done)
    for number in range(subsets):
        found[number]["sparse"] = best[number][1][0]
    return found


def _locally(
    calculator: Calculator, drawn: Sequence[Floats], keep: int, done: Callable[[int], None] | None
) -> list[tuple[Floats, Floats]]:
    owner = np.repeat(np.arange(len(drawn)), [len(points) for points in drawn])
    return calculator.best(np.concatenate(drawn), owner, keep, done)
