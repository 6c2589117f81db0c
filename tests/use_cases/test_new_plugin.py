"""`veritas plugin new`: for each kind a package that installs and passes its own test at once."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import preloaded
from veritas import InputError
from veritas.use_cases.plugin_listing import KINDS, write_plugin

NAMES = {"search-provider": "two-worda", "lens": "two-wordb"}
"""Of nine letters, as long as the lines of the templates allow."""


def install(packages: list[Path], site: Path) -> None:
    """Installs the packages into a folder: by pip where its build backend is at hand, else as pip would leave them."""
    if importlib.util.find_spec("hatchling") is not None:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
        subprocess.run([*pip, "--target", site, *packages], check=True, capture_output=True, timeout=300)
        return
    for package in packages:
        project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
        name, version = project["name"], project["version"]
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = [
            line
            for group, points in project["entry-points"].items()
            for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
        ]
        (info / "entry_points.txt").write_text("\n".join(lines))
        for module in package.glob("*.py"):
            (site / module.name).write_text(module.read_text())


def test_new_plugins_of_each_kind_install_load_and_pass_their_own_tests(tmp_path: Path) -> None:
    packages = {}
    for kind in KINDS:
        packages[kind], *written = write_plugin(kind, NAMES[kind], tmp_path)
        assert written
        assert all(path.exists() for path in written)
    site = tmp_path / "site"
    install(list(packages.values()), site)
    environment = {**os.environ, "PYTHONPATH": str(site), "VERITAS_HOME": str(tmp_path / "home")}

    def ran(*arguments: object) -> str:
        ended = preloaded.run(arguments, cwd=tmp_path, env=environment)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    for package in packages.values():  # each as its author does, alone
        assert " passed" in ran("-m", "pytest", "-q", "-p", "no:cacheprovider", package)
    listed = json.loads(ran("-m", "veritas", "plugins", "--json"))["plugins"]
    for kind, package in packages.items():
        (own,) = [each for each in listed if each["package"] == package.name]
        assert (own["seam"], own["problem"]) == (kind.replace("-", "_"), None)
    if importlib.util.find_spec("ruff") is not None:
        # 120 columns as here; how imports are sorted depends on where the package lies.
        rules = ["--isolated", "--line-length", "120", "--select", "E,F,W,UP,B"]
        ran("-m", "ruff", "check", "--no-cache", *rules, *packages.values())


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("telescope", "big", "there is no kind"),
        ("lens", "Shouting Lens", "is no name"),
        ("lens", "../escape", "is no name"),
        ("lens", "embedded", "already"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(kind: str, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        write_plugin(kind, name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    write_plugin("lens", "mine", tmp_path)
    with pytest.raises(InputError, match="there already"):
        write_plugin("search-provider", "mine", tmp_path)
