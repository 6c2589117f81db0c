"""The pre-commit hook and the GitHub Action: what their files say, run as their hosts would run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import preloaded
from tests.citations.artifact_samples import SLUG, artifact
from tests.citations.registry_server import Work, registry_server
from veritas.citations.artifacts import write_artifact

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with an artifact that was verified just now, and a `veritas` on its PATH."""
    from datetime import UTC, datetime

    root = tmp_path / "a project"
    (root / ".git").mkdir(parents=True)
    write_artifact(artifact(verified_at=datetime.now(UTC)), root / "docs" / "citations", SLUG)
    (root / "good code.py").write_text(f"# see docs/citations/{SLUG}.md\n", encoding="utf-8")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "veritas").symlink_to(preloaded.commands() / "veritas")
    return root


def run(project: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{project.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)} | environment,
    )


def step(name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in ACTION["runs"]["steps"] if each.get("name") == name)
    return found


def filled(name: str, runner: Path | None = None, **inputs: str) -> dict[str, str]:
    """The environment of a step as the host fills it in from inputs, their defaults and the runner's own folder."""
    values = {key: str(each.get("default", "")) for key, each in ACTION["inputs"].items()} | inputs
    return {
        key: re.sub(
            r"\$\{\{ *(?:inputs\.([\w-]+)|runner\.temp) *\}\}",
            lambda found: values[found[1]] if found[1] else str(runner),
            value,
        )
        for key, value in step(name)["env"].items()
    }


def test_the_hook_runs_and_fails_a_commit_that_cites_what_is_not_there(project: Path) -> None:
    hook, of_keys = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert of_keys | {each: hook[each] for each in ("id", "name", "description", "entry")} == hook
    assert run(project, of_keys["entry"]).returncode == 0
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("python", False, True)
    assert run(project, hook["entry"]).returncode == 0
    (project / "docs" / "citations" / f"{SLUG}.md").unlink()
    done = run(project, hook["entry"])
    assert done.returncode == 1
    assert "good code.py:1:7: error" in done.stdout


def test_the_action_checks_and_leaves_sarif(project: Path) -> None:
    script, environment = step("Check citations")["run"], filled("Check citations")
    assert run(project, script, **environment).returncode == 0
    (project / "bad.py").write_text("# see docs/citations/gone.md\n", encoding="utf-8")
    assert run(project, script, **environment).returncode == 1
    results = json.loads((project / environment["SARIF"]).read_text(encoding="utf-8"))["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == ["veritas/missing-artifact"]


def test_the_action_verifies_bibliographies_and_leaves_sarif(project: Path) -> None:
    (project / "refs.bib").write_text(
        "@article{made, title={Recursive Lattice Gating for Weather}, author={A, B}, journal={Nature}, year={2020}}\n"
    )
    name = "Verify bibliographies"
    environment = filled(name, project.parent, bibliographies="refs.bib", contact="a@example.org")
    with registry_server(Work(title="Something else entirely in gardens")) as server:
        done = run(project, step(name)["run"], **server.environment() | environment)
    assert done.returncode == 1, done.stderr
    results = json.loads((project / environment["SARIF"]).read_text(encoding="utf-8"))["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == ["veritas/fabricated"]
    for each in ("Take the registries' answers of earlier runs", "Keep the registries' answers"):
        kept = Path(step(each)["with"]["path"].replace("${{ runner.temp }}", str(project.parent)))
        assert any(kept.iterdir()), "what the action keeps is where the answers are"


def test_the_action_uploads_the_sarif_that_its_steps_write() -> None:
    uploads = [each for each in ACTION["runs"]["steps"] if "upload-sarif" in each.get("uses", "")]
    written = [step(name)["env"]["SARIF"] for name in ("Check citations", "Verify bibliographies")]
    assert [each["with"]["sarif_file"] for each in uploads] == written
    assert len({each["with"]["category"] for each in uploads}) == 2
    assert all("!cancelled()" in each["if"] and each["continue-on-error"] for each in uploads)
