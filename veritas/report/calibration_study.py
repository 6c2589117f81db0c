"""Render a calibration as a table for people, and as a policy file that says where its weights come from."""

from __future__ import annotations

import yaml

from veritas.papers.calibration.study import CalibrationReport, Figure
from veritas.scoring.scorer_policy import ScorerPolicy


def as_text(report: CalibrationReport) -> str:
    """Return the report as text for a terminal, which is also valid Markdown."""
    return "\n".join([
        report.verdict + ".",
        "",
        f"{_data(report)}. AUROC: {report.auroc_of}.",
        f"{report.settings_tried:,} settings under rules {report.rules}, {report.folds} folds, {report.seconds:.0f} s. "
        f"Tuned for {report.measure}.",
        *(f"! {said}." for said in report.warnings),
        "",
        "Held out: tested on papers that were not tuned on. Same papers: tuned and tested on the same, which flatters.",
        "",
        "| | held out AUROC | | Spearman | | same papers AUROC | Spearman |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| {each.stage} | {_number(each.held_out_auroc.value)} | {_ends(each.held_out_auroc)} "
            f"| {_number(each.held_out_spearman.value)} | {_ends(each.held_out_spearman)} "
            f"| {_number(each.same_papers_auroc)} | {_number(each.same_papers_spearman)} |"
            for each in report.stages
        ),
    ])  # fmt: skip


def as_policy(report: CalibrationReport, policy: ScorerPolicy) -> str:
    """Return the policy with the chosen weights, as YAML that `--weights` reads, under their origin as a comment."""
    head = [
        "Weights of the paper scorer, calibrated; veritas score --weights FILE reads them. docs/calibration.md: how",
        "they came about. They rank papers like these by labels like these; nothing says that they do elsewhere.",
        "",
        f"verdict:    {report.verdict}",
        f"papers:     {_data(report)}",
        f"runs:       {report.runs}",
        f"labels:     {report.labels}",
        f"content:    sha256 {report.content}",
        f"tuned for:  {report.measure} under rules {report.rules}; stage {report.chosen_stage}, "
        f"{report.settings_tried} settings, seed {report.seed}, {report.folds} folds",
        *(
            f"held out:   {each.stage}: AUROC {_number(each.held_out_auroc.value)} ({_ends(each.held_out_auroc)}), "
            f"Spearman {_number(each.held_out_spearman.value)} ({_ends(each.held_out_spearman)})"
            for each in report.stages
        ),
        *(f"warning:    {said}" for said in report.warnings),
    ]
    changed = policy.model_dump(mode="json") | report.parameters
    body = yaml.safe_dump(changed, sort_keys=False, allow_unicode=True, width=120)
    return "".join(f"# {_one_line(line)}".rstrip() + "\n" for line in head) + "\n" + body


def _data(report: CalibrationReport) -> str:
    counts = ", ".join(f"{level}: {count}" for level, count in report.label_counts.items())
    return f"{report.papers} papers, {report.graphs} graphs, {report.samples} samples of their metrics; labels {counts}"


def _one_line(text: str) -> str:
    """Return text that a comment can hold: a file's name may have a line break in it."""
    return "".join(c if c.isprintable() else " " for c in text)


def _ends(figure: Figure) -> str:
    return "" if figure.low is None or figure.high is None else f"{figure.low:.3f} to {figure.high:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
