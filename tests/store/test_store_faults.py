"""Killed processes, full disks, read-only folders, held locks, damaged files: nothing half-written, nothing unsaid."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest

from tests import preloaded
from tests.store.store_children import Child, create_at_a_signal, finish, hold_run, put_and_die
from veritas.errors import InputError, StoreUnavailable, VeritasError
from veritas.store import RunStore, list_runs, merge_run, query, rebuild_catalogue
from veritas.store.open_file import StoreDamaged, StoreLocked
from veritas.store.rows import GRAPH_TABLES


def test_what_was_put_survives_a_kill_right_after(tmp_path: Path) -> None:
    assert Child(put_and_die, tmp_path).end() == -signal.SIGKILL
    assert [run.status for run in list_runs(tmp_path)] == ["interrupted"]
    for read_only in (True, False):
        with RunStore.open(tmp_path, "run", read_only=read_only) as store:
            assert all(store.ledger.get(f"h{i}") for i in range(20))
            assert [row.stage for row in store.stages()] == ["decompose"]
            assert store.status == "running"


def test_a_torn_journal_loses_the_last_entries_and_nothing_else(tmp_path: Path) -> None:
    """As after a power cut: whatever part of the write-ahead log reached the disk, what is read is a beginning."""
    assert Child(put_and_die, tmp_path, True).end() == -signal.SIGKILL
    file, journal = tmp_path / "runs" / "run.duckdb", tmp_path / "runs" / "run.duckdb.wal"
    whole = journal.read_bytes()
    rng = random.Random(5)
    survivors = set()
    for i, length in enumerate([*(rng.randrange(len(whole)) for _ in range(6)), len(whole)]):
        home = tmp_path / f"home{i}"
        (home / "runs").mkdir(parents=True)
        shutil.copy(file, home / "runs" / "run.duckdb")
        (home / "runs" / "run.duckdb.wal").write_bytes(whole[:length])
        with RunStore.open(home, "run") as store:
            there = [store.ledger.get(f"h{n}") is not None for n in range(20)]
            assert there == sorted(there, reverse=True)
            survivors.add(sum(there))
            store.save_stage("research", "h", [1], seconds=1)
    assert 20 in survivors
    assert len(survivors) > 3


def test_a_kill_in_the_middle_of_finishing_leaves_all_or_nothing(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 500)
    outcomes = []
    for i, delay in enumerate([0.0, 0.06, 0.2]):
        home = tmp_path / str(i)
        child = Child(finish, home, 500)
        assert child.said() == "finishing"
        time.sleep(delay)
        child.kill()
        assert child.end() == -signal.SIGKILL
        with RunStore.open(home, "run") as store:
            counts = {name: len(store.table(name)) for name in GRAPH_TABLES}
            outcomes.append(store.status)
            if store.status == "finished":
                assert store.graph() == graph
                assert counts["claims"] == 500
            else:
                assert store.graph() is None
                assert {name for name, count in counts.items() if count} == {"runs"}
            assert [row.stage for row in store.stages()] == ["decompose"]
            store.finish(graph)
            assert store.graph() == graph
    assert "running" in outcomes


def test_a_run_held_by_another_process_is_in_use(tmp_path: Path, synthetic: ModuleType) -> None:
    RunStore.create(tmp_path, synthetic.synthetic_run("other")).close()
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    try:
        for read_only in (True, False):
            with pytest.raises(StoreLocked, match=rf"run\.duckdb: it is in use by process {child.pid}"):
                RunStore.open(tmp_path, "run", read_only=read_only, patience=0.2)
        with pytest.raises(InputError, match="there is a run run already"):
            RunStore.create(tmp_path, synthetic.synthetic_run("run"))
        listed = {run.run_id: run.status for run in list_runs(tmp_path)}
        assert listed == {"run": "running", "other": "interrupted"}
    finally:
        child.end()
    assert {run.status for run in list_runs(tmp_path)} == {"interrupted"}


def test_a_reader_waits_for_a_writer_that_ends_soon(tmp_path: Path) -> None:
    child = Child(hold_run, tmp_path, 0.5)
    assert child.said() == "held"
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        assert store.status == "running"
    assert child.end() == 0


def test_two_processes_creating_the_same_run_do_not_harm_each_other(tmp_path: Path) -> None:
    children = [Child(create_at_a_signal, tmp_path) for _ in range(3)]
    for child in children:
        assert child.said() == "ready"
    for child in children:
        child.tell()
    answers = sorted(child.said() for child in children)
    assert [child.end() for child in children] == [0, 0, 0]
    assert answers == ["created", "refused", "refused"]
    with RunStore.open(tmp_path, "run", read_only=True) as store:
        assert [row.stage for row in store.stages()] == ["decompose"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Any]:
    """A disk of 2 MB, and a function that gives it another size or options."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*options: str) -> None:
        subprocess.run(["mount", *options, str(folder)], check=True, capture_output=True)

    try:
        mount("-t", "tmpfs", "-o", "size=2m", "tmpfs")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no right to mount a file system")
    try:
        yield folder, lambda options: mount("-o", f"remount,{options}")
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


