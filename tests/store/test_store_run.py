"""A run's file: its stages, its claim graph, and that neither is ever changed afterwards (I6)."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas import ClaimGraph
from veritas.errors import InputError, InvariantBroken, StoreUnavailable, UnknownRun
from veritas.frozen import content_hash, text_hash
from veritas.store import RunStore
from veritas.store.open_file import SETTINGS, transaction
from veritas.store.packing import pack, to_text, unpack
from veritas.store.rows import GRAPH_TABLES

HOSTILE = "nul \x00, lone surrogate \ud83d, quote ' \" ; DROP TABLE runs; --, Ελλάδα 研究 😀 \u202e"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def store(tmp_path: Path, synthetic: ModuleType) -> Any:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as opened:
        yield opened


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(any_json)
@settings(max_examples=30, deadline=None)
def test_any_json_packs_and_comes_back_equal(value: Any) -> None:
    text = to_text(value, "it")
    assert json.loads(unpack(pack(text))) == value
    assert text_hash(text) == content_hash(value)


def test_a_stage_comes_back_as_it_was_saved(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 5)
    hostile = {HOSTILE: [HOSTILE, 2**70, -0.1, None, {"": []}]}
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.save_stage("synthesize", "hash", graph.answer, seconds=1.5)
        store.save_stage("decompose", HOSTILE.replace("\ud83d", ""), hostile, seconds=0, from_store=True)
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        stage = store.stage_output("synthesize")
        assert stage is not None
        assert stage.load(type(graph.answer)) == graph.answer
        assert (stage.input_hash, stage.seconds, stage.from_store) == ("hash", 1.5, False)
        assert stage.output_hash == content_hash(graph.answer)
        other = store.stage_output("decompose")
        assert other is not None
        assert other.value() == hostile
        assert other.from_store
        assert store.stage_output("verify") is None
        assert [row.stage for row in store.stages()] == ["synthesize", "decompose"]


def test_what_fails_halfway_through_a_transaction_leaves_nothing(tmp_path: Path) -> None:
    connection = duckdb.connect(str(tmp_path / "any.duckdb"), config=SETTINGS)
    connection.execute("CREATE TABLE kept (number INTEGER)")
    with transaction(connection):
        connection.execute("INSERT INTO kept VALUES (1)")

    def defective() -> None:
        with transaction(connection):
            connection.execute("INSERT INTO kept VALUES (2)")
            raise KeyError("a defect of ours, and none of the database")

    with pytest.raises(KeyError):
        defective()
    assert connection.execute("SELECT number FROM kept").fetchall() == [(1,)]
    connection.close()


@pytest.mark.parametrize(("inputs", "output"), [("inputs", {"a": 2}), ("other", {"a": 1})])
def test_a_stage_is_never_overwritten(store: RunStore, inputs: str, output: Any) -> None:
    store.save_stage("extract", "inputs", {"a": 1}, seconds=1)
    with pytest.raises(InvariantBroken, match="I6: stage extract"):
        store.save_stage("extract", inputs, output, seconds=1)
    stage = store.stage_output("extract")
    assert stage is not None
    assert (stage.input_hash, stage.value()) == ("inputs", {"a": 1})


@pytest.mark.parametrize("output", [float("nan"), [float("inf")], {"a": object()}, b"bytes", {1, 2}])
def test_what_json_cannot_hold_is_refused_and_nothing_is_stored(store: RunStore, output: Any) -> None:
    with pytest.raises(InvariantBroken, match="stage verify"):
        store.save_stage("verify", "inputs", output, seconds=1)
    assert store.stages() == []


def test_the_claim_graph_comes_back_as_it_was(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 20)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        assert (store.status, store.graph()) == ("running", None)
        assert store.run == synthetic.synthetic_run("run")
        store.finish(graph)
        assert store.status == "finished"
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        assert store.graph() == graph
        assert store.run == graph.run
        row = store.query("SELECT content_hash, answer_status FROM runs")
        assert row == [{"content_hash": graph.content_hash(), "answer_status": "answered"}]


def test_every_part_of_the_graph_has_its_rows(store: RunStore, synthetic: ModuleType) -> None:
    graph: ClaimGraph = synthetic.synthetic_graph("run", 20)
    store.finish(graph)
    counts = {name: len(store.table(name)) for name in GRAPH_TABLES}
    flags = graph.contestations
    assert flags
    assert counts == {
        "runs": 1, "members": len(graph.council), "sub_queries": len(graph.sub_queries),
        "schedule": len(graph.schedule), "searches": len(graph.searches),
        "hits": sum(len(s.hits) for s in graph.searches), "sources": len(graph.sources),
        "passages": len(graph.passages), "claims": len(graph.claims),
        "citations": sum(len(c.citations) for c in graph.claims) + 2 * len(flags),
        "quotes": sum(len(c.spans) for c in graph.claims) + 2 * len(flags), "judgments": len(graph.judgments),
        "contestations": len(flags), "rounds": len(graph.rounds), "sentences": len(graph.answer.sentences),
        "bibliography": len(graph.answer.bibliography), "events": len(graph.events), "calls": len(graph.calls),
        "overrides": len(graph.overrides),
    }
    assert all(counts.values())


def test_a_lone_surrogate_survives_in_the_document_and_is_replaced_in_sql(
    tmp_path: Path, synthetic: ModuleType
) -> None:
    graph = synthetic.synthetic_graph("run", 3)
    hostile = graph.model_copy(
        update={"run": graph.run.model_copy(update={"question": HOSTILE, "settings": {"said": HOSTILE}}),
                "judgments": tuple(j.model_copy(update={"rationale": HOSTILE}) for j in graph.judgments)}
    )
    begun = synthetic.synthetic_run("run").model_copy(update={"question": HOSTILE})
    with RunStore.create(tmp_path, begun) as store:
        assert store.run.question == HOSTILE
        store.finish(hostile)
        assert store.graph() == hostile
        shown = store.query("SELECT DISTINCT rationale FROM judgments")[0]["rationale"]
        assert shown == HOSTILE.replace("\ud83d", "\ufffd")
        assert json.loads(store.query("SELECT settings FROM runs")[0]["settings"]) == {"said": HOSTILE}


def test_a_finished_run_keeps_its_findings(store: RunStore, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 3)
    store.finish(graph)
    with pytest.raises(InvariantBroken, match="I6: run run is finished"):
        store.finish(synthetic.synthetic_graph("run", 4))
    assert store.graph() == graph
    assert len(store.table("claims")) == 3


@pytest.mark.parametrize("wrong", [{"run_id": "other"}, {"parent_run_id": "other"}])
def test_the_claim_graph_of_another_run_is_refused(
    store: RunStore, synthetic: ModuleType, wrong: dict[str, str]
) -> None:
    graph = synthetic.synthetic_graph("run", 3)
    with pytest.raises(InvariantBroken, match="handed the claim graph"):
        store.finish(graph.model_copy(update={"run": graph.run.model_copy(update=wrong)}))
    assert store.status == "running"


@pytest.mark.parametrize("run_id", ["", "latest", "../run", "a/b", ".hidden", "-x", "a b", "ü", "x" * 81, "a\x00b"])
def test_an_id_that_is_no_plain_file_name_is_refused(tmp_path: Path, synthetic: ModuleType, run_id: str) -> None:
    with pytest.raises(InputError, match="cannot be the id of a run"):
        RunStore.create(tmp_path, synthetic.synthetic_run(run_id))
    with pytest.raises(InputError, match="cannot be the id of a run"):
        RunStore.open(tmp_path, run_id)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_run_is_named_with_near_matches(tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(tmp_path, synthetic.synthetic_run("run-2026")).close()
    with pytest.raises(UnknownRun, match="did you mean run-2026"):
        RunStore.open(tmp_path, "run-2025")
    with pytest.raises(UnknownRun, match="nobody"):
        RunStore.create(tmp_path, synthetic.synthetic_run("child", parent="nobody"))


def test_a_store_opened_for_reading_writes_nothing(tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(tmp_path, synthetic.synthetic_run("run")).close()
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        for write in (
            lambda: store.save_stage("extract", "h", [1], seconds=1),
            lambda: store.finish(synthetic.synthetic_graph("run", 3)),
        ):
            with pytest.raises(StoreUnavailable, match="opened for reading only"):
                write()


def test_a_replay_never_changes_its_parent(tmp_path: Path, synthetic: ModuleType) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("parent")) as parent:
        parent.save_stage("extract", "h", {"a": 1}, seconds=1)
        parent.ledger.put(synthetic.synthetic_entry("asked", random.Random(1)))
        parent.finish(synthetic.synthetic_graph("parent", 5))
    path = tmp_path / "runs" / "parent.duckdb"
    before = (digest(path), path.stat().st_mtime_ns, sorted(p.name for p in path.parent.iterdir()))
    with RunStore.create(tmp_path, synthetic.synthetic_run("child", parent="parent")) as child:
        with RunStore.open(tmp_path, "parent", read_only=True) as parent:
            stage = parent.stage_output("extract")
            assert stage is not None
        child.save_stage("extract", stage.input_hash, stage.value(), seconds=0, from_store=True)
        assert child.ledger.get("asked") is not None
        child.finish(synthetic.synthetic_graph("child", 4, parent="parent"))
        assert child.query("SELECT parent_run_id, replayed_from FROM runs") == [
            {"parent_run_id": "parent", "replayed_from": "verify"}
        ]
    for file in (tmp_path / "runs").glob("child.*"):
            file.unlink()
    assert (digest(path), path.stat().st_mtime_ns, sorted(p.name for p in path.parent.iterdir())) == before


def test_threads_share_a_store(store: RunStore, synthetic: ModuleType) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        rng = random.Random(number)
        try:
            for i in range(15):
                store.ledger.put(synthetic.synthetic_entry(f"{number}-{i}", rng))
                assert store.ledger.get(f"{number}-{i}") is not None
                store.save_stage("extract", "h", [1], seconds=1)
        except BaseException as error:  # noqa: BLE001 - reported below, from the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.table("ledger")) == 90
    assert len(store.stages()) == 1


HELD = """
import sys, threading, time
from pathlib import Path
from benchmarks.store import synthetic_run
from veritas.store import RunStore

with RunStore.create(Path(sys.argv[1]), synthetic_run("held")) as store:
    pass
threading.Thread(target=lambda kept: time.sleep(600), args=(store,), daemon=True).start()
"""


def test_a_closed_run_that_a_thread_holds_to_the_end_of_the_process_leaves_no_line_on_stderr(tmp_path: Path) -> None:
    # As the threads of Prefect do, whose contexts know the run that was under way when they began.
    ended = subprocess.run(
        [sys.executable, "-c", HELD, str(tmp_path)], capture_output=True, text=True, timeout=300, check=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert ended.stderr == ""
