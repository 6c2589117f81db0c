"""Creating a run's file: under a temporary name, and renamed when it is complete.

A process that is killed meanwhile leaves a file that stands for no run and blocks nothing. `leftovers` finds such
files.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from veritas.errors import InputError
from veritas.store.migrate import RUN_MIGRATIONS, copy_new, make_new
from veritas.store.open_file import connect, transaction
from veritas.store.paths import beside, runs_folder

_MAKING = re.compile(r"\.([A-Za-z0-9][A-Za-z0-9_-]{0,79})\.[0-9a-f]{12}\.making(?:\.wal)?")


def taken(path: Path) -> InputError:
    """Return the error for an id that is in use."""
    return InputError(f"there is a run {path.stem} already ({path}): give the new one another id")


def make_run_file(path: Path, fill: Callable[[duckdb.DuckDBPyConnection], None]) -> duckdb.DuckDBPyConnection:
    """Create the file of a run with its schema and what `fill` writes, rename it to `path`, and open it for writing.

    The caller holds the run's journal, so that the new file is not mistaken for a leftover. Raises InputError if a file
    exists already; then, and on any other failure, nothing of the new file is left.
    """
    aside = path.with_name(f".{path.stem}.{secrets.token_hex(6)}.making")
    try:
        copied = copy_new(aside, RUN_MIGRATIONS)
        connection = connect(aside, read_only=False, patience=0)
        try:
            if not copied:
                make_new(connection, aside, RUN_MIGRATIONS)
            with transaction(connection):
                fill(connection)
            # Closing checkpoints too, but reports nothing where the disk is full: all would be in the log that stays
            # behind.
            connection.execute("CHECKPOINT")
        finally:
            connection.close()
        _place(aside, path)
    finally:
        remove(*beside(aside))
    try:
        return connect(path, read_only=False, patience=3)
    except BaseException:
        remove(*beside(path))
        raise


def _place(aside: Path, path: Path) -> None:
    """Rename the complete file, if the name is free."""
    if path.exists():
        raise taken(path)
    # The log of a removed file would be read into the new one.
    beside(path)[1].unlink(missing_ok=True)
    try:
        os.link(aside, path)
    except FileExistsError:
        raise taken(path) from None
    except OSError:  # a file system without hard links; the journal keeps other processes away
        os.rename(aside, path)


def leftovers(home: Path) -> list[tuple[Path, str]]:
    """Return the temporary files that are being written or were left behind, with the ids of their runs."""
    matches = ((path, _MAKING.fullmatch(path.name)) for path in sorted(runs_folder(home).glob(".*.making*")))
    return [(path, match[1]) for path, match in matches if match]


def remove(*paths: Path) -> None:
    """Remove files, as far as they exist and can be removed."""
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)
