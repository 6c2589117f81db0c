"""Migrations: an older file is brought up to date, a newer one is refused and left alone."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import duckdb
import pytest

from veritas.errors import StoreTooNew
from veritas.reviews.corpus_file import CORPUS_MIGRATIONS
from veritas.store import RunStore, catalogue, list_runs, merge_run, migrate, query, run_file
from veritas.store.open_file import connect, explain


@pytest.fixture
def newer_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this program had one migration more than the one that wrote the files."""
    known = migrate.statements
    monkeypatch.setattr(
        migrate, "statements",
        lambda name: "ALTER TABLE claims ADD COLUMN colour VARCHAR; UPDATE claims SET colour = 'grey'"
        if name == "9001_colour" else known(name),
    )
    monkeypatch.setattr(run_file, "RUN_MIGRATIONS", (*migrate.RUN_MIGRATIONS, "9001_colour"))
    monkeypatch.setattr(catalogue, "CATALOGUE_MIGRATIONS", (*migrate.CATALOGUE_MIGRATIONS, "9001_colour"))


def test_a_fresh_file_has_had_every_migration(tmp_path: Path, synthetic: ModuleType) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        names = [row["name"] for row in store.query("SELECT name FROM schema_migrations ORDER BY name")]
    assert names == list(migrate.RUN_MIGRATIONS)


def test_every_further_file_of_a_process_has_the_schema_and_nothing_of_the_first(
    tmp_path: Path, synthetic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "_made", {})
    seen = []
    for home in (tmp_path / "first", tmp_path / "further"):
        run_id = home.name
        with RunStore.create(home, synthetic.synthetic_run(run_id)) as store:
            columns = store.query("SELECT table_name, column_name, data_type FROM duckdb_columns() ORDER BY ALL")
            assert [row["run_id"] for row in store.query("SELECT run_id FROM runs")] == [run_id]
            store.finish(synthetic.synthetic_graph(run_id, 2))
        assert merge_run(home, run_id)
        assert [row["run_id"] for row in query(home, "SELECT DISTINCT run_id FROM claims")] == [run_id]
        seen.append((columns, query(home, "SELECT name FROM schema_migrations ORDER BY name")))
    assert seen[0] == seen[1]
    assert set(migrate._made) == {migrate.RUN_MIGRATIONS, migrate.CATALOGUE_MIGRATIONS}


def test_every_migration_is_named_once_in_order_and_used() -> None:
    on_disk = sorted(p.stem for p in (Path(migrate.__file__).parent / "migrations").glob("*.sql"))
    every = (migrate.RUN_MIGRATIONS, migrate.CATALOGUE_MIGRATIONS, CORPUS_MIGRATIONS)
    assert sorted({name for names in every for name in names}) == on_disk
    for names in every:
        assert list(names) == sorted(set(names))


@pytest.mark.parametrize("read_only", [True, False])
def test_an_older_file_is_migrated_on_opening_with_all_that_is_in_it(
    tmp_path: Path, synthetic: ModuleType, request: pytest.FixtureRequest, read_only: bool
) -> None:
    graph = synthetic.synthetic_graph("run", 5)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.finish(graph)
    merge_run(tmp_path, "run")
    request.getfixturevalue("newer_program")
    for _ in range(2):
        with RunStore.open(tmp_path, "run", read_only=read_only) as store:
            assert store.graph() == graph
            assert store.query("SELECT DISTINCT colour FROM claims") == [{"colour": "grey"}]
            assert len(store.query("SELECT * FROM schema_migrations")) == len(run_file.RUN_MIGRATIONS)
    assert query(tmp_path, "SELECT DISTINCT colour FROM claims") == [{"colour": "grey"}]


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, synthetic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.save_stage("decompose", "h", 1, seconds=1)
    known = migrate.statements
    monkeypatch.setattr(
        migrate, "statements",
        lambda name: "DROP TABLE claims; SELECT nonsense FROM nowhere" if name == "9001_bad" else known(name),
    )
    wanted = run_file.RUN_MIGRATIONS
    monkeypatch.setattr(run_file, "RUN_MIGRATIONS", (*wanted, "9001_bad"))
    with pytest.raises(duckdb.CatalogException):
        RunStore.open(tmp_path, "run")
    monkeypatch.setattr(run_file, "RUN_MIGRATIONS", wanted)
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        assert store.query("SELECT count(*) AS n FROM claims") == [{"n": 0}]
        assert len(store.stages()) == 1


def test_a_newer_file_is_refused_and_left_byte_for_byte(tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(tmp_path, synthetic.synthetic_run("run")).close()
    path = tmp_path / "runs" / "run.duckdb"
    connection = connect(path, read_only=False, patience=1)
    connection.execute("INSERT INTO schema_migrations VALUES ('9999_from_the_future', now()::TIMESTAMP)")
    connection.close()
    before = (path.read_bytes(), path.stat().st_mtime_ns, sorted(path.parent.iterdir()))
    for read_only in (True, False):
        with pytest.raises(StoreTooNew, match=r"run\.duckdb was written by a newer VERITAS .*9999_from_the_future"):
            RunStore.open(tmp_path, "run", read_only=read_only)
    [listed] = list_runs(tmp_path)
    assert listed.status == "unreadable"
    assert listed.problem is not None
    assert "Upgrade VERITAS" in listed.problem
    assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(path.parent.iterdir())) == before


def test_a_file_of_a_newer_duckdb_is_told_from_a_damaged_one() -> None:
    """What DuckDB 1.5 says to a file in 2.0's own format, of which this program makes none."""
    message = (
        "IO Error: Trying to read a database file with version number 69, but we can only read versions between 64 and "
        "68.\nThe database file was created with a newer version of DuckDB.\n"
    )
    error = explain(duckdb.IOException(message), Path("run.duckdb"), "open")
    assert isinstance(error, StoreTooNew)
    assert "Upgrade duckdb" in str(error)


def test_files_are_written_so_that_the_oldest_duckdb_allowed_can_read_them(
    tmp_path: Path, synthetic: ModuleType
) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.finish(synthetic.synthetic_graph("run", 5))
    data = (tmp_path / "runs" / "run.duckdb").read_bytes()
    assert data[8:12] == b"DUCK"
    assert int.from_bytes(data[12:20], "little") <= 68
