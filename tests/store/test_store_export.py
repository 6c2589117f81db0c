"""A run as Parquet files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pyarrow.parquet
import pytest

from veritas.errors import InputError, StoreUnavailable, UnknownRun
from veritas.store import RunStore, export_parquet
from veritas.store.rows import RUN_TABLES


@pytest.fixture
def home(tmp_path: Path, synthetic: ModuleType) -> Path:
    with RunStore.create(tmp_path / "home", synthetic.synthetic_run("run")) as store:
        store.save_stage("decompose", "h", {"a": 1}, seconds=1)
        store.finish(synthetic.synthetic_graph("run", 10))
    return tmp_path / "home"


@pytest.mark.parametrize("name", ["out", "it's ''quoted'' \"so\" ü/deep"])
def test_every_table_is_written_and_read_by_others(home: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    for _ in range(2):
        written = export_parquet(home, "run", folder)
    assert {path.name for path in folder.iterdir()} == {f"{table}.parquet" for table in RUN_TABLES}
    assert sorted(written) == sorted(folder.iterdir())
    with RunStore.open(home, "run", read_only=True) as store:
        for table in RUN_TABLES:
            exported = pyarrow.parquet.read_table(folder / f"{table}.parquet")
            own = store.table(table)
            assert exported.column_names == own.column_names
            assert exported.to_pylist() == own.to_pylist(), table


def test_an_unfinished_or_unknown_run_is_not_exported(home: Path, tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(home, synthetic.synthetic_run("begun")).close()
    with pytest.raises(InputError, match="not finished"):
        export_parquet(home, "begun", tmp_path / "out")
    with pytest.raises(UnknownRun):
        export_parquet(home, "nobody", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_named(home: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    with pytest.raises(StoreUnavailable, match=r"cannot write to .*file/out"):
        export_parquet(home, "run", blocked / "out")


def test_when_one_table_cannot_be_written_none_is(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / ".events.parquet.part").mkdir(parents=True)
    with pytest.raises(StoreUnavailable):
        export_parquet(home, "run", folder)
    assert [path.name for path in folder.iterdir()] == [".events.parquet.part"]
