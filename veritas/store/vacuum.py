"""Rewriting of databases with much free space: DuckDB keeps the space of deleted rows in the file."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import duckdb

from veritas.errors import VeritasError
from veritas.frozen import Frozen
from veritas.store._kept_files import KeptFile, databases
from veritas.store.creation import remove
from veritas.store.journal import kept_from_running
from veritas.store.merge_queue import MergeQueue
from veritas.store.open_file import SETTINGS, StoreDamaged, StoreLocked, connect, explained
from veritas.store.paths import beside

WORTH = 0.25
"""Share of its size that a file must gain to be rewritten, and of its blocks that must be free for a try. The catalogue
is always tried: deleted rows leave blocks that are half full, which nothing counts as free."""


class Vacuumed(Frozen):
    """A database and its size in bytes before and after; equal if nothing was gained. `left_out` says why it could not
    be checked."""

    name: str
    before: int
    after: int
    left_out: str | None = None


def vacuum(home: Path, patience: float = 2.0) -> list[Vacuumed]:
    """Rewrite the databases that become smaller by a quarter or more. A database in use is left as it is."""
    found = []
    for kept in databases(home):
        before = kept.path.stat().st_size if kept.path.exists() else 0
        try:
            _vacuum(kept, patience)
        except VeritasError as error:
            found.append(Vacuumed(name=kept.name, before=before, after=before, left_out=str(error)))
            continue
        found.append(Vacuumed(name=kept.name, before=before, after=kept.path.stat().st_size))
    return found


def _vacuum(kept: KeptFile, patience: float) -> None:
    if kept.kind == "catalogue":
        with explained(kept.path, "rewrite"), MergeQueue(kept.home).turn(patience):
            _rewrite(kept, patience)
    elif kept.run_id is not None:
        with kept_from_running(kept.home, kept.run_id) as ours:
            if not ours:
                raise StoreLocked(f"{kept.name} is going on")
            _rewrite(kept, patience)
    else:
        _rewrite(kept, patience)


def _free(path: Path, patience: float) -> float:
    """Return the share of a database's blocks that hold nothing."""
    with explained(path, "read"):
        connection = connect(path, read_only=True, patience=patience)
        try:
            blocks = connection.execute("SELECT total_blocks, free_blocks FROM pragma_database_size()").fetchall()
        finally:
            connection.close()
    total, free = blocks[0]
    return float(free / total) if total else 0.0


def _rewrite(kept: KeptFile, patience: float) -> None:
    """Copy the database and replace it by the copy, if that is smaller and holds the same number of rows."""
    path = kept.path
    if kept.kind != "catalogue" and _free(path, patience) < WORTH:
        return
    aside = path.with_name(f".{path.stem}.{secrets.token_hex(6)}.vacuum")
    try:
        with explained(path, "rewrite"):
            connection = connect(path, read_only=False, patience=patience)
            try:
                _copy(connection, aside)
                connection.execute("CHECKPOINT")
                if aside.stat().st_size > (1 - WORTH) * path.stat().st_size:
                    return
                # The file is still open, so nobody else can write rows that would be missing in the copy.
                os.replace(aside, path)
            finally:
                connection.close()
    finally:
        remove(*beside(aside))


def _copy(connection: duckdb.DuckDBPyConnection, aside: Path) -> None:
    quoted = str(aside).replace("'", "''")
    size, version = SETTINGS["default_block_size"], SETTINGS["storage_compatibility_version"]
    name = connection.execute("SELECT current_database()").fetchall()[0][0].replace('"', '""')
    connection.execute(f"ATTACH '{quoted}' AS copied (BLOCK_SIZE {size}, STORAGE_VERSION '{version}')")
    try:
        connection.execute(f'COPY FROM DATABASE "{name}" TO copied')
        for (table,) in connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
        ).fetchall():
            rows = [
                connection.execute(f'SELECT count(*) FROM "{of}"."{table}"').fetchall() for of in (name, "copied")
            ]
            if rows[0] != rows[1]:
                raise StoreDamaged(f"{aside} is no whole copy: the table {table} has {rows[1]} rows, not {rows[0]}")
    finally:
        connection.execute("DETACH copied")
