"""Calibrate from beginning to end: search, nested cross-validation, baselines, ablations, verdict."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from veritas.errors import InputError
from veritas.papers.calibration import surface, verdict_wording
from veritas.papers.calibration._ablations import roles_of, without_parts, without_role
from veritas.papers.calibration._baselines import baselines
from veritas.papers.calibration._held_out import LEVEL, HeldOut, known, of_folds
from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.papers.calibration.nested import Plan, planned, stage_for
from veritas.papers.calibration.paper_labels import Labels
from veritas.papers.calibration.parameter_search import STAGES, Budget, searched
from veritas.papers.calibration.rank_measures import CHANCE, Measure, measured
from veritas.papers.calibration.report import (
    Ablation,
    BaselineResult,
    CalibrationReport,
    DataCard,
    StageResult,
)
from veritas.papers.calibration.sheet import Sheet, calculator
from veritas.scoring.evaluation import Rules
from veritas.scoring.graph import Floats
from veritas.scoring.parameters import from_policy
from veritas.scoring.scorer_policy import ScorerPolicy

LEAST_OF_A_KIND = 4


@dataclass(frozen=True)
class Choices:
    """Choices of a calibration. `measure` None: AUROC for two labels, else Spearman. `settings`: of the dense stage."""

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
    """Search the weights that rank the papers as their labels do, and measure how far the result can be trusted.

    `progress` is called with the number of settings done and of all. Raises `InputError` for too few papers.
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
    held_out = of_folds([scores[1 + fold, stage_of[1 + fold]] for fold in range(outer)], plan)
    judge = HeldOut(labels, plan, choices.draws, choices.seed)

    stages = [
        StageResult(
            stage=stage,
            apparent_auroc=known(measured("auroc", scores[0, stage][None], labels, plan.subsets[0])[0]),
            apparent_spearman=known(measured("spearman", scores[0, stage][None], labels, plan.subsets[0])[0]),
            nested_auroc=judge.figure("auroc", by_stage),
            nested_spearman=judge.figure("spearman", by_stage),
        )
        for stage in STAGES
        for by_stage in [of_folds([scores[1 + fold, stage] for fold in range(outer)], plan)]
    ]
    ablations = _ablations(papers, sheet, points, parts, part_rows, plan, judge, measure, held_out)
    rivals = _baselines(papers, labels, plan, judge, measure, held_out)
    default = of_folds([scores[0, "default"]] * outer, plan)
    headline = judge.figure(measure, held_out)
    gain = judge.over(measure, [held_out], default)[0]
    apparent = known(measured(measure, scores[0, stage_of[0]][None], labels, plan.subsets[0])[0])
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
        verdict=verdict_wording.verdict(measure, headline, beats_chance, beats_default, rivals, stage_of[0]),
        warnings=tuple(verdict_wording.warnings(card, measure, optimism, stages)),
        parameters={
            name: part
            for name, part in changed.model_dump(mode="json").items()
            if name in ("metric_weights", "edge_weights", "propagation", "graph_weights")
        },
        seconds=time.perf_counter() - began,
    )


def _fold_counts(labels: Labels, choices: Choices) -> tuple[int, int]:
    ups, downs = int(labels.upper.sum()), int(labels.lower.sum())
    fewest = min(ups, downs)
    if fewest < LEAST_OF_A_KIND:
        raise InputError(
            f"too few labels: {ups} papers above and {downs} below ({labels.meaning}). Weights need at least "
            f"{LEAST_OF_A_KIND} of each to be tested at all, and some {verdict_wording.FEW_PAPERS} papers to be "
            "tested well"
        )
    outer = max(2, min(choices.outer_folds, fewest // 2))
    return outer, max(2, min(choices.inner_folds, (fewest - -(-fewest // outer)) // 2))


def _copies(papers: Sequence[CachedPaper]) -> list[int]:
    first: dict[str, int] = {}
    return [first.setdefault(paper.content, number) for number, paper in enumerate(papers)]


def _baselines(
    papers: Sequence[CachedPaper], labels: Labels, plan: Plan, judge: HeldOut, measure: Measure, held_out: Floats
) -> list[BaselineResult]:
    made = []
    for name, values in baselines(papers).items():
        everything = plan.subsets[0]
        rows = []
        for training in plan.subsets[1 : 1 + len(plan.outer)]:
            seen = measured(measure, values[None], labels, training)[0]
            rows.append(-values if seen < CHANCE[measure] else values)
        nested = of_folds(rows, plan)
        made.append(
            BaselineResult(
                name=name,
                auroc=known(measured("auroc", values[None], labels, everything)[0]),
                spearman=known(measured("spearman", values[None], labels, everything)[0]),
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
    judge: HeldOut,
    measure: Measure,
    held_out: Floats,
) -> list[Ablation]:
    count = len(parts[0])
    made: dict[tuple[str, str], Floats] = {
        key: of_folds([part_rows[fold * count + number] for fold in range(len(parts))], plan)
        for number, key in enumerate(parts[0])
    }
    for role in roles_of(papers):
        name, changed = without_role(papers, role)
        dumb = Sheet(changed, sheet.labels, sheet.base, sheet.rules, measure, ()).laid_out()
        made["role", name] = of_folds(list(dumb.scores(np.stack(points))), plan)
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
