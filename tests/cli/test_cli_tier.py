"""`veritas tier`: exact JSON lines, exit codes, and standard input."""

from __future__ import annotations

import json
import subprocess
import sys
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


def test_the_url_stands_as_it_was_given_and_in_order() -> None:
    urls = ["HTTPS://WWW.Nature.com./x", "nature.com/x", "https://web.archive.org/web/2020/https://nih.gov", ""]
    assert [line["url"] for line in lines(run("--json", *urls))] == urls


def test_a_dash_reads_urls_from_standard_input_one_a_line() -> None:
    found = lines(run("-", "--json", stdin=f"{NATURE}\r\n\n  \nhttps://nih.gov"))
    assert [line["url"] for line in found] == [NATURE, "https://nih.gov"]


def test_bytes_on_standard_input_that_are_no_text_are_a_bad_url() -> None:
    (found,) = lines(run("-", "--json", stdin=b"https://nih.gov/\xff\n"))
    assert found["tier"] == 4


@pytest.mark.parametrize("urls", [("-", NATURE), (NATURE, "-"), ("-", "-")])
def test_a_dash_among_urls_ends_with_2_and_says_that_it_stands_alone(urls: tuple[str, ...]) -> None:
    done = _process("tier", "--json", *urls)
    assert (done.returncode, done.stdout) == (2, "")
    assert "stands alone" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bare_doi_and_arxiv_number_are_classified_as_given() -> None:
    found = lines(run("--json", "10.1038/nature12373", "arXiv:2401.00001"))
    assert [(line["url"], line["tier"]) for line in found] == [("10.1038/nature12373", 1), ("arXiv:2401.00001", 1)]


def test_a_line_separator_of_unicode_does_not_cut_a_json_line_in_two() -> None:
    assert len(run("--json", "https://nih.gov/\u2028x").stdout.splitlines()) == 1


def test_for_people_it_says_tier_reason_and_rule() -> None:
    result = run(NATURE, "https://en.wikipedia.org/wiki/X", "https://www.reddit.com/r/x")
    assert result.exit_code == 0
    for part in ("tier 1, paywalled", "wikipedia, orientation only", "tier 4, rejected", NATURE, "rule: default/f"):
        assert part in result.stdout


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


def test_no_url_ends_with_2() -> None:
    assert run().exit_code == 2
    done = _process("tier", "-", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no URL" in done.stderr


def test_it_loads_nothing_slow() -> None:
    code = (
        "import sys\nfrom veritas.cli import main\n"
        "try: main(['tier', 'https://example.org'])\n"
        "except SystemExit: pass\n"
        "slow = {'prefect', 'litellm', 'docling', 'numpy', 'pyarrow', 'duckdb', 'httpx', 'rich', 'sklearn', 'idna'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def _process(*args: str) -> subprocess.CompletedProcess[str]:
    return preloaded.run(["-c", "import sys; from veritas.cli import main; main(sys.argv[1:])", *args])
