"""A run's file: its finished stages, its ledger, and at the end its claim graph. One process writes it."""

from __future__ import annotations

import json
import logging
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Self
from weakref import WeakSet, finalize

import duckdb

from veritas.claims import ClaimGraph, Run
from veritas.claims.graph import findings_of
from veritas.errors import InputError, InvariantBroken, StoreUnavailable, UnknownRun
from veritas.frozen import text_hash
from veritas.store.creation import make_run_file, remove, taken
from veritas.store.journal import Journal
from veritas.store.ledger import LedgerEntry, RunLedger, read_entries, read_entry, write_entry
from veritas.store.migrate import RUN_MIGRATIONS, open_file, utc_now
from veritas.store.open_file import StoreDamaged, StoreLocked, explained, first, records, transaction
from veritas.store.packing import pack, to_json, to_text, unpack
from veritas.store.paths import run_path, unknown_run
from veritas.store.rows import graph_rows, insert, run_row
from veritas.store.stage_record import StageRow, StoredStage

logger = logging.getLogger(__name__)

PATIENCE = 3.0
"""Seconds to wait for a run's file. A run holds its own for as long as it lasts; everybody else closes at once."""


_writers: WeakSet[RunStore] = WeakSet()


def is_written_here(path: Path) -> bool:
    """Return whether this process has the run's file open for writing."""
    return any(store.path == path for store in list(_writers))


def _kind(run: Run) -> str:
    """Return the kind of a run for its journal; audits of papers and reviews name it in their tier."""
    return run.tier if run.tier in ("paper", "review") else "research"


