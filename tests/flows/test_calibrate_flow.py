"""The flow that calibrates: the same report as the command's, a policy file, tables in the UI; its form."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from benchmarks.calibration import planted_papers
from veritas.scoring.parameters import read_parameters


@pytest.mark.usefixtures("prefect_server")
def test_the_flow_gives_the_commands_report_and_writes_the_weights(tmp_path: Path) -> None:
    from veritas.papers.calibration.study import calibrated, checked
    from veritas_flows.calibrate import calibrate

    lines, labels = planted_papers(20, 2.0, seed=0, nodes=8)
    runs, marks, out = tmp_path / "runs.jsonl", tmp_path / "labels.csv", tmp_path / "made" / "scorer.yaml"
    runs.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    marks.write_text("paper,label\n" + "".join(f"{k},{v}\n" for k, v in labels.items()), encoding="utf-8")
    made = asyncio.run(calibrate(str(runs), str(marks), out=str(out), settings=20))
    report, _ = calibrated(runs, marks, checked("paper", 20, 5, 0))
    assert made | {"seconds": 0} == report.model_dump(mode="json") | {"seconds": 0}
    read = read_parameters(out)
    assert read.graph_weights.tolist() == list(report.parameters["graph_weights"].values())
