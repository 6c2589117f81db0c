"""The catalogue: merged once, made anew at any time, shared by processes."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.store.store_children import Child, hold_file, run_merge_and_read
from veritas.errors import InputError, StoreTooNew, StoreUnavailable, UnknownRun
from veritas.store import RunStore, list_runs, merge_run, query, rebuild_catalogue
from veritas.store.open_file import connect
from veritas.store.paths import catalogue_path
from veritas.store.rows import CATALOGUE_TABLES


def finished(home: Path, synthetic: ModuleType, name: str, claims: int = 5) -> None:
    with RunStore.create(home, synthetic.synthetic_run(name)) as store:
        store.save_stage("decompose", "h", {"run": name}, seconds=1)
        store.finish(synthetic.synthetic_graph(name, claims, seed=len(name)))


def contents(home: Path) -> dict[str, list[str]]:
    """All rows of the catalogue, in an order of their own."""
    connection = connect(catalogue_path(home), read_only=True, patience=1)
    rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in CATALOGUE_TABLES}
    connection.close()
    return {name: sorted(map(repr, table)) for name, table in rows.items()}


def test_a_merged_run_is_in_the_catalogue_row_by_row(tmp_path: Path, synthetic: ModuleType) -> None:
    finished(tmp_path, synthetic, "run", claims=20)
    assert merge_run(tmp_path, "run") is True
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        own = {name: store.query(f"SELECT * FROM {name}") for name in CATALOGUE_TABLES}
    assert contents(tmp_path) == {
        name: sorted(repr(tuple(row.values())) for row in rows) for name, rows in own.items()
    }
    assert all(own.values())


def test_merging_twice_changes_nothing(tmp_path: Path, synthetic: ModuleType) -> None:
    finished(tmp_path, synthetic, "run")
    merge_run(tmp_path, "run")
    before = contents(tmp_path)
    assert merge_run(tmp_path, "run") is False
    assert contents(tmp_path) == before


def test_the_same_claim_has_the_same_id_in_every_run(tmp_path: Path, synthetic: ModuleType) -> None:
    for name in ("a", "b"):
        finished(tmp_path, synthetic, name)
        merge_run(tmp_path, name)
    shared = query(tmp_path, "SELECT claim_id FROM claims GROUP BY claim_id HAVING count(DISTINCT run_id) = 2")
    assert len(shared) == 5


def test_making_it_anew_takes_in_what_was_not_merged_and_forgets_what_is_gone(
    tmp_path: Path, synthetic: ModuleType
) -> None:
    for name in ("gone", "kept", "late"):
        finished(tmp_path, synthetic, name)
        if name != "late":
            merge_run(tmp_path, name)
    (tmp_path / "runs" / "gone.duckdb").unlink()
    RunStore.create(tmp_path, synthetic.synthetic_run("begun")).close()
    left_out = rebuild_catalogue(tmp_path)
    assert list(left_out) == ["begun"]
    assert "not finished" in left_out["begun"]
    assert {row["run_id"] for row in query(tmp_path, "SELECT DISTINCT run_id FROM claims")} == {"kept", "late"}


@pytest.mark.parametrize("how", ["garbage", "wrong bytes", "empty"])
def test_a_damaged_catalogue_is_replaced_from_the_run_files(
    tmp_path: Path, synthetic: ModuleType, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    finished(tmp_path, synthetic, "run")
    merge_run(tmp_path, "run")
    before = contents(tmp_path)
    path = catalogue_path(tmp_path)
    data = bytearray(path.read_bytes())
    for at in range(16384, len(data), 16384):
        data[at + 20] ^= 0xFF
    path.write_bytes({"garbage": b"x" * 50_000, "wrong bytes": bytes(data), "empty": b""}[how])
    assert [(run.run_id, run.claims) for run in list_runs(tmp_path)] == [("run", 5)]
    assert "listing the runs from their files" in caplog.text
    assert rebuild_catalogue(tmp_path) == {}
    assert contents(tmp_path) == before


def test_an_unfinished_run_stays_out(tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(tmp_path, synthetic.synthetic_run("run")).close()
    with pytest.raises(InputError, match="run run is not finished"):
        merge_run(tmp_path, "run")
    with pytest.raises(UnknownRun):
        merge_run(tmp_path, "nobody")
    assert not catalogue_path(tmp_path).exists()


def test_processes_merging_and_reading_at_once_all_get_through(tmp_path: Path, synthetic: ModuleType) -> None:
    children = [Child(run_merge_and_read, tmp_path, f"run{n}") for n in range(3)]
    assert [child.said() for child in children] == ["done"] * 3
    assert [child.end() for child in children] == [0, 0, 0]
    assert len(query(tmp_path, "SELECT run_id FROM runs")) == 6
    assert query(tmp_path, "SELECT count(*) AS n FROM claims") == [{"n": 120}]


def test_a_lock_that_lasts_is_said_and_listing_goes_on(
    tmp_path: Path, synthetic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(tmp_path, synthetic, "run")
    merge_run(tmp_path, "run")
    finished(tmp_path, synthetic, "late")
    holder = Child(hold_file, catalogue_path(tmp_path))
    assert holder.said() == "held"
    try:
        monkeypatch.setattr("veritas.store.catalogue.PATIENCE", 0.3)
        with pytest.raises(StoreUnavailable, match=rf"veritas\.duckdb: it is in use by process {holder.pid}"):
            merge_run(tmp_path, "late")
        with pytest.raises(StoreUnavailable, match="in use"):
            query(tmp_path, "SELECT * FROM runs", patience=0.2)
        monkeypatch.setattr("veritas.store.listing.CATALOGUE_PATIENCE", 0.2)
        assert {run.run_id for run in list_runs(tmp_path)} == {"run", "late"}
    finally:
        holder.end()
    assert merge_run(tmp_path, "late") is True


def test_a_newer_catalogue_is_refused_and_left_as_it_is(tmp_path: Path, synthetic: ModuleType) -> None:
    finished(tmp_path, synthetic, "run")
    merge_run(tmp_path, "run")
    path = catalogue_path(tmp_path)
    connection = connect(path, read_only=False, patience=1)
    connection.execute("INSERT INTO schema_migrations VALUES ('9999_from_the_future', now()::TIMESTAMP)")
    connection.close()
    before = path.read_bytes()
    finished(tmp_path, synthetic, "late")
    attempts: list[Any] = [
        lambda: merge_run(tmp_path, "late"),
        lambda: query(tmp_path, "SELECT 1"),
        lambda: rebuild_catalogue(tmp_path),
    ]
    for attempt in attempts:
        with pytest.raises(StoreTooNew, match="9999_from_the_future"):
            attempt()
    assert path.read_bytes() == before
