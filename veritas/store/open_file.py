"""DuckDB files: their settings, retries on a lock, and readable errors.

DuckDB locks a file for one process: while it writes, no other process may even read. Several readers may share a file.
Within a process connections to one file share one database, provided their settings are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random_exponential

from veritas.errors import InputError, StoreTooNew, StoreUnavailable, VeritasError

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    # An extension would be a download.
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # Written so that DuckDB 1.5 can still read what 2.0 wrote.
    "storage_compatibility_version": "v1.5.0",
    # A small run has 20 nearly empty tables: 0.4 MB with blocks of 16 KiB, 5.5 MB with the default of 256 KiB.
    "default_block_size": "16384",
}

class StoreLocked(StoreUnavailable):
    """Another process holds the file."""


class StoreDamaged(StoreUnavailable):
    """The file exists and is not locked, but is no database, or a damaged one."""


_LOCKED = re.compile(r"could not set lock|being used by another process", re.I)
_OTHER_WAY = "different configuration"
_HOLDER = re.compile(r"PID (\d+)")
_FULL = re.compile(r"no space left|disk quota|file too large|not enough space", re.I)
_FORBIDDEN = re.compile(r"permission denied|read-only file system|operation not permitted", re.I)
_NEWER = re.compile(r"newer version of DuckDB|we can only read versions", re.I)

_UNOPENED = re.compile(r"cannot open file|out of memory|failed to allocate", re.I)

# Errors that a broken file raises. A wrong checksum comes as a bare `duckdb.Error`.
_DAMAGE = (duckdb.IOException, duckdb.SerializationException, duckdb.InternalException, duckdb.FatalException)

# Mistakes in our SQL must not look like trouble with the disk.
_MISTAKES = (duckdb.ProgrammingError, duckdb.DataError, duckdb.IntegrityError, duckdb.NotSupportedError)


def is_locked(error: BaseException) -> bool:
    """Return whether another process holds the file."""
    return isinstance(error, duckdb.Error) and _LOCKED.search(str(error)) is not None


def _passes(error: BaseException) -> bool:
    return is_locked(error) or (isinstance(error, duckdb.ConnectionException) and _OTHER_WAY in str(error))


def explain(error: BaseException, path: Path, doing: str) -> VeritasError:
    """Return the error for a failure with `path` while `doing`, with the remedy."""
    text = str(error) or type(error).__name__
    start = f"cannot {doing} {path}: "
    if _LOCKED.search(text):
        holder = _HOLDER.search(text)
        who = f"process {holder[1]}" if holder else "another process"
        return StoreLocked(f"{start}it is in use by {who}. Try again when that has ended")
    if _NEWER.search(text):
        return StoreTooNew(f"{start}it was written by a newer DuckDB. Upgrade duckdb; the file is unchanged")
    if _FULL.search(text):
        return StoreUnavailable(f"{start}the disk is full. What was stored before is intact. Make room, then go on")
    if _FORBIDDEN.search(text):
        return StoreUnavailable(f"{start}permission denied. Make it writable, or set VERITAS_HOME to a folder that is")
    reason = text.splitlines()[0][:300]
    if _UNOPENED.search(text) or not (type(error) is duckdb.Error or isinstance(error, _DAMAGE)):
        return StoreUnavailable(f"{start}{reason}. Mend that, or set VERITAS_HOME to another folder")
    return StoreDamaged(f"{start}it is damaged, or no file of VERITAS ({reason}). Move it out of the store")


@contextmanager
def explained(path: Path, doing: str) -> Iterator[None]:
    """Turn errors of DuckDB and the file system into StoreUnavailable or StoreTooNew."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        if isinstance(error, _MISTAKES):
            raise
        raise explain(error, path, doing) from error


def connect(path: Path, *, read_only: bool, patience: float) -> duckdb.DuckDBPyConnection:
    """Return a connection to `path`, trying for up to `patience` seconds, at random intervals, while another process
    holds the lock. Raises DuckDB's own errors."""
    attempts = Retrying(
        retry=retry_if_exception(_passes),
        wait=wait_random_exponential(multiplier=0.02, max=0.1),
        stop=stop_after_delay(patience),
        reraise=True,
    )
    return attempts(_connect, path, read_only)


def _connect(path: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        connection = duckdb.connect(str(path), read_only=read_only, config=SETTINGS)
    except duckdb.ConnectionException as error:
        # This process has the file open the other way; a reader may then share its database.
        if not read_only or _OTHER_WAY not in str(error):
            raise
        connection = duckdb.connect(str(path), config=SETTINGS)
    # After two seconds DuckDB would draw a bar on standard output, amidst what a program reads there.
    connection.execute("SET enable_progress_bar = false")
    return connection


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """Commit what is done inside, or roll it all back."""
    connection.execute("BEGIN TRANSACTION")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # After a failed COMMIT, or on a broken file, there is no transaction left to roll back.
        with suppress(duckdb.Error):
            connection.execute("ROLLBACK")
        raise


def first(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
    """Return the first row, or None. Fetches all rows: DuckDB 2.0 lets a connection do nothing else before a result is
    drained."""
    rows = connection.execute(sql, list(parameters)).fetchall()
    return rows[0] if rows else None


def records(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Return the rows for an SQL query, a dictionary for each row. Raises InputError if the SQL is wrong."""
    try:
        cursor = connection.execute(sql, list(parameters))
    except (duckdb.ProgrammingError, duckdb.DataError) as error:
        raise InputError(f"the store cannot answer {sql.strip()[:80]!r}: {error}") from error
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
