"""Runs that end at once queue before the catalogue: one takes in all, nothing is lost, nobody is held up by another."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import duckdb
import pytest

import benchmarks.store_faults as faults
from tests.store.store_children import Child, die_before_merging, hold_run, hold_turn
from veritas.errors import StoreUnavailable
from veritas.store import RunStore, merge_run, query
from veritas.store.merge_queue import MergeQueue


def finished(home: Path, synthetic: ModuleType, name: str, claims: int = 3) -> None:
    with RunStore.create(home, synthetic.synthetic_run(name)) as store:
        store.finish(synthetic.synthetic_graph(name, claims, seed=len(name)))


def catalogued(home: Path) -> set[str]:
    return {row["run_id"] for row in query(home, "SELECT run_id FROM runs")}


def waiting(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "merging").iterdir() if path.name != ".turn")


def test_many_runs_that_end_at_once_all_get_in_and_are_whole(tmp_path: Path) -> None:
    told = faults.merges(tmp_path, 12, claims=5)
    assert (told["refused"], told["not_in_catalogue"]) == (0, 0)
    assert query(tmp_path, "SELECT run_id FROM claims GROUP BY run_id HAVING count(*) <> 5") == []
    assert waiting(tmp_path) == []


def test_one_takes_in_all_that_wait_and_merging_twice_changes_nothing(tmp_path: Path, synthetic: ModuleType) -> None:
    for name in ("a", "bb", "ccc"):
        finished(tmp_path, synthetic, name)
    for name in ("a", "bb"):
        MergeQueue(tmp_path).enter(name)
    assert merge_run(tmp_path, "ccc") is True
    assert catalogued(tmp_path) == {"a", "bb", "ccc"}
    before = query(tmp_path, "SELECT * FROM claims ORDER BY ALL")
    assert merge_run(tmp_path, "a") is False
    for name in ("a", "bb"):
        MergeQueue(tmp_path).enter(name)
    assert merge_run(tmp_path, "ccc") is False
    assert query(tmp_path, "SELECT * FROM claims ORDER BY ALL") == before
    assert waiting(tmp_path) == []


def test_a_killed_merger_loses_nothing_and_the_next_takes_it_in(tmp_path: Path, synthetic: ModuleType) -> None:
    finished(tmp_path, synthetic, "late")
    child = Child(die_before_merging, tmp_path)
    assert child.end() < 0
    assert waiting(tmp_path) == ["run"]
    assert merge_run(tmp_path, "late") is True
    assert catalogued(tmp_path) == {"late", "run"}
    assert waiting(tmp_path) == []


def test_who_waits_too_long_says_so_and_is_taken_along_later(
    tmp_path: Path, synthetic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "bb"):
        finished(tmp_path, synthetic, name)
    merge_run(tmp_path, "bb")
    child = Child(hold_turn, tmp_path)
    assert child.said() == "held"
    try:
        monkeypatch.setattr("veritas.store.catalogue.PATIENCE", 0.2)
        with pytest.raises(StoreUnavailable, match="run a stays in the queue, and the next run that ends takes it in"):
            merge_run(tmp_path, "a")
        assert catalogued(tmp_path) == {"bb"}, "a reader does not wait for the turn while the file is free"
    finally:
        child.end()
    assert merge_run(tmp_path, "bb") is False
    assert catalogued(tmp_path) == {"a", "bb"}


@pytest.mark.parametrize("how", ["garbage", "gone", "unfinished", "in use", "not ours"])
def test_one_that_cannot_be_read_does_not_hold_up_the_others(
    tmp_path: Path, synthetic: ModuleType, how: str
) -> None:
    for name in ("a", "bb", "ccc"):
        finished(tmp_path, synthetic, name)
        MergeQueue(tmp_path).enter(name)
    path = tmp_path / "runs" / "a.duckdb"
    child = None
    if how == "garbage":
        path.write_bytes(b"no database" * 3000)
    elif how == "in use":
        child = Child(hold_run, tmp_path, None)
        assert child.said() == "held"
        MergeQueue(tmp_path).enter("run")
    else:
        path.unlink()
    if how == "unfinished":
        RunStore.create(tmp_path, synthetic.synthetic_run("a")).close()
    if how == "not ours":
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE theirs (x INTEGER)")
    assert merge_run(tmp_path, "bb") is True
    assert catalogued(tmp_path) == ({"a", "bb", "ccc"} if how == "in use" else {"bb", "ccc"})
    assert waiting(tmp_path) == ["run.alone" if how == "in use" else "a.alone"]
    if child is not None:
        child.end()


def test_blocks_that_are_broken_in_one_file_spoil_no_other(tmp_path: Path, synthetic: ModuleType) -> None:
    """The file opens, and is found to be damaged only while its rows are read, in the middle of the transaction."""
    finished(tmp_path, synthetic, "first")
    merge_run(tmp_path, "first")
    for name in ("a", "bb", "ccc"):
        finished(tmp_path, synthetic, name, claims=300)
        MergeQueue(tmp_path).enter(name)
    path = tmp_path / "runs" / "a.duckdb"
    whole = path.read_bytes()
    for at in range(3 * 16384, len(whole), 16384):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            with RunStore.open(tmp_path, "a", read_only=True) as store:
                assert store.status == "finished"
                with pytest.raises(StoreUnavailable):
                    store.table("claims")
            break
        except (StoreUnavailable, pytest.fail.Exception):
            continue
    else:
        pytest.fail("no block of the claims was found")
    assert merge_run(tmp_path, "bb") is True
    assert merge_run(tmp_path, "ccc") is True
    assert catalogued(tmp_path) == {"first", "bb", "ccc"}
