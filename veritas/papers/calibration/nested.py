"""Nested cross-validation: the whole procedure, search and choice of stage, is tested on papers it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from veritas.papers.calibration.paper_labels import Labels
from veritas.papers.calibration.parameter_search import STAGES, Stage
from veritas.papers.calibration.rank_measures import Measure, measured
from veritas.scoring.graph import Floats, Ints


@dataclass(frozen=True, eq=False)
class Plan:
    """The training and test papers of each search. Search 0 sees all papers; search 1 + f all but outer fold f; the
    searches of `inner[s]` see those of search s except one of its inner folds."""

    outer: list[Ints]
    inner: list[list[Ints]]
    """For search 0 and each outer one, the papers its inner searches are tested on."""
    subsets: list[Ints]
    """The papers that each search sees."""
    inner_search: list[list[int]]
    """The numbers of the inner searches, for search 0 and each outer one."""


def planned(papers: int, strata: Sequence[int], same: Sequence[int], outer: int, inner: int, seed: int) -> Plan:
    """Return folds for so many papers."""
    everything = np.arange(papers)
    held_out = folds(everything, strata, same, outer, seed)
    subsets = [everything, *(_without(everything, fold) for fold in held_out)]
    inner_folds, inner_search = [], []
    for number, seen in enumerate(list(subsets)):
        parts = folds(seen, strata, same, inner, seed + 1 + number)
        inner_folds.append(parts)
        inner_search.append(list(range(len(subsets), len(subsets) + len(parts))))
        subsets += [_without(seen, part) for part in parts]
    return Plan(held_out, inner_folds, subsets, inner_search)


def stage_for(
    search: int, plan: Plan, scores: dict[tuple[int, Stage], Floats], labels: Labels, measure: Measure
) -> Stage:
    """Return the stage a search should stop at, by its own inner folds alone: the earliest that is not worse than the
    best by more than one standard error of the difference. So noise ends at `default`."""
    values = np.array(
        [
            [measured(measure, scores[inner, stage][None], labels, fold)[0] for stage in STAGES]
            for inner, fold in zip(plan.inner_search[search], plan.inner[search], strict=True)
        ]
    )
    values = values[~np.isnan(values).any(axis=1)]
    if len(values) < 2:
        return "default"
    best = int(values.mean(axis=0).argmax())
    behind = values[:, best : best + 1] - values
    error = behind.std(axis=0, ddof=1) / np.sqrt(len(values))
    return STAGES[int(np.flatnonzero(behind.mean(axis=0) <= error)[0])]


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


def _without(which: Ints, held_out: Ints) -> Ints:
    """Return the papers of `which` that are not held out."""
    return which[~np.isin(which, held_out)]
