"""Paths of the store's files under `VERITAS_HOME`, and the names a run may have."""

from __future__ import annotations

import difflib
import re
import secrets
from datetime import UTC, datetime
from pathlib import Path

from veritas.errors import InputError, UnknownRun

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")

LATEST = "latest"
"""The name that stands for the newest run; no run may have it."""


def new_run_id(now: datetime | None = None) -> str:
    """Return a new id, `<UTC date>-<time>-<6 hex digits>`: ids sort by creation time."""
    at = (now or datetime.now(UTC)).astimezone(UTC)
    return f"{at:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def is_run_id(name: str) -> bool:
    """Return whether it is a valid name of a run."""
    return _RUN_ID.fullmatch(name) is not None and name != LATEST


def runs_folder(home: Path) -> Path:
    """Return the folder of the run files."""
    return home / "runs"


def catalogue_path(home: Path) -> Path:
    """Return the catalogue's file."""
    return home / "veritas.duckdb"


def queue_folder(home: Path) -> Path:
    """Return the folder in which runs wait to be merged into the catalogue: an empty file for each run, named after
    it."""
    return home / "merging"


def run_path(home: Path, run_id: str) -> Path:
    """Return the file of a run. Raises InputError for an id that is no plain file name (it may come from a command
    line)."""
    if not is_run_id(run_id):
        raise InputError(
            f"{run_id!r} cannot be the id of a run: use 1 to 80 letters, digits, '-' and '_', and not {LATEST!r}"
        )
    return runs_folder(home) / f"{run_id}.duckdb"


def journal_path(home: Path, run_id: str) -> Path:
    """Return the journal of a run, beside its file. Raises InputError as `run_path` does."""
    return run_path(home, run_id).with_suffix(".journal")


def cancel_path(home: Path, run_id: str) -> Path:
    """Return the mark that asks a run to stop. Raises InputError as `run_path` does."""
    return run_path(home, run_id).with_suffix(".cancel")


def beside(path: Path) -> tuple[Path, Path]:
    """Return a DuckDB file and its write-ahead log, which need not be there."""
    return path, path.with_name(path.name + ".wal")


def run_ids(home: Path) -> list[str]:
    """Return the ids of all run files, sorted; none of the files is opened."""
    return sorted(p.stem for p in runs_folder(home).glob("*.duckdb") if _RUN_ID.fullmatch(p.stem))


def unknown_run(home: Path, name: str) -> UnknownRun:
    """Return the error for a name that no run has, with near matches."""
    ids = run_ids(home)
    near = difflib.get_close_matches(name, ids, n=3, cutoff=0.5)
    if not ids:
        hint = "the store has no runs yet"
    elif near:
        hint = "did you mean " + " or ".join(near) + "?"
    else:
        hint = "`veritas runs` lists them"
    return UnknownRun(f"no run {name!r} in {home}: {hint}")
