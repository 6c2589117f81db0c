"""The report of a paper's audit, as text: layout, drawing, files, hostile words, audits without a graph."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paper_sample import HOSTILE, random_audit, sample_audit

from veritas.errors import StoreUnavailable
from veritas.papers.audit import PaperAudit
from veritas.report.paper import render_paper_html, write_paper_report
from veritas.report.paper.graph_layout import layered
from veritas.report.paper.view import PaperView
from veritas.scoring.parameters import read_parameters

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def dags(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    count = draw(st.integers(1, 30))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda p: p[0] < p[1])
    return count, draw(st.lists(pairs, unique=True, max_size=60)) if count > 1 else []


@given(dags())
def test_no_two_nodes_overlap_and_parents_stand_above(dag: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = dag
    layout = layered(count, edges, (100, 40), (20, 30))
    assert sorted(v for layer in layout.layers for v in layer) == list(range(count))
    for layer in layout.layers:
        for a, b in pairwise(layer):
            assert layout.nodes[b][0] - layout.nodes[a][0] >= 120 - 1e-6
    for (u, v), points in zip(edges, layout.edges, strict=True):
        assert layout.nodes[u][1] < layout.nodes[v][1]
        assert points[0] == layout.nodes[u]
        assert points[-1] == layout.nodes[v]
        assert all(a[1] < b[1] for a, b in pairwise(points))
    assert all(50 - 1e-6 <= x <= layout.width - 50 + 1e-6 for x, _ in layout.nodes)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        layered(2, [(0, 1), (1, 0)], (10, 10), (5, 5))


def test_four_files_are_written_and_each_can_be_read(tmp_path: Path) -> None:
    audit = sample_audit()
    assert write_paper_report(audit, tmp_path / "out")["report.html"] == tmp_path / "out" / "report.html"
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"report.html", "audit.json", "graph.svg", "graph.graphml"}
    svg = ElementTree.parse(tmp_path / "out" / "graph.svg").getroot()
    assert len(svg.findall(f".//{SVG}a")) == 16
    assert ElementTree.parse(tmp_path / "out" / "graph.graphml").getroot().tag.endswith("graphml")
    assert PaperAudit.model_validate_json((tmp_path / "out" / "audit.json").read_text()) == audit


def test_a_folder_that_is_a_file_keeps_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreUnavailable):
        write_paper_report(sample_audit(), tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_hostile_words_stay_words() -> None:
    page = render_paper_html(sample_audit())
    assert HOSTILE not in page
    assert page.count("<script") == 4
    assert "&lt;script&gt;document" in page


def test_hidden_characters_of_a_statement_are_written_out() -> None:
    audit = sample_audit()
    first = audit.nodes[0].model_copy(update={"text": "frost\u202e tsorf\u200b"})
    page = render_paper_html(audit.model_copy(update={"nodes": (first, *audit.nodes[1:])}))
    assert "\u202e" not in page.split('id="audit-data"')[0]
    assert "U+202E" in page


def test_an_audit_without_a_graph_says_so_and_has_no_score() -> None:
    audit = sample_audit().model_copy(update={"primary": None, "scorings": (), "uncertainty": None})
    page = render_paper_html(audit)
    assert "No score." in page
    assert 'id="argument"' not in page
    assert "n3 leads to itself" in page


def test_the_same_audit_gives_the_same_page() -> None:
    assert render_paper_html(sample_audit()) == render_paper_html(sample_audit())


def test_every_edge_and_node_of_a_large_graph_is_there() -> None:
    audit = random_audit(300)
    page = render_paper_html(audit)
    assert page.count('data-node="') == 300
    assert page.count('class="row node-row"') == 300
    assert page.count('<tr id="edge-') == len(audit.graphs[0].edges)


@pytest.mark.parametrize("rules", ["paper", "reference", "veritas"])
def test_an_unverified_node_has_bounds_or_nothing(rules: str) -> None:
    view = PaperView(sample_audit(rules), read_parameters())
    unverified = view.nodes[view.place_of["n2"]].trust
    assert unverified == ((0.0, 1.0) if rules == "veritas" else None)
    assert view.agrees
