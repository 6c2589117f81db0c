"""One calibration from beginning to end: search, nested cross-validation, baselines, ablations, verdict."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from veritas.errors import InputError
from veritas.papers.calibration import surface
from veritas.papers.calibration.ablations import roles_of, without_parts, without_role
from veritas.papers.calibration.baselines import baselines
from veritas.papers.calibration.labels import Labels
from veritas.papers.calibration.nested import Plan, planned, stage_for
from veritas.papers.calibration.ranking import CHANCE, Measure, bootstrap, measured, over_folds
from veritas.papers.calibration.report import (
    Ablation,
    BaselineResult,
    CalibrationReport,
    DataCard,
    Figure,
    StageResult,
)
from veritas.papers.calibration.runs import CachedPaper
from veritas.papers.calibration.search import STAGES, Budget, Stage, searched
from veritas.papers.calibration.sheet import Sheet, calculator
from veritas.papers.dag import Floats
from veritas.papers.evaluation import Rules
from veritas.papers.parameters import from_policy
from veritas.papers.scorer_policy import ScorerPolicy

LEAST_OF_A_KIND = 4
FEW_PAPERS = 60
LEVEL = 0.95


@dataclass(frozen=True)
class Choices:
    """How to calibrate. `measure` None: AUROC for two labels, else Spearman. `settings`: of the dense stage."""

    rules: Rules = "paper"
    measure: Measure | None = None
    settings: int = 20_000
    outer_folds: int = 5
    inner_folds: int = 4
    seed: int = 0
    processes: int = 2
    draws: int = 2000


def calibrate(
    papers: Sequence[CachedPaper],
    labels: Labels,
    policy: ScorerPolicy,
    choices: Choices = Choices(),
    sources: tuple[str, str] = ("", ""),
    left_out: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> CalibrationReport:
    """Search the weights that rank the papers as their labels do, and say how far that can be believed.

    `progress` is told how many settings are done, and of how many. Raises `InputError` for too few papers.
    """
    began = time.perf_counter()
    measure: Measure = choices.measure or ("auroc" if labels.binary else "spearman")
    outer, inner = _fold_counts(labels, choices)
    same = _copies(papers)
    plan = planned(len(papers), labels.strata, same, outer, inner, choices.seed)
    base = from_policy(policy)
    start = surface.point_of(base)
    budget = Budget.of(choices.settings)
    total = budget.total(len(plan.subsets))
    done = 0

    def told(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    sheet = Sheet(papers, labels, base, choices.rules, measure, plan.subsets)
    with calculator(sheet, total, choices.processes) as at_work:
        found = searched(at_work, start, budget, choices.seed, told)
        keys = [(number, stage) for number in range(len(plan.subsets)) for stage in STAGES]
        rows = at_work.scores(np.stack([found[number][stage] for number, stage in keys]))
        scores = dict(zip(keys, rows, strict=True))
        stage_of = [stage_for(number, plan, scores, labels, measure) for number in range(outer + 1)]
        points = [found[1 + fold][stage_of[1 + fold]] for fold in range(outer)]
        parts = [without_parts(point) for point in points]
        part_rows = at_work.scores(np.stack([changed for each in parts for changed in each.values()]))
    held_out = _held_out([scores[1 + fold, stage_of[1 + fold]] for fold in range(outer)], plan)
    judge = _Judge(labels, plan, choices)

    stages = [
        StageResult(
            stage=stage,
            apparent_auroc=_known(measured("auroc", scores[0, stage][None], labels, plan.subsets[0])[0]),
            apparent_spearman=_known(measured("spearman", scores[0, stage][None], labels, plan.subsets[0])[0]),
            nested_auroc=judge.figure("auroc", by_stage),
            nested_spearman=judge.figure("spearman", by_stage),
        )
        for stage in STAGES
        for by_stage in [_held_out([scores[1 + fold, stage] for fold in range(outer)], plan)]
    ]
    ablations = _ablations(papers, sheet, points, parts, part_rows, plan, judge, measure, held_out)
    rivals = _baselines(papers, labels, plan, judge, measure, held_out)
    default = _held_out([scores[0, "default"]] * outer, plan)
    headline = judge.figure(measure, held_out)
    gain = judge.over(measure, [held_out], default)[0]
    apparent = _known(measured(measure, scores[0, stage_of[0]][None], labels, plan.subsets[0])[0])
    optimism = None if apparent is None or headline.value is None else apparent - headline.value
    beats_chance = headline.low is not None and headline.low > CHANCE[measure]
    beats_default = gain.low is not None and gain.low > 0.0
    beats_all = all(each.difference.low is not None and each.difference.low > 0.0 for each in rivals)
    changed = surface.policy_of(policy, found[0][stage_of[0]])
    card = _card(papers, labels, sources, left_out, same)
    return CalibrationReport(
        card=card,
        rules=choices.rules,
        measure=measure,
        seed=choices.seed,
        outer_folds=outer,
        inner_folds=inner,
        settings_tried=total,
        level=LEVEL,
        chosen_stage=stage_of[0],
        chosen_stages=tuple(stage_of[1:]),
        headline=headline,
        nested_auroc=judge.figure("auroc", held_out),
        nested_spearman=judge.figure("spearman", held_out),
        apparent=apparent,
        optimism=optimism,
        stages=tuple(stages),
        baselines=tuple(rivals),
        ablations=tuple(ablations),
        beats_chance=beats_chance,
        beats_default=beats_default,
        beats_baselines=beats_all,
        verdict=_verdict(measure, headline, beats_chance, beats_default, rivals, stage_of[0]),
        warnings=tuple(_warnings(card, measure, optimism, stages)),
        parameters={
            name: part
            for name, part in changed.model_dump(mode="json").items()
            if name in ("metric_weights", "edge_weights", "propagation", "graph_weights")
        },
        seconds=time.perf_counter() - began,
    )


class _Judge:
    """Measures on held-out papers, with intervals."""

    def __init__(self, labels: Labels, plan: Plan, choices: Choices) -> None:
        self.labels, self.folds, self.choices = labels, plan.outer, choices

    def value(self, measure: Measure, scores: Floats) -> float | None:
        return _known(over_folds(measure, scores, self.labels, self.folds))

    def figure(self, measure: Measure, scores: Floats) -> Figure:
        return _figure(self.value(measure, scores), self._drawn(measure, [scores])[:, 0])

    def over(self, measure: Measure, scores: Sequence[Floats], other: Floats) -> list[Figure]:
        """By how much each is better than another, in pairs."""
        drawn = self._drawn(measure, [*scores, other])
        known = [self.value(measure, each) for each in (*scores, other)]
        last = known.pop()
        return [
            _figure(None if value is None or last is None else value - last, drawn[:, place] - drawn[:, -1])
            for place, value in enumerate(known)
        ]

    def _drawn(self, measure: Measure, columns: Sequence[Floats]) -> Floats:
        return bootstrap(measure, columns, self.labels, self.folds, self.choices.draws, self.choices.seed)


def _figure(value: float | None, drawn: Floats) -> Figure:
    if value is None or np.isnan(drawn).any():
        return Figure(value=value, low=None, high=None)
    low, high = np.quantile(drawn, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Figure(value=value, low=float(low), high=float(high))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _held_out(rows: Sequence[Floats], plan: Plan) -> Floats:
    """(P) each paper's score from the row of the fold it was held out in."""
    scores = np.empty(len(plan.subsets[0]))
    for row, fold in zip(rows, plan.outer, strict=True):
        scores[fold] = row[fold]
    return scores


