"""The wording of a calibration's verdict and warnings."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.papers.calibration.parameter_search import Stage
from veritas.papers.calibration.rank_measures import Measure
from veritas.papers.calibration.report import BaselineResult, DataCard, Figure, StageResult

FEW_PAPERS = 60


def verdict(
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
    better = [each.name for each in rivals if each.difference.high is not None and each.difference.high < 0.0]
    unbeaten = [
        each.name
        for each in rivals
        if each.name not in better and (each.difference.low is None or each.difference.low <= 0.0)
    ]
    if better:
        said += f", but worse than {', '.join(better)} alone"
    if unbeaten:
        said += f"{', and' if better else ', but'} not shown to be better than {', '.join(unbeaten)} alone"
    if stage == "default":
        return f"{said}. No search did clearly better than the weights it began with, so these stay"
    if not beats_default:
        said += "; not shown to be better than the weights it began with"
    return said


def warnings(
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