def test_a_full_disk_stops_with_a_plain_word_and_all_that_was_stored_is_there(
    small_disk: Any, synthetic: ModuleType
) -> None:
    disk, remount = small_disk
    rng = random.Random(1)
    graph = synthetic.synthetic_graph("run", 1000)

    def fill(store: RunStore, stored: list[str]) -> None:
        while True:
            entry = synthetic.synthetic_entry(f"h{len(stored)}", rng)
            store.ledger.put(entry.model_copy(update={"answer": rng.randbytes(20_000).hex()}))
            stored.append(entry.request_hash)

    store = RunStore.create(disk, synthetic.synthetic_run("run"))
    store.save_stage("decompose", "h", {"a": 1}, seconds=1)
    stored: list[str] = []
    with pytest.raises(StoreUnavailable, match=r"run\.duckdb: the disk is full"):
        fill(store, stored)
    with pytest.raises(StoreUnavailable, match="the disk is full"):
        store.save_stage("research", "h", rng.randbytes(2_000_000).hex(), seconds=1)
    with pytest.raises(StoreUnavailable, match="the disk is full"):
        store.finish(graph)
    store.close()
    with pytest.raises(StoreUnavailable, match=r"cannot create .*: the disk is full"):
        RunStore.create(disk, synthetic.synthetic_run("another"))
    assert not list((disk / "runs").glob("another*"))

    for read_only in (True, False):
        with RunStore.open(disk, "run", read_only=read_only) as store:
            assert all(store.ledger.get(name) for name in stored)
            assert store.ledger.get(f"h{len(stored)}") is None
            assert [row.stage for row in store.stages()] == ["decompose"]
            assert store.status == "running"

    remount("size=64m")
    with RunStore.open(disk, "run") as store:
        store.finish(graph)
    used = sum(p.stat().st_size for p in disk.rglob("*") if p.is_file())
    remount(f"size={used // 1024 + 100}k")
    with pytest.raises(StoreUnavailable, match=r"veritas\.duckdb: the disk is full"):
        merge_run(disk, "run")
    assert [(run.run_id, run.claims) for run in list_runs(disk)] == [("run", 1000)]
    remount("size=64m")
    assert merge_run(disk, "run") is True
    assert [(run.run_id, run.claims) for run in list_runs(disk)] == [("run", 1000)]


def test_a_store_goes_on_once_there_is_room_again(small_disk: Any, synthetic: ModuleType) -> None:
    disk, remount = small_disk
    rng = random.Random(1)
    with RunStore.create(disk, synthetic.synthetic_run("run")) as store:
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            store.save_stage("research", "h", rng.randbytes(4_000_000).hex(), seconds=1)
        remount("size=64m")
        store.save_stage("research", "h", "smaller", seconds=1)
    with RunStore.open(disk, "run", read_only=True) as store:
        assert [row.output_bytes for row in store.stages()] == [9]


def test_a_read_only_folder_is_named(small_disk: Any, synthetic: ModuleType) -> None:
    disk, remount = small_disk
    with RunStore.create(disk, synthetic.synthetic_run("run")) as store:
        store.finish(synthetic.synthetic_graph("run", 3))
    remount("ro")
    with pytest.raises(StoreUnavailable, match=r"cannot create .*VERITAS_HOME"):
        RunStore.create(disk, synthetic.synthetic_run("another"))
    with pytest.raises(StoreUnavailable, match=r"cannot open .*VERITAS_HOME"):
        RunStore.open(disk, "run")
    with pytest.raises(StoreUnavailable, match=r"veritas\.duckdb: .*VERITAS_HOME"):
        merge_run(disk, "run")
    with RunStore.open(disk, "run", read_only=True) as store:
        assert store.status == "finished"
    assert [run.status for run in list_runs(disk)] == ["finished"]


def test_a_home_that_is_a_file_is_named(tmp_path: Path, synthetic: ModuleType) -> None:
    home = tmp_path / "home"
    home.write_text("no folder")
    with pytest.raises(StoreUnavailable, match=r"cannot create .*home/runs/run\.duckdb"):
        RunStore.create(home, synthetic.synthetic_run("run"))
    assert list_runs(home) == []


