"""The report of a paper's audit, as text: layout, drawing, files, hostile words, audits without a graph."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paper_sample import HOSTILE, random_audit, sample_audit
from test_report_colours import PAIRS, contrast

from veritas.errors import StoreUnavailable
from veritas.papers.audit import PaperAudit
from veritas.papers.flaw import Flaw, OpenPoint
from veritas.report.paper import render_paper_html, write_paper_report
from veritas.report.paper.drawing import COLOURS, draw, intensity
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


def test_a_plain_tree_has_no_crossings() -> None:
    edges = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]
    layout = layered(7, edges, (10, 10), (5, 5))
    row = [layout.nodes[v][0] for v in (3, 4, 5, 6)]
    mirrored = sorted(row[:2]) + sorted(row[2:])
    assert mirrored in (sorted(row), sorted(row)[2:] + sorted(row)[:2])


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


def test_a_link_over_a_layer_goes_straight_through_it_beside_its_statements() -> None:
    svg = ElementTree.fromstring(str(draw(PaperView(sample_audit(), read_parameters()), alone=True)))
    straight = 0
    for line in svg.iterfind(f".//{SVG}g[@class='edges']/{SVG}path"):
        pieces = re.findall(r"V([\d.]+)C[\d.]+ [\d.]+ [\d.]+ [\d.]+ ([\d.]+) ([\d.]+)", line.get("d", ""))
        for (_, _, before), (after, _, _) in pairwise(pieces):
            assert float(after) - float(before) == pytest.approx(84, abs=0.2)  # the height of a statement
            straight += 1
    assert straight


def test_a_metric_that_a_role_does_not_have_is_no_value_of_it() -> None:
    audit = sample_audit()
    first = audit.nodes[0]
    none = first.metrics["method_rigor"].model_copy(update={"applies": False, "value": 0.7654})
    lent = first.model_copy(update={"metrics": {**first.metrics, "method_rigor": none}})
    page = render_paper_html(audit.model_copy(update={"nodes": (lent, *audit.nodes[1:])}))
    row = page.split(f'data-place="{0}"')[1].split('data-metric="method_rigor"')[1].split("</tr>")[0]
    assert ">n/a</span>" in row
    assert "0.77" not in row.split(">n/a")[1]
    assert "0.77" in row.split(">n/a")[0], "what the scorer counts it as is said"
    assert page.count(">n/a</span>") == 1


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


def test_no_graph_at_all_is_reported_without_files_of_one(tmp_path: Path) -> None:
    none = dict.fromkeys(("graphs", "nodes", "scorings", "flaws", "open_points", "evidence"), ())
    bare = none | {"primary": None, "uncertainty": None}
    write_paper_report(sample_audit().model_copy(update=bare), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "audit.json"}


def test_flaws_come_worst_first() -> None:
    severities = [flaw.severity for flaw in PaperView(sample_audit(), read_parameters()).flaws]
    assert severities == sorted(severities, reverse=True)
    page = render_paper_html(sample_audit())
    assert page.index("the opposite") < page.index("was retracted in 2023") < page.index('id="graph"')


def test_other_weights_than_the_audits_leave_what_if_out() -> None:
    other = read_parameters().varied(eta=0.1)
    page = render_paper_html(sample_audit("paper"), other)
    assert "are not those the audit was scored with" in page
    assert '<script type="application/json" id="scorer-data">{}</script>' in page


def test_the_same_audit_gives_the_same_page() -> None:
    assert render_paper_html(sample_audit()) == render_paper_html(sample_audit())


def test_every_edge_and_node_of_a_large_graph_is_there() -> None:
    audit = random_audit(300)
    page = render_paper_html(audit)
    assert page.count('data-node="') == 300
    assert page.count('class="row node-row"') == 300
    assert page.count('<tr id="edge-') == len(audit.graphs[0].edges)


def test_the_caveat_stands_above_the_graph() -> None:
    page = render_paper_html(sample_audit())
    assert page.index("not a verdict on the paper") < page.index('id="graph"')


@pytest.mark.parametrize("rules", ["paper", "reference", "veritas"])
def test_an_unverified_node_has_bounds_or_nothing(rules: str) -> None:
    view = PaperView(sample_audit(rules), read_parameters())
    unverified = view.nodes[view.place_of["n2"]].trust
    assert unverified == ((0.0, 1.0) if rules == "veritas" else None)
    assert view.agrees


@pytest.mark.parametrize(
    ("rules", "said"), [("paper", "count a link beside one as one half"), ("veritas", "lies between")]
)
def test_what_could_not_be_assessed_is_said_under_all_rules(rules: str, said: str) -> None:
    page = render_paper_html(sample_audit(rules))
    assert "Every metric of every node was assessed" not in page
    assert said in page


def test_parts_of_the_paper_are_called_by_their_names() -> None:
    missing = OpenPoint(subject="paper:Method", kind="missing-part", why="no Method was found")
    audit = sample_audit().model_copy(update={"open_points": (missing,)})
    page = render_paper_html(audit).split('id="graph"')[0]
    assert "paper:Method" not in page
    assert re.search(r"Not found by the reader</span> (?:<bdi>)?Method", page)


def _mixed(colour: str, ground: str, share: float) -> str:
    pairs = [(int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("role", sorted(COLOURS))
def test_words_stand_out_from_every_fill_at_any_trust(role: str, mode: int) -> None:
    for trust in (0.0, 0.5, 1.0):
        fill = _mixed(COLOURS[role], PAIRS["raised"][mode], intensity((trust, trust)))
        assert contrast(PAIRS["ink"][mode], fill) >= 4.5


@pytest.mark.parametrize("count", [16, 60, 300])
def test_a_flat_argument_is_no_strip(count: int) -> None:
    """One hypothesis, one conclusion, all else between them: what the embedded extractor makes of a long paper."""
    edges = [e for v in range(1, count - 1) for e in ((0, v), (v, count - 1))]
    size, gap = ((196.0, 84.0), (26.0, 50.0)) if count < 29 else ((54.0, 24.0), (10.0, 34.0))
    layout = layered(count, edges, size, gap)
    assert layout.width < 4 * layout.height
    assert max(map(len, layout.layers)) < count / 2 + 1
    assert all(layout.nodes[u][1] < layout.nodes[v][1] for u, v in edges)
    assert sorted(v for layer in layout.layers for v in layer) == list(range(count))


def test_a_layer_that_fits_stays_one() -> None:
    edges = [e for v in range(1, 8) for e in ((0, v), (v, 8))]
    assert [len(layer) for layer in layered(9, edges, (196, 84), (26, 50)).layers] == [1, 7, 1]


def test_what_could_not_be_assessed_is_not_flagged_as_if_something_were_wrong_with_it() -> None:
    blind = OpenPoint(subject="n5", kind="not-assessable", why="nobody was asked")
    found = Flaw(subject="n6", kind="contradicted", severity=0.5, why="a table says otherwise")
    audit = sample_audit().model_copy(update={"flaws": (found,), "open_points": (blind,)})
    svg = ElementTree.fromstring(str(draw(PaperView(audit, read_parameters()), alone=True)))
    flagged = [a.get("data-node") for a in svg.iter(f"{SVG}a") if "⚑" in "".join(a.itertext())]
    assert flagged == ["6"]
    assert [a.get("data-node") for a in svg.iter(f"{SVG}a") if a.get("data-flawed")] == ["6"]
