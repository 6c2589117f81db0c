"""`veritas tier`: exact JSON lines, exit codes, and standard input."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests import preloaded
from veritas.cli.app import app

KEYS = ["url", "tier", "paywalled", "admitted", "justification", "rule"]
NATURE = "https://www.nature.com/articles/s41586-1"


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["tier", *args], input=stdin)


def lines(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_json_is_one_line_a_url_with_exactly_these_keys_in_this_order() -> None:
    found = lines(run("--json", NATURE, "https://en.wikipedia.org/wiki/X", "https://example.org"))
    assert [list(line) for line in found] == [KEYS] * 3
    assert found[0] == {
        "url": NATURE,
        "tier": 1,
        "paywalled": True,
        "admitted": True,
        "justification": "Nature Portfolio: peer-reviewed work, read by subscription",
        "rule": "default/journals-subscription: nature.com/articles",
    }
    assert (found[1]["tier"], found[1]["admitted"]) == ("wikipedia", False)
    assert (found[2]["tier"], found[2]["admitted"]) == (4, False)


def test_a_dash_reads_urls_from_standard_input_one_a_line() -> None:
    found = lines(run("-", "--json", stdin=f"{NATURE}\r\n\n  \nhttps://nih.gov"))
    assert [line["url"] for line in found] == [NATURE, "https://nih.gov"]


def test_a_url_cannot_speak_to_the_terminal() -> None:
    result = run("https://nih.gov/\x1b[2J\u202e")
    assert "\x1b" not in result.stdout
    assert "\\x1b" in result.stdout


def test_a_policy_of_ones_own_decides(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ngroups: {g: {tier: 2, why: trusted, sites: {example.org: Example}}}\n")
    (found,) = lines(run("--json", "https://example.org", "--policy", str(path)))
    assert (found["tier"], found["rule"]) == (2, "mine/g: example.org")


@pytest.mark.parametrize("content", [None, "", "name: x\nname: y\n", "name: x\nextends: nowhere\n", "[", "\x00"])
def test_a_bad_policy_ends_with_2_and_names_the_file(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "mine.yaml"
    if content is not None:
        path.write_text(content)
    done = _process("tier", NATURE, "--json", "--policy", str(path))
    assert done.returncode == 2
    assert done.stdout == ""
    assert "mine.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def _process(*args: str) -> subprocess.CompletedProcess[str]:
    return preloaded.run(["-c", "import sys; from veritas.cli import main; main(sys.argv[1:])", *args])
