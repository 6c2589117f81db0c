"""What becomes of runs that are killed, and of many that end at once.

    python benchmarks/store_faults.py kills [--kills 1000] [--seed 1]   kill -9 at random times from a process' start on
    python benchmarks/store_faults.py merges [--processes 64]           as many processes merge a run each, at once

A killed process imports the store, creates a run, saves stages, finishes it and merges it. After every kill `latest`
must be found; at the end every run must be finished, go on, or be removed by `veritas runs --clean`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.store import synthetic_graph, synthetic_run
from veritas.errors import StoreUnavailable, UnknownRun
from veritas.store import RunStore, find_run, list_runs, merge_run, query
from veritas.store.paths import run_ids
from veritas.store.unusable import find_unusable, remove_unusable

_spawning = multiprocessing.get_context("forkserver")
_spawning.set_forkserver_preload(["duckdb", "veritas.store", "benchmarks.store"])

STAGES = ("decompose", "research", "extract")


def one_run(home: Path, run_id: str) -> None:
    """A run from its creation to the catalogue."""
    with RunStore.create(home, synthetic_run(run_id)) as store:
        for stage in STAGES:
            store.save_stage(stage, "h", {"stage": stage, "of": run_id}, seconds=1)
        store.finish(synthetic_graph(run_id, 3))
    merge_run(home, run_id)


def _killed(home: Path, run_id: str, begun: Connection) -> None:
    begun.send(True)
    one_run(home, run_id)


def kills(home: Path, times: int, seed: int = 1) -> dict[str, float]:
    """Kill so many processes at random times after their start; what was blocked, and what is left that nobody can use.

    The longest time is twice that of a whole run, measured first.
    """
    rng = random.Random(seed)
    taken = []
    for number in range(3):
        start = time.perf_counter()
        one_run(home, f"whole-{number}")
        taken.append(time.perf_counter() - start)
    longest = 2 * statistics.median(taken)
    result: Counter[str] = Counter(
        kills=0, ended_before_the_kill=0, blocked_latest=0, removed_of_killed_makers=0, not_removed=0, resumed=0,
        not_resumed=0,
    )  # fmt: skip
    for number in range(times):
        ours, theirs = _spawning.Pipe()
        process = _spawning.Process(target=_killed, args=(home, f"killed-{number:05}", theirs))
        process.start()
        assert ours.poll(60)
        time.sleep(rng.uniform(0, longest))
        process.kill()
        process.join()
        result["kills"] += process.exitcode != 0
        result["ended_before_the_kill"] += process.exitcode == 0
        ours.close()
        theirs.close()
        try:
            RunStore.open(home, find_run(home, "latest"), patience=0).close()
        except (StoreUnavailable, UnknownRun):
            result["blocked_latest"] += 1
        if number % 25 == 24 or number == times - 1:
            _mend(home, result)
            print(json.dumps({"processes": number + 1, **result}), file=sys.stderr)
    catalogued = {row["run_id"] for row in query(home, "SELECT run_id FROM runs")}
    result["not_in_catalogue"] = len(set(run_ids(home)) - catalogued)
    result["still_there"] = len(list((home / "runs").glob(".*")) + list((home / "merging").glob("killed*")))
    return {"longest_s": longest, **result}


def _mend(home: Path, result: Counter[str]) -> None:
    """Clean up, go on with what was cut off, and count what neither can deal with."""
    for unusable in find_unusable(home):
        result["removed_of_killed_makers"] += remove_unusable(home, unusable)
    result["not_removed"] += len(find_unusable(home))
    for run in list_runs(home):
        if run.status == "finished":
            continue
        try:
            with RunStore.open(home, run.run_id) as store:
                done = {row.stage for row in store.stages()}
                for stage in STAGES:
                    if stage not in done:
                        store.save_stage(stage, "h", {"stage": stage, "of": run.run_id}, seconds=1)
                store.finish(synthetic_graph(run.run_id, 3))
            result["resumed"] += 1
        except StoreUnavailable:
            result["not_resumed"] += 1
    for run_id in run_ids(home):
        if not query(home, "SELECT 1 FROM runs WHERE run_id = ?", [run_id]):
            merge_run(home, run_id)


def _merging(home: Path, run_id: str, claims: int, barrier: Barrier, said: Connection) -> None:
    with RunStore.create(home, synthetic_run(run_id)) as store:
        store.finish(synthetic_graph(run_id, claims, seed=len(run_id)))
    barrier.wait(600)
    start = time.perf_counter()
    try:
        merge_run(home, run_id)
        said.send(time.perf_counter() - start)
    except StoreUnavailable as error:
        said.send(str(error))


def merges(home: Path, processes: int, claims: int = 100) -> dict[str, float]:
    """So many processes merge a finished run each, at once, while a reader asks for the list; seconds each waited.

    `ratio` is the time of all to that of one merge by itself, times the number of processes: 1 is no gain at all.
    """
    alone = []
    for number in range(5):
        with RunStore.create(home, synthetic_run(f"alone-{number}")) as store:
            store.finish(synthetic_graph(f"alone-{number}", claims))
        start = time.perf_counter()
        merge_run(home, f"alone-{number}")
        alone.append(time.perf_counter() - start)
    barrier = _spawning.Barrier(processes + 1)
    children, ends = [], []
    for number in range(processes):
        ours, theirs = _spawning.Pipe()
        process = _spawning.Process(target=_merging, args=(home, f"run-{number:03}", claims, barrier, theirs))
        process.start()
        children.append(process)
        ends.append(ours)
    barrier.wait(600)
    reads: list[float] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            start = time.perf_counter()
            query(home, "SELECT run_id FROM runs")
            reads.append(time.perf_counter() - start)
            over.wait(0.05)

    reader = threading.Thread(target=read)
    start = time.perf_counter()
    reader.start()
    said = [end.recv() for end in ends]
    whole = time.perf_counter() - start
    over.set()
    reader.join()
    for process in children:
        process.join()
    waited = sorted(seconds for seconds in said if isinstance(seconds, float))
    catalogued = {row["run_id"] for row in query(home, "SELECT run_id FROM runs")}
    one = statistics.median(alone)
    return {
        "processes": processes, "claims_each": claims, "one_alone_s": one, "all_s": whole,
        "median_s": statistics.median(waited), "p95_s": waited[int(0.95 * (len(waited) - 1))], "most_s": waited[-1],
        "ratio": whole / (one * processes), "refused": processes - len(waited),
        "not_in_catalogue": sum(f"run-{number:03}" not in catalogued for number in range(processes)),
        "reads": len(reads), "longest_read_s": max(reads), "load": os.getloadavg()[0],
    }  # fmt: skip


def main() -> None:
    """Print a table, or a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kills", "merges"])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        result = kills(home, args.kills, args.seed) if args.what == "kills" else merges(home, args.processes)
    if args.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:<24} {value:.4g}")


if __name__ == "__main__":
    main()
