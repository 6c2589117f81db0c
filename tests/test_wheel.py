"""The wheels, installed outside the checkout: everything a clone can do, the whole install can do, and the small one
what it is for."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from importlib.util import cache_from_source
from marshal import dumps
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.loopback.prefect_processes import environment, free_port, running
from veritas.version import __version__

pytest.importorskip("hatchling", reason="the build backend is not installed: make .venv/dev")

ROOT = Path(__file__).resolve().parents[1]
WHOLE = ROOT / "deployments" / "veritas-research"
HEAVY = {
    "prefect", "duckdb", "pyarrow", "numpy", "litellm", "docling-slim", "docling-core", "spacy", "pandas",
}  # fmt: skip
MOST = 72_000_000
"""Most bytes of the small install with its bytecode."""
ENDS = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def carried_out(command: Sequence[str], folder: Path) -> str:
    """What a command prints that has to end well."""
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


class Installed:
    """An environment that holds a wheel and nothing else, made without an index."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        carried_out([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], folder)
        python = str(self.bin / "python")
        carried_out([*PIP, "--python", python, "install", "--no-index", "--no-deps", str(wheel)], folder)
        found = carried_out([python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"], folder)
        self.packages = Path(found.strip())

    def environment(self) -> dict[str, str]:
        given = environment(self.folder, free_port(), {"VERITAS_HOME": str(self.folder / "home")})
        for name in ("PREFECT_API_URL", "PREFECT_HOME", "PYTHONPATH"):
            given.pop(name, None)
        return given | {"PATH": os.pathsep.join([str(self.bin), os.environ["PATH"]])}

    def run(self, *command: str) -> str:
        """What a program of the environment prints, started outside the checkout."""
        ended = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel of the code, and that of the whole install."""
    folder = tmp_path_factory.mktemp("wheels")
    build = ["wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder)]
    carried_out([*PIP, *build, str(ROOT), str(WHOLE)], folder)
    (code,), (whole,) = folder.glob("veritas_cite-*.whl"), folder.glob("veritas_research-*.whl")
    return code, whole


@pytest.fixture(scope="module")
def installed(wheels: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The code, with every package of the environment that runs the tests."""
    made = Installed(tmp_path_factory.mktemp("wheel"), wheels[0])
    (made.packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return made


def test_the_wheel_installs_three_packages_and_nothing_else(installed: Installed) -> None:
    (record,) = installed.packages.glob("veritas_cite-*.dist-info/RECORD")
    tops = {line.split("/")[0] for line in record.read_text(encoding="utf-8").splitlines()}
    assert tops - {record.parent.name, ".."} == {"veritas", "veritas_tasks", "veritas_flows"}


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_no_file_lies_in_two_wheels_and_the_whole_one_only_adds_dependencies(wheels: tuple[Path, Path]) -> None:
    code, whole = map(contents, wheels)
    assert set(code) & set(whole) == set()
    assert {name.split("/")[0].rpartition(".")[2] for name in whole} == {"dist-info"}
    (name,) = (name for name in whole if name.endswith("/METADATA"))
    wants = message_from_bytes(whole[name]).get_all("Requires-Dist") or []
    assert [each for each in wants if "extra ==" not in each] == [
        f"veritas-cite[research]=={__version__}", f"veritas-judge=={__version__}"
    ]
    extras = tomllib.loads((WHOLE / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert extras == {extra: [f"veritas-cite[{extra}]=={__version__}"] for extra in extras}
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert own["version"] == message_from_bytes(whole[name])["Version"] == __version__
    assert set(extras) == set(own["optional-dependencies"]) - {"research", "local", "dev", "docs"}


def closure(names: Sequence[str]) -> Iterator[Distribution]:
    """The packages that `names` pull in without any extra, as installed where the tests run."""
    waiting, seen = list(names), set[str]()
    while waiting:
        wanted = Requirement(waiting.pop())
        name = canonicalize_name(wanted.name)
        if name in seen or (wanted.marker is not None and not wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        found = distribution(name)
        yield found
        waiting += found.requires or []


def bytecode(path: Path) -> int:
    """How many bytes Python writes for a module: those of its cache, or else of what it would be."""
    cached = Path(cache_from_source(path))
    return cached.stat().st_size if cached.exists() else len(dumps(compile(path.read_bytes(), path, "exec"))) + 16


def test_the_small_install_checks_and_says_what_more_needs(wheels: tuple[Path, Path], tmp_path: Path) -> None:
    code = contents(wheels[0])
    (name,) = (name for name in code if name.endswith("/METADATA"))
    wants = message_from_bytes(code[name]).get_all("Requires-Dist") or []
    light = list(closure([each for each in wants if "extra ==" not in each]))
    assert {canonicalize_name(each.name) for each in light} & HEAVY == set()
    site = Path(sysconfig.get_paths()["purelib"])
    files = [file for each in light for file in each.files or () if ".." not in file.parts and file.suffix != ".pyc"]
    size = sum((site / file).stat().st_size for file in files)
    size += sum(map(bytecode, (site / file for file in files if file.suffix == ".py")))
    assert "pygls" not in {canonicalize_name(each.name) for each in light}

    small = Installed(tmp_path, wheels[0])
    size += sum(path.stat().st_size for path in small.packages.rglob("*") if path.is_file())  # pip compiled it
    assert size < MOST
    for top in {file.parts[0] for file in files}:
        (small.packages / top).symlink_to(site / top)
    (tmp_path / "a.py").write_text("# see docs/citations/gone.md\n", encoding="utf-8")
    (tmp_path / "a.bib").write_text("@article{a, title={Recursive Lattices}, year={2020}}\n", encoding="utf-8")
    script = (
        "import sys; from veritas.cli import main\n"
        "for given in (['check', 'a.py'], ['bib', '--offline', 'a.bib'], ['research', 'Why?', '--corpus', 'a.py'],"
        "              ['lsp']):\n"
        "    try: main(given)\n"
        "    except SystemExit as ended: print('ended', ended.code)\n"
        "print('heavy', sorted({'prefect', 'duckdb', 'pyarrow', 'numpy', 'litellm', 'docling'} & set(sys.modules)))"
    )
    ended = subprocess.run(
        [str(small.bin / "python"), "-c", script],
        cwd=tmp_path, env=small.environment(), capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    told = [line for line in ended.stdout.splitlines() if line.startswith(("ended", "heavy"))]
    assert told == ["ended 1", "ended 3", "ended 2", "ended 2", "heavy []"], ended.stdout + ended.stderr
    assert "which is not installed: pip install veritas-research, or make install in a checkout\n" in ended.stderr
    assert "the language server needs pygls, which is not installed: pip install 'veritas-cite[editor]'" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_action_installs_what_it_is_told(wheels: tuple[Path, Path], tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (script,) = (each["run"] for each in steps if each.get("name") == "Install")
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_TARGET": str(tmp_path), "PIP_NO_COMPILE": "1"}
    there = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        env=os.environ | offline | {"PATH": there, "SOURCE": "", "GITHUB_ACTION_PATH": str(wheels[0])},
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    assert (tmp_path / "veritas" / "cli" / "check.py").is_file()


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
        (deployment,) = (each for each in made if each["name"] == "quick")
        run = ask("POST", f"/deployments/{deployment['id']}/create_flow_run")
        ended = ask("GET", f"/flow_runs/{run['id']}", lambda found: found["state"]["type"] in ENDS)["state"]
        assert ended["type"] == "COMPLETED", (ended, log.read_text("utf-8", "replace")[-3000:])
