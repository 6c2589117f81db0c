"""kill -9 at any stage, two runs at once, a full disk: nothing is lost, nothing half-done is taken for done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from benchmarks.store_faults import kills
from tests import in_process, preloaded
from tests.pumps import QUESTION, write_disputed

KILLED_AT = """
import asyncio, os, signal, sys
from veritas.use_cases import runs
from veritas.engine.units import in_process

async def work(step, units, runtime):
    if step.name == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
    return await in_process(step, units, runtime)

request = runs.make_request(question=sys.argv[2], corpus=[sys.argv[3]], tier="deep")
asyncio.run(runs.start(request, work=work))
"""


def veritas(home: Path, *args: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    ended = in_process.veritas(*map(str, args), environment={"VERITAS_HOME": str(home)})
    if check:
        ended.check_returncode()
    return subprocess.CompletedProcess(ended.args, ended.returncode, ended.stdout.decode(), ended.stderr.decode())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_disputed(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The content hash of the run that nobody killed."""
    from veritas import ClaimGraph

    home = tmp_path_factory.mktemp("whole")
    ended = veritas(home, "research", QUESTION, "-c", corpus, "--tier", "deep", "--json", "-q")
    return ClaimGraph.model_validate_json(ended.stdout).content_hash()


@pytest.mark.parametrize("step", ["decompose", "research", "judge", "respond", "write"])
def test_killed_run_goes_on_and_ends_as_if_nothing_had_happened(
    step: str, corpus: Path, whole: str, tmp_path: Path
) -> None:
    from veritas import ClaimGraph

    environment = {**os.environ, "VERITAS_HOME": str(tmp_path)}
    killed = preloaded.run(["-c", KILLED_AT, step, QUESTION, corpus], env=environment)
    assert killed.returncode == -signal.SIGKILL
    (listed,) = [json.loads(line) for line in veritas(tmp_path, "runs", "--json").stdout.splitlines()]
    assert listed["status"] == "interrupted"
    shown = veritas(tmp_path, "show", "latest", check=False)
    assert shown.returncode == 2
    assert "--resume" in shown.stderr

    ended = veritas(tmp_path, "research", "--resume", "latest", "--json", "-q")
    graph = ClaimGraph.model_validate_json(ended.stdout)
    assert graph.content_hash() == whole
    assert graph.run.run_id == listed["run_id"]
    (listed,) = [json.loads(line) for line in veritas(tmp_path, "runs", "--json").stdout.splitlines()]
    assert listed["status"] == "finished"
    again = veritas(tmp_path, "research", "--resume", "latest", "--json", "-q")
    assert json.loads(again.stdout) == json.loads(ended.stdout)


def test_processes_killed_from_their_start_on_block_nothing_and_leave_nothing_that_nobody_can_deal_with(
    tmp_path: Path,
) -> None:
    """The long form, with 1,000, is benchmarks/store_faults.py."""
    told = kills(tmp_path, 20)
    assert told["kills"] > 3  # the others had ended before: how many depends on the machine
    assert told["removed_of_killed_makers"] > 0
    assert {name: told[name] for name in ("blocked_latest", "not_removed", "not_resumed", "still_there")} == {
        "blocked_latest": 0, "not_removed": 0, "not_resumed": 0, "still_there": 0,
    }  # fmt: skip
    assert told["not_in_catalogue"] == 0


def test_two_runs_at_once_both_end_and_both_are_in_the_catalogue(corpus: Path, tmp_path: Path) -> None:
    command = ["-m", "veritas", "research", QUESTION, "-c", corpus, "-q", "--json"]
    environment = {**os.environ, "VERITAS_HOME": str(tmp_path)}
    with preloaded.start(command, env=environment) as one, preloaded.start(command, env=environment) as other:
        both = [one.ended(), other.ended()]
    assert [run.returncode for run in both] == [0, 0], both
    ids = {json.loads(run.stdout)["run"]["run_id"] for run in both}
    from veritas.store import query

    merged = {row["run_id"] for row in query(tmp_path, "SELECT run_id FROM runs")}
    assert len(ids) == 2
    assert merged == ids


@pytest.mark.parametrize("room", [4_096, 30_000, 100_000])
def test_full_disk_ends_in_a_clear_error_and_what_is_said_to_be_finished_is_whole(
    room: int, corpus: Path, tmp_path: Path
) -> None:
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
        "from veritas.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    environment = {**os.environ, "VERITAS_HOME": str(tmp_path)}
    ended = preloaded.run(["-c", code, "research", QUESTION, "-c", corpus, "-q"], env=environment)
    assert ended.returncode == 3, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "veritas:" in ended.stderr
    for line in veritas(tmp_path, "runs", "--json").stdout.splitlines():
        row = json.loads(line)
        if row["status"] == "finished":
            assert json.loads(veritas(tmp_path, "show", row["run_id"], "--json").stdout)["answer"]
    assert not list(tmp_path.rglob(".*.html.*")), "a half-written report was left behind"


def test_read_only_home_is_unavailable_not_a_traceback(corpus: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        target = Path("/proc/self/veritas-home")  # nobody may write here, root included
    else:
        target = tmp_path / "home"
        target.mkdir(mode=0o500)
    ended = veritas(target, "research", QUESTION, "-c", corpus, "-q", check=False)
    assert ended.returncode == 3, ended.stderr
    assert "Traceback" not in ended.stderr
