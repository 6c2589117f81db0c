"""`veritas export` of a paper's audit: every form, by id, beginning and `latest`."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.cli.conftest import Veritas
from tests.papers.pump_papers import write_paper
from veritas.papers.audit_exports import node_table, scoring_of
from veritas.papers.audit_runs import load_audit
from veritas.scoring.graph_exports import node_matrix


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one audit."""
    from veritas.cli import main

    place = tmp_path_factory.mktemp("export")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERITAS_HOME", str(place / "home"))
        with pytest.raises(SystemExit) as ended:
            main(["paper", str(write_paper(place)), "-q", "--graphs", "1", "--seed", "5"])
        assert not ended.value.code
    return place / "home"


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(home))


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_all_of_an_audit_is_written_and_says_the_same_everywhere(tmp_path: Path, veritas: Veritas, home: Path) -> None:
    ended = veritas("export", "latest", "--audit", "--format", "all", "--out", tmp_path / "out")
    assert ended.code == 0
    names = [Path(line).name for line in ended.out.splitlines()]
    assert names == [
        "report.html", "audit.json", "graph.graphml", "graph.svg", "nodes.csv", "edges.csv", "matrices.npz",
        "walks.txt",
    ]  # fmt: skip
    audit = load_audit("latest", home)
    ids = [node["id"] for node in audit.graph_document()["nodes"]]
    nodes = rows_of(tmp_path / "out" / "nodes.csv")
    edges = rows_of(tmp_path / "out" / "edges.csv")
    assert [node["id"] for node in nodes] == ids
    assert [node["text"] for node in nodes] == [audit.node(name).text for name in ids]
    drawn = ElementTree.parse(tmp_path / "out" / "graph.graphml").getroot()
    names_of_edges = [(e.get("source"), e.get("target")) for e in drawn.iter() if e.tag.endswith("edge")]
    assert [(edge["parent"], edge["child"]) for edge in edges] == names_of_edges
    with np.load(tmp_path / "out" / "matrices.npz") as loaded:  # no pickle is needed
        assert loaded["node_values"].shape == loaded["node_mask"].shape == (len(ids), 16)
        assert sorted(loaded["node_rows"].tolist()) == sorted(ids)
        assert loaded["edge_rows"].tolist() == [f"{edge['parent']}->{edge['child']}" for edge in edges]
        assert loaded["edge_columns"].tolist()[-1] == "confidence"
        assert len(loaded["fingerprint"]) == len(loaded["fingerprint_names"]) == 121
    pairs = {(edge["parent"], edge["child"]) for edge in edges}
    walks = [line.split() for line in (tmp_path / "out" / "walks.txt").read_text().splitlines()]
    assert len(walks) == 10 * len(ids)
    assert all(pair in pairs for walk in walks for pair in pairwise(walk))


def test_matrices_that_cannot_be_written_leave_what_was_there(tmp_path: Path, veritas: Veritas) -> None:
    (tmp_path / "kept").write_text("mine")
    ended = veritas("export", "latest", "--audit", "-f", "matrices", "--out", tmp_path / "kept" / "m.npz")
    assert (ended.code, ended.out) == (3, "")
    assert "m.npz cannot be written" in ended.err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("kept", "mine")]
    assert veritas("export", "latest", "--audit", "-f", "matrices", "--out", tmp_path / "new" / "n.npz").code == 0
    with np.load(tmp_path / "new" / "n.npz") as loaded:
        assert loaded["node_values"].size


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("latest --audit -f matrices", "name a file with --out"),
        ("latest --audit -f all", "name a folder with --out"),
        ("latest --audit -f markdown", "is of research runs"),
        ("nothing --audit", "no audit 'nothing'"),
    ],
)
def test_what_cannot_be_written_is_refused_in_words(arguments: str, said: str, veritas: Veritas) -> None:
    ended = veritas("export", *arguments.split())
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_a_table_holds_hostile_text_as_text(home: Path) -> None:
    audit = load_audit("latest", home)
    first = audit.nodes[0].model_copy(update={"text": '=HYPERLINK("http://x","y"),\n"quoted"\x00'})
    changed = audit.model_copy(update={"nodes": (first, *audit.nodes[1:])})
    rows = list(csv.DictReader(io.StringIO(node_table(changed, scoring_of(changed)))))
    text = next(row["text"] for row in rows if row["id"] == first.id)
    assert text.startswith("'=HYPERLINK(")
    assert "\n" not in text
    assert len(rows) == len(node_matrix(scoring_of(changed).graph).rows)
