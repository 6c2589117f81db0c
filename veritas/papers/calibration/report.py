"""What a calibration found, as one frozen document."""

from __future__ import annotations

from typing import Any

from veritas.frozen import Frozen
from veritas.papers.calibration.parameter_search import Stage
from veritas.papers.calibration.rank_measures import Measure
from veritas.scoring.evaluation import Rules


class Figure(Frozen):
    """A measure with the ends of its bootstrap interval; None where it cannot be measured."""

    value: float | None
    low: float | None
    high: float | None


class StageResult(Frozen):
    """A stage of the search. `apparent`: chosen and tested on the same papers, the figure that flatters. `nested`:
    tested on papers that were held out while it was chosen."""

    stage: Stage
    apparent_auroc: float | None
    apparent_spearman: float | None
    nested_auroc: Figure
    nested_spearman: Figure


class BaselineResult(Frozen):
    """A trivial score. `auroc` and `spearman` take it as it is; `nested_auroc` and `nested_spearman` turn it round
    where the training papers say so. `difference`: the calibrated score's held-out measure less this one's."""

    name: str
    auroc: float | None
    spearman: float | None
    nested_auroc: Figure
    nested_spearman: Figure
    difference: Figure


class Ablation(Frozen):
    """What is left, on held-out papers, without a part: `difference` is that less the whole, negative where the part
    helps."""

    group: str
    part: str
    auroc: float | None
    spearman: float | None
    difference: Figure


class DataCard(Frozen):
    """What the calibration rests on."""

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
    """Everything. `headline` is the measure that was tuned, of the whole procedure on held-out papers, the choice of
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
