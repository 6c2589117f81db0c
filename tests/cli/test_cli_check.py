"""`veritas check` as a program: output contracts and exit codes."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from tests import in_process
from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    write_artifact(artifact(), root / "docs" / "citations", SLUG)
    (root / "a.py").write_text(f"# see docs/citations/{SLUG}.md\n", encoding="utf-8")
    return root


def veritas(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    ended = in_process.veritas("check", *arguments, cwd=cwd)
    return subprocess.CompletedProcess(ended.args, ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def test_a_good_tree_ends_in_zero_and_says_little(tree: Path) -> None:
    done = veritas(cwd=tree)
    assert (done.returncode, done.stdout) == (0, "")
    assert "all citations hold; 1 citation, 1 artifact, " in done.stderr


def test_citations_of_latex_that_were_not_looked_up_never_hold(tmp_path: Path) -> None:
    (tmp_path / "t.tex").write_text("As \\cite{nobody2024} says.\n", encoding="utf-8")
    done = veritas("t.tex", cwd=tmp_path)
    assert (done.returncode, "hold" in done.stderr) == (3, False)
    assert "0 errors, 0 warnings; citations not looked up; 1 citation, 0 artifacts, 1 file, " in done.stderr
    (tmp_path / "t.tex").write_text("Nobody says so.\n", encoding="utf-8")
    done = veritas("t.tex", cwd=tmp_path)
    assert (done.returncode, "hold" in done.stderr) == (0, False)
    assert "no citation was found" in done.stderr


def test_json_is_one_document_and_nothing_else(tree: Path) -> None:
    (tree / "b.py").write_text("x = 1\n# see docs/citations/gone.md\n", encoding="utf-8")
    done = veritas("--json", cwd=tree)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert (document["ok"], document["files"], document["links"], document["artifacts"]) == (False, 3, 2, 1)
    assert document["findings"] == [
        {
            "path": "b.py",
            "line": 2,
            "column": 7,
            "rule": "missing-artifact",
            "level": "error",
            "message": "docs/citations/gone.md: there is no such artifact",
            "artifact": "docs/citations/gone.md",
        }
    ]


def test_sarif_names_rule_and_line(tree: Path, tmp_path: Path) -> None:
    (tree / "b ä.py").write_text("\n\n# research: nobody\n", encoding="utf-8")
    where = tmp_path / "out.sarif"
    done = veritas("--sarif", str(where), cwd=tree)
    assert done.returncode == 1
    assert "b ä.py:3:3: error:" in done.stdout
    run = json.loads(where.read_text(encoding="utf-8"))["runs"][0]
    result = run["results"][0]
    assert result["ruleId"] == "veritas/no-artifact"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "veritas/no-artifact"
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("b%20%C3%A4.py", 3)


def test_a_path_that_is_not_there_is_wrong_usage(tree: Path) -> None:
    done = veritas("absent", cwd=tree)
    assert done.returncode == 2
    assert "no such file" in done.stderr


def test_terminal_control_in_a_file_name_is_shown_not_obeyed(tree: Path) -> None:
    (tree / "a\x1b[31m.py").write_text("# see docs/citations/gone.md\n", encoding="utf-8")
    assert "\x1b" not in veritas(cwd=tree).stdout


def test_a_thousand_files_take_well_under_a_second(tree: Path) -> None:
    for number in range(1000):
        folder = tree / f"d{number % 20}"
        folder.mkdir(exist_ok=True)
        (folder / f"m{number}.py").write_text(f"# see docs/citations/{SLUG}.md\n" + "x = 1\n" * 100, encoding="utf-8")
    from veritas.citations.checking.check import check

    begun = time.process_time()
    report = check([tree])
    assert report.links == 1001
    assert time.process_time() - begun < 1
