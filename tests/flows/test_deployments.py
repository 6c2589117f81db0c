"""The canonical way from a clone: the Compose file's worker makes a pool, deploys, and carries out all deployments with
their default parameters."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

from tests.citations.registry_server import NAMES
from tests.loopback.postgresql import PASSWORD, binaries, postgresql
from tests.loopback.prefect_processes import ROOT, prefect, prefect_server, running

COMPOSE = yaml.safe_load((ROOT / "deployments" / "compose.yaml").read_text(encoding="utf-8"))["services"]
BY_WORKER = ["quick"]
"""It is carried out by the worker, in a process of its own; the others as the worker's processes would."""
LATER = ["replay", "resume", "review"]
"""They go on from what others made."""
READ = ("claim_graph.md", "council.md", "gate.md", "invariants.md", "why.md")
"""The pages of `docs` in the clone: six deployments read all there are, and how many is not the matter."""
CARRY_OUT = """
import asyncio, json, sys
from prefect.flows import load_flow_from_entrypoint

for name, entrypoint, parameters in json.load(sys.stdin):
    state = load_flow_from_entrypoint(entrypoint)(**parameters, return_state=True)
    if asyncio.iscoroutine(state):
        state = asyncio.run(state)
    print(json.dumps([name, state.name, state.message or ""]), flush=True)
"""
"""Carry out deployments as they stand on the server, one after the other, in the folder of the clone."""


class Canonical:
    """A server with a worker on a pool."""

    def __init__(self, env: dict[str, str], log: Path) -> None:
        self.log, self.env = log, env
        self.client = httpx.Client(base_url=env["PREFECT_API_URL"], trust_env=False, timeout=30)

    def ask(self, method: str, path: str, given: Any = None) -> Any:
        """The answer, asked for again as Prefect's own clients do when a busy server says 503 or is silent."""
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            with suppress(httpx.TransportError):
                answer = self.client.request(method, path, json=given)
                if answer.status_code != 503:
                    return answer.raise_for_status().json()
            time.sleep(0.5)
        raise AssertionError(f"no answer to {method} {path}")

    def post(self, path: str, given: Any) -> Any:
        return self.ask("POST", path, given)

    def deployments(self) -> dict[str, dict[str, Any]]:
        return {each["name"]: each for each in self.post("/deployments/filter", {})}

    def ended(self, names: list[str], patience: float = 700) -> dict[str, tuple[str, str]]:
        """How a run of each deployment with its default parameters ends: its state, by name, and its message."""
        made = self.deployments()
        asked = {"idempotency_key": str(time.time_ns())}  # a request whose answer is lost makes no second run
        waiting = {self.post(f"/deployments/{made[name]['id']}/create_flow_run", asked)["id"]: name for name in names}
        ends: dict[str, tuple[str, str]] = {}
        deadline = time.monotonic() + patience
        while waiting:
            assert time.monotonic() < deadline, (ends, waiting, self.log.read_text("utf-8", "replace")[-3000:])
            time.sleep(1)
            for run in list(waiting):
                state = self.ask("GET", f"/flow_runs/{run}")["state"]
                if state["type"] in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED"):
                    ends[waiting.pop(run)] = (state["name"], state["message"] or "")
        return ends

    def carried_out(self, names: list[str], clone: Path) -> dict[str, tuple[str, str]]:
        """The same, in one process, which loads Prefect once. The runs are reported to the server."""
        made = self.deployments()
        given = [[name, made[name]["entrypoint"], made[name]["parameters"]] for name in names]
        ended = subprocess.run(
            [sys.executable, "-c", CARRY_OUT], cwd=clone, env=self.env, input=json.dumps(given), capture_output=True,
            text=True, timeout=700,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr[-3000:]
        rows = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("[")]
        return {name: (state, message) for name, state, message in rows}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone holds, with some of the pages of `docs`, and nothing of what runs left behind."""
    folder = tmp_path_factory.mktemp("clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        left_out = name.startswith("tests/") or (name.startswith("docs/") and name.removeprefix("docs/") not in READ)
        if (ROOT / name).is_file() and not left_out:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


@contextmanager
def database() -> Iterator[dict[str, str]]:
    """The settings of the Compose file's server, for a PostgreSQL of ours; none where there is no PostgreSQL."""
    if binaries() is None:
        yield {}
        return
    with postgresql() as url:
        own = {"PREFECT_SERVER_DATABASE_HOST": "127.0.0.1", "PREFECT_SERVER_DATABASE_PASSWORD": PASSWORD}
        own["PREFECT_SERVER_DATABASE_PORT"] = str(urlsplit(url).port)
        given = COMPOSE["server"]["environment"].items()
        yield {name: value for name, value in given if name.startswith("PREFECT_SERVER_DATABASE_")} | own


