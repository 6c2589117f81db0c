"""Runs as Parquet files, one for each table: for other tools, and for object storage."""

from __future__ import annotations

from pathlib import Path

from veritas.errors import InputError
from veritas.store.open_file import explained
from veritas.store.rows import RUN_TABLES
from veritas.store.run_file import RunStore


def export_parquet(home: Path, run_id: str, folder: Path) -> list[Path]:
    """Write every table of a finished run as `folder/<table>.parquet` and return the paths.

    A file of that name is replaced; if one cannot be written none is. Raises InputError for a run that is not finished,
    StoreUnavailable when the folder cannot be written.
    """
    with RunStore.open(home, run_id, read_only=True) as run:
        if run.status != "finished":
            raise InputError(f"run {run_id} is not finished: resume it before you export it")
        with explained(folder, "write to"):
            folder.mkdir(parents=True, exist_ok=True)
            written: dict[Path, Path] = {}
            try:
                for table in RUN_TABLES:
                    part = folder / f".{table}.parquet.part"
                    written[part] = folder / f"{table}.parquet"
                    run.copy_parquet(table, part)
                for part, final in written.items():
                    part.replace(final)
            finally:
                for part in written:
                    part.unlink(missing_ok=True)
    return list(written.values())
