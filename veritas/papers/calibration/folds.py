"""Divide papers into folds with equal shares of each label; copies of a paper are never separated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veritas.scoring.graph import Ints


def folds(which: Ints, strata: Sequence[int], same: Sequence[int], count: int, seed: int) -> list[Ints]:
    """Return `count` disjoint folds of the papers `which`. Papers of equal `same` share a fold."""
    random = np.random.default_rng(seed)
    units: dict[int, list[int]] = {}
    for paper in which.tolist():
        units.setdefault(same[paper], []).append(paper)
    made: list[list[int]] = [[] for _ in range(count)]
    place = 0
    for stratum in sorted({strata[members[0]] for members in units.values()}):
        here = [members for members in units.values() if strata[members[0]] == stratum]
        for number in random.permutation(len(here)).tolist():
            made[place % count] += here[number]
            place += 1
    return [np.array(sorted(each), dtype=np.intp) for each in made]


def without(which: Ints, held_out: Ints) -> Ints:
    """Return the papers of `which` that are not held out."""
    return which[~np.isin(which, held_out)]
