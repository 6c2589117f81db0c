"""Documents name places: files, functions, headings, numbers of a policy. Each is there, and says what is said."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import preloaded

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").glob("*.md")),
]
_FENCE = re.compile(r"^(?P<mark>```+|~~~+).*?^(?P=mark)", re.DOTALL | re.MULTILINE)


def _prose(page: Path) -> str:
    """The page without its blocks of code: a line of a shell script is no heading, and an index no link."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """The headings of a page as links name them, on the usual forge and on the documentation site."""
    titles = re.findall(r"^#{1,6} +(.+?) *$", _prose(page), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_are_there(page: Path) -> None:
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
            wrong.append(target)
    assert wrong == []


def test_every_folder_of_tests_is_named_and_there() -> None:
    named = set(re.findall(r"`tests/(\w+)`", _prose(ROOT / "CONTRIBUTING.md")))
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")} | {"loopback"}
    assert named == folders


@pytest.mark.parametrize("page", ["docs/invariants.md", "docs/architecture.md", "CONTRIBUTING.md"])
def test_files_and_functions_that_are_named_are_there(page: str) -> None:
    named = re.findall(r"`((?:veritas|tests|tasks|flows|benchmarks)/[\w/.-]+?\.py)(?:::(\w+))?`", _prose(ROOT / page))
    assert named
    for file, name in named:
        assert (ROOT / file).is_file(), f"{page} names {file}"
        if name:
            text = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"\b(def|class) {name}\b", text), f"{page} names {file}::{name}"


def test_every_invariant_has_its_tests() -> None:
    text = (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (I\d+): .*$", text, flags=re.MULTILINE)[1:]
    assert parts[::2] == [f"I{i}" for i in range(1, 11)]
    tried = (ROOT / "tests" / "answers" / "test_invariants.py").read_text(encoding="utf-8")
    for number, body in zip(parts[::2], parts[1::2], strict=True):
        assert "Tried by" in body
        if f"`test_{number.lower()}_…`" in body or number != "I9":
            assert f"test_{number.lower()}_" in tried


@pytest.mark.slow
def test_the_answer_in_the_readme_is_the_one_the_demo_gives(own_home: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```text\n(What is the overhead.*?)```", readme, re.DOTALL | re.MULTILINE)
    assert shown
    ended = preloaded.run(["-m", "veritas", "demo", "-q"], cwd=ROOT, env={**os.environ, "COLUMNS": "100"})
    assert ended.returncode == 0, ended.stderr
    # How many packages are installed differs from one environment to the next; what is answered does not.
    answer = shown[1].partition(" sources found")[0].rpartition("\n")[0]
    assert answer in ended.stdout


def test_what_passes_before_a_change_lands_begins_with_the_commands_of_the_readme() -> None:
    shown = re.search(r"## Two commands$.*?^```sh\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.M)
    assert shown
    commands = re.findall(r"^make .*", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    carried_out = [re.split(r" WORKERS=| \|\||  #", command)[0] for command in commands]
    typed = [line.partition("  ")[0] for line in shown[1].splitlines()]
    assert [command for command in carried_out if command in typed] == typed


def _rows(text: str, head: str) -> list[list[str]]:
    """The cells of the table that begins with the header line `head`."""
    lines = text.partition(head)[2].splitlines()[2:]
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    assert rows, head
    return rows


def _mix(cell: str) -> dict[str, float]:
    return {name: float(weight) for name, weight in (part.split() for part in cell.split(", "))}


def test_the_tables_of_the_scorer_are_those_of_its_policy() -> None:
    text = (ROOT / "docs" / "specifications.md").read_text(encoding="utf-8")
    policy: dict[str, Any] = yaml.safe_load((ROOT / "policies" / "scorer.yaml").read_text(encoding="utf-8"))
    metrics = ["credibility", "relevance", "evidence_strength", "method_rigor", "reproducibility", "citation_support"]
    quality = {
        role: {metric: float(cell) for metric, cell in zip(metrics, cells, strict=True) if cell}
        for role, *cells in _rows(text, "| role | credibility |")
    }
    assert quality == policy["node_quality"]
    children = ["Claim", "Evidence", "Method", "Result", "Conclusion"]
    priors = {
        role: {child: float(cell) for child, cell in zip(children, cells, strict=True) if cell}
        for role, *cells in _rows(text, "| parent | Claim |")
    }
    assert priors == policy["role_priors"]["pairs"]
    synergy = [
        {"parent": parent, "child": child, "parent_mix": _mix(mine), "child_mix": _mix(theirs)}
        for parent, child, mine, theirs in _rows(text, "| parent | child |")
    ]
    assert synergy == policy["synergy"]
    components = {name.replace(" ", "_"): float(weight) for name, _, weight in _rows(text, "| component | definition")}
    assert components == policy["graph_weights"]


def test_what_docstrings_refer_to_is_in_the_page_of_the_specifications() -> None:
    text = (ROOT / "docs" / "specifications.md").read_text(encoding="utf-8")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "veritas").rglob("*.py")))
    section = r"(?:[IVX]+|\d+\.\d+|[4-9])"
    lists = re.findall(rf"\b[Ss]ections? ({section}(?:(?:, | and | to ){section})*)\b", code)
    named = {part for found in lists for part in re.split(r", | and | to ", found)}
    assert len(named) > 20
    rows = re.findall(r"^\| (?:section )?(\d[\d., ]*)", text, re.MULTILINE)
    there = {n for row in rows for n in re.findall(r"\d+(?:\.\d+)?", row)}
    there |= {*re.findall(r"^\*\*Section ([IVX]+)", text, re.MULTILINE)}
    assert named - there - {n.split(".")[0] for n in there} == set()
    numbers = {int(n) for found in re.findall(r"[Ff]ormulas? ([\d, ando]+)", code) for n in re.findall(r"\d+", found)}
    assert [n for n in sorted(numbers) if f"({n})" not in text] == []


def test_the_cost_tiers_are_those_of_their_policy() -> None:
    text = (ROOT / "docs" / "specifications.md").read_text(encoding="utf-8")
    tiers: dict[str, Any] = yaml.safe_load((ROOT / "policies" / "cost_tiers.yaml").read_text(encoding="utf-8"))["tiers"]
    rows = _rows(text, "| tier | rounds of debate |")
    assert [row[0] for row in rows] == list(tiers)
    for name, rounds, providers, verifier in rows:
        assert len(rounds.split(",")) == tiers[name]["rounds"]
        assert int(providers) == tiers[name]["providers_per_member"]
        assert ("two peers" in verifier) == (tiers[name]["verifier"] == "quorum")
