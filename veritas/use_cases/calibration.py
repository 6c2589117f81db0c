"""The scorer's weights, chosen from labelled papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veritas.papers.calibration.report import CalibrationReport
    from veritas.scoring.scorer_policy import ScorerPolicy


def calibrate(
    runs: str | Path,
    labels: str | Path,
    *,
    order: Sequence[str] = (),
    measure: str = "",
    settings: int = 20_000,
    rules: str = "paper",
    weights: str | Path | None = None,
    folds: int = 5,
    inner_folds: int = 4,
    seed: int = 0,
    processes: int = 2,
    on_line: Callable[[str], None] | None = None,
) -> tuple[CalibrationReport, ScorerPolicy]:
    """Return the study of which weights rank papers as their labels do, and the policy it began with.

    No model is asked. `runs` are paper audits or JSON lines `{paper, graph}`; `labels` a CSV or JSON lines of paper and
    label, more is better, and `order` the labels that are words, worst first. `measure` is auroc or spearman, by
    default what fits the labels; `settings` how many are tried in the dense stage; `folds` and `inner_folds` are those
    of the nested cross-validation. `on_line` hears of what is left out and of progress. Raises `InputError`.
    """
    from veritas.papers.calibration.calibrate_files import calibrated, checked

    choices = checked(rules, measure, settings, folds, inner_folds, seed, processes)
    begun_with = Path(weights) if weights is not None else None
    return calibrated(Path(runs), Path(labels), choices, begun_with, order, on_line)
