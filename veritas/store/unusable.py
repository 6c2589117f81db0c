"""Unusable files in the folder of runs: those of killed processes, files that hold no run, and their remains.

A run that is in use, that can be resumed, or that is finished is never among them; nor is a file of a newer version, or
another program's database.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import duckdb

from veritas.errors import StoreUnavailable, VeritasError
from veritas.frozen import Frozen
from veritas.store.catalogue import query
from veritas.store.creation import leftovers
from veritas.store.journal import is_live, kept_from_running
from veritas.store.migrate import applied
from veritas.store.open_file import StoreDamaged, connect, first
from veritas.store.paths import beside, cancel_path, journal_path, queue_folder, run_ids, run_path, runs_folder
from veritas.store.run_file import RunStore


class Unusable(Frozen):
    """A file that holds no run, or the remains of a run. `remove`: its files are deleted; `set aside`: it cannot be
    read, and is renamed to `<name>.damaged`."""

    run_id: str
    files: tuple[Path, ...]
    why: str
    action: Literal["remove", "set aside"] = "remove"


def find_unusable(home: Path) -> list[Unusable]:
    """Return the unusable files, by run id; `home` may be of audits as well. Files of an active process are left out.
    """
    found: dict[str, Unusable] = {}
    for path, run_id in leftovers(home):
        if not is_live(home, run_id):
            known = found[run_id].files if run_id in found else ()
            found[run_id] = Unusable(run_id=run_id, files=(*known, path), why="its making was cut off")
    ids = run_ids(home)
    for run_id in sorted(set(ids) - _finished(home)):
        bad = None if is_live(home, run_id) else _judged(home, run_id)
        if bad is not None:
            known = found[run_id].files if run_id in found else ()
            found[run_id] = bad.model_copy(update={"files": (*known, *bad.files)})
    for path in sorted(runs_folder(home).glob("*")):
        run_id = path.name.split(".")[0]
        remains = path.name in (f"{run_id}.journal", f"{run_id}.cancel", f"{run_id}.duckdb.wal")
        if remains and run_id not in ids and not is_live(home, run_id):
            known = found[run_id].files if run_id in found else ()
            why = found[run_id].why if run_id in found else "its run is gone"
            found[run_id] = Unusable(run_id=run_id, files=(*known, path), why=why)
    return [found[run_id] for run_id in sorted(found)]


def remove_unusable(home: Path, unusable: Unusable) -> bool:
    """Remove the files, or rename them; return False if a process has begun to use them meanwhile. Raises
    StoreUnavailable."""
    with kept_from_running(home, unusable.run_id) as ours:
        path = run_path(home, unusable.run_id)
        if not ours or (path not in unusable.files and path.exists()):
            return False
        if path in unusable.files and (now := _judged(home, unusable.run_id)) is not None:
            unusable = unusable.model_copy(update={"action": now.action})
        elif path in unusable.files:
            return False
        try:
            for file in (*unusable.files, journal_path(home, unusable.run_id), cancel_path(home, unusable.run_id)):
                if unusable.action == "set aside" and file in beside(path):
                    if file.exists():
                        file.replace(file.with_name(file.name + ".damaged"))
                else:
                    file.unlink(missing_ok=True)
            (queue_folder(home) / unusable.run_id).unlink(missing_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{error.filename} cannot be removed: {error.strerror}") from error
    return True


def _judged(home: Path, run_id: str) -> Unusable | None:
    """Return why the run's file is unusable; None if it may be usable."""
    path = run_path(home, run_id)
    files = tuple(file for file in beside(path) if file.exists())
    try:
        RunStore.open(home, run_id, read_only=True, patience=0.1).close()
    except StoreDamaged as error:
        empty = _empty(path)
        if empty is None:
            return None
        why = "it holds no run: its making was cut off" if empty else str(error)
        return Unusable(run_id=run_id, files=files, why=why, action="remove" if empty else "set aside")
    except VeritasError:
        return None
    return None


def _empty(path: Path) -> bool | None:
    """Return whether a file without a run certainly holds nothing; None for another program's database."""
    try:
        if path.stat().st_size == 0:
            return True
        connection = connect(path, read_only=True, patience=0.1)
    except (OSError, duckdb.Error):
        return False
    try:
        done = applied(connection)
        if done is None:
            return None
        tables = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        return not any(
            first(connection, f"SELECT 1 FROM {name} LIMIT 1") for name in sorted(tables - {"schema_migrations"})
        )
    except duckdb.Error:
        return False
    finally:
        connection.close()


def _finished(home: Path) -> set[str]:
    """Return the finished runs that the catalogue knows; their files need not be opened."""
    try:
        return {row["run_id"] for row in query(home, "SELECT run_id FROM runs WHERE status = 'finished'", patience=2)}
    except StoreUnavailable:
        return set()
