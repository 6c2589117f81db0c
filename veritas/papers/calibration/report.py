"""The result of a calibration, as one frozen document."""

from __future__ import annotations

from typing import Any

from veritas.frozen import Frozen
from veritas.papers.calibration.parameter_search import Stage
from veritas.papers.calibration.rank_measures import Measure
from veritas.scoring.evaluation import Rules


class Figure(Frozen):
    """A measure with the ends of its bootstrap interval; None if it cannot be measured."""

    value: float | None
    low: float | None
    high: float | None


class StageResult(Frozen):
    """A stage of the search. `apparent`: chosen and tested on the same papers, and so too high. `nested`: tested on
    papers that were held out while it was chosen."""

    stage: Stage
    apparent_auroc: float | None
    apparent_spearman: float | None
    nested_auroc: Figure
    nested_spearman: Figure


class BaselineResult(Frozen):
    """A trivial score. `auroc` and `spearman` take it as it is; `nested_auroc` and `nested_spearman` reverse it if the
    training papers call for that. `difference`: the calibrated score's held-out measure less this one's."""

    name: str
    auroc: float | None
    spearman: float | None
    nested_auroc: Figure
    nested_spearman: Figure
    difference: Figure


class Ablation(Frozen):
    """The measure on held-out papers without a part; `difference` is that less the whole's, negative if the
    part helps."""

    group: str
    part: str
    auroc: float | None
    spearman: float | None
    difference: Figure


class DataCard(Frozen):
    """The data that a calibration rests on."""

    runs: str
    labels: str
    papers: int
    graphs: int
    samples: int
    label_counts: dict[str, int]
    auroc_of: str
    content: str
    """SHA-256 of the papers' names, graphs, metrics and labels."""
    copies: tuple[tuple[str, ...], ...]
    left_out: tuple[str, ...]


class CalibrationReport(Frozen):
    """The report of a calibration. `headline` is the tuned measure of the whole procedure on held-out papers, choice of
    the stage included; `parameters` are those of the policy file; `chosen_stages` those of the outer folds."""

    card: DataCard
    rules: Rules
    measure: Measure
    seed: int
    outer_folds: int
    inner_folds: int
    settings_tried: int
    level: float
    chosen_stage: Stage
    chosen_stages: tuple[Stage, ...]
    headline: Figure
    nested_auroc: Figure
    nested_spearman: Figure
    apparent: float | None
    optimism: float | None
    stages: tuple[StageResult, ...]
    baselines: tuple[BaselineResult, ...]
    ablations: tuple[Ablation, ...]
    beats_chance: bool
    beats_default: bool
    beats_baselines: bool
    verdict: str
    warnings: tuple[str, ...]
    parameters: dict[str, Any]
    seconds: float
