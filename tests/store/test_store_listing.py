"""Listing runs and finding one by what a person types."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import ModuleType

import pytest

from tests.store.store_children import Child, hold_run
from veritas.errors import StoreUnavailable
from veritas.store import RunStore, find_run, list_runs, merge_run


def begin(home: Path, synthetic: ModuleType, name: str, hours: int = 0) -> RunStore:
    run = synthetic.synthetic_run(name)
    return RunStore.create(home, run.model_copy(update={"started_at": run.started_at + timedelta(hours=hours)}))


def test_a_run_reads_the_same_from_its_file_and_from_the_catalogue(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 12)
    with begin(tmp_path, synthetic, "run") as store:
        store.save_stage("decompose", "h", 1, seconds=1)
        store.finish(graph)
    [from_file] = list_runs(tmp_path)
    merge_run(tmp_path, "run")
    (tmp_path / "runs" / "run.duckdb").write_bytes(b"never opened")
    [from_catalogue] = list_runs(tmp_path)
    assert from_catalogue == from_file
    assert from_file.status == "finished"
    assert (from_file.question, from_file.tier, from_file.claims) == (graph.run.question, "deep", 12)
    assert (from_file.started_at, from_file.finished_at) == (graph.run.started_at, graph.run.finished_at)
    assert from_file.cost_usd == pytest.approx(12 * 0.0004)
    assert (from_file.answer_status, from_file.stages_done) == ("answered", 1)


def test_runs_are_listed_newest_first_and_latest_is_the_newest(tmp_path: Path, synthetic: ModuleType) -> None:
    for name, hours in (("old", 1), ("new", 3), ("middle", 2)):
        begin(tmp_path, synthetic, name, hours).close()
    assert [run.run_id for run in list_runs(tmp_path)] == ["new", "middle", "old"]
    assert find_run(tmp_path, "latest") == "new"


def test_latest_passes_over_what_is_in_use_or_broken_and_says_so(
    tmp_path: Path, synthetic: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "broken.duckdb").write_bytes(b"no database" * 3000)
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    try:
        with pytest.raises(StoreUnavailable, match=r"run, .* running \(at decompose\); broken, .* unreadable"):
            find_run(tmp_path, "latest")
        begin(tmp_path, synthetic, "older", -1).close()
        assert find_run(tmp_path, "latest") == "older"
        passed = "run, which is running (at decompose); broken, which is unreadable"
        assert f"latest is older; passed over: {passed}" in caplog.text
    finally:
        child.end()
    assert find_run(tmp_path, "latest") == "run"
