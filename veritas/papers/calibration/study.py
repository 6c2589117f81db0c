"""Calibrate from beginning to end: read runs and labels, search, test on held-out papers, say what came of it.

Search for weights in three stages, dense, refine and sparse, over cached graphs.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.papers.calibration import surface
from veritas.papers.calibration.labelled_papers import CachedPaper, read_runs
from veritas.papers.calibration.paper_labels import Labels, labelled, read_labels
from veritas.papers.calibration.surface import CHANCE, Measure, bootstrap, measured, over_folds
from veritas.policy.yaml_file import read_yaml_model
from veritas.scoring.batch import score_batch
from veritas.scoring.evaluation import RULES, Rules
from veritas.scoring.graph import Floats, Ints
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import Parameters, from_policy
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.scoring.support import Support
from veritas.settings import policy_file

Stage = Literal["default", "dense", "refine", "sparse"]
STAGES: tuple[Stage, ...] = ("default", "dense", "refine", "sparse")
"""The stages; `default` is the policy as it was, without a search."""
KEPT = 20
_ROUNDS = (0.2, 0.1)
"""Spread of the two rounds of refinement, in shares of a coordinate's range."""
CHUNK = 2048
"""Settings scored together. A chunk's scores of 1,000 papers are 16 MB, and no more is ever held."""

Told = Callable[[int], None]


class Sheet:
    """Papers with their graphs laid out, ready to be scored under many settings."""

    def __init__(
        self, papers: Sequence[CachedPaper], labels: Labels, base: Parameters, rules: Rules, measure: Measure
    ) -> None:
        self.papers, self.labels, self.base, self.rules, self.measure = papers, labels, base, rules, measure
        kind = Support if rules == "veritas" else Structure
        self._layouts = [[kind(each.graph) for each in paper.graphs] for paper in papers]

    def scores(self, points: Floats) -> Floats:
        """Return the mean score over a paper's graphs and samples, (C, P)."""
        parameters = surface.parameters_of(self.base, points)
        scores = np.empty((len(points), len(self.papers)))
        for column, (paper, layouts) in enumerate(zip(self.papers, self._layouts, strict=True)):
            total = np.zeros(len(points))
            for each, layout in zip(paper.graphs, layouts, strict=True):
                found = score_batch(each.graph, parameters, each.metrics, self.rules, layout, each.upper)
                total += found.score.mean(axis=0)
            scores[:, column] = total / len(paper.graphs)
        return scores

    def best(self, points: Floats, subsets: Sequence[Ints], keep: int, done: Told) -> list[Floats]:
        """Return for each set of papers the points that rank it best, best first, earlier ones first among equals."""
        best = [(np.empty(0), points[:0]) for _ in subsets]
        for first in range(0, len(points), CHUNK):
            chunk = points[first : first + CHUNK]
            scores = self.scores(chunk)
            for number, subset in enumerate(subsets):
                now = np.nan_to_num(measured(self.measure, scores, self.labels, subset), nan=-1.0)
                values = np.concatenate((best[number][0], now))
                top = np.argsort(-values, kind="stable")[:keep]
                best[number] = values[top], np.concatenate((best[number][1], chunk))[top]
            done(len(chunk))
        return [each for _, each in best]


