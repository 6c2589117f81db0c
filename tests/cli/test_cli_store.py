"""`veritas store` and `veritas runs --clean`: what a person at a terminal, or a program, gets from them."""

from __future__ import annotations

import asyncio
import io
import json
import re
import shutil
from pathlib import Path

import pytest

from benchmarks.store import synthetic_graph, synthetic_run
from tests.cli.conftest import Veritas
from tests.papers.pump_papers import write_paper
from tests.store.store_children import Child, hold_run, make_slowly
from veritas import approvals
from veritas.approvals.approval import Case
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_store import create_review, reviews_folder
from veritas.settings import built_in_policies
from veritas.store import RunStore, merge_run
from veritas.store.paths import run_ids


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs: one of them finished."""
    home = tmp_path_factory.mktemp("filled") / "home"
    for name in ("finished", "begun"):
        with RunStore.create(home, synthetic_run(name)) as store:
            if name == "finished":
                store.finish(synthetic_graph(name, 3))
    merge_run(home, "finished")
    return home


@pytest.fixture
def home(tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that store."""
    home = tmp_path / "home"
    shutil.copytree(filled, home)
    monkeypatch.setenv("VERITAS_HOME", str(home))
    policies = tmp_path / "policies"
    policies.mkdir()
    rules = (built_in_policies() / "gate.yaml").read_text("utf-8")
    # An audit whose nodes wait for a person is kept.
    rules = rules.replace("leave-out-and-ask", "leave-out")
    (policies / "gate.yaml").write_text(rules, encoding="utf-8")
    monkeypatch.setenv("VERITAS_POLICIES", str(policies))
    return home


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_backup_and_restore_from_the_command_line(veritas: Veritas, home: Path, tmp_path: Path) -> None:
    ended = veritas("store", "backup", tmp_path / "copy")
    assert ended.code == 0
    assert re.search(r"\d files copied to .*, 0 left out", ended.out)
    shutil.rmtree(home)
    shutil.copytree(tmp_path / "copy", home)
    assert veritas("store", "check").code == 0
    assert {row["run_id"] for row in lines(veritas("runs", "--json").out)} == {"finished", "begun"}
    assert veritas("store", "backup", tmp_path / "copy").code == 2


def test_what_cannot_be_had_ends_in_3_and_is_named(veritas: Veritas, home: Path, tmp_path: Path) -> None:
    child = Child(hold_run, home, None)
    assert child.said() == "held"
    try:
        ended = veritas("store", "backup", tmp_path / "copy", "--json")
        assert ended.code == 3
        assert [left["name"] for left in ended.json["left_out"]] == ["run run"]
        assert veritas("store", "vacuum").code == 3
        ended = veritas("store", "check", "--json")
        assert ended.code == 3
        assert [(row["name"], row["state"]) for row in lines(ended.out) if row["state"] != "ok"] == [
            ("run run", "in use")
        ]
    finally:
        child.end()


def test_a_damaged_file_is_a_finding(veritas: Veritas, home: Path) -> None:
    (home / "runs" / "bad.duckdb").write_bytes(b"no database" * 3000)
    ended = veritas("store", "check")
    assert ended.code == 1
    assert "damaged: run bad" in ended.out
    assert ended.out.endswith("3 of 4 files are whole\n")


def test_retention_says_what_would_go_and_what_went(veritas: Veritas, home: Path) -> None:
    dry = veritas("store", "retain", "--older-than", "90d", "--keep", 1, "--dry-run", "--json")
    assert dry.code == 0
    assert len(lines(dry.out)) == 1
    ended = veritas("store", "retain", "--older-than", "12w")
    assert "removed: run finished" in ended.out
    assert "2 removed, 0 old ones kept" in ended.out
    assert "no runs in" in veritas("runs").out
    for wrong in ([], ["--older-than", "soon"], ["--older-than", "-1d"]):
        assert veritas("store", "retain", *wrong).code == 2


def review(topic: str) -> str:
    """A review that was begun, with its texts beside it."""
    with create_review(ReviewRequest(topic=topic, corpus="drying")) as store:
        folder = reviews_folder() / store.run_id
        folder.mkdir()
        (folder / "manuscript.md").write_text("# Drying")
        return store.run_id


