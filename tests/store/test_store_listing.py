"""Listing runs and finding one by what a person types."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest

from tests.store.store_children import Child, hold_run
from veritas.errors import StoreUnavailable, UnknownRun
from veritas.store import RunStore, find_run, list_runs, merge_run, new_run_id


def begin(home: Path, synthetic: ModuleType, name: str, hours: int = 0) -> RunStore:
    run = synthetic.synthetic_run(name)
    return RunStore.create(home, run.model_copy(update={"started_at": run.started_at + timedelta(hours=hours)}))


def test_an_empty_store_lists_nothing(tmp_path: Path) -> None:
    assert list_runs(tmp_path) == []
    assert list_runs(tmp_path / "nowhere") == []
    assert not (tmp_path / "nowhere").exists()
    for name in ("latest", "anything", ""):
        with pytest.raises(UnknownRun):
            find_run(tmp_path, name)


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


def test_a_price_that_is_unknown_makes_the_cost_unknown(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 3)
    calls = (graph.calls[0].model_copy(update={"cost_usd": None}), *graph.calls[1:])
    with begin(tmp_path, synthetic, "run") as store:
        store.finish(graph.model_copy(update={"calls": calls}))
    with begin(tmp_path, synthetic, "free") as store:
        free = synthetic.synthetic_graph("free", 3)
        store.finish(free.model_copy(update={"calls": ()}))
    assert {run.run_id: run.cost_usd for run in list_runs(tmp_path)} == {"run": None, "free": 0}


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
        with pytest.raises(StoreUnavailable, match=r"run, .* in use \(at decompose\); broken, .* unreadable"):
            find_run(tmp_path, "latest")
        begin(tmp_path, synthetic, "older", -1).close()
        assert find_run(tmp_path, "latest") == "older"
        passed = "run, which is in use (at decompose); broken, which is unreadable"
        assert f"latest is older; passed over: {passed}" in caplog.text
    finally:
        child.end()
    assert find_run(tmp_path, "latest") == "run"


def test_a_run_open_in_this_process_is_in_use_until_it_is_closed(tmp_path: Path, synthetic: ModuleType) -> None:
    with begin(tmp_path, synthetic, "run"):
        assert [run.status for run in list_runs(tmp_path)] == ["in use"]
    [run] = list_runs(tmp_path)
    assert (run.status, run.claims, run.cost_usd, run.stages_done) == ("interrupted", None, None, 0)


def test_a_beginning_is_enough_while_it_is_unambiguous(tmp_path: Path, synthetic: ModuleType) -> None:
    for name in ("20260301-1", "20260301-12", "20260302-1"):
        begin(tmp_path, synthetic, name).close()
    assert find_run(tmp_path, "20260302") == "20260302-1"
    assert find_run(tmp_path, "20260301-1") == "20260301-1"
    with pytest.raises(UnknownRun, match="2 runs begin with '20260301': 20260301-1, 20260301-12"):
        find_run(tmp_path, "20260301")
    with pytest.raises(UnknownRun, match="did you mean 20260302-1"):
        find_run(tmp_path, "20260302-2")
    for name in ("zzz", "", "../runs", "\x00", "%"):
        with pytest.raises(UnknownRun):
            find_run(tmp_path, name)


def test_other_files_in_the_folder_are_no_runs(tmp_path: Path, synthetic: ModuleType) -> None:
    begin(tmp_path, synthetic, "run").close()
    for name in ("notes.txt", ".hidden.duckdb", "a b.duckdb", "run.duckdb.wal.old"):
        (tmp_path / "runs" / name).write_text("something else")
    assert [run.run_id for run in list_runs(tmp_path)] == ["run"]


def test_new_ids_sort_by_time_and_can_name_a_run(tmp_path: Path, synthetic: ModuleType) -> None:
    day = datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC)
    ids = [new_run_id(day + timedelta(seconds=n)) for n in range(3)]
    assert ids == sorted(ids)
    assert ids[0].startswith("20260301-235959-")
    assert len({new_run_id(day) for _ in range(50)}) == 50
    begin(tmp_path, synthetic, ids[0]).close()
    assert find_run(tmp_path, "2026") == ids[0]
