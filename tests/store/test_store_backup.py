"""A backup is a store again when it is copied back; what could not be had is named."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.store.store_children import Child, hold_file, hold_run
from veritas.errors import InputError, StoreUnavailable
from veritas.reviews.corpus_file import CorpusFile, corpus_path
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_store import create_review, open_review, review_ids
from veritas.store import RunStore, find_run, list_runs, merge_run, query
from veritas.store.backup import back_up
from veritas.store.checking import check_store
from veritas.store.journal import read_journal


@pytest.fixture
def home(tmp_path: Path, synthetic: ModuleType) -> Path:
    """A store with something of each kind in it."""
    home = tmp_path / "home"
    for name in ("finished", "begun"):
        with RunStore.create(home, synthetic.synthetic_run(name)) as store:
            store.save_stage("decompose", "h", {"a": 1}, seconds=1)
            if name == "finished":
                store.finish(synthetic.synthetic_graph(name, 5))
    merge_run(home, "finished")
    with RunStore.create(home / "papers", synthetic.synthetic_run("audit")) as store:
        store.save_stage("read", "h", {"paper": 1}, seconds=1)
    CorpusFile(corpus_path(home, "library")).create("library", None)
    create_review(ReviewRequest(topic="Why?", corpus="library"), home=home).close()
    (home / "approvals").mkdir()
    (home / "approvals" / "a-0123456789ab.json").write_text("{}")
    (home / "cache" / "fetched").mkdir(parents=True)
    (home / "cache" / "fetched" / "page").write_text("can be fetched again")
    return home


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_store_that_is_lost_is_whole_again_when_its_backup_is_copied_back(
    home: Path, tmp_path: Path, synthetic: ModuleType
) -> None:
    (review,) = review_ids(home)
    rows = query(home, "SELECT * FROM claims ORDER BY ALL")
    with RunStore.open(home, "finished", read_only=True) as store:
        graph = store.graph()
    made = back_up(home, tmp_path / "copy")
    assert made.left_out == ()
    shutil.rmtree(home)
    shutil.copytree(tmp_path / "copy", home)

    assert query(home, "SELECT * FROM claims ORDER BY ALL") == rows
    with RunStore.open(home, "finished", read_only=True) as store:
        assert store.graph() == graph
    with RunStore.open(home, "begun") as store:
        assert [row.stage for row in store.stages()] == ["decompose"]
        store.save_stage("research", "h", [1], seconds=1)
    with RunStore.open(home / "papers", "audit", read_only=True) as store:
        assert [row.stage for row in store.stages()] == ["read"]
    with open_review(review, home=home) as store:
        assert store.run.question == "Why?"
    assert [event.event for event in read_journal(home, "finished")] == ["begun", "stored", "finished", "closed"]
    assert {each.state for each in check_store(home)} == {"ok"}
    assert len(check_store(home)) == 5
    assert (home / "approvals" / "a-0123456789ab.json").read_text() == "{}"
    assert not (home / "cache").exists()


def test_what_is_in_use_or_damaged_is_named_and_left_out(home: Path, tmp_path: Path) -> None:
    (home / "runs" / "bad.duckdb").write_bytes(b"no database" * 3000)
    children = [Child(hold_run, home, None), Child(hold_file, corpus_path(home, "library"))]
    assert [child.said() for child in children] == ["held", "held"]
    try:
        made = back_up(home, tmp_path / "copy", patience=0.2)
    finally:
        for child in children:
            child.end()
    why = {each.name: each.why for each in made.left_out}
    assert set(why) == {"run run", "run bad", "corpus library"}
    assert "going on" in why["run run"]
    assert "damaged" in why["run bad"]
    assert "in use by process" in why["corpus library"]
    copied = names(tmp_path / "copy")
    assert "runs/finished.duckdb" in copied
    assert not [name for name in copied if "bad" in name or "library" in name or name.startswith("runs/run.")]


def test_what_is_only_in_the_log_of_a_killed_run_is_copied(home: Path, tmp_path: Path) -> None:
    from tests.store.store_children import put_and_die

    assert Child(put_and_die, home).end() < 0
    assert (home / "runs" / "run.duckdb.wal").exists()
    assert back_up(home, tmp_path / "copy").left_out == ()
    with RunStore.open(tmp_path / "copy", "run") as store:
        assert all(store.ledger.get(f"h{n}") for n in range(20))
    assert find_run(tmp_path / "copy", "run") == "run"


def test_a_backup_overwrites_nothing(home: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("three years of work")
    for folder in (tmp_path / "mine", tmp_path / "mine" / "thesis.txt"):
        with pytest.raises(InputError, match="is not empty"):
            back_up(home, folder)
    with pytest.raises(InputError, match="part of the store itself"):
        back_up(home, home / "reviews" / "copy")
    with pytest.raises(InputError, match="no store"):
        back_up(tmp_path / "nowhere", tmp_path / "copy")
    with pytest.raises(StoreUnavailable):
        back_up(home, Path("/proc/self/copy"))
    assert names(tmp_path / "mine") == {"thesis.txt"}
    assert not (tmp_path / "copy").exists()
    assert len(list_runs(home)) == 2
