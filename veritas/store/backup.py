"""Backups of a store from which runs can be resumed: each file is copied while nothing can write it, and checked."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from veritas.errors import InputError, StoreUnavailable, VeritasError
from veritas.files import write_whole
from veritas.frozen import Frozen
from veritas.store._kept_files import KeptFile, databases, plain_files
from veritas.store.journal import is_live
from veritas.store.merge_queue import MergeQueue
from veritas.store.open_file import StoreLocked, connect, explained
from veritas.store.paths import beside, journal_path

MANIFEST = "backup.json"
"""Written last: a folder without it is a backup that was cut off."""


class LeftOut(Frozen):
    """Something that is not in a backup, and the reason."""

    name: str
    why: str


class Backup(Frozen):
    """The content of a backup. `files` holds the SHA-256 of each file, by its path in the folder."""

    made_at: datetime
    home: str
    files: dict[str, str]
    left_out: tuple[LeftOut, ...] = ()


def back_up(home: Path, folder: Path, patience: float = 2.0) -> Backup:
    """Copy the catalogue, runs, audits, reviews, corpora and approvals of `home` into `folder`.

    A file that is in use for longer than `patience` seconds, or cannot be read, is left out and named. To restore, copy
    the folder's content to a home. Raises InputError if the folder is not empty or is inside the copied folders,
    StoreUnavailable if it cannot be written.
    """
    if not home.is_dir():
        raise InputError(f"there is no store in {home}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty: a backup is made in a new folder")
    if any(folder.resolve().is_relative_to((home / kept).resolve()) for kept in ("approvals", "reviews", "audits")):
        raise InputError(f"{folder} is a part of the store itself: choose another folder")
    files: dict[str, str] = {}
    left_out: list[LeftOut] = []
    with explained(folder, "write to"):
        folder.mkdir(parents=True, exist_ok=True)
    for kept in (*databases(home), *plain_files(home)):
        try:
            for path in _copied(kept, home, folder, patience):
                files[path.relative_to(folder).as_posix()] = _digest(path)
        except _Vanished:
            continue  # removed meanwhile, for example by retention
        except VeritasError as error:
            left_out.append(LeftOut(name=kept.name, why=str(error)))
    made = Backup(made_at=datetime.now(UTC), home=str(home), files=files, left_out=tuple(left_out))
    write_whole(folder / MANIFEST, json.dumps(made.model_dump(mode="json"), indent=1) + "\n")
    return made


class _Vanished(VeritasError):
    """The file is no longer there."""


def _copied(kept: KeptFile, home: Path, folder: Path, patience: float) -> list[Path]:
    """Return the copies of one file and of its companions."""
    target = folder / kept.path.relative_to(home)
    made: list[Path] = []
    try:
        with explained(target, "write"):
            target.parent.mkdir(parents=True, exist_ok=True)
        if kept.kind == "file":
            _copy(kept.path, target, made)
            return made
        with unwritten(kept, patience):
            # The log first: closing the database's file ends DuckDB's lock on it in this process.
            file, log = beside(kept.path)
            if log.exists():
                _copy(log, beside(target)[1], made)
            _copy(file, target, made)
        _check(target)
        if kept.run_id is not None and (journal := journal_path(kept.home, kept.run_id)).exists():
            _copy(journal, folder / journal.relative_to(home), made)
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise
    return made


@contextmanager
def unwritten(kept: KeptFile, patience: float) -> Iterator[None]:
    """Prevent every process from writing a database inside. Raises StoreLocked if it is in use."""
    with ExitStack() as held, explained(kept.path, "read"):
        if kept.run_id is not None and is_live(kept.home, kept.run_id):
            raise StoreLocked(f"{kept.name} is going on")
        if kept.kind == "catalogue":
            held.enter_context(MergeQueue(kept.home).turn(patience))
        held.callback(connect(kept.path, read_only=True, patience=patience).close)
        yield


def _copy(source: Path, target: Path, made: list[Path]) -> None:
    made.append(target)
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError as error:
        raise (_Vanished if not source.exists() else StoreUnavailable)(str(error)) from error
    except OSError as error:
        raise StoreUnavailable(f"{source} cannot be copied to {target}: {error.strerror or error}") from error


def _check(copy: Path) -> None:
    """Raise StoreDamaged if a copied database does not open. Opening it also merges its log into the file."""
    with explained(copy, "read the copy"):
        connection = connect(copy, read_only=True, patience=1)
        try:
            connection.execute("SELECT count(*) FROM schema_migrations").fetchall()
        except duckdb.CatalogException:
            raise StoreUnavailable(f"{copy.name} is no file of VERITAS") from None
        finally:
            connection.close()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
