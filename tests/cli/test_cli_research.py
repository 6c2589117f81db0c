"""research, replay, runs, show, export and diff, as a person or a script calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Veritas
from tests.pumps import QUESTION
from veritas import ClaimGraph


def test_answer_is_on_the_terminal_with_the_report_under_it(veritas: Veritas, corpus: Path, own_home: Path) -> None:
    ended = veritas("research", QUESTION, "--corpus", corpus, "--tier", "deep")
    assert ended.code == 0
    assert "40 litres" in ended.out
    assert "900 litres" not in ended.out
    report = Path(next(line for line in ended.out.splitlines() if line.startswith("Report:")).split(maxsplit=1)[1])
    assert report.is_file()
    assert report.is_relative_to(own_home)
    for stage in ("decompose", "research", "extract", "verify", "debate", "synthesize", "render"):
        assert stage in ended.err


def test_json_on_stdout_is_the_claim_graph_and_nothing_else(veritas: Veritas, corpus: Path) -> None:
    ended = veritas("research", QUESTION, "-c", corpus, "--json")
    graph = ClaimGraph.model_validate(ended.json)
    assert graph.answer.status == "answered"
    assert len(ended.out.splitlines()) == 1


def test_ask_prints_the_answer_and_its_sources_and_where_the_rest_is(veritas: Veritas, corpus: Path) -> None:
    ended = veritas("ask", QUESTION, "-c", corpus, "-q")
    assert ended.code == 0
    assert "40 litres" in ended.out
    assert "References" in ended.out
    assert QUESTION not in ended.out
    assert ended.out.splitlines()[-1].startswith("How it was checked: veritas show ")


def test_what_nothing_answers_shows_the_closest_and_exits_with_0(veritas: Veritas, corpus: Path) -> None:
    ended = veritas("research", "Who won the chess championship of Ruritania?", "-c", corpus, "--json")
    assert ended.code == 0
    assert ended.json["answer"]["status"] == "closest_passages"
    assert ended.json["answer"]["brief"]["passages"]
    empty = veritas("research", "What is it?", "-c", corpus, "--json")
    assert (empty.code, empty.json["answer"]["status"]) == (0, "insufficient_evidence")
    assert empty.json["answer"]["reason"]


def test_several_questions_give_a_json_line_each(veritas: Veritas, corpus: Path, tmp_path: Path) -> None:
    listed = tmp_path / "questions.txt"
    listed.write_text(f"# of pumps\n{QUESTION}\n\nDoes the Borealis pump need oil?\n", encoding="utf-8")
    ended = veritas("research", "--questions", listed, "-c", corpus, "--tier", "quick", "--json")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert [line["run"]["question"] for line in lines] == [QUESTION, "Does the Borealis pump need oil?"]


def test_same_seed_gives_the_same_graph(veritas: Veritas, corpus: Path) -> None:
    graphs = [
        ClaimGraph.model_validate(veritas("research", QUESTION, "-c", corpus, "--seed", s, "--json", "-q").json)
        for s in (3, 3)
    ]
    assert graphs[0].content_hash() == graphs[1].content_hash()


def test_run_can_be_listed_shown_exported_replayed_and_compared(
    veritas: Veritas, corpus: Path, tmp_path: Path
) -> None:
    graph = veritas("research", QUESTION, "-c", corpus, "--tier", "quick", "--json", "-q").json
    run = graph["run"]["run_id"]
    assert run in veritas("runs").out
    assert [json.loads(line)["run_id"] for line in veritas("runs", "--json").out.splitlines()] == [run]
    assert veritas("show", run[:12], "--json").json == graph
    assert "40 litres" in veritas("show").out
    (cited,) = {r["url"] for r in graph["answer"]["bibliography"] if r["number"] == 1}
    whole = veritas("show", run, "--reference", 1).out
    assert cited in whole.split("\n")
    assert "\n  > " in whole
    assert "has no reference 99" in veritas("show", run, "-r", 99).err
    assert veritas("export", run, "--json").json == graph
    assert veritas("export", run, "-f", "markdown", "-o", tmp_path / "a.md").code == 0
    assert (tmp_path / "a.md").read_text(encoding="utf-8").startswith(f"# {QUESTION}")
    page = veritas("export", run, "-f", "html").out
    assert "<!doctype html>" in page.lower()[:200]
    assert '<section class="document"' in page
    listed = veritas("export", run, "-f", "parquet", "-o", tmp_path / "tables").out.splitlines()
    assert {"claims.parquet", "sources.parquet"} <= {Path(line).name for line in listed}

    child = veritas("replay", "latest", "--from", "decompose", "--tier", "deep", "--json", "-q").json
    assert child["run"]["parent_run_id"] == run
    compared = veritas("diff", run, child["run"]["run_id"], "--json").json
    assert compared["settings"]["tier"] == ["quick", "deep"]
    assert "lenses" in {cause["id"] for cause in compared["causes"]}
    assert veritas("diff", run, run, "--exit-code").code == 0
    assert veritas("diff", run, child["run"]["run_id"], "--exit-code").code == 1


def test_replay_under_another_policy_loses_what_it_bars(veritas: Veritas, corpus: Path, tmp_path: Path) -> None:
    graph = veritas("research", QUESTION, "-c", corpus, "--tier", "quick", "--json", "-q").json
    assert "https://spectrum.ieee.org/borealis-pump-test" in {c["citations"][0]["url"] for c in graph["claims"]}
    policy = tmp_path / "no-ieee.yaml"
    policy.write_text(
        "name: no-ieee\nabout: without one magazine\nextends: default\ngroups:\n  barred:\n    tier: 4\n"
        "    why: barred in this house\n    sites:\n      spectrum.ieee.org: IEEE Spectrum\n",
        encoding="utf-8",
    )
    ended = veritas("replay", "latest", "--from", "verify", "--policy", policy, "--json", "-q")
    if ended.code == 2:
        pytest.fail(ended.err)
    urls = {c["url"] for claim in ended.json["claims"] for c in claim["citations"]}
    assert "https://spectrum.ieee.org/borealis-pump-test" not in urls
    assert any("new policy" in e["reason"] for e in ended.json["events"])


def test_answer_is_said_where_its_report_cannot_be_written(veritas: Veritas, corpus: Path, own_home: Path) -> None:
    own_home.mkdir(exist_ok=True)
    (own_home / "reports").write_text("in the way of the folder", encoding="utf-8")
    ended = veritas("research", QUESTION, "--corpus", corpus)
    assert ended.code == 3
    assert "40 litres" in ended.out
    assert "Report: not written" in ended.out
    assert "The run itself is stored: veritas show" in ended.err
    shown = veritas("show", "latest")
    assert shown.code == 3
    assert "40 litres" in shown.out
    assert "cannot be written" in shown.err


@pytest.mark.parametrize("setting", [("--budget", "1"), ("--tier", "deep"), ("--corpus", "docs")])
def test_a_setting_beside_resume_is_refused_and_not_left_aside(
    setting: tuple[str, str], veritas: Veritas, own_home: Path
) -> None:
    ended = veritas("research", "--resume", "latest", *setting)
    assert ended.code == 2
    assert f"{setting[0]} has no effect with --resume" in ended.err
