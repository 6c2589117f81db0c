"""The report of a paper's audit in a real browser: its arithmetic, what if, filters, saving, keyboard, hostile text."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from paper_sample import random_audit, sample_audit

from veritas.papers.audit import Metric, PaperAudit
from veritas.papers.flaws import find_flaws
from veritas.papers.open_points import find_open_points
from veritas.report.paper import write_paper_report
from veritas.report.paper.view import edge_features, parameters_for_page
from veritas.scoring.alignment import alignments
from veritas.scoring.graph import read_graph
from veritas.scoring.parameters import AGGREGATIONS, COMPONENTS, Parameters, read_parameters
from veritas.scoring.roles import METRICS, ROLES
from veritas.scoring.score import Scoring, score

pytestmark = pytest.mark.browser
Visit = Callable[..., Any]


def flawed(audit: PaperAudit) -> PaperAudit:
    flaws = find_flaws(audit)
    points = find_open_points(audit, read_parameters(), flaws)
    return audit.model_copy(update={"flaws": flaws, "open_points": points})


OWN = ("credibility", "relevance", "evidence_strength")
"""What n8 of `lending` has; the rest takes their mean."""


def lending(rules: str) -> PaperAudit:
    """The sample, with a statement whose role has three metrics of the six, as the verification makes one."""
    audit = sample_audit(rules)
    document, metrics = audit.graph_document(), dict.fromkeys(OWN, 0.5) | {"relevance": 0.3333}
    mean = round(sum(metrics.values()) / 3, 4)
    node = next(n for n in audit.nodes if n.id == "n8")
    made = {m: Metric(value=metrics.get(m, mean), why="so", applies=m in OWN) for m in METRICS}
    next(n for n in document["nodes"] if n["id"] == "n8")["metrics"] = {m: made[m].value for m in METRICS}
    graph = read_graph(document).graph
    assert graph is not None
    scored = score(graph, None, rules).as_json()  # type: ignore[arg-type]
    scoring = audit.scorings[0].model_copy(update={"values": scored})
    nodes = tuple(node.model_copy(update={"metrics": made}) if n.id == "n8" else n for n in audit.nodes)
    return audit.model_copy(update={"nodes": nodes, "scorings": (scoring,)})


@pytest.fixture(scope="module")
def audits(reports: Path) -> Path:
    """The sample's report under each rule set, without anything verified, and one of 300 statements, among the files
    that `visit` opens."""
    for rules in ("paper", "veritas"):
        write_paper_report(sample_audit(rules), reports / f"paper-{rules}")
    for rules in ("paper", "veritas"):
        write_paper_report(lending(rules), reports / f"paper-lent-{rules}")
    sample = sample_audit()
    undecided = [n.grounding and n.grounding.model_copy(update={"decision": "unverified"}) for n in sample.nodes]
    nodes = [n.model_copy(update={"grounding": g}) for n, g in zip(sample.nodes, undecided, strict=True)]
    write_paper_report(sample.model_copy(update={"nodes": tuple(nodes)}), reports / "paper-alone")
    for count in (40, 300):
        write_paper_report(flawed(random_audit(count)), reports / f"paper-{count}")
    return reports


def _graph(rng: random.Random, count: int) -> dict[str, Any]:
    nodes = []
    for i in range(count):
        role = "Hypothesis" if i == 0 else "Conclusion" if i == count - 1 and rng.random() < 0.8 else rng.choice(ROLES)
        metrics: dict[str, float | None] = {m: round(rng.random(), 3) for m in METRICS}
        if rng.random() < 0.15:
            metrics = dict.fromkeys(METRICS) if rng.random() < 0.5 else metrics | {rng.choice(METRICS): None}
        parents = [f"n{p}" for p in rng.sample(range(i), min(i, rng.choice((0, 1, 1, 2, 3))))]
        text = " ".join(rng.choices(("dose", "trial", "effect", "the", "rate"), k=rng.randint(0, 6)))
        nodes.append({"id": f"n{i}", "role": role, "text": text, "parents": parents, "metrics": metrics})
    return {"nodes": nodes}


def _setting(rng: random.Random) -> Parameters:
    return read_parameters().varied(
        agg=rng.choice(AGGREGATIONS), alpha=rng.choice((1.0, 0.5, 2.0, 0.0)), eta=rng.choice((0.917, 0.5, 0.0)),
        enabled=rng.choice((1.0, 1.0, 0.0)), softmin_beta=rng.choice((6.0, 0.0, 30.0)),
        graph_weights=np.array([rng.uniform(-1, 1) for _ in COMPONENTS]),
    )  # fmt: skip


def _expected(made: Scoring) -> dict[str, Any]:
    def numbers(values: Any) -> list[float | None]:
        return [None if np.isnan(value) else float(value) for value in values]

    return {
        "quality": numbers(made.quality), "trust": numbers(made.trust), "raw": numbers(made.raw),
        "confidence": numbers(made.confidence), "interval": list(made.interval),
        "components": [made.components[name] for name in COMPONENTS],
        "path": [made.graph.ids.index(name) for name in made.best_path] if made.best_path_unique else None,
    }  # fmt: skip


def test_the_pages_arithmetic_is_the_programs_to_a_billionth(visit: Visit, audits: Path) -> None:
    rng, cases, expected = random.Random(11), [], []
    for number in range(120):
        graph = read_graph(_graph(rng, rng.choice((1, 2, 5, 9, 16, 40)))).graph
        assert graph is not None
        setting, rules = _setting(rng), ("paper", "reference", "veritas")[number % 3]
        metrics = [[None if np.isnan(m) else m for m in row] for row in graph.metrics.tolist()]
        laid = {
            "roles": graph.roles.tolist(), "alignment": alignments(graph).tolist(),
            "edges": [list(e) for e in zip(graph.tail.tolist(), graph.head.tolist(), strict=True)],
        }  # fmt: skip
        cases.append([laid, metrics, parameters_for_page(setting), rules])
        expected.append(_expected(score(graph, setting, rules)))  # type: ignore[arg-type]
    page = visit("paper-veritas/report.html").page
    made = page.evaluate("cases => cases.map(c => VeritasScorer.score(...c))", cases)
    order = page.evaluate("VeritasScorer.COMPONENTS")
    assert order == list(COMPONENTS)
    for want, got in zip(expected, made, strict=True):
        got["components"] = [got["components"][name] for name in COMPONENTS]
        for name in ("quality", "trust", "raw", "confidence", "interval", "components"):
            assert got[name] == pytest.approx(want[name], abs=1e-9), name
        assert want["path"] is None or got["path"] == want["path"]


def test_the_pages_features_of_links_are_the_programs_and_follow_what_if(visit: Visit, audits: Path) -> None:
    page = visit("paper-veritas/report.html").page
    cells = "[...document.querySelectorAll('.edges tbody tr')].map(r => [...r.cells].slice(2, 7).map(c => c.innerText))"
    stored = page.evaluate(cells)
    page.locator("#at-4").click()
    for value in ("0.1", "0.9"):
        page.locator("#what-if-credibility").fill(value)
    document = sample_audit().graph_document()
    next(n for n in document["nodes"] if n["id"] == "n4")["metrics"]["credibility"] = 0.9
    graph = read_graph(document).graph
    assert graph is not None
    rows = edge_features(graph, read_parameters())
    made = page.evaluate("""metrics => { const d = JSON.parse(document.getElementById('scorer-data').textContent);
      return VeritasScorer.linkFeatures(d.graph, metrics, d.parameters); }""",
      [[None if np.isnan(m) else m for m in row] for row in graph.metrics.tolist()])  # fmt: skip
    wanted = [[None if np.isnan(x) else x for x in row] for row in rows]
    for got, want in zip(made, wanted, strict=True):
        assert got == pytest.approx(want, abs=1e-9)
    assert page.evaluate(cells) == [["–" if x is None else f"{x:.2f}" for x in row] for row in wanted]
    assert page.evaluate(cells) != stored
    page.locator("#reset").click()
    assert page.evaluate(cells) == stored


def test_a_hypothetical_score_says_that_it_is_one_on_screen_and_on_paper(visit: Visit, audits: Path) -> None:
    page = visit("paper-veritas/report.html").page
    marks = page.locator(".if-only")
    assert not any(mark.is_visible() for mark in marks.all())
    stored = page.locator("#score").text_content()
    page.locator("#at-4").click()
    for name in METRICS:
        page.locator(f"#what-if-{name}").fill("0.1")
    assert "as they are stored" in page.locator("#evidence").inner_text()
    page.keyboard.press("Escape")
    made = page.locator("#score").text_content()
    assert made != stored
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        head = " ".join(page.locator("#verdict").inner_text().split())
        assert re.search(rf"what if {made} ?of 1 stored {stored}", head)
        assert f"What if: {made}" in head
        assert f"stored {stored}" in head
        assert "Metrics of n4 were changed by hand" in head
        assert re.search(r"of trials lie between \d.\d\d and \d.\d\d \(stored\)", head)
        assert "best path (stored)" in head
        for section in ("flaws", "uncertainty", "readings"):
            assert "(stored)" in page.locator(f"#{section} h2").inner_text(), (media, section)
        for section in ("graph", "components", "nodes", "edges"):
            assert "what if" in page.locator(f"#{section} h2").inner_text(), (media, section)
        assert page.locator("#verdict [data-undo]").is_visible() == (media == "screen")
    page.emulate_media(media="screen")
    page.locator("#verdict [data-undo]").click()
    assert page.locator("#score").text_content() == stored
    assert not any(mark.is_visible() for mark in marks.all())


def test_where_nothing_was_verified_no_score_is_shown_until_a_reader_asks_what_if(visit: Visit, audits: Path) -> None:
    page = visit("paper-alone/report.html").page
    head = page.locator("#audit").inner_text()
    assert "No score" in head
    assert "nothing outside the paper was asked" in head
    assert not page.locator("#score").is_visible()
    assert not page.locator("#components table").is_visible()
    assert "AUROC" not in head  # it stands where a score is shown
    page.locator("#at-4").click()
    page.locator("#what-if-credibility").fill("0.1")
    page.keyboard.press("Escape")
    assert page.locator("#score").is_visible()
    assert "length of the text" in page.locator("#verdict").inner_text()


def test_it_loads_nothing_and_complains_of_nothing(visit: Visit, audits: Path) -> None:
    watched = visit("paper-veritas/report.html")
    page = watched.page
    page.locator("#at-9").click()
    page.keyboard.press("Escape")
    page.locator("#theme").click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert watched.requests == [(audits / "paper-veritas/report.html").as_uri()]
    assert watched.complaints == []


def test_hostile_text_runs_nothing(visit: Visit, audits: Path) -> None:
    page = visit("paper-veritas/report.html").page
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.locator("#at-7").click()
    assert page.evaluate("document.documentElement.dataset.owned") is None
    assert page.locator("main img, main script, #evidence img, #evidence script").count() == 0


@pytest.mark.parametrize("rules", ["paper", "veritas"])
def test_what_if_moves_trust_and_score_to_what_the_program_says(visit: Visit, audits: Path, rules: str) -> None:
    page = visit(f"paper-{rules}/report.html").page
    page.locator("#at-4").click()
    for name in METRICS:
        page.locator(f"#what-if-{name}").fill("0.1")
    audit = sample_audit(rules)
    document = audit.graph_document()
    next(n for n in document["nodes"] if n["id"] == "n4")["metrics"] = dict.fromkeys(METRICS, 0.1)
    graph = read_graph(document).graph
    assert graph is not None
    made = score(graph, None, rules)  # type: ignore[arg-type]
    before = page.evaluate("VeritasScorer.score(...['graph','metrics','parameters','rules'].map(k => JSON.parse("
                           "document.getElementById('scorer-data').textContent)[k])).score")
    assert abs(made.score - before) > 0.002
    assert page.locator("#score").text_content() == f"{made.score:.2f}"
    assert page.locator("#at-4 .trust").text_content() != "–"
    assert "Score" in page.locator(".what-if .outcome").text_content()
    assert page.locator("#reset").is_visible()
    page.locator("#reset").click()
    assert page.locator("#score").text_content() == f"{before:.2f}"
    assert page.locator("#reset").is_hidden()


def test_the_graph_can_be_walked_and_opened_by_keyboard(visit: Visit, audits: Path) -> None:
    page = visit("paper-veritas/report.html").page
    page.locator("#at-0").focus()
    page.keyboard.press("ArrowDown")
    child = page.evaluate("document.activeElement.dataset.node")
    assert child in {"3", "4"}
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.node") == "0"
    page.keyboard.press("Enter")
    assert page.locator("#evidence").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#evidence").is_hidden()
    assert page.evaluate("document.activeElement.dataset.node") == "0"


@pytest.mark.parametrize(("what", "name"), [("svg", "graph.svg"), ("json", "audit.json"), ("graphml", "graph.graphml")])
def test_the_graph_can_be_saved(visit: Visit, audits: Path, tmp_path: Path, what: str, name: str) -> None:
    page = visit("paper-veritas/report.html", accept_downloads=True).page
    page.locator("#at-5").click()
    page.locator("#what-if-credibility").fill("0.2")
    with page.expect_download() as download:
        page.locator(f"[data-save={what}]").click()
    assert download.value.suggested_filename == name
    download.value.save_as(tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    if what == "json":
        saved = json.loads(text)
        assert saved["what_if"]["metrics"]["n5"]["credibility"] == 0.2
        assert saved["audit_id"] == sample_audit().audit_id
    else:
        root = ElementTree.fromstring(text)
        assert len(list(root.iter(f"{root.tag.partition('}')[0]}}}" + ("a" if what == "svg" else "node")))) == 16


def test_without_scripts_every_statement_is_reached_from_the_graph(visit: Visit, audits: Path) -> None:
    page = visit("paper-veritas/report.html", java_script_enabled=False).page
    assert page.locator("#argument .node").count() == 16
    assert page.locator("#at-3").get_attribute("href") == "#node-3"
    assert page.locator("#node-3").count() == 1
    assert page.locator(".graph-filter").is_hidden()


def test_three_hundred_statements_can_be_used(visit: Visit, audits: Path) -> None:
    page = visit("paper-300/report.html").page
    page.locator("[data-zoom=in]").click()
    page.locator("[data-zoom=fit]").click()
    page.locator("#at-150").dispatch_event("click")
    page.locator("#what-if-relevance").fill("0.9")
    assert page.locator("#evidence").is_visible()
    assert page.locator("#reset").is_visible()
"""Pixels of a line of words in the graph from which they can be read."""


def test_nothing_runs_off_a_phone(visit: Visit, audits: Path) -> None:
    page = visit("paper-veritas/report.html", width=360, height=780).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
