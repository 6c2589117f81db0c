"""Render a calibration as tables for people, and as a policy file that carries its data card."""

from __future__ import annotations

import yaml

from veritas.papers.calibration.report import BaselineResult, CalibrationReport, Figure, StageResult
from veritas.scoring.scorer_policy import ScorerPolicy


def as_text(report: CalibrationReport) -> str:
    """Return the report as text for a terminal, which is also valid Markdown."""
    card = report.card
    lines = [
        report.verdict + ".",
        "",
        f"{card.papers} papers, {card.graphs} graphs, {card.samples} samples of their metrics; labels "
        + ", ".join(f"{level}: {count}" for level, count in card.label_counts.items())
        + f". AUROC: {card.auroc_of}.",
        f"{report.settings_tried:,} settings under rules {report.rules}, {report.outer_folds} outer and "
        f"{report.inner_folds} inner folds, {report.seconds:.0f} s. Tuned for {report.measure}.",
        *(f"! {said}." for said in report.warnings),
        "",
        "Held out: tested on papers that were not tuned on. Same papers: tuned and tested on the same, which flatters.",
        "",
        "| | held out AUROC | | Spearman | | same papers AUROC | Spearman |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| **whole procedure** | {_cells(report.nested_auroc)} | {_cells(report.nested_spearman)} | | |",
        *(_stage_row(stage) for stage in report.stages),
        *(_baseline_row(each) for each in report.baselines),
        "",
        f"Stage of the policy file: {report.chosen_stage}; of the outer folds: {', '.join(report.chosen_stages)}.",
        "A baseline's direction was taken from the training papers.",
        "",
        f"Without a part ({report.measure} on held-out papers, change against the whole):",
        "",
        "| part | | AUROC | Spearman | change | |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {each.group} | {each.part} | {_number(each.auroc)} | {_number(each.spearman)} "
            f"| {_signed(each.difference.value)} | {_ends(each.difference)} |"
            for each in report.ablations
        ),
    ]
    return "\n".join(lines)


def as_policy(report: CalibrationReport, policy: ScorerPolicy) -> str:
    """Return the policy with the chosen weights, as YAML that `--weights` reads, under the data card as a comment."""
    card = report.card
    counts = ", ".join(f"{level}: {count}" for level, count in card.label_counts.items())
    head = [
        "Weights of the paper scorer, calibrated; veritas score --weights FILE reads them. docs/calibration.md: how",
        "they came about. They rank papers like these by labels like these; nothing says that they do elsewhere.",
        "",
        f"verdict:    {report.verdict}",
        f"papers:     {card.papers} ({card.graphs} graphs, {card.samples} samples); labels {counts}",
        f"runs:       {card.runs}",
        f"labels:     {card.labels}",
        f"content:    sha256 {card.content}",
        f"tuned for:  {report.measure} under rules {report.rules}; stage {report.chosen_stage}, "
        f"{report.settings_tried} settings, seed {report.seed}",
        f"held out:   AUROC {_number(report.nested_auroc.value)} ({_ends(report.nested_auroc)}), Spearman "
        f"{_number(report.nested_spearman.value)} ({_ends(report.nested_spearman)}), {report.outer_folds} outer folds",
        f"same papers, which flatters: {report.measure} {_number(report.apparent)}",
        *(f"baseline:   {e.name}: held-out AUROC {_number(e.nested_auroc.value)}" for e in report.baselines),
        *(f"warning:    {said}" for said in report.warnings),
    ]
    changed = policy.model_dump(mode="json") | report.parameters
    body = yaml.safe_dump(changed, sort_keys=False, allow_unicode=True, width=120)
    return "".join(f"# {_one_line(line)}".rstrip() + "\n" for line in head) + "\n" + body


def _one_line(text: str) -> str:
    """Return text that a comment can hold: a file's name may have a line break in it."""
    return "".join(c if c.isprintable() else " " for c in text)


def _stage_row(stage: StageResult) -> str:
    apparent = f"{_number(stage.apparent_auroc)} | {_number(stage.apparent_spearman)}"
    return f"| {stage.stage} | {_cells(stage.nested_auroc)} | {_cells(stage.nested_spearman)} | {apparent} |"


def _baseline_row(each: BaselineResult) -> str:
    apparent = f"{_number(each.auroc)} | {_number(each.spearman)}"
    return f"| baseline: {each.name} | {_cells(each.nested_auroc)} | {_cells(each.nested_spearman)} | {apparent} |"


def _cells(figure: Figure) -> str:
    return f"{_number(figure.value)} | {_ends(figure)}"


def _ends(figure: Figure) -> str:
    return "" if figure.low is None or figure.high is None else f"{figure.low:.3f} to {figure.high:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"
