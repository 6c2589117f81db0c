"""`veritas plugin new`: for every kind a package that installs and passes its own test at once."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from veritas import InputError
from veritas.use_cases.new_plugin import KINDS, write_plugin

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"reader": "note"}


def install(package: Path, site: Path) -> None:
    """Installs the package into a folder: by pip where its build backend is at hand, else as pip would leave it."""
    if importlib.util.find_spec("hatchling") is not None:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
        subprocess.run([*pip, "--target", site, package], check=True, capture_output=True, timeout=120)
        return
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    for module in package.glob("*.py"):
        (site / module.name).write_text(module.read_text())


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_plugin_installs_loads_and_passes_its_own_test(kind: str, tmp_path: Path) -> None:
    package, *written = write_plugin(kind, NAMES.get(kind, "two-words"), tmp_path)
    site = tmp_path / "site"
    install(package, site)
    environment = {**os.environ, "PYTHONPATH": str(site), "VERITAS_HOME": str(tmp_path / "home")}

    def ran(*arguments: str) -> str:
        ended = subprocess.run(
            [sys.executable, *arguments], cwd=package, env=environment, capture_output=True, text=True, timeout=300
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    assert " passed" in ran("-m", "pytest", "-q", "-p", "no:cacheprovider", str(package))
    listed = json.loads(ran("-m", "veritas", "plugins", kind, "--json"))["plugins"]
    (own,) = [each for each in listed if each["package"] == package.name]
    assert own["problem"] is None
    if importlib.util.find_spec("ruff") is not None:
        # 120 columns as here; how imports are sorted depends on where the package lies.
        ran("-m", "ruff", "check", "--no-cache", "--isolated", "--line-length", "120", "--select", "E,F,W,UP,B", ".")
    assert all(path.exists() for path in written)


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("telescope", "big", "there is no kind"),
        ("lens", "Shouting Lens", "is no name"),
        ("lens", "../escape", "is no name"),
        ("lens", "embedded", "already"),
        ("reader", "pdf", "already"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(kind: str, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        write_plugin(kind, name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    write_plugin("lens", "mine", tmp_path)
    with pytest.raises(InputError, match="there already"):
        write_plugin("reader", "mine", tmp_path)
