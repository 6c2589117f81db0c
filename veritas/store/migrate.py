"""Numbered migrations: those applied to a file, those still missing, and the check that the file is not newer than this
program."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import duckdb

from veritas.errors import StoreTooNew
from veritas.store.open_file import StoreDamaged, connect, explained, transaction
from veritas.store.paths import beside

RUN_MIGRATIONS: tuple[str, ...] = (
    "0001_claim_graph", "0002_outputs_and_ledger", "0004_overrides", "0005_signed_overrides", "0006_stands_on"
)
"""Names of the migrations of a run's file, in order. A name once released is never changed nor taken out."""

CATALOGUE_MIGRATIONS: tuple[str, ...] = (
    "0001_claim_graph", "0004_overrides", "0005_signed_overrides", "0006_stands_on"
)
"""Names of the migrations of the catalogue, in order."""

_APPLIED = "schema_migrations"


def utc_now() -> datetime:
    """Return the present time as the store keeps times: UTC, without a zone (DuckDB's zoned type needs one more
    package)."""
    return datetime.now(UTC).replace(tzinfo=None)


def statements(name: str) -> str:
    """Return the SQL of a migration."""
    return files("veritas.store").joinpath("migrations", f"{name}.sql").read_text(encoding="utf-8")


def applied(connection: duckdb.DuckDBPyConnection) -> list[str] | None:
    """Return the migrations applied to a file, in order; none for an empty file, None for a file that is not of the
    store."""
    try:  # to list the tables takes a third of the time in which a file is opened
        return [row[0] for row in connection.execute(f"SELECT name FROM {_APPLIED} ORDER BY name").fetchall()]
    except duckdb.CatalogException:
        return None if connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() else []


def migrate(connection: duckdb.DuckDBPyConnection, wanted: tuple[str, ...]) -> None:
    """Apply the missing migrations, in one transaction."""
    with transaction(connection):
        connection.execute(f"CREATE TABLE IF NOT EXISTS {_APPLIED} (name VARCHAR, applied_at TIMESTAMP)")
        done = set(applied(connection) or ())
        for name in wanted:
            if name not in done:
                connection.execute(statements(name))
                connection.execute(f"INSERT INTO {_APPLIED} VALUES (?, ?)", [name, utc_now()])


_made: dict[tuple[str, ...], bytes] = {}
"""The bytes of a new file with its schema, by its migrations: making the tables takes longer than all else in it."""


def copy_new(path: Path, wanted: tuple[str, ...]) -> bool:
    """Write a new file with its schema as a copy, without opening it, if this process has created such a file before.
    Its rows give the time of that first file."""
    made = _made.get(wanted)
    if made is None:
        return False
    with path.open("wb") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    return True


def make_new(connection: duckdb.DuckDBPyConnection, path: Path, wanted: tuple[str, ...]) -> None:
    """Give a new file its schema, write it, and keep its bytes for `copy_new`.

    Only for a file that no other process knows: reading it ends the lock of its connection.
    """
    migrate(connection, wanted)
    connection.execute("CHECKPOINT")  # closing reports nothing where the disk is full
    _made[wanted] = path.read_bytes()


def open_file(path: Path, wanted: tuple[str, ...], *, read_only: bool, patience: float) -> duckdb.DuckDBPyConnection:
    """Open an existing file with its schema up to date; an older one is migrated first, even for reading.

    Raises StoreTooNew, with the file untouched, when it has had a migration unknown here; StoreUnavailable when it
    cannot be opened or is no file of the store.
    """
    with explained(path, "open"):
        looked_at = read_only or _changes_when_opened(path)
        connection = connect(path, read_only=looked_at, patience=patience)
        try:
            done = applied(connection)
            _check(path, done, wanted)
            if done == list(wanted) and looked_at == read_only:
                return connection
            if not looked_at:
                migrate(connection, wanted)
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
        connection = connect(path, read_only=False, patience=patience)
        try:
            migrate(connection, wanted)
        except BaseException:
            connection.close()
            raise
        if not read_only:
            return connection
        connection.close()
        return connect(path, read_only=True, patience=patience)


def _changes_when_opened(path: Path) -> bool:
    """Return whether opening the file for writing would change it: its log would be merged, or an empty file become a
    database."""
    try:
        return beside(path)[1].exists() or path.stat().st_size == 0
    except OSError:
        return True


def _check(path: Path, done: list[str] | None, wanted: tuple[str, ...]) -> None:
    if done is None:
        raise StoreDamaged(f"{path} is a DuckDB file but not one of VERITAS. Move it out of the store")
    newer = [name for name in done if name not in wanted]
    if newer:
        raise StoreTooNew(
            f"{path} was written by a newer VERITAS (it has had {', '.join(newer)}). "
            "Upgrade VERITAS; the file is unchanged"
        )
