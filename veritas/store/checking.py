"""Checks of a store: every file is opened and read to its end."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Literal

from veritas.errors import VeritasError
from veritas.frozen import Frozen
from veritas.store._kept_files import KeptFile, databases
from veritas.store.backup import unwritten
from veritas.store.catalogue import query
from veritas.store.open_file import StoreDamaged, StoreLocked, connect, explained
from veritas.store.packing import unpack
from veritas.store.unusable import find_unusable

State = Literal["ok", "damaged", "unusable", "not catalogued", "in use", "unavailable"]
_PATIENCE = 0.5
"""Seconds that a file in use is waited for."""


class Checked(Frozen):
    """A file of the store and its state.

    `damaged` and `unusable` are findings; files `in use` and `unavailable` could not be checked; `not catalogued` is a
    finished run that the next merge adds.
    """

    name: str
    path: str
    state: State
    why: str | None = None


def check_store(home: Path) -> list[Checked]:
    """Return the state of every database, and of unusable files. Nothing is changed."""
    catalogued: set[str] | None
    try:
        catalogued = {row["run_id"] for row in query(home, "SELECT run_id FROM runs", patience=_PATIENCE)}
    except VeritasError:
        catalogued = None
    found = [_checked(kept, catalogued) for kept in databases(home)]
    damaged = {each.path for each in found if each.state != "ok"}
    for place in (home, home / "papers"):
        for bad in find_unusable(place):
            why = f"{bad.why}: veritas runs --clean"
            found += [
                Checked(name=f"file {path.name}", path=str(path), state="unusable", why=why)
                for path in bad.files
                if str(path) not in damaged
            ]
    return found


def check_file(kept: KeptFile) -> Checked:
    """Return the state of one database, read to its end. Nothing is changed."""
    return _checked(kept, None)


def _checked(kept: KeptFile, catalogued: set[str] | None) -> Checked:
    state: State = "ok"
    why: str | None = None
    try:
        finished = _read(kept)
        if kept.kind == "run" and finished and catalogued is not None and kept.run_id not in catalogued:
            state, why = "not catalogued", "finished, and not in the catalogue"
    except StoreLocked as error:
        state, why = "in use", str(error)
    except StoreDamaged as error:
        state, why = "damaged", str(error)
    except VeritasError as error:
        state, why = "unavailable", str(error)
    return Checked(name=kept.name, path=str(kept.path), state=state, why=why)


def _read(kept: KeptFile) -> bool:
    """Read every row and unpack every document; return whether it is a finished run."""
    with unwritten(kept, _PATIENCE), explained(kept.path, "read"):
        connection = connect(kept.path, read_only=True, patience=_PATIENCE)
        try:
            tables = [row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
            if "schema_migrations" not in tables:
                raise StoreDamaged(f"{kept.path} is no file of VERITAS, or its making was cut off")
            for table in tables:
                rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
                if table == "outputs":
                    try:
                        for _, document in rows:
                            unpack(document)
                    except (zlib.error, UnicodeDecodeError) as error:
                        raise StoreDamaged(f"{kept.path} is damaged: a document cannot be read ({error})") from error
            if "runs" not in tables or kept.run_id is None:
                return False
            return bool(connection.execute("SELECT 1 FROM runs WHERE status = 'finished'").fetchall())
        finally:
            connection.close()
