"""The file of a corpus: its place, its short openings, and its rows as models.

DuckDB locks a file for one process. So no process keeps a corpus open: every reading and every change opens it, does
its work in one transaction and closes it. People can search while documents are added, and two additions take turns.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from veritas.errors import InputError
from veritas.reviews.corpus_claim import CorpusClaim, CorpusPaper
from veritas.store.ledger import LedgerEntry, read_entry, write_entry
from veritas.store.migrate import applied, migrate, open_file, utc_now
from veritas.store.open_file import connect, explained, transaction
from veritas.store.packing import unpack

CORPUS_MIGRATIONS: tuple[str, ...] = ("0002_outputs_and_ledger", "0003_review_corpus")
"""Migrations of a corpus' file, in order; `ledger` is the same table as a run's."""

PATIENCE = 20.0
"""Seconds to wait for the file; another process holds it for a transaction only."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


def corpora_folder(home: Path) -> Path:
    """Return the folder of the corpus files."""
    return home / "corpora"


def corpus_path(home: Path, name: str) -> Path:
    """Return the file of a corpus. Raises `InputError` for a name that is no plain file name."""
    if not _NAME.fullmatch(name) or name.endswith(".duckdb"):
        raise InputError(
            f"{name!r} cannot be the name of a corpus: use 1 to 80 letters, digits, '.', '-' and '_', a letter or "
            "digit first"
        )
    return corpora_folder(home) / f"{name}.duckdb"


def corpus_names(home: Path) -> list[str]:
    """Return the names of all corpora, sorted; none of the files is opened."""
    return sorted(path.stem for path in corpora_folder(home).glob("*.duckdb") if _NAME.fullmatch(path.stem))


def signature(path: Path) -> tuple[tuple[int, int, int], ...]:
    """Return a value that changes whenever the file does, to compare a copy in memory with."""
    found = []
    for each in (path, path.with_name(path.name + ".wal")):
        with suppress(OSError):
            stat = os.stat(each)
            found.append((stat.st_mtime_ns, stat.st_size, stat.st_ino))
    return tuple(found)


class CorpusFile:
    """The corpus file at `path`. Usable from several threads, and beside other processes."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path, self.patience = path, patience
        self._lock = _lock_of(path)

    def create(self, name: str, embedding_model: str | None) -> None:
        """Create the file with its schema. Raises `InputError` if there is one."""
        with self._lock, explained(self.path, "create"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = connect(self.path, read_only=False, patience=self.patience)
            try:
                if applied(connection):
                    raise InputError(f"there is a corpus {name} already ({self.path})")
                migrate(connection, CORPUS_MIGRATIONS)
                with transaction(connection):
                    connection.execute(
                        "INSERT INTO corpus VALUES (?, ?, ?, NULL)", [name, utc_now(), embedding_model]
                    )
            except BaseException as error:
                connection.close()
                if not isinstance(error, InputError):
                    self.path.unlink(missing_ok=True)
                    self.path.with_name(self.path.name + ".wal").unlink(missing_ok=True)
                raise
            connection.close()

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open the file for reading."""
        with self._opened("read", read_only=True) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open the file for one transaction, which is kept whole or not at all."""
        with self._opened("write", read_only=False) as connection, transaction(connection):
            yield connection

    @contextmanager
    def _opened(self, doing: str, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock:
            connection = open_file(self.path, CORPUS_MIGRATIONS, read_only=read_only, patience=self.patience)
            try:
                with explained(self.path, doing):
                    yield connection
            finally:
                # A last checkpoint that failed (a full disk) loses nothing: the write-ahead log has it.
                with suppress(duckdb.Error):
                    connection.close()


@cache
def _lock_of(path: Path) -> threading.RLock:
    """Return the lock of a file for the threads of this process; between processes the file itself is the lock."""
    return threading.RLock()


class CorpusLedger:
    """The ledger of a corpus, so that no extraction is paid for twice (I9)."""

    def __init__(self, file: CorpusFile) -> None:
        self._file = file

    def get(self, request_hash: str) -> LedgerEntry | None:
        """See `Ledger`."""
        with self._file.reading() as connection:
            return read_entry(connection, request_hash)

    def put(self, entry: LedgerEntry) -> None:
        """See `Ledger`."""
        with self._file.writing() as connection:
            write_entry(connection, entry)


_PAPERS = """
    SELECT p.*, (SELECT count(*) FROM corpus_claims c WHERE c.document_id = p.document_id) AS claims
    FROM papers p ORDER BY p.paper_key
"""
_CLAIMS = """
    SELECT c.claim_id, c.text, c.verbatim, p.paper_key, p.authors, p.year, p.doi, c.section, c.page, c.claim_type,
           c.evidence_type, c.document_id, c.span_start, c.span_end, c.extractor
    FROM corpus_claims c JOIN papers p USING (document_id) ORDER BY p.paper_key, c.position
"""
_CLAIM_FIELDS = (
    "claim_id", "text", "verbatim", "paper_key", "authors", "year", "doi", "section", "page", "claim_type",
    "evidence_type", "document_id", "start", "end", "extractor",
)  # fmt: skip


def read_papers(connection: duckdb.DuckDBPyConnection) -> tuple[CorpusPaper, ...]:
    """Return all papers, by key."""
    cursor = connection.execute(_PAPERS)
    names = [column[0] for column in cursor.description or ()]
    return tuple(_paper(dict(zip(names, row, strict=True))) for row in cursor.fetchall())


def _paper(row: dict[str, Any]) -> CorpusPaper:
    starts = row.pop("page_starts")
    return CorpusPaper.model_validate({**row, "record": json.loads(row["record"]), "pages": len(starts)})


def read_claims(connection: duckdb.DuckDBPyConnection) -> tuple[CorpusClaim, ...]:
    """Return all claims, by paper and place. Their paper, authors, year and DOI are their document's (I2)."""
    # They were validated when they were written; 10,000 of them are read in a tenth of the time this way.
    make: Callable[..., CorpusClaim] = CorpusClaim.model_construct
    found = []
    for row in connection.execute(_CLAIMS).fetchall():
        fields = dict(zip(_CLAIM_FIELDS, row, strict=True))
        fields["authors"] = tuple(fields["authors"])
        found.append(make(**fields))
    return tuple(found)


def read_text(connection: duckdb.DuckDBPyConnection, document_id: str) -> str | None:
    """Return the text of a document, or None."""
    rows = connection.execute("SELECT text FROM documents WHERE document_id = ?", [document_id]).fetchall()
    return unpack(rows[0][0]) if rows else None