@pytest.fixture(scope="module")
def canonical(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canonical]:
    folder = tmp_path_factory.mktemp("server")
    nobody = {f"VERITAS_{name.upper()}_URL": f"http://127.0.0.1:9/{name}" for name in NAMES}  # no registry is asked
    with database() as settings, prefect_server(folder, settings) as env:
        env |= nobody
        # As Compose does: one command makes the pool, deploys, and becomes the worker.
        with running(COMPOSE["worker"]["command"], env, folder / "worker.log", cwd=clone):
            made = Canonical(env, folder / "worker.log")
            deadline = time.monotonic() + 600
            while "started!" not in made.log.read_text("utf-8", "replace"):
                assert time.monotonic() < deadline, made.log.read_text("utf-8", "replace")
                time.sleep(0.5)
            yield made


@pytest.mark.server
def test_every_deployment_ends_rightly_on_its_default_parameters(canonical: Canonical, clone: Path) -> None:
    names = set(canonical.deployments()) - set(LATER)
    assert len(names) == 15
    ends = canonical.ended(BY_WORKER)
    ends |= canonical.carried_out([*sorted(names - set(BY_WORKER)), *LATER], clone)
    assert set(ends) == names | set(LATER)
    assert {name: state for name, (state, _) in ends.items() if state != "Completed"} == {
        "calibrate": "NothingToDo", "corpus-nightly": "NothingToDo", "citation-audit": "Nothing to audit",
        "living-questions": "NothingToDo", "paper-watch": "NothingToDo", "cite": "Failed",
        "registry-contract": "Failed",
    }, ends  # fmt: skip
    assert "no labels are named" in ends["calibrate"][1]
    assert "no citation: " in ends["cite"][1]  # no registry could be asked here, which is no refusal
    assert "no answer from arxiv, crossref" in ends["registry-contract"][1]


@pytest.mark.server
def test_the_pool_has_a_run_limit_and_keeps_one_that_somebody_chose(canonical: Canonical, clone: Path) -> None:
    def limit() -> int | None:
        return canonical.ask("GET", "/work_pools/veritas")["concurrency_limit"]  # type: ignore[no-any-return]

    deploy = ["--no-prompt", "deploy", "--prefect-file", "deployments/prefect.yaml", "--name", "quick"]
    assert limit() == 4
    chosen = canonical.client.patch("/work_pools/veritas", json={"concurrency_limit": 16})
    chosen.raise_for_status()
    prefect(canonical.env, *deploy, cwd=clone)
    assert limit() == 16


@pytest.mark.server
def test_an_active_schedule_has_its_next_runs_on_the_server(canonical: Canonical) -> None:
    audit = canonical.deployments()["citation-audit"]["id"]
    wanted = {"deployments": {"id": {"any_": [audit]}}, "flow_runs": {"state": {"type": {"any_": ["SCHEDULED"]}}}}
    assert len(canonical.post("/flow_runs/filter", wanted)) >= 1


def test_the_server_of_the_compose_file_finds_its_database(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import Settings
    from sqlalchemy.engine import make_url

    for name, value in COMPOSE["server"]["environment"].items():
        monkeypatch.setenv(name, re.sub(r"\$\{POSTGRES_PASSWORD:[^}]*\}", "pa:ss@w/rd%1", value))
    url = Settings().server.database.connection_url
    assert url is not None
    found = make_url(url.get_secret_value())
    asked = COMPOSE["database"]["environment"]
    assert (found.drivername, found.host, found.port) == ("postgresql+asyncpg", "database", 5432)
    assert (found.username, found.database) == (asked["POSTGRES_USER"], asked["POSTGRES_DB"])
    assert found.password == "pa:ss@w/rd%1"


def test_the_image_holds_what_the_deployments_name() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "deployments" / "Dockerfile").read_text(encoding="utf-8"), re.M)
    names = {name for line in copied for name in line.split()}
    assert all((ROOT / name).exists() for name in names)
    ignored = (ROOT / "deployments" / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    let_in = {line[1:] for line in ignored if line.startswith("!")}
    assert {name.split("/")[0] for name in names} == {name.split("/")[0] for name in let_in}
    for each in yaml.safe_load((ROOT / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]:
        given = each.get("parameters", {})
        folders = [Path(each["entrypoint"].split(":")[0]).parts[0], *given.get("paths", [])]
        folders += given["corpus"] if isinstance(given.get("corpus"), list) else []
        files = [Path(given["paper"])] if given.get("paper") else []
        assert {*folders} <= names, each["name"]
        assert all({str(file), *map(str, file.parents)} & names for file in files), each["name"]
