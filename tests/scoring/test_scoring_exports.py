"""What other programs get: matrices, walks, fingerprint and GraphML."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings

from tests.papers.paper_graphs import chain, documents, graph, node, read
from veritas.scoring.graph_exports import edge_matrix, fingerprint, graphml, node_matrix, random_walks
from veritas.scoring.score import score
from veritas.scoring.streaming import Session

NAMES = "{http://graphml.graphdrawing.org/xmlns}"


def test_the_node_matrix_is_in_string_order_with_a_mask_for_the_unknown() -> None:
    made = node_matrix(
        graph(
            node("10", "Claim", value=0.5),
            node("2", "Method", ["10"], {"credibility": 0.25}),
            node("1", "Result", value=None),
        )
    )
    assert made.rows == ("1", "10", "2")
    assert made.values.shape == made.mask.shape == (3, 16)
    assert made.values[2, made.columns.index("credibility")] == 0.25
    assert made.mask[:, 10:].sum() == 6 + 1
    assert made.mask[:, :10].all()
    assert (made.values[~made.mask] == 0).all()


def test_the_edge_matrix_has_features_and_confidences() -> None:
    found = score(chain(0.5, 0.6, 0.7))
    made = edge_matrix(found)
    assert made.rows == ("n0->n1", "n1->n2")
    row = dict(zip(made.columns, made.values[0], strict=True))
    assert (row["parent::Hypothesis"], row["child::Evidence"], row["parent_quality"]) == (1, 1, pytest.approx(0.5))
    assert row["confidence"] == pytest.approx(found.confidence[0])
    unknown = edge_matrix(score(graph(node("a", "Claim", value=None), node("b", "Claim", ["a"]))))
    assert not unknown.mask[0, unknown.columns.index("confidence")]


@settings(deadline=None, max_examples=30)
@given(documents(verified=False))
def test_walks_follow_edges_and_repeat_with_their_seed(document: Any) -> None:
    found = score(read(document))
    walks = random_walks(found, walks=3, length=5, seed=7)
    assert walks == random_walks(found, walks=3, length=5, seed=7)
    assert len(walks) == 3 * len(found.graph.ids)
    edges = set(found.graph.edges)
    for walk in walks:
        assert 1 <= len(walk) <= 5
        assert set(pairwise(walk)) <= edges


@settings(deadline=None, max_examples=30)
@given(documents(verified=False))
def test_the_fingerprint_has_121_numbers_whose_shares_sum_to_one(document: Any) -> None:
    found = score(read(document))
    made = fingerprint(found.graph, list(found.components.values()), found.confidence)
    assert len(made) == 121
    assert sum(v for name, v in made.items() if name.startswith("role_frac")) == pytest.approx(1)
    for kind in ("pairW", "conf_bin"):
        assert sum(v for name, v in made.items() if name.startswith(kind)) == pytest.approx(
            1 if found.graph.edges else 0
        )


def test_graphml_holds_every_number_and_survives_hostile_text() -> None:
    made = graph(
        node("<&>", "Hypothesis", text='</graph>\x00\ud800"'),
        node("b", "Conclusion", ["<&>"], 0.3),
        node("c", "Claim", value=None),
    )
    found = score(made)
    root = ElementTree.fromstring(graphml(found))
    nodes = root.findall(f".//{NAMES}node")
    assert [one.get("id") for one in nodes] == ["<&>", "b", "c"]
    edge = root.find(f".//{NAMES}edge")
    assert edge is not None
    values = {data.get("key"): data.text for data in edge}
    assert float(values["edge_weight"] or 0) == found.confidence[0]
    assert {data.get("key") for data in nodes[2]} == {"node_role", "node_text"}
    declared = {key.get("id") for key in root.findall(f"{NAMES}key")}
    assert {data.get("key") for data in root.iter(f"{NAMES}data")} <= declared


def test_an_update_reports_the_edges_whose_confidence_is_new_and_leaves_the_rest_alone() -> None:
    made = chain(*[0.5] * 5)
    session = Session(made.with_metrics(np.full((5, 6), np.nan)))
    perfect = dict.fromkeys(
        ("credibility", "relevance", "evidence_strength", "method_rigor", "reproducibility", "citation_support"), 1.0
    )
    assert session.update("n4", perfect).edges == ()
    assert [edge[:2] for edge in session.update("n3", perfect).edges] == [("n3", "n4")]
    assert [edge[:2] for edge in session.update("n2", perfect).edges] == [("n2", "n3"), ("n3", "n4")]
    assert session.update("n2", perfect).edges == ()


def test_a_session_refuses_an_unknown_node() -> None:
    from veritas import InputError

    with pytest.raises(InputError, match="no node 'q'"):
        Session(chain(1.0, 1.0)).update("q", {})
