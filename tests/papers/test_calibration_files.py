"""`veritas calibrate` and the files it reads: runs of either kind, labels of either kind, and what is refused."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.calibration import planted_papers
from tests import preloaded
from veritas import InputError
from veritas.documents.paper_parts import Identity, Place
from veritas.papers.audit import AuditEdge, AuditNode, Metric, PaperAudit, SampledGraph
from veritas.papers.calibration.labelled_papers import read_runs
from veritas.papers.calibration.paper_labels import labelled, read_labels
from veritas.scoring.roles import METRICS


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def runs(path: Path, lines: list[Any]) -> Path:
    return written(path, "\n".join(map(json.dumps, lines)))


def graph(value: Any = 0.5) -> dict[str, Any]:
    half = dict.fromkeys(METRICS, 0.5)
    metrics = [dict.fromkeys(METRICS, v) for v in value] if isinstance(value, list) else dict.fromkeys(METRICS, value)
    return {
        "nodes": [
            {"id": "h", "role": "Hypothesis", "text": "one", "parents": [], "metrics": metrics},
            {"id": "c", "role": "Conclusion", "text": "three", "parents": ["h"], "metrics": half},
        ]
    }


def test_lines_of_one_paper_are_its_graphs_and_lists_of_metrics_its_samples(tmp_path: Path) -> None:
    lines = [{"paper": "A", "graph": graph()}, {"paper": "a", "graph": graph([0.2, 0.4, 0.9])}]
    lines.append({"case": "B", "graph": graph()})
    papers, problems = read_runs(runs(tmp_path / "runs.jsonl", lines))
    assert [(paper.name, len(paper.graphs)) for paper in papers] == [("A", 2), ("B", 1)]
    assert papers[0].graphs[1].metrics[:, 0, 0].tolist() == [0.2, 0.4, 0.9]
    assert papers[0].graphs[1].metrics[:, 1, 0].tolist() == [0.5] * 3
    assert papers[0].content == papers[1].content
    assert not problems


def test_a_folder_is_read_whole_and_a_broken_graph_is_left_out_by_name(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    runs(tmp_path / "deep" / "one.json", [graph()])
    broken = graph()
    broken["nodes"][0]["parents"] = ["c"]
    wrong = graph([0.1, "high"])
    runs(tmp_path / "more.jsonl", [{"paper": "loop", "graph": broken}, {"paper": "odd", "graph": wrong}])
    papers, problems = read_runs(tmp_path)
    assert [paper.name for paper in papers] == ["one"]
    assert any("cycle" in problem for problem in problems)
    assert any("loop: left out" in problem for problem in problems)
    assert any("no number" in problem for problem in problems)


def audit_of(**identity: Any) -> PaperAudit:
    """An audit with a sound graph, assessed twice, and one with a cycle."""

    def node(name: str, role: str, value: float) -> AuditNode:
        metric = Metric(value=value, samples=(value - 0.1, value + 0.1), why="seen")
        metrics = dict.fromkeys(METRICS, metric)
        place = Place(start=0, end=6)
        return AuditNode(id=name, role=role, base_role=role, text=f"text {name}", place=place, metrics=metrics)

    return PaperAudit(
        audit_id="audit-1",
        paper=Identity(**({"url": "file:///p.pdf", "document_id": "d", "characters": 900} | identity)),
        mode="academic",
        seed=0,
        rules="veritas",
        nodes=(node("h", "Hypothesis", 0.5), node("c", "Conclusion", 0.7)),
        graphs=(
            SampledGraph(index=0, seed=0, extractor="e", nodes=("h", "c"), edges=(AuditEdge(parent="h", child="c"),)),
            SampledGraph(index=1, seed=1, extractor="e", errors=("the edges form a cycle",)),
        ),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_a_paper_audit_is_read_with_its_graphs_samples_and_names(tmp_path: Path) -> None:
    audit = audit_of(title="On Pumps", doi="10.1/x")
    path = written(tmp_path / "pumps.json", audit.model_dump_json())
    papers, problems = read_runs(path)
    assert papers[0].names[:2] == ("10.1/x", "On Pumps")
    assert {"audit-1", "pumps"} <= set(papers[0].names)
    assert papers[0].graphs[0].metrics[:, 0, 0].tolist() == pytest.approx([0.4, 0.6])
    assert len(papers[0].graphs) == 1
    assert "cycle" in problems[0]


@pytest.mark.parametrize("label", ["tex/P.tex", "p.tex", "p", "On Pumps", "audit-1"])
def test_an_audit_answers_to_the_name_of_its_file(label: str, tmp_path: Path) -> None:
    written(tmp_path / "audit.json", audit_of(title="On Pumps", asked="tex/p.tex").model_dump_json())
    runs(tmp_path / "more.jsonl", [{"paper": "other", "graph": graph()}])
    papers, _ = read_runs(tmp_path)
    chosen, labels, problems = labelled(papers, {label.casefold(): 1.0, "other": 0.0})
    assert (len(chosen), problems) == (2, [])
    assert dict(zip((paper.name for paper in chosen), labels.values, strict=True)) == {"On Pumps": 1.0, "other": 0.0}


def test_words_that_led_to_a_paper_are_no_name_of_a_file(tmp_path: Path) -> None:
    given = audit_of(title="On Pumps", asked="oil and/or air. and so on", how_found="search")
    papers, _ = read_runs(written(tmp_path / "audit.json", given.model_dump_json()))
    assert papers[0].names == ("On Pumps", "file:///p.pdf", "oil and/or air. and so on", "audit-1", "audit")


def test_a_label_that_may_be_of_two_papers_is_refused(tmp_path: Path) -> None:
    for title, asked in (("On Pumps", "a/paper.tex"), ("On Seals", "b/paper.tex")):
        written(tmp_path / f"{title}.json", audit_of(title=title, asked=asked).model_dump_json())
    papers, _ = read_runs(tmp_path)
    assert len(papers) == 2
    with pytest.raises(InputError, match=r"'paper.tex' may be that of 2 papers, 'On Pumps' and 'On Seals'"):
        labelled(papers, {"paper.tex": 1.0, "on seals": 0.0})
    chosen, _, _ = labelled(papers, {"a/paper.tex": 1.0, "on seals": 0.0})
    assert len(chosen) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paper,label\nA,1\nB,0\n", {"a": 1.0, "b": 0.0}),
        ("id;rating\nA;Good\nB;Bad\nC;Neutral\n", {"a": 2.0, "b": 0.0, "c": 1.0}),
        ('{"case": "A", "label": true}\n{"case": 7, "label": 0.25}\n', {"a": 1.0, "7": 0.25}),
        ("\ufefftitle\tscore\n\u00dcber Pumpen\t-3e-1\n\n", {"\u00fcber pumpen": -0.3}),
    ],
)
def test_labels_are_read_from_csv_and_json_lines(tmp_path: Path, text: str, expected: dict[str, float]) -> None:
    assert read_labels(written(tmp_path / "labels", text)) == expected


def test_words_without_a_known_order_need_one(tmp_path: Path) -> None:
    path = written(tmp_path / "labels.csv", "paper,label\nA,fair\nB,poor\n")
    with pytest.raises(InputError, match="--order"):
        read_labels(path)
    assert read_labels(path, ["poor", "fair"]) == {"a": 1.0, "b": 0.0}
    with pytest.raises(InputError, match="one of poor, good"):
        read_labels(path, ["poor", "good"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing"),
        ("paper,label\n", "no label"),
        ("paper,mark\nA,1\n", "names no column"),
        ("paper,label\nA,1\na,0\n", "second label"),
        ("paper,label\n,1\n", "no name"),
        ("paper,label\nA,nan\n", "not a number"),
        ('{"paper": "A"}\n', "line 1"),
        ('{"paper": "A", "label": 1}\n[', "line 2"),
    ],
)
def test_labels_that_cannot_be_read_say_what_and_where(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_labels(written(tmp_path / "labels", text))


def test_what_has_no_other_half_is_named(tmp_path: Path) -> None:
    papers, _ = read_runs(runs(tmp_path / "r.jsonl", [{"paper": p, "graph": graph()} for p in "ABC"]))
    chosen, labels, problems = labelled(papers, {"a": 1.0, "b": 0.0, "z": 1.0})
    assert [paper.name for paper in chosen] == ["A", "B"]
    assert labels.values.tolist() == [1.0, 0.0]
    assert problems == ["C: left out, it has no label", "z: labelled, but not among the runs"]
    with pytest.raises(InputError, match="2 of 3 papers have a label, and not two different"):
        labelled(papers, {"a": 1.0, "b": 1.0})


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return preloaded.run(["-m", "veritas", "calibrate", *arguments])


def test_the_command_gives_one_document_and_a_policy_that_score_reads(tmp_path: Path) -> None:
    lines, labels = planted_papers(24, 2.0, seed=0, nodes=8)
    given = runs(tmp_path / "runs.jsonl", lines)
    marks = written(tmp_path / "labels.csv", "paper,label\n" + "".join(f"{k},{v}\n" for k, v in labels.items()))
    out = tmp_path / "made" / "scorer.yaml"
    options = ("--labels", marks, "--settings", "40", "--out", out, "--json")
    done = run(given, *options)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["papers"] == 24
    assert report["label_counts"] == {"0": 12, "1": 12}
    assert report["measure"] == "auroc"
    assert [each["stage"] for each in report["stages"]] == ["default", "dense", "refine", "sparse"]
    assert "veritas: " in done.stderr
    again = json.loads(run(given, *options).stdout)
    assert again | {"seconds": 0} == report | {"seconds": 0}
    scored = preloaded.run(["-m", "veritas", "score", "--weights", out, "--json"], given=given.read_text("utf-8"))
    assert scored.returncode == 0, scored.stderr
    assert len(scored.stdout.splitlines()) == 24


def test_wrong_input_ends_in_exit_code_two_with_a_line(tmp_path: Path) -> None:
    given = runs(tmp_path / "runs.jsonl", [{"paper": p, "graph": graph()} for p in "ABCD"])
    marks = written(tmp_path / "labels.csv", "paper,label\nA,1\nB,0\nC,1\nD,0\n")
    for arguments, said in (
        ((given, "--labels", marks, "-q"), "too few labels"),
        ((given, "--labels", tmp_path / "none.csv"), "cannot be read"),
        ((tmp_path / "none", "--labels", marks), "cannot be read"),
        ((tmp_path / "labels.csv", "--labels", marks), "not JSON"),
    ):
        done = run(*arguments)
        assert done.returncode == 2, (arguments, done.stderr)
        assert said in done.stderr
        assert not done.stdout
