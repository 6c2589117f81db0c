"""The documents say what is true: their commands run, and nothing that is private stands in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import preloaded

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"(?P<skip><!-- not run here: [^>]+ -->\n)?```(?P<kind>sh|python)\n(?P<body>.*?)```", re.DOTALL)


def blocks(kind: str) -> list[tuple[str, str]]:
    return [
        (page.name, found["body"])
        for page in PAGES
        for found in _BLOCK.finditer(page.read_text(encoding="utf-8"))
        if found["kind"] == kind and not found["skip"]
    ]


def installed(page: str, site: Path) -> dict[str, str]:
    """The page's own modules (blocks that begin with `# my_NAME.py`) and its entry points, as installed packages would
    be; gives what the environment needs to see them."""
    text = next(each for each in PAGES if each.name == page).read_text(encoding="utf-8")
    info = site / "of_the_page-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    for body in (body for name, body in blocks("python") if name == page and body.startswith("# my_")):
        (site / body.split("\n")[0].removeprefix("# ")).write_text(body, encoding="utf-8")
    points: dict[str, dict[str, str]] = {}
    for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
        for group, named in tomllib.loads(block).get("project", {}).get("entry-points", {}).items():
            points.setdefault(group, {}).update(named)
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in named.items()) for group, named in points.items()]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: of-the-page\nVersion: 1.0\n", encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with `veritas` on the path and a store of its own, shared so that later commands find runs."""
    home = tmp_path_factory.mktemp("docs-home")
    path = os.pathsep.join([str(preloaded.commands()), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "VERITAS_HOME": str(home), "TMPDIR": str(home)}
    first = ["research", "How is a claim verified?", "--corpus", str(ROOT / "docs"), "--tier", "quick", "-q"]
    preloaded.run(["-m", "veritas", *first], env=environment).check_returncode()
    return environment


@pytest.mark.parametrize("page", sorted({page for page, _ in blocks("sh")}))
def test_shell_commands_of_the_page_run(page: str, shell: dict[str, str], tmp_path: Path) -> None:
    environment = {**shell, **installed(page, tmp_path)}
    for _, body in [b for b in blocks("sh") if b[0] == page]:
        command = body.replace(" data/", f" {shell['VERITAS_HOME']}/")
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert ended.returncode == 0, f"{page}:\n{body}\n{ended.stderr}"


@pytest.mark.parametrize("page", sorted({page for page, _ in blocks("python")}))
def test_python_of_the_page_runs(page: str, shell: dict[str, str], tmp_path: Path) -> None:
    environment = {**shell, **installed(page, tmp_path)}
    for _, body in [b for b in blocks("python") if b[0] == page]:
        ended = preloaded.run(["-c", body], cwd=ROOT, env=environment)
        assert ended.returncode == 0, f"{page}:\n{body}\n{ended.stderr}"


def test_readme_names_every_command() -> None:
    from veritas.cli.app import COMMANDS

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`{name}`" not in text] == []


def test_no_document_names_an_index_or_a_path_of_a_machine() -> None:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    wrong = []
    hosts = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("registry", "npmjs", "org"))]
    for name in names:
        path = ROOT / name
        if path.suffix in {".md", ".toml", ".yaml", ".yml", ".lock", ".txt"} and path.is_file():
            text = path.read_text(encoding="utf-8")
            wrong += [f"{name}: {host}" for host in hosts if host in text]
            wrong += [f"{name}: {found}" for found in re.findall(r"(?<![\w.])/(?:work|root|home)/\w+", text)]
    assert wrong == []