def _fold_counts(labels: Labels, choices: Choices) -> tuple[int, int]:
    ups, downs = int(labels.upper.sum()), int(labels.lower.sum())
    fewest = min(ups, downs)
    if fewest < LEAST_OF_A_KIND:
        raise InputError(
            f"too few labels: {ups} papers above and {downs} below ({labels.meaning}). Weights need at least "
            f"{LEAST_OF_A_KIND} of each to be tested at all, and some {FEW_PAPERS} papers to be tested well"
        )
    outer = max(2, min(choices.outer_folds, fewest // 2))
    return outer, max(2, min(choices.inner_folds, (fewest - -(-fewest // outer)) // 2))


def _copies(papers: Sequence[CachedPaper]) -> list[int]:
    first: dict[str, int] = {}
    return [first.setdefault(paper.content, number) for number, paper in enumerate(papers)]


def _baselines(
    papers: Sequence[CachedPaper], labels: Labels, plan: Plan, judge: _Judge, measure: Measure, held_out: Floats
) -> list[BaselineResult]:
    made = []
    for name, values in baselines(papers).items():
        everything = plan.subsets[0]
        rows = []
        for training in plan.subsets[1 : 1 + len(plan.outer)]:
            seen = measured(measure, values[None], labels, training)[0]
            rows.append(-values if seen < CHANCE[measure] else values)
        nested = _held_out(rows, plan)
        made.append(
            BaselineResult(
                name=name,
                auroc=_known(measured("auroc", values[None], labels, everything)[0]),
                spearman=_known(measured("spearman", values[None], labels, everything)[0]),
                nested_auroc=judge.figure("auroc", nested),
                nested_spearman=judge.figure("spearman", nested),
                difference=judge.over(measure, [held_out], nested)[0],
            )
        )
    return made


def _ablations(
    papers: Sequence[CachedPaper],
    sheet: Sheet,
    points: Sequence[Floats],
    parts: Sequence[dict[tuple[str, str], Floats]],
    part_rows: Floats,
    plan: Plan,
    judge: _Judge,
    measure: Measure,
    held_out: Floats,
) -> list[Ablation]:
    count = len(parts[0])
    made: dict[tuple[str, str], Floats] = {
        key: _held_out([part_rows[fold * count + number] for fold in range(len(parts))], plan)
        for number, key in enumerate(parts[0])
    }
    for role in roles_of(papers):
        name, changed = without_role(papers, role)
        dumb = Sheet(changed, sheet.labels, sheet.base, sheet.rules, measure, ()).laid_out()
        made["role", name] = _held_out(list(dumb.scores(np.stack(points))), plan)
    return [
        Ablation(
            group=group,
            part=part,
            auroc=judge.value("auroc", scores),
            spearman=judge.value("spearman", scores),
            difference=difference,
        )
        for ((group, part), scores), difference in zip(
            made.items(), judge.over(measure, list(made.values()), held_out), strict=True
        )
    ]


def _card(
    papers: Sequence[CachedPaper],
    labels: Labels,
    sources: tuple[str, str],
    left_out: Sequence[str],
    same: Sequence[int],
) -> DataCard:
    levels, counts = np.unique(labels.values, return_counts=True)
    if len(levels) > 10:
        counted = {f"{levels[0]:g} to {levels[-1]:g}, {len(levels)} different": len(labels.values)}
    else:
        counted = {f"{level:g}": int(count) for level, count in zip(levels, counts, strict=True)}
    digest = hashlib.sha256()
    for paper, label in sorted(zip(papers, labels.values.tolist(), strict=True), key=lambda pair: pair[0].name):
        digest.update(f"{paper.name}\0{label!r}\0{paper.content}".encode("utf-8", "surrogatepass"))
        for each in paper.graphs:
            digest.update(each.metrics.tobytes())
            digest.update(np.stack((each.graph.tail, each.graph.head)).tobytes())
    groups: dict[int, list[str]] = {}
    for paper, first in zip(papers, same, strict=True):
        groups.setdefault(first, []).append(paper.name)
    return DataCard(
        runs=sources[0],
        labels=sources[1],
        papers=len(papers),
        graphs=sum(len(paper.graphs) for paper in papers),
        samples=sum(len(each.metrics) for paper in papers for each in paper.graphs),
        label_counts=counted,
        auroc_of=labels.meaning,
        content=digest.hexdigest(),
        copies=tuple(tuple(names) for names in groups.values() if len(names) > 1),
        left_out=tuple(left_out),
    )


def _verdict(
    measure: Measure,
    headline: Figure,
    beats_chance: bool,
    beats_default: bool,
    rivals: Sequence[BaselineResult],
    stage: Stage,
) -> str:
    name = "AUROC" if measure == "auroc" else "Spearman"
    if headline.value is None or headline.low is None or headline.high is None:
        return f"{name} on held-out papers cannot be measured with these labels"
    said = f"{name} {headline.value:.3f} on held-out papers, {headline.low:.3f} to {headline.high:.3f}"
    if not beats_chance:
        return f"{said}: not told apart from chance. Do not use these weights as if they were calibrated"
    said += ": better than chance"
    unbeaten = [each.name for each in rivals if each.difference.low is None or each.difference.low <= 0.0]
    if unbeaten:
        said += f", but not shown to be better than {', '.join(unbeaten)} alone"
    if stage == "default":
        return f"{said}. No search did clearly better than the weights it began with, so these stay"
    if not beats_default:
        said += "; not shown to be better than the weights it began with"
    return said


def _warnings(
    card: DataCard, measure: Measure, optimism: float | None, stages: Sequence[StageResult]
) -> list[str]:
    said = []
    if card.papers < FEW_PAPERS:
        said.append(
            f"{card.papers} papers are few: the interval is wide, and another {card.papers} papers could say otherwise"
        )
    tuned = [each.apparent_auroc if measure == "auroc" else each.apparent_spearman for each in stages]
    honest = [(each.nested_auroc if measure == "auroc" else each.nested_spearman).value for each in stages]
    if tuned[-1] is not None and honest[-1] is not None and tuned[-1] - honest[-1] > 0.05:
        said.append(
            f"tuned and tested on the same papers it would read {tuned[-1]:.3f}; on held-out papers that search gets "
            f"{honest[-1]:.3f}. The difference is overfitting"
        )
    if card.copies:
        said.append(
            f"{sum(map(len, card.copies))} papers say the same as another, such as {' and '.join(card.copies[0][:2])}; "
            "they were held out together"
        )
    if card.left_out:
        said.append(f"{len(card.left_out)} papers, graphs or labels were left out, such as: {card.left_out[0]}")
    return said