class RunStore:
    """A run in one file. Usable from several threads of the process that opened it; not across processes.

    A writer keeps the file locked until `close()`. Every method that writes does so in one transaction (I6), and raises
    StoreUnavailable, with nothing written, if the disk is full or the file cannot be written.
    """

    def __init__(
        self, home: Path, run_id: str, connection: duckdb.DuckDBPyConnection, journal: Journal | None = None
    ) -> None:
        self.home = home
        self.run_id = run_id
        self.path = run_path(home, run_id)
        self._held: duckdb.DuckDBPyConnection | None = connection
        self._lock = threading.RLock()
        self.journal: Journal | None = None
        """The run's journal, which other processes can read; None when the file is open for reading only."""
        if journal is not None:
            self.write_with(journal)
        self.ledger = RunLedger(self._ledger_get, self._ledger_put, self._inherited, self._ledger_all)
        """The ledger of this run, which falls back on those of its ancestors (I9)."""

    @classmethod
    def create(cls, home: Path, run: Run) -> RunStore:
        """Create a new file for `run`, open for writing, and its journal. A kill leaves the whole file or none.

        Raises InputError if the run exists already, its id is no valid file name or its seed does not fit in 64 bits;
        UnknownRun if its parent is not in the store.
        """
        path = run_path(home, run.run_id)
        if path.exists():
            raise taken(path)
        if run.parent_run_id is not None and not run_path(home, run.parent_run_id).exists():
            raise unknown_run(home, run.parent_run_id)
        if not -(2**63) <= run.seed < 2**63:
            raise InputError(f"the seed {run.seed} does not fit in 64 bits: choose a smaller one")
        document = pack(to_text(run, f"run {run.run_id}"))

        def fill(connection: duckdb.DuckDBPyConnection) -> None:
            insert(connection, "runs", [run_row(run, status="running")])
            connection.execute("INSERT INTO outputs VALUES ('run', ?)", [document])

        with explained(path, "create"):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                journal = Journal.open(home, run.run_id, question=run.question, kind=_kind(run), anew=True)
            except StoreLocked:
                raise taken(path) from None
            try:
                connection = make_run_file(path, fill)
            except BaseException:
                journal.close()
                if not path.exists():
                    remove(journal.path)
                raise
        return cls(home, run.run_id, connection, journal=journal)

    @classmethod
    def open(
        cls, home: Path, run_id: str, *, read_only: bool = False, patience: float = PATIENCE
    ) -> RunStore:
        """Open the file of an existing run, after `patience` seconds at most. A file of an older version is migrated
        first, even for reading.

        Raises UnknownRun; StoreUnavailable if another process holds the file or it is damaged; StoreTooNew.
        """
        path = run_path(home, run_id)
        if not path.exists():
            raise unknown_run(home, run_id)
        connection = open_file(path, RUN_MIGRATIONS, read_only=read_only, patience=patience)
        store = cls(home, run_id, connection)
        try:
            if store._document("run") is None:
                raise StoreDamaged(f"{path} holds no run: its making was cut off. veritas runs --clean removes it")
            if not read_only:
                begun = store.run
                store.write_with(Journal.open(home, run_id, question=begun.question, kind=_kind(begun)))
        except BaseException:
            store.close()
            raise
        return store

    def write_with(self, journal: Journal) -> None:
        """Use this store, whose file is open for writing, as the run's writer."""
        self.journal = journal
        self._close_journal = finalize(self, journal.close)
        _writers.add(self)

    @property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        if self._held is None:
            raise StoreUnavailable(f"{self.path} was closed")
        return self._held

    def close(self) -> None:
        """Release the file. Closing twice does nothing."""
        with self._lock:
            _writers.discard(self)
            # The connection itself goes, too: what outlives the run, such as a thread's context, may hold this object
            # to the end of the process, and DuckDB's library would call that a leak on stderr.
            connection, self._held = self._held, None
            try:
                if connection is not None:
                    connection.close()
            except duckdb.Error as error:
                # The last checkpoint failed; committed rows are in the write-ahead log and are read from there.
                logger.warning("closing %s: %s", self.path, error)
            if self.journal is not None:
                self._close_journal()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def run(self) -> Run:
        """The run as in its claim graph; without a graph, as it began."""
        graph = self._document("graph")
        return Run.model_validate(json.loads(graph)["run"] if graph else json.loads(self._document("run") or "{}"))

    @property
    def status(self) -> Literal["running", "finished"]:
        """`running` until `finish`, even if the process of the run has ended."""
        return "finished" if self.query("SELECT 1 FROM runs WHERE status = 'finished'") else "running"

    def save_stage(
        self, stage: str, input_hash: str, output: Any, *, seconds: float, from_store: bool = False
    ) -> None:
        """Store a stage's whole output with the hash of its inputs, in one transaction (I6).

        `output` is a model or JSON values. Storing the same output again changes nothing. Raises InvariantBroken (I6)
        for another output or other inputs: a finished stage never changes, a change needs a new run.
        """
        text = to_text(output, f"the output of stage {stage} of run {self.run_id}")
        output_hash = text_hash(text)
        with self._writing("save a stage in") as connection:
            row = first(connection, "SELECT input_hash, output_hash FROM stages WHERE stage = ?", [stage])
            if row == (input_hash, output_hash):
                return
            if row is not None:
                what = "inputs" if row[0] != input_hash else "output"
                raise InvariantBroken("I6", f"stage {stage} of run {self.run_id} is stored with another {what}")
            connection.execute(
                "INSERT INTO stages SELECT ?, count(*), ?, ?, ?, ?, ?, ?, ? FROM stages",
                [self.run_id, stage, input_hash, output_hash, len(text.encode("utf-8", "surrogatepass")),
                 seconds, from_store, utc_now()],
            )
            connection.execute("INSERT INTO outputs VALUES (?, ?)", [f"stage:{stage}", pack(text)])
        self.note("stored", stage=stage)

    def stages(self) -> list[StageRow]:
        """Return the stages that are done, in the order they were saved."""
        return [StageRow(**row) for row in self.query("SELECT * EXCLUDE (run_id) FROM stages ORDER BY position")]

    def stage_output(self, stage: str) -> StoredStage | None:
        """Return a stage's output, or None if it was not saved."""
        row = next((row for row in self.stages() if row.stage == stage), None)
        if row is None:
            return None
        return StoredStage(**row.model_dump(), text=self._document(f"stage:{stage}") or "null")

    def finish(self, graph: ClaimGraph) -> None:
        """Store the claim graph, and its rows for SQL queries, in one transaction.

        Finishing again with the same findings changes nothing (the first graph stays). Raises InvariantBroken (I6) for
        other findings, or the graph of another run.
        """
        begun = self.run
        if (graph.run.run_id, graph.run.parent_run_id) != (self.run_id, begun.parent_run_id):
            raise InvariantBroken(
                "I6", f"run {self.run_id} (parent {begun.parent_run_id}) was handed the claim graph of run "
                f"{graph.run.run_id} (parent {graph.run.parent_run_id})"
            )
        value = to_json(graph)
        text = to_text(value, f"the claim graph of run {self.run_id}")
        findings = text_hash(to_text(findings_of(value), "the findings"))
        with self._writing("store the claim graph in") as connection:
            row = first(connection, "SELECT content_hash FROM runs WHERE status = 'finished'")
            if row == (findings,):
                return
            if row is not None:
                raise InvariantBroken("I6", f"run {self.run_id} is finished, with other findings than these")
            connection.execute("DELETE FROM runs")
            for table, rows in graph_rows(graph, findings).items():
                insert(connection, table, rows)
            connection.execute("INSERT INTO outputs VALUES ('graph', ?)", [pack(text)])
        self.note("finished")

    def lineage(self) -> list[str]:
        """Return this run's id, its parent's, and so on as far as they are in the store."""
        found = [self.run_id]
        parent = self.run.parent_run_id
        while parent is not None and parent not in found:
            found.append(parent)
            try:
                with RunStore.open(self.home, parent, read_only=True) as ancestor:
                    parent = ancestor.run.parent_run_id
            except UnknownRun:
                break
        return found

    def graph(self) -> ClaimGraph | None:
        """Return the claim graph, or None while the run is not finished."""
        text = self._document("graph")
        return ClaimGraph.model_validate(json.loads(text)) if text else None

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows for an SQL query (tables in docs/store.md), a dictionary for each row."""
        with self._reading() as connection:
            return records(connection, sql, parameters)

    def table(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a table of the run's file (`rows.RUN_TABLES` names them)."""
        return self.query(f"SELECT * FROM {name}")

    def copy_parquet(self, table: str, file: Path) -> None:
        """Write a table of the run's file as Parquet."""
        quoted = str(file).replace("'", "''")
        with self._lock, explained(file, "write"):
            self._connection.execute(f"COPY {table} TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)")

    def _document(self, name: str) -> str | None:
        with self._reading() as connection:
            row = first(connection, "SELECT document FROM outputs WHERE name = ?", [name])
        try:
            return unpack(row[0]) if row else None
        except (zlib.error, UnicodeDecodeError) as error:
            raise StoreDamaged(f"{self.path} is damaged: its document {name!r} cannot be read ({error})") from error

    @contextmanager
    def _reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock, explained(self.path, "read"):
            yield self._connection

    @contextmanager
    def _writing(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        if self.journal is None:
            raise StoreUnavailable(f"{self.path} was opened for reading only")
        with self._lock, explained(self.path, doing), transaction(self._connection) as connection:
            yield connection

    def note(self, event: str, **fields: Any) -> None:
        """Write an event into the run's journal, if the file is open for writing."""
        if self.journal is not None:
            self.journal.write(event, **fields)

    def cancel_asked(self) -> bool:
        """Return whether the run was asked to stop."""
        return self.journal is not None and self.journal.cancel_asked()

    def _ledger_get(self, request_hash: str) -> LedgerEntry | None:
        with self._reading() as connection:
            return read_entry(connection, request_hash)

    def _ledger_put(self, entry: LedgerEntry) -> None:
        with self._writing("write the ledger in") as connection:
            write_entry(connection, entry)

    def _ledger_all(self) -> dict[str, LedgerEntry]:
        with self._reading() as connection:
            return read_entries(connection)

    def _inherited(self) -> dict[str, LedgerEntry]:
        """Return the ledgers' entries of all ancestors; those of the nearest one take precedence."""
        entries: dict[str, LedgerEntry] = {}
        seen = {self.run_id}
        parent = self.run.parent_run_id
        while parent is not None and parent not in seen:
            seen.add(parent)
            try:
                ancestor = RunStore.open(self.home, parent, read_only=True)
            except UnknownRun as error:
                logger.warning("what run %s was told by its parent must be asked again: %s", self.run_id, error)
                break
            with ancestor:
                with ancestor._reading() as connection:
                    entries = read_entries(connection) | entries
                parent = ancestor.run.parent_run_id
        return entries
