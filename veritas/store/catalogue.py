"""The catalogue over all runs: merged from the run files, and rebuilt from them at any time."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from veritas.errors import InputError, VeritasError
from veritas.store._merge import check_finished, finished_tables, forget, insert_tables, take_in
from veritas.store.creation import remove
from veritas.store.merge_queue import MergeQueue
from veritas.store.migrate import CATALOGUE_MIGRATIONS, copy_new, make_new, open_file
from veritas.store.open_file import StoreDamaged, StoreLocked, connect, explained, is_locked, records, transaction
from veritas.store.paths import beside, catalogue_path, run_ids, run_path, unknown_run

PATIENCE = 30.0
"""Seconds to wait for the catalogue, and for the turn to write it. A merge of a hundred runs takes about a second."""

_one_at_a_time = threading.RLock()
"""The file's lock is between processes; this one is between the threads of this process."""


def merge_run(home: Path, run_id: str) -> bool:
    """Merge a finished run into the catalogue; return False if it was merged already.

    Runs that end at the same time queue: one process merges all waiting runs in one transaction, and the others return
    once theirs is merged. Raises InputError for a run that is not finished, StoreUnavailable if the catalogue stays
    locked or cannot be written: then it is unchanged, and the run is merged later.
    """
    if not run_path(home, run_id).exists():
        raise unknown_run(home, run_id)
    path, queue = catalogue_path(home), MergeQueue(home)
    if not path.exists():
        check_finished(home, run_id)  # before a catalogue is made in vain
    with explained(path, "merge a run into"):
        queue.enter(run_id)
        with queue.turn(PATIENCE, run_id) as ours:
            if not ours:
                return True
            try:
                return _take_in_all(home, run_id, queue)
            except (InputError, StoreDamaged):
                queue.leave([run_id])
                raise


def _take_in_all(home: Path, run_id: str, queue: MergeQueue) -> bool:
    others = [each for each in queue.waiting() if each != run_id]
    try:
        with _writing(home) as catalogue:
            return take_in(catalogue, home, run_id, others, queue)
    except duckdb.Error as error:
        if not others or is_locked(error):
            raise
        # One of them is damaged, or the disk is full: merging ours alone tells which. The connection may be of no use
        # now.
        with _writing(home) as catalogue:
            new = take_in(catalogue, home, run_id, [], queue)
        for other in others:
            queue.leave_alone(other)
        return new


def query(
    home: Path, sql: str, parameters: Sequence[Any] = (), *, patience: float = PATIENCE
) -> list[dict[str, Any]]:
    """Return the catalogue's rows for an SQL query (tables in docs/store.md), a dictionary for each row.

    The file is closed at once. Without a catalogue there are no rows. Raises InputError if the SQL is wrong.
    """
    path = catalogue_path(home)
    if not path.exists():
        return []
    with _one_at_a_time, explained(path, "read"), ExitStack() as held:
        try:
            connection = open_file(path, CATALOGUE_MIGRATIONS, read_only=True, patience=0)
        except StoreLocked:
            # Runs that end one after the other would hardly leave a reader a gap, so it queues with them.
            with suppress(OSError, StoreLocked):
                held.enter_context(MergeQueue(home).turn(patience))
            connection = open_file(path, CATALOGUE_MIGRATIONS, read_only=True, patience=patience)
        try:
            return records(connection, sql, parameters)
        finally:
            connection.close()


def rebuild_catalogue(home: Path) -> dict[str, str]:
    """Rebuild the catalogue from the run files; return the runs it had to leave out, with the reason.

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


def forget_runs(home: Path, run_ids: Collection[str]) -> None:
    """Remove runs from the catalogue and from its queue. Raises StoreUnavailable, with nothing done."""
    path, queue = catalogue_path(home), MergeQueue(home)
    with explained(path, "take runs out of"), queue.turn(PATIENCE):
        if path.exists():
            with _writing(home) as catalogue, transaction(catalogue):
                for run_id in run_ids:
                    forget(catalogue, run_id)
        queue.leave(run_ids)


def _rebuild(home: Path, left_out: dict[str, str]) -> None:
    queue = MergeQueue(home)
    with explained(catalogue_path(home), "make anew"), queue.turn(PATIENCE), _writing(home) as catalogue:
        with transaction(catalogue):
            present = run_ids(home)
            for (known,) in catalogue.execute("SELECT run_id FROM runs").fetchall():
                if known not in present:
                    forget(catalogue, known)
            for run_id in present:
                try:
                    tables = finished_tables(home, run_id)
                except VeritasError as error:
                    left_out[run_id] = str(error)
                    continue
                forget(catalogue, run_id)
                insert_tables(catalogue, tables)
        queue.leave(run_id for run_id in present if run_id not in left_out)


@contextmanager
def _writing(home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    path = catalogue_path(home)
    with _one_at_a_time:
        if not path.exists():
            _make(path)
        connection = open_file(path, CATALOGUE_MIGRATIONS, read_only=False, patience=PATIENCE)
        try:
            yield connection
        finally:
            connection.close()


def _make(path: Path) -> None:
    """Create an empty catalogue under a temporary name and rename it when it is complete. The caller holds the right to
    write it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    remove(*path.parent.glob(f".{path.name}.*.making*"))  # of killed makers
    aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.making")
    try:
        if not copy_new(aside, CATALOGUE_MIGRATIONS):
            with closing(connect(aside, read_only=False, patience=0)) as connection:
                make_new(connection, aside, CATALOGUE_MIGRATIONS)
        # The log of a removed catalogue would be read into the new one.
        beside(path)[1].unlink(missing_ok=True)
        os.replace(aside, path)
    finally:
        remove(*beside(aside))
