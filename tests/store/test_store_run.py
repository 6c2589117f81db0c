"""A run's file: stages, claim graph, resumption, replay."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import ModuleType

import pytest

from veritas.errors import UnknownRun
from veritas.store import RunStore, find_run, list_runs, merge_run


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_stage_comes_back_as_it_was_saved(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 5)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.save_stage("synthesize", "hash", graph.answer, seconds=1.5)
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        stage = store.stage_output("synthesize")
        assert stage is not None
        assert stage.load(type(graph.answer)) == graph.answer
        assert (stage.input_hash, stage.seconds, stage.from_store) == ("hash", 1.5, False)
        assert store.stage_output("verify") is None
        assert [row.stage for row in store.stages()] == ["synthesize"]


def test_the_claim_graph_comes_back_as_it_was(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 20)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        assert (store.status, store.graph()) == ("running", None)
        store.finish(graph)
        assert store.status == "finished"
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        assert store.graph() == graph
        assert store.run == graph.run


def test_merging_and_listing(tmp_path: Path, synthetic: ModuleType) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.finish(synthetic.synthetic_graph("run", 20))
    assert merge_run(tmp_path, "run") is True
    assert merge_run(tmp_path, "run") is False
    assert [(r.run_id, r.status, r.claims) for r in list_runs(tmp_path)] == [("run", "finished", 20)]
    assert find_run(tmp_path, "latest") == find_run(tmp_path, "ru") == "run"
    with pytest.raises(UnknownRun):
        find_run(tmp_path, "x")