def _damage(data: bytes, how: str) -> bytes:
    middle = len(data) // 2
    return {
        "empty": b"",
        "garbage": b"no database" * 3000,
        "cut in half": data[:middle],
        "a wrong header": data[:9] + b"\xff" * 8 + data[17:],
        "a wrong byte in every block": b"".join(
            bytes([data[at] ^ 0xFF]) + data[at + 1 : at + 16384] if at else data[:16384]
            for at in range(0, len(data), 16384)
        ),
    }[how]


@pytest.mark.parametrize("how", ["empty", "garbage", "cut in half", "a wrong header", "a wrong byte in every block"])
def test_a_damaged_file_is_reported_and_spoils_nothing_else(tmp_path: Path, synthetic: ModuleType, how: str) -> None:
    for name in ("bad", "good"):
        with RunStore.create(tmp_path, synthetic.synthetic_run(name)) as store:
            store.finish(synthetic.synthetic_graph(name, 3))
    path = tmp_path / "runs" / "bad.duckdb"
    broken = _damage(path.read_bytes(), how)
    path.write_bytes(broken)
    for read_only in (True, False):
        with pytest.raises(StoreDamaged, match=r"bad\.duckdb: it is damaged, or no file of VERITAS"):
            RunStore.open(tmp_path, "bad", read_only=read_only)
    assert {run.run_id: run.status for run in list_runs(tmp_path)} == {"bad": "unreadable", "good": "finished"}
    left_out = rebuild_catalogue(tmp_path)
    assert list(left_out) == ["bad"]
    assert {run.run_id: run.status for run in list_runs(tmp_path)} == {"bad": "unreadable", "good": "finished"}
    assert path.read_bytes() == broken


def test_single_wrong_bits_are_read_right_or_not_at_all(tmp_path: Path, synthetic: ModuleType) -> None:
    graph = synthetic.synthetic_graph("run", 20)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.finish(graph)
    path = tmp_path / "runs" / "run.duckdb"
    data = path.read_bytes()
    rng = random.Random(3)
    outcomes = {"right": 0, "refused": 0}
    for _ in range(15):
        broken = bytearray(data)
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        path.write_bytes(broken)
        try:
            with RunStore.open(tmp_path, "run", read_only=True) as store:
                assert store.graph() == graph
            outcomes["right"] += 1
        except VeritasError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 0


def test_a_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "theirs.duckdb"
    path.parent.mkdir()
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE theirs (x INTEGER)")
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(StoreDamaged, match="not one of VERITAS"):
            RunStore.open(tmp_path, "theirs", read_only=read_only)
    assert path.read_bytes() == before


def test_a_file_whose_making_was_cut_off_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "half.duckdb"
    path.parent.mkdir()
    duckdb.connect(str(path)).close()
    with pytest.raises(StoreDamaged, match="its making was cut off"):
        RunStore.open(tmp_path, "half", read_only=True)
    assert [run.status for run in list_runs(tmp_path)] == ["unreadable"]


def test_a_journal_left_without_its_file_does_not_leak_into_a_new_run(tmp_path: Path, synthetic: ModuleType) -> None:
    Child(put_and_die, tmp_path).end()
    assert (tmp_path / "runs" / "run.duckdb.wal").exists()
    (tmp_path / "runs" / "run.duckdb").unlink()
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        assert store.stages() == []


def test_no_extension_is_ever_fetched(tmp_path: Path, synthetic: ModuleType) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.finish(synthetic.synthetic_graph("run", 3))
        settings = store.query(
            "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%known_extensions' ORDER BY name"
        )
        assert [row["value"] for row in settings] == ["false", "false"]
        fetched = store.query("SELECT * FROM duckdb_extensions() WHERE loaded AND install_mode <> 'STATICALLY_LINKED'")
        assert fetched == []
        assert store.query("SELECT extension_name FROM duckdb_extensions() WHERE loaded AND extension_name = 'parquet'")


FULL = """
import resource, signal, sys
from pathlib import Path
from veritas.store import merge_run
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
merge_run(Path(sys.argv[1]), "run")
"""


@pytest.mark.parametrize("room", [2_000, 9_000])
def test_a_full_disk_while_the_catalogue_is_made_leaves_none_that_cannot_be_opened(
    tmp_path: Path, synthetic: ModuleType, room: int
) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.finish(synthetic.synthetic_graph("run", 5))
    ended = preloaded.run(["-c", FULL, tmp_path, room])
    assert "StoreUnavailable" in ended.stderr
    assert [run.status for run in list_runs(tmp_path)] == ["finished"]
    assert query(tmp_path, "SELECT run_id FROM runs") == []
    assert not list(tmp_path.glob("*.making*")), "and no file that nobody needs"
    assert merge_run(tmp_path, "run")
    assert query(tmp_path, "SELECT run_id FROM runs") == [{"run_id": "run"}]
