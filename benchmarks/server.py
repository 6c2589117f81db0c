"""What the server costs: the first byte of its answers on a store of many runs, and a hundred followers of one run.

    python benchmarks/server.py --runs 1000 --followers 100

The server is a real process. Followers cost what its processor time grows by while they follow a run, less what the
same time costs without them; their share is of the processor time of the run's own process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import httpx

import veritas
from veritas.store import merge_run
from veritas.store.merge_queue import MergeQueue
from veritas.store.paths import run_path

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "How is a claim verified?"


def multiply(home: Path, run: str, times: int) -> None:
    """Put copies of a finished run into the store, each with an id of its own: real runs would take an hour."""
    if times < 1:
        return
    ids, queue = [f"{run[:15]}-{number:06x}" for number in range(times)], MergeQueue(home)
    for name in ids:
        shutil.copy(run_path(home, run), run_path(home, name))
        with duckdb.connect(str(run_path(home, name))) as copy:
            tables = copy.execute("SELECT table_name FROM information_schema.columns WHERE column_name = 'run_id'")
            for (table,) in tables.fetchall():
                copy.execute(f"UPDATE {table} SET run_id = ?", [name])
        queue.enter(name)
    for name in ids:
        if queue.waits(name):
            merge_run(home, name)  # takes in a hundred that wait


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def child_of(pid: int) -> int | None:
    """Return the process of a run that a server started, None while there is none."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    pids = [int(each) for path in found for each in path.read_text().split()]
    return pids[0] if pids else None


def first_bytes(client: httpx.Client, path: str, times: int) -> dict[str, float]:
    """Return median and 95th percentile of the milliseconds to the first byte of an answer."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        with client.stream("GET", path) as answer:
            answer.raise_for_status()
            next(answer.iter_raw(), b"")
            taken.append((time.perf_counter() - begun) * 1000)
    return {"median_ms": round(statistics.median(taken), 1), "p95_ms": round(sorted(taken)[int(len(taken) * 0.95)], 1)}


async def followed(url: str, token: str, run: str, followers: int, server: int) -> dict[str, Any]:
    """Follow a run with many connections until its end; return what that cost the server and the run."""
    told = {"run": 0.0, "events": 0}

    async def follow(client: httpx.AsyncClient) -> None:
        async with client.stream("GET", f"/api/v1/runs/{run}/events") as answer:
            async for line in answer.aiter_lines():
                told["events"] += line.startswith("id:")

    async def measure() -> None:
        while True:
            child = child_of(server)
            if child is not None:
                try:
                    told["run"] = max(told["run"], processor_seconds(child))
                except (OSError, IndexError):
                    return
            await asyncio.sleep(0.05)

    limits = httpx.Limits(max_connections=followers)
    begun, before = time.perf_counter(), processor_seconds(server)
    async with httpx.AsyncClient(
        base_url=url, headers={"Authorization": f"Bearer {token}"}, limits=limits, timeout=600, trust_env=False
    ) as client:
        watching = asyncio.create_task(measure())
        await asyncio.gather(*(follow(client) for _ in range(followers)))
        watching.cancel()
    seconds = time.perf_counter() - begun
    return {**told, "seconds": seconds, "server": processor_seconds(server) - before}


def main() -> None:
    """Measure and print, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--followers", type=int, default=100)
    parser.add_argument("--store", help="a folder that keeps the runs for the next time")
    parser.add_argument("--times", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made_here:
        os.environ["VERITAS_HOME"] = given.store or made_here
        there = len(veritas.list_runs())
        first = (
            veritas.list_runs()[0].run_id if there
            else veritas.research(QUESTION, corpus=ROOT / "docs", tier="quick").run.run_id
        )  # fmt: skip
        multiply(Path(os.environ["VERITAS_HOME"]), first, given.runs - max(there, 1))
        options = ["--port", "0", "--no-browser", "--root", str(ROOT / "docs")]
        command = [sys.executable, "-m", "veritas", "serve", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, ExitStack() as ending:
            ending.callback(server.terminate)
            assert server.stdout is not None
            found = re.search(r"(http://\S+)/\?token=(\S+)", server.stdout.readline())
            assert found is not None
            url, token = found[1], found[2]
            with httpx.Client(
                base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=600, trust_env=False
            ) as client:
                listed, one = "/api/v1/runs", f"/api/v1/runs/{first}"
                source = quote(client.get(f"{one}/graph").json()["sources"][0]["url"], safe="")
                page, other = f"/runs/{first}", veritas.list_runs()[-1].run_id
                paths = [
                    "/", page, f"{page}/why?about=1", f"{page}/replay", f"{page}/compare", f"{page}/compare/{other}",
                    "/library", "/library?q=claim", f"/sources?url={source}", "/check", "/check/facts", "/check/claim",
                    "/reviews", "/living", "/approvals",
                    listed, f"{listed}?q=claim", one, f"{one}/graph", f"{one}/answer", "/metrics",
                ]
                for path in paths:
                    client.get(path)
                made: dict[str, Any] = {}
                for path in paths:
                    time.sleep(given.times / 20)  # a caller may make 20 requests a second in the long run
                    made[path] = first_bytes(client, path, given.times)
                idle = processor_seconds(server.pid)
                time.sleep(5)
                idle = (processor_seconds(server.pid) - idle) / 5
                asked = {"question": QUESTION, "corpus": ["docs"], "tier": "standard"}
                shares = {}
                for followers in (1, given.followers):
                    run = client.post("/api/v1/runs", json=asked).json()["run_id"]
                    cost = asyncio.run(followed(url, token, run, followers, server.pid))
                    own = cost["server"] - idle * cost["seconds"]
                    shares[followers] = {
                        "events": cost["events"], "run_cpu_s": round(cost["run"], 2), "server_cpu_s": round(own, 2),
                        "share": round(own / cost["run"], 4) if cost["run"] else None,
                    }  # fmt: skip
    said = {"runs": given.runs, "first_byte": made, "idle_cpu": round(idle, 4), "following": shares}
    print(json.dumps(said, indent=1))


if __name__ == "__main__":
    main()