def test_audits_and_reviews_go_as_runs_do_with_their_reports(veritas: Veritas, home: Path, tmp_path: Path) -> None:
    paper = write_paper(tmp_path)
    assert veritas("paper", paper, "--graphs", 1, "--quiet").code == 0
    (older,) = run_ids(home / "papers")
    assert veritas("paper", paper, "--graphs", 1, "--quiet").code == 0
    (newer,) = {*run_ids(home / "papers")} - {older}
    reviewed = review("Drying")
    dry = lines(veritas("store", "retain", "--older-than", "0d", "--keep", 1, "--dry-run", "--json").out)
    assert sorted(str(row["kind"]) for row in dry) == ["audit", "run"]
    ended = veritas("store", "retain", "--older-than", "0d", "--keep", 1)
    assert f"removed: audit {older}" in ended.out
    assert run_ids(home / "papers") == [newer]
    assert {path.name for path in (home / "reports" / "papers").iterdir()} == {newer}
    assert (home / "reviews" / reviewed).is_dir()
    ended = veritas("store", "retain", "--older-than", "0d")
    assert f"removed: review {reviewed}" in ended.out
    assert not run_ids(home / "papers") + run_ids(home / "reviews")
    assert not (home / "reviews" / reviewed).exists()
    assert "no reviews in" in veritas("review", "--list").out


def test_an_audit_and_a_review_that_wait_or_have_a_replay_that_stays_are_kept(
    veritas: Veritas, home: Path, tmp_path: Path
) -> None:
    assert veritas("paper", write_paper(tmp_path), "--graphs", 1, "--quiet").code == 0
    (audit,) = run_ids(home / "papers")
    assert veritas("paper", "--replay", audit, "--from", "score", "--quiet").code == 0
    (replayed,) = set(run_ids(home / "papers")) - {audit}
    reviewed = review("Drying")
    asyncio.run(approvals.ask("review-sentence", "s-1", "Let it in?", Case(claim="Pumps last."), run_id=reviewed))
    then = f"veritas paper --show {replayed}"
    asyncio.run(approvals.ask("paper-node", "n-1", "Let it in?", Case(claim="Pumps last."), then=then))
    ended = veritas("store", "retain", "--older-than", "0d")
    assert f"kept: review {reviewed}" in ended.err
    assert ended.err.count("it waits for a person") == 2
    assert f"audit {replayed} is a replay of it and stays" in ended.err
    assert len(run_ids(home / "papers")) == 2


def test_clean_lists_asks_and_removes(
    veritas: Veritas, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert veritas("runs", "--clean").out == "nothing to clean\n"
    child = Child(make_slowly, home)
    assert child.said() == "making"
    assert veritas("runs", "--clean").out == "nothing to clean\n"
    child.kill()
    child.end()
    (home / "papers" / "runs").mkdir(parents=True)
    (home / "papers" / "runs" / "audit.duckdb").touch()
    [first, second] = lines(veritas("runs", "--clean", "--json").out)
    assert (first["run_id"], first["done"], second["run_id"]) == ("run", False, "audit")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    ended = veritas("runs", "--clean")
    assert "run  to be removed: its making was cut off" in ended.out
    assert "cleaned" not in ended.err
    assert len(lines(veritas("runs", "--clean", "--json").out)) == 2
    assert "2 of 2 cleaned" in veritas("runs", "--clean", "--yes").err
    assert veritas("runs", "--clean", "--yes").out == "nothing to clean\n"
    assert {path.stem for path in (home / "runs").iterdir()} == {"finished", "begun"}
    assert list((home / "papers" / "runs").iterdir()) == []


def test_a_run_that_goes_on_is_listed_with_its_question_its_stage_and_since_when(veritas: Veritas, home: Path) -> None:
    child = Child(hold_run, home, None)
    assert child.said() == "held"
    try:
        [line] = [line for line in veritas("runs").out.splitlines() if line.startswith("run ")]
        [row] = [row for row in lines(veritas("runs", "--json").out) if row["run_id"] == "run"]
    finally:
        child.end()
    assert re.search(r"running .*By how much does .* \(decompose, since \d\d:\d\d:\d\d, \d+ s\)", line)
    assert row["stage"] == "decompose"
    assert row["stage_since"]
