"""`veritas up`: a real server, on PostgreSQL where it is installed, on which schedules fire."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.cli.conftest import Veritas
from tests.loopback.postgresql import ENCODED, PASSWORD, binaries, postgresql
from tests.loopback.prefect_processes import environment, free_port, running

pytestmark = pytest.mark.server

ROOT = Path(__file__).resolve().parents[2]
DEPLOYMENTS = len(yaml.safe_load((ROOT / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))["deployments"])


class Up:
    """A running `veritas up`."""

    def __init__(self, folder: Path, port: int, database: str | None, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.database, self.process = folder, database, process
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}/api", trust_env=False, timeout=30)

    def post(self, path: str, given: Any) -> Any:
        return self.client.post(path, json=given).raise_for_status().json()

    def said(self) -> str:
        """All that it and its server wrote."""
        logs = [self.folder / "up.log", self.folder / "home" / "prefect" / "server.log"]
        return "".join(log.read_text("utf-8", "replace") for log in logs if log.exists())

    def wait(self, what: Callable[[], Any], patience: float = 240) -> Any:
        """What it returns once it is true."""
        deadline = time.monotonic() + patience
        while True:
            try:
                found = what()
            except httpx.HTTPError:  # it is not there yet
                found = None
            if found:
                return found
            assert self.process.poll() is None, self.said()[-3000:]
            assert time.monotonic() < deadline, self.said()[-3000:]
            time.sleep(0.5)

    def deployment(self, name: str) -> dict[str, Any]:
        return next(each for each in self.post("/deployments/filter", {}) if each["name"] == name)

    def runs(self, name: str) -> list[dict[str, Any]]:
        """The runs that the scheduler made of a deployment."""
        wanted = {"deployments": {"id": {"any_": [self.deployment(name)["id"]]}}}
        return [run for run in self.post("/flow_runs/filter", wanted) if run["auto_scheduled"]]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    folder, port = tmp_path_factory.mktemp("up"), free_port()
    with ExitStack() as stack:
        database = stack.enter_context(postgresql()) if binaries() is not None else None
        env = environment(folder, port, {"VERITAS_HOME": str(folder / "home")})
        env.pop("PREFECT_API_URL")
        env.pop("PREFECT_HOME")
        command = [sys.executable, "-m", "veritas", "up", "--port", str(port)]
        if database is not None:
            command += ["--database-url", database]
        process = stack.enter_context(running(command, env, folder / "up.log"))
        made = Up(folder, port, database, process)
        made.wait(lambda: len(made.post("/deployments/filter", {})) == DEPLOYMENTS)
        yield made


def test_the_weekly_audit_has_its_next_runs_on_the_server(up: Up) -> None:
    runs = up.wait(lambda: up.runs("citation-audit"))
    assert {run["state_type"] for run in runs} == {"SCHEDULED"}
    assert up.runs("nightly") == []  # its schedule is off


def test_a_schedule_fires_and_its_run_is_carried_out(up: Up) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=10)
    schedule = {"schedule": {"interval": 30, "anchor_date": soon.isoformat()}, "active": True}
    path = f"/deployments/{up.deployment('calibrate')['id']}/schedules"
    (made,) = up.post(path, [schedule])
    fired = up.wait(lambda: [run for run in up.runs("calibrate") if run["state_type"] == "COMPLETED"])
    up.client.delete(f"{path}/{made['id']}").raise_for_status()
    assert fired[0]["state_name"] == "NothingToDo"


def test_a_second_server_in_the_same_home_is_turned_away_with_who_is_there(
    up: Up, veritas: Veritas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(up.folder / "home"))
    ended = veritas("up", "--port", free_port())
    assert ended.code == 2
    pids = [int(word) for word in ended.err.partition("(processes ")[2].partition(")")[0].split()]
    assert len(pids) == 3
    for pid in pids:
        os.kill(pid, 0)


def test_a_port_that_cannot_be_had_is_wrong_usage_before_anything_is_started(up: Up, veritas: Veritas) -> None:
    port = up.client.base_url.port
    for args, said in (
        (("--port", port), f"cannot listen at 127.0.0.1:{port}"),
        (("--port", 4300, "--reports", 4300), "the server's own port"),
        (("--reports", -5), "--reports"),
    ):
        ended = veritas("up", *args)
        assert ended.code == 2
        assert said in ended.err


def test_nothing_that_the_server_wrote_is_an_error(up: Up) -> None:
    assert "ERROR" not in up.said()


@pytest.fixture
def database(up: Up) -> str:
    """The server's PostgreSQL. Without one these tests are skipped at a desk, and fail in CI."""
    if up.database is None:
        missing = "PostgreSQL is not installed"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    return up.database


@pytest.mark.postgresql
def test_on_postgresql_the_server_keeps_nothing_in_sqlite_and_writes_no_password_down(up: Up, database: str) -> None:
    assert list(up.folder.rglob("*.db")) == []
    written = up.said() + "".join(
        path.read_text("utf-8", "replace") for path in (up.folder / "home").rglob("*") if path.is_file()
    )
    assert PASSWORD not in written
    assert ENCODED not in written


@pytest.mark.parametrize(
    ("url", "code", "why"),
    [
        ("mysql://me:s3cret@127.0.0.1/prefect", 2, "mysql is no database"),
        ("s3cret", 2, "cannot be read"),
        ("postgresql://me:s3cret@127.0.0.1:1", 2, "no database is named"),
        ("postgresql://me:half@s3cret@127.0.0.1:1/prefect", 2, "percent-encoded"),
        ("postgresql://me:s3cret@127.0.0.1:1/prefect", 3, "127.0.0.1:1/prefect cannot be used"),
        ("postgresql://127.0.0.1:1/prefect?password=s3cret", 3, "127.0.0.1:1/prefect cannot be used"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_without_its_password(
    veritas: Veritas, url: str, code: int, why: str
) -> None:
    ended = veritas("up", "--port", free_port(), "--database-url", url)
    assert ended.code == code
    assert why in ended.err
    assert "s3cret" not in ended.out + ended.err


@pytest.mark.postgresql
def test_a_wrong_password_is_told_from_a_server_that_is_down(veritas: Veritas, database: str) -> None:
    ended = veritas("up", "--port", free_port(), "--database-url", database.replace(ENCODED, "wrong"))
    assert ended.code == 3
    assert "password authentication failed" in ended.err
