"""The wheel, installed outside the checkout: everything a clone can do, it can do."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.loopback.prefect_processes import environment, free_port, running

pytest.importorskip("hatchling", reason="the build backend is not installed: make .venv/dev")

ROOT = Path(__file__).resolve().parents[1]
ENDS = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


class Installed:
    """An environment that holds the wheel, with the dependencies of the one that runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        build = ["wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
        self._run([*pip, *build])
        self._run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")])
        (wheel,) = folder.glob("*.whl")
        self._run([*pip, "--python", str(self.bin / "python"), "install", "--no-index", "--no-deps", str(wheel)])
        found = self._run([str(self.bin / "python"), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"])
        self.packages = Path(found.strip())
        (self.packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")

    def environment(self) -> dict[str, str]:
        given = environment(self.folder, free_port(), {"VERITAS_HOME": str(self.folder / "home")})
        for name in ("PREFECT_API_URL", "PREFECT_HOME", "PYTHONPATH"):
            given.pop(name, None)
        return given | {"PATH": os.pathsep.join([str(self.bin), os.environ["PATH"]])}

    def _run(self, command: Sequence[str]) -> str:
        ended = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def run(self, *command: str) -> str:
        """What a program of the environment prints, started outside the checkout."""
        ended = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_installs_three_packages_and_nothing_else(installed: Installed) -> None:
    (record,) = installed.packages.glob("veritas_research-*.dist-info/RECORD")
    tops = {line.split("/")[0] for line in record.read_text(encoding="utf-8").splitlines()}
    assert tops - {record.parent.name, ".."} == {"veritas", "veritas_tasks", "veritas_flows"}


def test_no_module_is_taken_from_a_checkout(installed: Installed) -> None:
    names = "veritas, veritas_tasks, veritas_flows"
    said = installed.run("python", "-c", f"import {names}\nfor module in ({names}): print(module.__file__)")
    assert [Path(line).is_relative_to(installed.packages) for line in said.split("\n") if line] == [True] * 3


def test_the_demo_finds_its_planted_sources(installed: Installed) -> None:
    graph = json.loads(installed.run("veritas", "demo", "--tier", "quick", "--json", "-q"))
    assert graph["answer"]["status"] == "answered"
    assert any("planted" in json.dumps(source) for source in graph["sources"])


def test_every_data_file_of_the_project_is_in_the_wheel(installed: Installed) -> None:
    for folder in ("policies", "data/demo/planted", "docs", "examples/documents"):
        tracked = subprocess.run(
            ["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        carried = installed.packages / "veritas" / "_project"
        assert tracked
        assert [name for name in tracked if (ROOT / name).exists() and not (carried / name).is_file()] == []


def test_policies_councils_and_help_are_found(installed: Installed) -> None:
    assert installed.run("veritas", "tier", "https://arxiv.org/abs/1706.03762").startswith("tier 1")
    assert "vllm" in installed.run("veritas", "council")
    assert "--database-url" in installed.run("veritas", "up", "--help")
    assert "academic" in installed.run("veritas", "paper", "--help")


def test_the_files_that_the_image_copies_are_enough_to_install_from(tmp_path: Path) -> None:
    before, _, _ = (ROOT / "deployments" / "Dockerfile").read_text(encoding="utf-8").partition("RUN pip install")
    let_in = {
        line[1:].strip("/")
        for line in (ROOT / "deployments" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    for line in re.findall(r"^COPY (.+)$", before, re.MULTILINE):
        *sources, _ = line.split()
        for source in sources:
            assert any(name == source or name.startswith(f"{source}/") for name in let_in), f"{source} is ignored"
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, tmp_path / "app" / source, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (tmp_path / "app").mkdir(exist_ok=True)
                shutil.copyfile(ROOT / source, tmp_path / "app" / source)
    build = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-build-isolation", "--no-deps"]
    ended = subprocess.run(
        [*build, "--wheel-dir", str(tmp_path), str(tmp_path / "app")], capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.server
def test_up_serves_every_deployment_and_carries_one_out_with_its_default_parameters(installed: Installed) -> None:
    listed = yaml.safe_load((ROOT / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    port, log = free_port(), installed.folder / "up.log"
    command = [str(installed.bin / "veritas"), "up", "--port", str(port)]
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}/api", trust_env=False, timeout=30)

    def ask(method: str, path: str, wanted: Callable[[Any], bool] = bool) -> Any:
        """What the server answers, once it does and is as wanted: one that starts, or is busy on SQLite, does not."""
        deadline = time.monotonic() + 240
        while True:
            assert time.monotonic() < deadline, log.read_text("utf-8", "replace")[-3000:]
            try:
                found = client.request(method, path, json={} if method == "POST" else None).raise_for_status().json()
                if wanted(found):
                    return found
            except httpx.HTTPError:
                pass
            time.sleep(0.5)

    with running(command, installed.environment(), log, cwd=installed.folder):
        made = ask("POST", "/deployments/filter", lambda found: len(found) == len(listed))
        for name in ("quick", "paper"):
            (deployment,) = (each for each in made if each["name"] == name)
            run = ask("POST", f"/deployments/{deployment['id']}/create_flow_run")
            ended = ask("GET", f"/flow_runs/{run['id']}", lambda found: found["state"]["type"] in ENDS)["state"]
            assert ended["type"] == "COMPLETED", (ended, log.read_text("utf-8", "replace")[-3000:])
