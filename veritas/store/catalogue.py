"""The catalogue over all runs: merged from the run files, and made anew from them at any time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from veritas.errors import InputError, VeritasError
from veritas.store.migrate import CATALOGUE_MIGRATIONS, migrate, open_file
from veritas.store.open_file import StoreDamaged, connect, explained, first, records, transaction
from veritas.store.paths import catalogue_path, run_ids
from veritas.store.rows import CATALOGUE_TABLES, insert_arrow
from veritas.store.run_file import RunStore

PATIENCE = 30.0
"""Seconds to wait for the catalogue. A merge holds it for well under a second."""

_one_at_a_time = threading.RLock()
"""The file's lock is between processes; this one is between the threads of ours."""


def merge_run(home: Path, run_id: str) -> bool:
    """Takes a finished run into the catalogue, in one transaction; False when it was there already.

    Waits for others that are merging. Raises InputError for a run that is not finished, StoreUnavailable when the
    catalogue stays locked or cannot be written: then it is as it was, and the run can be merged later.
    """
    tables = _finished(home, run_id)

    with explained(catalogue_path(home), "merge a run into"), _writing(home) as catalogue, transaction(catalogue):
        known = first(catalogue, "SELECT content_hash FROM runs WHERE run_id = ?", [run_id])
        if known == (tables["runs"]["content_hash"][0].as_py(),):
            return False
        _forget(catalogue, run_id)
        _take(catalogue, tables)
        return True


def query(
    home: Path, sql: str, parameters: Sequence[Any] = (), *, patience: float = PATIENCE
) -> list[dict[str, Any]]:
    """The answer of the catalogue to a question in SQL (tables in docs/store.md), a dictionary a row; the file is
    closed at once. No rows while there is no catalogue. Raises InputError when the SQL is wrong."""
    path = catalogue_path(home)
    if not path.exists():
        return []
    with _one_at_a_time, explained(path, "read"):
        connection = open_file(path, CATALOGUE_MIGRATIONS, read_only=True, patience=patience)
        try:
            return records(connection, sql, parameters)
        finally:
            connection.close()


def rebuild_catalogue(home: Path) -> dict[str, str]:
    """Makes the catalogue anew from the run files; returns the runs it had to leave out, with the reason.

    A run whose file is in use keeps the rows it has. A catalogue that cannot be read is replaced.
    """
    left_out: dict[str, str] = {}
    try:
        _rebuild(home, left_out)
    except StoreDamaged:
        path = catalogue_path(home)
        for broken in (path, path.with_name(path.name + ".wal")):
            if broken.exists():
                broken.replace(broken.with_name(broken.name + ".damaged"))
        left_out.clear()
        _rebuild(home, left_out)
    return left_out


def _rebuild(home: Path, left_out: dict[str, str]) -> None:
    with explained(catalogue_path(home), "make anew"), _writing(home) as catalogue, transaction(catalogue):
        present = run_ids(home)
        for (known,) in catalogue.execute("SELECT run_id FROM runs").fetchall():
            if known not in present:
                _forget(catalogue, known)
        for run_id in present:
            try:
                tables = _finished(home, run_id)
            except VeritasError as error:
                left_out[run_id] = str(error)
                continue
            _forget(catalogue, run_id)
            _take(catalogue, tables)


def _finished(home: Path, run_id: str) -> dict[str, Any]:
    """The tables of a finished run, by name, as Arrow tables."""
    with RunStore.open(home, run_id, read_only=True) as run:
        if run.status != "finished":
            raise InputError(f"run {run_id} is not finished: resume it before it goes into the catalogue")
        return {name: run.table(name) for name in CATALOGUE_TABLES}


def _forget(catalogue: duckdb.DuckDBPyConnection, run_id: str) -> None:
    for name in CATALOGUE_TABLES:
        catalogue.execute(f"DELETE FROM {name} WHERE run_id = ?", [run_id])


def _take(catalogue: duckdb.DuckDBPyConnection, tables: dict[str, Any]) -> None:
    for name, rows in tables.items():
        insert_arrow(catalogue, name, rows)


@contextmanager
def _writing(home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    path = catalogue_path(home)
    with _one_at_a_time:
        if path.exists():
            connection = open_file(path, CATALOGUE_MIGRATIONS, read_only=False, patience=PATIENCE)
        else:
            home.mkdir(parents=True, exist_ok=True)
            connection = connect(path, read_only=False, patience=PATIENCE)
        try:
            migrate(connection, CATALOGUE_MIGRATIONS)
            yield connection
        finally:
            connection.close()
