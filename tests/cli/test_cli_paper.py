"""`veritas paper` and `veritas calibrate` where something is wrong: said in words, with the exit code, at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Veritas
from tests.papers.pump_papers import write_paper

ANSWERS = {
    "--show latest --graphs 3": "--graphs has no effect with --show",
    "--show latest --web": "--web has no effect with --show",
    "--resume latest --rules paper": "veritas paper --replay latest --from STAGE --rules",
    "--resume nothing": "no audit 'nothing'",
    "--show nothing": "veritas paper --list",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_wish_that_cannot_be_met_is_refused_and_not_left_aside(
    home: Path, tmp_path: Path, veritas: Veritas
) -> None:
    assert veritas("paper", write_paper(tmp_path), "-q", "--graphs", 1).code == 0
    for arguments, expected in ANSWERS.items():
        ended = veritas("paper", *arguments.split())
        assert (ended.code, ended.out) == (2, ""), arguments
        assert expected in ended.err
    assert veritas("paper", "--show", "latest", "-q").code == 0
    assert veritas("paper", "--resume", "latest", "-q").code == 0


def test_a_replay_that_comes_too_late_for_a_setting_is_refused(
    home: Path, tmp_path: Path, veritas: Veritas
) -> None:
    assert veritas("paper", write_paper(tmp_path), "-q", "--graphs", 1).code == 0
    for late, expected in (
        ("--from score --rules paper", "rules has no effect after stage propagate"),
        ("--from report --seed 7", "seed has no effect after stage propagate"),
        ("--from verify --graphs 2", "graphs has no effect after stage extract"),
        ("--from propagate --web", "web has no effect after stage verify"),
    ):
        ended = veritas("paper", "--replay", "latest", *late.split())
        assert (ended.code, ended.out) == (2, "")
        assert expected in ended.err
    assert veritas("paper", "--replay", "latest", "--from", "propagate", "--rules", "paper", "-q").code == 0
    assert veritas("paper", "--replay", "latest", "--from", "score", "-q").code == 0  # what it had is no change


def test_a_report_that_cannot_be_written_loses_no_audit(home: Path, tmp_path: Path, veritas: Veritas) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").mkdir()  # a folder stands where the page must go
    (tmp_path / "out" / "report.html" / "kept").write_text("mine", encoding="utf-8")
    ended = veritas("paper", write_paper(tmp_path), "-q", "--graphs", 1, "--out", tmp_path / "out")
    assert ended.code == 3
    assert "Report: not written" in ended.out
    assert "The audit itself is stored: veritas paper --show" in ended.err
    audit_id = ended.err.split("--show ")[1].split()[0]
    assert veritas("paper", "--show", audit_id, "--json", "-q").json["audit_id"] == audit_id


@pytest.mark.parametrize(("out", "expected"), [("", "it is a folder"), ("runs.jsonl/weights.yaml", "is a file")])
def test_a_place_that_cannot_hold_the_weights_is_said_before_the_search(
    tmp_path: Path, veritas: Veritas, out: str, expected: str
) -> None:
    (tmp_path / "runs.jsonl").write_text("not read before that is said", encoding="utf-8")
    (tmp_path / "labels.csv").write_text("paper,label\n", encoding="utf-8")
    ended = veritas(
        "calibrate", tmp_path / "runs.jsonl", "--labels", tmp_path / "labels.csv", "--out", tmp_path / out
    )
    assert ended.code == 2
    assert expected in ended.err
