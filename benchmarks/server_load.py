"""Many flow runs submitted at once to a real Prefect server, the canonical way: a work pool, a worker, prefect.yaml.

    python benchmarks/server_load.py --runs 20                              on SQLite
    python benchmarks/server_load.py --runs 200 --database postgresql      on a PostgreSQL of its own (Debian's package)

The runs are of `research/quick` with its default parameters; the pool has its default limit. One client submits them
one after the other, as fast as the server takes them, or `--together` so many at a time. Counted are what the server
refused (HTTP 503), what its log and the worker's call an error, how the runs ended, and what was lost: events of a flow
run's states, and task runs, each of which reaches the server as an event alone. Every run has as many task runs, so the
most that any has is what all must have.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.loopback.postgresql import postgresql  # noqa: E402
from tests.loopback.prefect_processes import prefect, prefect_server, running  # noqa: E402
from veritas.cli.up import server_settings  # noqa: E402

ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
TRIES = 20
"""How often one submission is tried while the server refuses it; a refusal is counted, not forgiven."""


async def submit(client: httpx.AsyncClient, deployment: str, runs: int, together: int) -> tuple[list[str], int]:
    """The ids of the flow runs, and how often the server refused to take one."""
    refused, turns = 0, asyncio.Semaphore(together)

    async def one() -> str:
        nonlocal refused
        for attempt in range(TRIES):
            async with turns:
                answer = await client.post(f"/deployments/{deployment}/create_flow_run", json={})
            if answer.status_code != 503:
                break
            refused += 1
            await asyncio.sleep(0.2 * (attempt + 1))
        answer.raise_for_status()
        return str(answer.json()["id"])

    return list(await asyncio.gather(*(one() for _ in range(runs)))), refused


async def pages(client: httpx.AsyncClient, path: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Everything that a filter finds, in pages of 200."""
    found: list[dict[str, Any]] = []
    while True:
        page = (await client.post(path, json=given | {"limit": 200, "offset": len(found)})).raise_for_status().json()
        found += page
        if len(page) < 200:
            return found


async def lost(client: httpx.AsyncClient, ids: list[str]) -> tuple[int, int, int]:
    """Events of the runs' states that are not there, task runs that are not there, and task runs left unfinished."""
    tasks = collections.Counter(dict.fromkeys(ids, 0))
    unfinished = missing = 0
    for run in ids:
        given = {"flow_runs": {"id": {"any_": [run]}}}
        mine = await pages(client, "/task_runs/filter", given)
        tasks[run] = len(mine)
        unfinished += sum(each["state_type"] not in ENDED for each in mine)
        states = (await client.get("/flow_run_states/", params={"flow_run_id": run})).raise_for_status().json()
        wanted = {"filter": {"resource": {"id": [f"prefect.flow-run.{run}"]}}, "limit": 50}
        page = (await client.post("/events/filter", json=wanted)).raise_for_status().json()
        events = list(page["events"])
        while page.get("next_page"):
            page = (await client.get(page["next_page"])).raise_for_status().json()
            events += page["events"]
        told = {event["id"] for event in events}
        missing += sum(state["id"] not in told for state in states)
    most = max(tasks.values())
    return missing, sum(most - count for count in tasks.values()), unfinished


async def measure(env: Mapping[str, str], runs: int, together: int, patience: float) -> dict[str, Any]:
    """Submits the runs, waits for them, and counts."""
    async with httpx.AsyncClient(base_url=env["PREFECT_API_URL"], trust_env=False, timeout=120) as client:
        found = (await client.get("/deployments/name/research/quick")).raise_for_status().json()
        begun = time.monotonic()
        ids, refused = await submit(client, found["id"], runs, together)
        submitted = time.monotonic() - begun
        while True:
            await asyncio.sleep(5)
            made = await pages(client, "/flow_runs/filter", {"deployments": {"id": {"any_": [found["id"]]}}})
            if all(run["state_type"] in ENDED for run in made) or time.monotonic() - begun > patience:
                break
        seconds = time.monotonic() - begun
        await asyncio.sleep(15)  # the server writes events in batches, some seconds after
        events, tasks, unfinished = await lost(client, ids)
    ends = collections.Counter(run["state_name"] for run in made)
    return {
        "flow runs": len(ids), "seconds to submit": round(submitted, 1), "seconds in all": round(seconds),
        "ended": ", ".join(f"{name} {count}" for name, count in ends.most_common()),
        "submissions refused (503)": refused, "state events lost": events, "task runs lost": tasks,
        "task runs left unfinished": unfinished,
    }  # fmt: skip


def logged(folder: Path) -> dict[str, Any]:
    """What the logs call an error, by kind."""
    server, worker = ((folder / name).read_text("utf-8", "replace") for name in ("server.log", "worker.log"))
    return {
        "requests answered by 503": server.count("Encountered retryable exception in request"),
        "database is locked": server.count("OperationalError: database is locked"),
        "errors in the server's log": len(re.findall(r"^[\d:.]+ \| (?:ERROR|CRITICAL)", server, re.MULTILINE)),
        "errors in the worker's log": len(re.findall(r"^[\d:.]+ \| (?:ERROR|CRITICAL)", worker, re.MULTILINE)),
        "dropped, says a log": len(re.findall(r"dropping|[1-9]\d* dropped", server + worker)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--together", type=int, default=1, help="Submissions under way at a time.")
    parser.add_argument("--no-limit", action="store_true", help="Without the pool's run limit.")
    parser.add_argument("--patience", type=float, default=3600, help="Seconds to wait for the runs.")
    parser.add_argument("--keep", type=Path, help="Folder for the logs and the server's data.")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        more = {"PREFECT_SERVER_LOG_RETRYABLE_ERRORS": "true", "VERITAS_HOME": str(folder.resolve() / "home")}
        if given.database == "postgresql":
            url = stack.enter_context(postgresql())
            database = url.replace("postgresql:", "postgresql+asyncpg:", 1)
            more |= server_settings(database) | {"PREFECT_SERVER_DATABASE_CONNECTION_URL": database}
        env = stack.enter_context(prefect_server(folder, more))
        env.pop("PREFECT_SERVER_DATABASE_CONNECTION_URL", None)
        prefect(env, "work-pool", "create", "--type", "process", "veritas")
        prefect(env, "--no-prompt", "deploy", "--all", "--prefect-file", "deployments/prefect.yaml")
        if given.no_limit:
            prefect(env, "work-pool", "clear-concurrency-limit", "veritas")
        command = ["prefect", "worker", "start", "--pool", "veritas"]
        stack.enter_context(running(command, env, folder / "worker.log"))
        figures = asyncio.run(measure(env, given.runs, given.together, given.patience)) | logged(folder)
    print(f"| {given.database} | |\n| --- | --- |")
    for name, value in figures.items():
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    os.environ.setdefault("DO_NOT_TRACK", "1")
    main()