def local_settings(settings: int) -> int:
    """Return how many settings each search tries in the refine stage; the sparse stage tries half as many."""
    return max(20, min(settings // 50, 2000))


def settings_tried(settings: int, searches: int) -> int:
    """Return the number of settings that so many searches score, the dense ones together."""
    local = local_settings(settings)
    return settings + searches * (2 * (local // 2) + local // 2)


def searched(
    sheet: Sheet, subsets: Sequence[Ints], start: Floats, settings: int, seed: int, done: Told = lambda count: None
) -> list[dict[Stage, Floats]]:
    """Return for each set of papers the point that each stage ends with.

    Every stage begins with the result of the one before, so on its own papers a search never loses.
    """
    random = np.random.default_rng(seed)
    local = local_settings(settings)
    found: list[dict[Stage, Floats]] = []
    for subset, points in zip(
        subsets, sheet.best(surface.dense(start, settings, random), subsets, KEPT, done), strict=True
    ):
        stages: dict[Stage, Floats] = {"default": start, "dense": points[0]}
        for spread in _ROUNDS:
            drawn = surface.refined(points, local // 2, spread, random)
            points = sheet.best(drawn, [subset], KEPT // 2, done)[0]
        stages["refine"] = points[0]
        stages["sparse"] = sheet.best(surface.sparse(points[0], local // 2, random), [subset], 1, done)[0][0]
        found.append(stages)
    return found


LEAST_OF_A_KIND = 4
FEW_PAPERS = 60
LEVEL = 0.95
DRAWS = 2000
"""Bootstrap draws of an interval."""


@dataclass(frozen=True)
class Choices:
    """Choices of a calibration. `measure` None: AUROC for two labels, else Spearman. `settings`: of the dense stage."""

    rules: Rules = "paper"
    measure: Measure | None = None
    settings: int = 20_000
    folds: int = 5
    seed: int = 0


class Figure(Frozen):
    """A measure with the ends of its bootstrap interval; None if it cannot be measured."""

    value: float | None
    low: float | None
    high: float | None


class StageResult(Frozen):
    """A stage of the search. `held_out`: measured on papers that were held out while it searched. `same_papers`:
    searched and measured on the same papers, and so too high."""

    stage: Stage
    held_out_auroc: Figure
    held_out_spearman: Figure
    same_papers_auroc: float | None
    same_papers_spearman: float | None


class CalibrationReport(Frozen):
    """The report of a calibration. `headline` is the tuned measure of the refine stage on held-out papers, `gain`
    by how much it is better than the initial weights there. `parameters` are those of the policy file, of
    `chosen_stage`; `content` is the SHA-256 of the papers' names, graphs, metrics and labels."""

    runs: str
    labels: str
    papers: int
    graphs: int
    samples: int
    label_counts: dict[str, int]
    auroc_of: str
    content: str
    left_out: tuple[str, ...]
    rules: Rules
    measure: Measure
    seed: int
    folds: int
    settings_tried: int
    stages: tuple[StageResult, ...]
    headline: Figure
    gain: Figure
    beats_chance: bool
    chosen_stage: Stage
    verdict: str
    warnings: tuple[str, ...]
    parameters: dict[str, Any]
    seconds: float


def calibrated(
    runs: Path,
    labels: Path,
    choices: Choices,
    weights: Path | None = None,
    order: Sequence[str] = (),
    on_line: Callable[[str], None] | None = None,
) -> tuple[CalibrationReport, ScorerPolicy]:
    """Return the report of a calibration from files, and the policy it began with. `on_line` is called with lines on
    what is left out and on progress, a tenth at a time. Raises `InputError`."""
    say = on_line or (lambda _line: None)
    for name, value, allowed in (("rules", choices.rules, RULES), ("measure", choices.measure, get_args(Measure))):
        if value is not None and value not in allowed:
            raise InputError(f"--{name} is {value!r}, none of {', '.join(allowed)}")
    policy = read_yaml_model(weights or policy_file("scorer.yaml"), ScorerPolicy)
    given = read_labels(labels, order)
    papers, left_out = read_runs(runs)
    chosen, known, more = labelled(papers, given)
    left_out += more
    for line in left_out:
        say(line)
    said = 0

    def progress(done: int, total: int) -> None:
        nonlocal said
        if 10 * done // total > said:
            said = 10 * done // total
            say(f"{done:,} of {total:,} settings")

    return calibrate(chosen, known, policy, choices, (runs.name, labels.name), left_out, progress), policy


def calibrate(
    papers: Sequence[CachedPaper],
    labels: Labels,
    policy: ScorerPolicy,
    choices: Choices = Choices(),
    sources: tuple[str, str] = ("", ""),
    left_out: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> CalibrationReport:
    """Search the weights that rank the papers as their labels do, and measure them on papers that were held out.

    `progress` is called with the number of settings done and of all. Raises `InputError` for too few papers.
    """
    began = time.perf_counter()
    measure: Measure = choices.measure or ("auroc" if labels.binary else "spearman")
    everything = np.arange(len(papers))
    held_out = folds(papers, labels, _fold_count(labels, choices), choices.seed)
    subsets = [everything, *(np.setdiff1d(everything, fold) for fold in held_out)]
    base = from_policy(policy)
    sheet = Sheet(papers, labels, base, choices.rules, measure)
    total, done = settings_tried(choices.settings, len(subsets)), 0

    def told(count: int) -> None:
        nonlocal done
        done += count
        progress(done, total)

    found = searched(sheet, subsets, surface.point_of(base), choices.settings, choices.seed, told)
    rows = [dict(zip(STAGES, sheet.scores(np.stack([each[s] for s in STAGES])), strict=True)) for each in found]
    unseen: dict[Stage, Floats] = {stage: np.empty(len(papers)) for stage in STAGES}
    for stage, scores in unseen.items():
        for row, fold in zip(rows[1:], held_out, strict=True):
            scores[fold] = row[stage][fold]

    def figure(by: Measure, stage: Stage, less: Stage | None = None) -> Figure:
        columns = [unseen[each] for each in (stage, less) if each is not None]
        drawn = bootstrap(by, columns, labels, held_out, DRAWS, choices.seed)
        values = np.array([over_folds(by, each, labels, held_out) for each in columns])
        value, draws = (values[0], drawn[:, 0]) if less is None else (values[0] - values[1], drawn[:, 0] - drawn[:, 1])
        if np.isnan(draws).any():
            return Figure(value=_known(value), low=None, high=None)
        low, high = np.quantile(draws, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        return Figure(value=_known(value), low=float(low), high=float(high))

    def same(by: Measure, stage: Stage) -> float | None:
        return _known(measured(by, rows[0][stage][None], labels, everything)[0])

    stages = tuple(
        StageResult(
            stage=stage, held_out_auroc=figure("auroc", stage), held_out_spearman=figure("spearman", stage),
            same_papers_auroc=same("auroc", stage), same_papers_spearman=same("spearman", stage),
        )
        for stage in STAGES
    )  # fmt: skip
    headline, gain = figure(measure, "refine"), figure(measure, "refine", less="default")
    beats_chance = headline.low is not None and headline.low > CHANCE[measure]
    chosen: Stage = "refine" if gain.low is not None and gain.low > 0.0 else "default"
    weights = surface.policy_of(policy, found[0][chosen]).model_dump(mode="json")
    return CalibrationReport(
        runs=sources[0], labels=sources[1], papers=len(papers), graphs=sum(len(paper.graphs) for paper in papers),
        samples=sum(len(each.metrics) for paper in papers for each in paper.graphs),
        label_counts=_counted(labels), auroc_of=labels.meaning, content=_content(papers, labels),
        left_out=tuple(left_out), rules=choices.rules, measure=measure, seed=choices.seed, folds=len(held_out),
        settings_tried=total, stages=stages, headline=headline, gain=gain, beats_chance=beats_chance,
        chosen_stage=chosen, verdict=_verdict(measure, headline, beats_chance, chosen),
        warnings=tuple(_warnings(len(papers), left_out)),
        parameters={name: weights[name] for name in ("metric_weights", "edge_weights", "propagation", "graph_weights")},
        seconds=time.perf_counter() - began,
    )  # fmt: skip


def folds(papers: Sequence[CachedPaper], labels: Labels, count: int, seed: int) -> list[Ints]:
    """Return `count` disjoint folds of the papers with equal shares of labels. Papers of one content share a fold."""
    random = np.random.default_rng(seed)
    units: dict[str, list[int]] = {}
    for number, paper in enumerate(papers):
        units.setdefault(paper.content, []).append(number)
    strata = labels.strata
    made: list[list[int]] = [[] for _ in range(count)]
    place = 0
    for stratum in sorted({strata[members[0]] for members in units.values()}):
        here = [members for members in units.values() if strata[members[0]] == stratum]
        for number in random.permutation(len(here)).tolist():
            made[place % count] += here[number]
            place += 1
    return [np.array(sorted(each), dtype=np.intp) for each in made]


def _fold_count(labels: Labels, choices: Choices) -> int:
    ups, downs = int(labels.upper.sum()), int(labels.lower.sum())
    if min(ups, downs) < LEAST_OF_A_KIND:
        raise InputError(
            f"too few labels: {ups} papers above and {downs} below ({labels.meaning}). Weights need at least "
            f"{LEAST_OF_A_KIND} of each to be tested at all, and some {FEW_PAPERS} papers to be tested well"
        )
    return max(2, min(choices.folds, min(ups, downs) // 2))


def _known(value: Any) -> float | None:
    """Return None for NaN, a value that cannot be measured."""
    return None if np.isnan(value) else float(value)


def _counted(labels: Labels) -> dict[str, int]:
    levels, counts = np.unique(labels.values, return_counts=True)
    if len(levels) > 10:
        return {f"{levels[0]:g} to {levels[-1]:g}, {len(levels)} different": len(labels.values)}
    return {f"{level:g}": int(count) for level, count in zip(levels, counts, strict=True)}


def _content(papers: Sequence[CachedPaper], labels: Labels) -> str:
    digest = hashlib.sha256()
    for paper, label in sorted(zip(papers, labels.values.tolist(), strict=True), key=lambda pair: pair[0].name):
        digest.update(f"{paper.name}\0{label!r}\0{paper.content}".encode("utf-8", "surrogatepass"))
        for each in paper.graphs:
            digest.update(each.metrics.tobytes())
            digest.update(np.stack((each.graph.tail, each.graph.head)).tobytes())
    return digest.hexdigest()


def _verdict(measure: Measure, headline: Figure, beats_chance: bool, chosen: Stage) -> str:
    name = "AUROC" if measure == "auroc" else "Spearman"
    if headline.value is None or headline.low is None or headline.high is None:
        return f"{name} on held-out papers cannot be measured with these labels"
    said = f"{name} {headline.value:.3f} on held-out papers, {headline.low:.3f} to {headline.high:.3f}"
    said += ": better than chance" if beats_chance else ": not told apart from chance"
    if chosen == "default":
        return f"{said}. Not shown to be better than the weights it began with, so these stay"
    return f"{said}, and better than the weights it began with"


def _warnings(papers: int, left_out: Sequence[str]) -> list[str]:
    said = []
    if papers < FEW_PAPERS:
        said.append(f"{papers} papers are few: the interval is wide, and another {papers} papers could say otherwise")
    if left_out:
        said.append(f"{len(left_out)} papers, graphs or labels were left out, such as: {left_out[0]}")
    return said


def checked(rules: str, settings: int, folds: int, seed: int) -> Choices:
    """Return choices as a person gave them; what is tuned is left to the labels."""
    return Choices(cast(Rules, rules), None, settings, folds, seed)
