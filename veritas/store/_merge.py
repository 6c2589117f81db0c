"""Merging runs into the catalogue: all waiting runs in one transaction, read directly from their files."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from veritas.errors import InputError, VeritasError
from veritas.store.merge_queue import MergeQueue
from veritas.store.migrate import RUN_MIGRATIONS
from veritas.store.open_file import first, transaction
from veritas.store.paths import run_path
from veritas.store.rows import CATALOGUE_TABLES, Row, insert
from veritas.store.run_file import RunStore, is_written_here

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Source:
    """A finished run to be merged: attached under a name, or read as rows."""

    run_id: str
    content_hash: str
    attached: str | None = None
    tables: dict[str, list[Row]] | None = None


def take_in(
    catalogue: duckdb.DuckDBPyConnection, home: Path, run_id: str, others: Sequence[str], queue: MergeQueue
) -> bool:
    """Merge `run_id` and other waiting runs in one transaction; False if `run_id` was merged already.

    Another run that cannot be read is left to its own process. Raises InputError or StoreUnavailable for `run_id`
    itself, and DuckDB's errors; then nothing was merged.
    """
    with ExitStack() as files:
        sources = [_source(catalogue, home, run_id, "own", files)]
        for number, other in enumerate(others):
            try:
                sources.append(_source(catalogue, home, other, f"other{number}", files, patience=0))
            except VeritasError as error:
                logger.info("run %s is not merged along with %s: %s", other, run_id, error)
                queue.leave_alone(other)
        new = _write(catalogue, sources)
    queue.leave(source.run_id for source in sources)
    return run_id in new


def finished_tables(home: Path, run_id: str, patience: float = 3.0) -> dict[str, list[Row]]:
    """Return the rows of the tables of a finished run, by name. Raises InputError for a run that is not
    finished."""
    with RunStore.open(home, run_id, read_only=True, patience=patience) as run:
        _check(run)
        return {name: run.table(name) for name in CATALOGUE_TABLES}


def check_finished(home: Path, run_id: str) -> None:
    """Raise InputError for a run that is not finished."""
    with RunStore.open(home, run_id, read_only=True) as run:
        _check(run)


def _check(run: RunStore) -> None:
    if run.status != "finished":
        raise InputError(f"run {run.run_id} is not finished: resume it before it goes into the catalogue")


def forget(catalogue: duckdb.DuckDBPyConnection, run_id: str) -> None:
    """Delete a run's rows."""
    for name in CATALOGUE_TABLES:
        catalogue.execute(f"DELETE FROM {name} WHERE run_id = ?", [run_id])


def insert_tables(catalogue: duckdb.DuckDBPyConnection, tables: dict[str, list[Row]]) -> None:
    """Insert a run's rows."""
    for name, rows in tables.items():
        insert(catalogue, name, rows)


def _write(catalogue: duckdb.DuckDBPyConnection, sources: Sequence[_Source]) -> set[str]:
    """Write the runs, and return the ids of those that were new or had changed."""
    with transaction(catalogue):
        rows = catalogue.execute(
            "SELECT run_id, content_hash FROM runs WHERE list_contains(?, run_id)", [[s.run_id for s in sources]]
        ).fetchall()
        known = dict(rows)
        new = [source for source in sources if known.get(source.run_id) != source.content_hash]
        for source in new:
            if source.run_id in known:
                forget(catalogue, source.run_id)
            if source.tables is not None:
                insert_tables(catalogue, source.tables)
        attached = [source.attached for source in new if source.attached is not None]
        for name in CATALOGUE_TABLES if attached else ():
            selected = " UNION ALL BY NAME ".join(f"SELECT * FROM {each}.{name}" for each in attached)
            catalogue.execute(f"INSERT INTO {name} BY NAME {selected}")
    return {source.run_id for source in new}


def _source(
    catalogue: duckdb.DuckDBPyConnection, home: Path, run_id: str, name: str, files: ExitStack, patience: float = 3.0
) -> _Source:
    """Return a finished run, attached until `files` closes if possible: opening it separately takes twenty times as
    long.

    A file that is open in this process, or of an older version, is opened separately.
    """
    path = run_path(home, run_id)
    if path.exists() and not is_written_here(path):
        with ExitStack() as mine, suppress(duckdb.Error):
            mine.enter_context(_attached(catalogue, path, name))
            applied = catalogue.execute(f"SELECT name FROM {name}.schema_migrations ORDER BY name").fetchall()
            row = first(catalogue, f"SELECT run_id, content_hash FROM {name}.runs WHERE status = 'finished'")
            if row is not None and row[0] == run_id and [each[0] for each in applied] == list(RUN_MIGRATIONS):
                files.push(mine.pop_all())
                return _Source(run_id, row[1], attached=name)
    tables = finished_tables(home, run_id, patience)
    return _Source(run_id, tables["runs"][0]["content_hash"], tables=tables)


@contextmanager
def _attached(catalogue: duckdb.DuckDBPyConnection, path: Path, name: str) -> Iterator[None]:
    quoted = str(path).replace("'", "''")
    catalogue.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
    try:
        yield
    finally:
        with suppress(duckdb.Error):
            catalogue.execute(f"DETACH {name}")
