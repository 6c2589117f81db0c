"""The flow that calibrates the paper scorer as `veritas calibrate` does, with its tables in the Prefect UI."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Literal

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from veritas.files import write_whole
from veritas.papers.calibration.study import calibrated, checked
from veritas.report.calibration_study import as_policy, as_text
from veritas.settings import home
from veritas_flows.nothing_to_do import nothing_to_do
from veritas_flows.run_names import named


@flow(name="calibrate", flow_run_name=named("calibrate · {labels}"), persist_result=False)
async def calibrate(
    runs: str = "",
    labels: str = "",
    out: str = "data/calibration/scorer.yaml",
    order: str = "",
    rules: Literal["paper", "reference", "veritas"] = "paper",
    settings: int = 20_000,
    weights: str | None = None,
    seed: int = 0,
) -> dict[str, Any] | Any:
    """Fit the scorer's weights to labelled papers and test them on held-out papers.

    Args:
        runs: Paper audits or JSON lines of graphs, a file or a folder, on the machine that runs the flow. Empty for the
            audits in VERITAS_HOME.
        labels: CSV with a header, or JSON lines, of paper and label; higher is better. If empty, there is nothing to
            do.
        out: Path for the chosen weights, as YAML that says where they come from. Empty for none.
        order: The order of labels that are words, worst first, such as `poor,fair,good`.
        rules: Which rule set scores, as in `veritas score`.
        settings: Number of settings in the dense stage.
        weights: Initial weights. Empty for policies/scorer.yaml.
        seed: The same seed gives the same result.
    """
    if not labels:
        return nothing_to_do("no labels are named: name a file of papers and their labels", dict)
    logger = get_run_logger()
    choices = checked(rules, settings, 5, seed)
    lines: list[str] = []
    working = asyncio.create_task(
        asyncio.to_thread(
            calibrated,
            Path(runs) if runs else home() / "reports" / "papers",
            Path(labels),
            choices,
            weights=Path(weights) if weights else None,
            order=order.split(",") if order else (),
            on_line=lines.append,
        )
    )
    said = 0
    while not working.done():
        await asyncio.wait([working], timeout=2)
        for line in lines[said:]:
            logger.info("%s", line)
        said = len(lines)
    report, policy = await working
    if out:
        write_whole(Path(out), as_policy(report, policy))
    await acreate_markdown_artifact(as_text(report), key="calibration", description="Calibration of the paper scorer")
    await acreate_table_artifact(
        [
            {"stage": each.stage, "held out": each.held_out_auroc.value, "same papers": each.same_papers_auroc}
            for each in report.stages
        ],
        description="AUROC",
    )
    (logger.info if report.beats_chance else logger.warning)("%s", report.verdict)
    return report.model_dump(mode="json")
