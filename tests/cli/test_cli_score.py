"""`veritas score` as other programs see it: what goes in, what comes out, and the exit code."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import in_process
from tests.papers.pump_papers import write_paper
from veritas import aio

METRICS = ("credibility", "relevance", "evidence_strength", "method_rigor", "reproducibility", "citation_support")


def node(name: Any, role: str, parents: list[Any], value: float | None = 1.0) -> dict[str, Any]:
    metrics = None if value is None else dict.fromkeys(METRICS, value)
    return {"id": name, "role": role, "text": "", "parents": parents, "children": None, "metrics": metrics}


PAIR = {"nodes": [node(1, "Hypothesis", []), node(2, "Conclusion", [1])]}
CYCLE = {"nodes": [node("a", "Claim", ["b"]), node("b", "Claim", ["a"])]}
SETTING = {"name": "open", "propagation": {"enabled": True, "agg": "mean", "alpha": 1.0, "eta": 0.0}}


def run(*arguments: str, given: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return in_process.veritas("score", *arguments, given=given if isinstance(given, bytes) else given.encode())


def lines(*documents: Any) -> str:
    return "".join(json.dumps(document) + "\n" for document in documents)


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_line_gives_its_case_with_a_result_for_each_setting(tmp_path: Path) -> None:
    line = {
        "case": "one",
        "graph": PAIR,
        "settings": [{"name": "plain"}, SETTING],
        "expected": [],
        "kind": "pair",
        "edges": 3,
    }
    path = tmp_path / "graphs.jsonl"
    path.write_text(lines(line, {"case": "two", "graph": PAIR}) + "\n", encoding="utf-8")
    done = run(str(path), "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    one, two = answers(done)
    assert (one["case"], two["case"]) == ("one", "two")
    assert [result["setting"] for result in one["expected"]] == ["plain", "open"]
    assert set(two["expected"][0]) == {
        "setting", "node_quality", "node_trust", "edge_raw", "edge_gated", "components", "best_path_nodes",
        "best_path_unique", "best_path_strict", "best_path_strict_nodes", "score_raw", "score",
    }  # fmt: skip
    assert two["expected"][0]["best_path_nodes"] == ["1", "2"]
    assert two["expected"][0]["score"] == one["expected"][0]["score"] == pytest.approx(0.57, abs=1e-8)


def test_a_graph_that_cannot_be_scored_says_why_and_the_others_are_scored() -> None:
    bad = {"nodes": [node("a", "Recommendation", ["z"])]}
    done = run(
        "--json",
        given=lines(
            {"case": "c", "graph": CYCLE},
            {"case": "b", "graph": bad},
            {"case": "n", "graph": [1]},
            {"case": "p", "graph": PAIR},
        ),
    )
    assert done.returncode == 1
    cycle, broken, none, good = answers(done)
    assert (cycle["ok"], cycle["expected"], cycle["edges"], cycle["stats"]) == (False, [], [], {})
    assert "cycle" in cycle["errors"][0]
    assert len(broken["errors"]) == 2
    assert none["raises"] == "ValueError"
    assert good["expected"][0]["score"] > 0.5


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"case": "x", "graph": ', b"not JSON"), (b'{"case": "x"}', b'no "graph"'), (b"[" * 100_000, b"line 2"),
        (json.dumps({"graph": PAIR, "settings": [{"edge_weights": {"prior": 1}}]}).encode(), b"prior"),
        (json.dumps({"graph": PAIR, "settings": [{"graph_weights": {"coverage": 1e300}}]}).encode(), b"coverage"),
        (json.dumps({"graph": PAIR, "settings": [{"graph_weights": {"fragility": None}}]}).encode(), b"fragility"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_ends_the_command(line: bytes, said: bytes) -> None:
    done = run("--json", given=lines({"case": "first", "graph": PAIR}).encode() + line + b"\n")
    assert done.returncode == 2
    assert b"line 2" in done.stderr
    assert said in done.stderr
    assert b"Traceback" not in done.stderr
    assert [answer["case"] for answer in answers(done)] == ["first"]


def test_wrong_options_end_in_exit_code_two(tmp_path: Path) -> None:
    weights = tmp_path / "w.yaml"
    weights.write_text("propagation: {agg: least}\n", encoding="utf-8")
    for arguments in (
        ["--rules", "mine"],
        [str(tmp_path / "none.jsonl")],
        ["--weights", str(weights)],
        [str(tmp_path)],
    ):
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert b"Traceback" not in done.stderr


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A paper's audit with three readings, as `veritas paper --json` prints it."""
    folder = tmp_path_factory.mktemp("score")
    made = asyncio.run(aio.audit_paper(str(write_paper(folder)), home=folder / "home", graphs=3))
    return made.model_dump(mode="json")


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("rules", ["veritas", "paper"])
def test_an_audit_is_scored_reading_by_reading_as_it_says_itself(
    audit: dict[str, Any], rules: str, indent: int | None
) -> None:
    done = run("--json", "--rules", rules, given=json.dumps(audit, indent=indent))
    assert (done.returncode, done.stderr) == (0, b"")
    made = answers(done)
    assert [each["shown"] for each in made] == [True, False, False]
    assert made[0]["case"] == f"{audit['audit_id']}, graph {audit['primary']}"
    assert {each["paper"] for each in made} == {audit["paper"]["title"]}
    known = {f"{audit['audit_id']}, graph {s['graph']}": s for s in audit["scorings"] if s["rules"] == rules}
    scored = {each["case"]: each["expected"][0] for each in made}
    assert set(known) <= set(scored)
    assert len(known) == (3 if rules == "veritas" else 1)
    for case, scoring in known.items():
        assert scored[case]["score"] == pytest.approx(scoring["values"]["score"], abs=1e-9)
    shown = run("--rules", rules, given=json.dumps(audit)).stdout.decode()
    assert f"graph {audit['primary']} (shown): {audit['paper']['title']}" in shown
