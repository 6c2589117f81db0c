"""A run as Parquet files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import duckdb
import pytest

from veritas.errors import StoreUnavailable
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
            exported = duckdb.read_parquet(str(folder / f"{table}.parquet"))
            assert exported.columns == [row["column_name"] for row in store.query(f"DESCRIBE {table}")]
            assert [dict(zip(exported.columns, row, strict=True)) for row in exported.fetchall()] == store.table(table)


def test_when_one_table_cannot_be_written_none_is(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / ".events.parquet.part").mkdir(parents=True)
    with pytest.raises(StoreUnavailable):
        export_parquet(home, "run", folder)
    assert [path.name for path in folder.iterdir()] == [".events.parquet.part"]
