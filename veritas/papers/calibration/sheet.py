"""Score all papers under many settings, from cached graphs: in this process, or in several for a long search."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.papers.calibration.paper_labels import Labels
from veritas.papers.calibration.rank_measures import Measure, measured
from veritas.papers.calibration.surface import parameters_of
from veritas.scoring.batch import score_batch
from veritas.scoring.evaluation import Rules
from veritas.scoring.graph import Floats, Ints
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import Parameters
from veritas.scoring.support import Support

CHUNK = 2048
"""Settings scored together. A chunk's scores of 1,000 papers are 16 MB, and no more is ever held."""
WORTH_PROCESSES = 300_000
"""Scorings of a graph from which starting processes pays."""

Best = tuple[Floats, Floats]
"""Values (T) and points (T, 23), best first."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """Papers, their labels, and the other inputs of a search; `subsets` are the papers that each search may see."""

    papers: Sequence[CachedPaper]
    labels: Labels
    base: Parameters
    rules: Rules
    measure: Measure
    subsets: Sequence[Ints]

    def laid_out(self) -> Laid:
        """Return the sheet with its graphs laid out, ready to score."""
        return Laid(self)


class Laid:
    """A sheet with its graphs laid out."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        kind = Support if sheet.rules == "veritas" else Structure
        self.layouts = [[kind(each.graph) for each in paper.graphs] for paper in sheet.papers]

    def scores(self, points: Floats) -> Floats:
        """Return the mean score over a paper's graphs and samples, (C, P)."""
        parameters = parameters_of(self.sheet.base, points)
        scores = np.empty((len(points), len(self.sheet.papers)))
        for column, (paper, layouts) in enumerate(zip(self.sheet.papers, self.layouts, strict=True)):
            total = np.zeros(len(points))
            for each, layout in zip(paper.graphs, layouts, strict=True):
                found = score_batch(each.graph, parameters, each.metrics, self.sheet.rules, layout, each.upper)
                total += found.score.mean(axis=0)
            scores[:, column] = total / len(paper.graphs)
        return scores

    def best(self, task: tuple[Floats, Ints | None, int]) -> list[Best]:
        """Return the best `keep` points for each subset. `owner` (C) is each point's subset; None: all."""
        points, owner, keep = task
        sheet = self.sheet
        scores = self.scores(points)
        found = []
        for number, subset in enumerate(sheet.subsets):
            mine = np.arange(len(points)) if owner is None else np.flatnonzero(owner == number)
            if not len(mine):
                found.append((np.empty(0), points[:0]))
                continue
            values = np.nan_to_num(measured(sheet.measure, scores[mine], sheet.labels, subset), nan=-1.0)
            top = np.argsort(-values, kind="stable")[:keep]
            found.append((values[top], points[mine[top]]))
        return found


_laid: Laid | None = None


def _begin(sheet: Sheet) -> None:
    global _laid
    _laid = sheet.laid_out()


def _scores_there(points: Floats) -> Floats:
    assert _laid is not None
    return _laid.scores(points)


def _best_there(task: tuple[Floats, Ints | None, int]) -> list[Best]:
    assert _laid is not None
    return _laid.best(task)


class Calculator:
    """A sheet whose points are scored in chunks by the processes; results come back in order."""

    def __init__(self, sheet: Sheet, pool: ProcessPoolExecutor | None) -> None:
        self.sheet = sheet
        self._pool = pool
        self._here = sheet.laid_out() if pool is None else None

    def scores(self, points: Floats) -> Floats:
        """Return the mean score over a paper's graphs and samples, (C, P)."""
        chunks = [points[first : first + CHUNK] for first in range(0, len(points), CHUNK)]
        if self._here is not None:
            return np.concatenate([self._here.scores(chunk) for chunk in chunks])
        assert self._pool is not None
        return np.concatenate(list(self._pool.map(_scores_there, chunks)))

    def best(
        self, points: Floats, owner: Ints | None, keep: int, done: Callable[[int], None] | None = None
    ) -> list[Best]:
        """Return for each subset the best of its own points, best first, earlier ones first among equals."""
        tasks = [
            (points[first : first + CHUNK], None if owner is None else owner[first : first + CHUNK], keep)
            for first in range(0, len(points), CHUNK)
        ]
        best: list[Best] = [(np.empty(0), points[:0]) for _ in self.sheet.subsets]
        made: Iterator[list[Best]]
        if self._here is not None:
            made = map(self._here.best, tasks)
        else:
            assert self._pool is not None
            made = self._pool.map(_best_there, tasks)
        for task, found in zip(tasks, made, strict=True):
            best = [_merged(one, other, keep) for one, other in zip(best, found, strict=True)]
            if done is not None:
                done(len(task[0]))
        return best


def _merged(one: Best, other: Best, keep: int) -> Best:
    values, points = np.concatenate((one[0], other[0])), np.concatenate((one[1], other[1]))
    top = np.argsort(-values, kind="stable")[:keep]
    return values[top], points[top]


@contextmanager
def calculator(sheet: Sheet, settings: int, processes: int) -> Iterator[Calculator]:
    """Provide a calculator with `processes`, or in this process if `settings` are too few to be worth them."""
    graphs = sum(len(each.metrics) for paper in sheet.papers for each in paper.graphs)
    if processes < 2 or settings * graphs < WORTH_PROCESSES:
        yield Calculator(sheet, None)
        return
    spawn = multiprocessing.get_context("spawn")  # a fork of a program with threads, as a flow is, may hang
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=_begin, initargs=(sheet,)) as pool:
        yield Calculator(sheet, pool)
