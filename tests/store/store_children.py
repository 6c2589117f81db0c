"""Processes for the tests to kill, to wait for and to compete with; forked from one that has the imports done."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import duckdb

import benchmarks.store as synthetic
from veritas.errors import InputError, StoreUnavailable
from veritas.store import RunStore, catalogue, creation, list_runs, merge_run, query
from veritas.store.merge_queue import MergeQueue

_server = multiprocessing.get_context("forkserver")
PRELOADED = ("duckdb", "veritas.store", "tests.store.store_children")
_server.set_forkserver_preload([*PRELOADED])


class Child:
    """`work(connection, *arguments)` in a process of its own."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        self._ours, theirs = _server.Pipe()
        self.process: ForkServerProcess = _server.Process(target=work, args=(theirs, *arguments))
        self.process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def said(self) -> Any:
        """The next thing the child says; an error when it ended without a word."""
        assert self._ours.poll(60), "the child says nothing"
        return self._ours.recv()

    def tell(self) -> None:
        """Lets a child that listens go on."""
        self._ours.send("go on")

    def kill(self) -> None:
        self.process.kill()

    def end(self) -> int:
        """Waits for the end; the exit code, minus the signal's number for one that was killed."""
        self._ours.close()
        self.process.join(60)
        assert self.process.exitcode is not None
        return self.process.exitcode


def listen(connection: Connection) -> None:
    """Waits for a word, or for the parent to hang up."""
    try:
        connection.recv()
    except EOFError:
        return


def put_and_die(connection: Connection, home: Path, checkpoint: bool = False) -> None:
    """A run with a stage and 20 answered calls, killed right after."""
    store = RunStore.create(home, synthetic.synthetic_run("run"))
    store.save_stage("decompose", "h", {"a": 1}, seconds=1)
    if checkpoint:
        store._connection.execute("CHECKPOINT")
    for i in range(20):
        store.ledger.put(synthetic.synthetic_entry(f"h{i}", random.Random(i)))
    os.kill(os.getpid(), signal.SIGKILL)


def finish(connection: Connection, home: Path, claims: int) -> None:
    """Says so, and finishes a run."""
    graph = synthetic.synthetic_graph("run", claims)
    store = RunStore.create(home, synthetic.synthetic_run("run"))
    store.save_stage("decompose", "h", {"a": 1}, seconds=1)
    connection.send("finishing")
    store.finish(graph)
    listen(connection)


def hold_run(connection: Connection, home: Path, seconds: float | None) -> None:
    """Begins a run and keeps its file, for some seconds or until told otherwise."""
    with RunStore.create(home, synthetic.synthetic_run("run")):
        connection.send("held")
        if seconds is None:
            listen(connection)
        else:
            time.sleep(seconds)


def make_slowly(connection: Connection, home: Path) -> None:
    """Says so in the middle of making a run's file, and goes on when told."""
    made = creation.make_new

    def slowly(file: duckdb.DuckDBPyConnection, path: Path, wanted: tuple[str, ...]) -> None:
        made(file, path, wanted)
        connection.send("making")
        listen(connection)

    creation.make_new = slowly  # type: ignore[attr-defined]
    RunStore.create(home, synthetic.synthetic_run("run")).close()


def hold_file(connection: Connection, path: Path) -> None:
    """Keeps a DuckDB file."""
    with duckdb.connect(str(path)):
        connection.send("held")
        listen(connection)


def create_at_a_signal(connection: Connection, home: Path) -> None:
    """Creates the run `run` when told; says whether it could, and keeps it."""
    connection.send("ready")
    listen(connection)
    try:
        store = RunStore.create(home, synthetic.synthetic_run("run"))
    except (InputError, StoreUnavailable):
        connection.send("refused")
        return
    store.save_stage("decompose", "h", {"pid": os.getpid()}, seconds=1)
    connection.send("created")
    listen(connection)
    store.close()


def run_merge_and_read(connection: Connection, home: Path, name: str) -> None:
    """Two runs, each merged; after each, the catalogue must hold whole runs only."""
    for i in range(2):
        run_id = f"{name}-{i}"
        with RunStore.create(home, synthetic.synthetic_run(run_id)) as store:
            store.finish(synthetic.synthetic_graph(run_id, 20))
        assert merge_run(home, run_id)
        assert any(run.run_id == run_id and run.status == "finished" for run in list_runs(home))
        assert query(home, "SELECT run_id FROM claims GROUP BY run_id HAVING count(*) <> 20") == []
    connection.send("done")


def die_before_merging(connection: Connection, home: Path) -> None:
    """A finished run, killed when it has the turn to merge."""
    with RunStore.create(home, synthetic.synthetic_run("run")) as store:
        store.finish(synthetic.synthetic_graph("run", 3))
    catalogue.take_in = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[attr-defined]
    merge_run(home, "run")


def hold_turn(connection: Connection, home: Path) -> None:
    """Has the turn to write the catalogue, and does nothing with it."""
    with MergeQueue(home).turn(5):
        connection.send("held")
        listen(connection)
