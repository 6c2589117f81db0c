"""What nobody can use is found and removed; what somebody can use never is."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import duckdb

from tests.store.store_children import Child, hold_run, make_slowly
from veritas.store import RunStore, list_runs, merge_run
from veritas.store.creation import leftovers
from veritas.store.unusable import find_unusable, remove_unusable


def names(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "runs").iterdir())


def clean(home: Path) -> dict[str, str]:
    found = find_unusable(home)
    assert all(remove_unusable(home, each) for each in found)
    assert find_unusable(home) == []
    return {each.run_id: each.why for each in found}


def test_what_a_killed_maker_left_is_no_run_blocks_nobody_and_is_removed(tmp_path: Path, synthetic: ModuleType) -> None:
    child = Child(make_slowly, tmp_path)
    assert child.said() == "making"
    assert {run_id for _, run_id in leftovers(tmp_path)} == {"run"}
    assert find_unusable(tmp_path) == [], "its maker lives"
    assert list_runs(tmp_path) == []
    child.kill()
    child.end()
    assert list_runs(tmp_path) == []
    assert clean(tmp_path) == {"run": "its making was cut off"}
    assert names(tmp_path) == []


def test_what_is_damaged_is_set_aside_and_kept(tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(tmp_path, synthetic.synthetic_run("bad")).close()
    path = tmp_path / "runs" / "bad.duckdb"
    broken = path.read_bytes()[:9] + b"\xff" * 8 + path.read_bytes()[17:]
    path.write_bytes(broken)
    [bad] = find_unusable(tmp_path)
    assert bad.action == "set aside"
    assert "damaged" in bad.why
    assert remove_unusable(tmp_path, bad)
    assert names(tmp_path) == ["bad.duckdb.damaged"]
    assert (tmp_path / "runs" / "bad.duckdb.damaged").read_bytes() == broken
    assert find_unusable(tmp_path) == []


def test_what_somebody_can_use_is_never_among_it(tmp_path: Path, synthetic: ModuleType) -> None:
    for name in ("interrupted", "finished", "merged", "newer"):
        with RunStore.create(tmp_path, synthetic.synthetic_run(name)) as store:
            if name in ("finished", "merged"):
                store.finish(synthetic.synthetic_graph(name, 3))
    merge_run(tmp_path, "merged")
    with duckdb.connect(str(tmp_path / "runs" / "newer.duckdb")) as connection:
        connection.execute("INSERT INTO schema_migrations VALUES ('9999_from_the_future', now()::TIMESTAMP)")
    with duckdb.connect(str(tmp_path / "runs" / "theirs.duckdb")) as connection:
        connection.execute("CREATE TABLE theirs (x INTEGER)")
    (tmp_path / "runs" / "notes.txt").write_text("mine")
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    try:
        assert find_unusable(tmp_path) == []
    finally:
        child.end()


def test_a_run_that_came_into_use_meanwhile_stays(tmp_path: Path, synthetic: ModuleType) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "run.duckdb").touch()
    [found] = find_unusable(tmp_path)
    (tmp_path / "runs" / "run.duckdb").unlink()
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")):
        assert not remove_unusable(tmp_path, found)
    assert not remove_unusable(tmp_path, found)
    assert [run.status for run in list_runs(tmp_path)] == ["interrupted"]
