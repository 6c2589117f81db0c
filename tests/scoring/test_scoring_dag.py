"""Which graphs are refused, and what is said of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.papers.paper_graphs import documents, node
from veritas.scoring.graph import RECONCILE, NotAGraph, read_graph

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
node_like = st.fixed_dictionaries(
    {"id": anything | st.sampled_from(["a", 1, "1", 1.0])},
    optional={
        "role": anything | st.sampled_from(["Claim", " h "]),
        "text": anything,
        "parents": anything | st.lists(st.sampled_from(["a", 1, "1"])),
        "children": anything,
        "metrics": anything | st.dictionaries(st.sampled_from(["credibility", "relevance"]), anything),
    },
)


@settings(deadline=None)
@given(
    anything | st.fixed_dictionaries({"nodes": st.lists(anything | node_like, max_size=4)}), st.sampled_from(RECONCILE)
)
def test_whatever_is_given_is_accepted_or_refused_with_reasons(document: Any, mode: Any) -> None:
    try:
        verdict = read_graph(document, mode)
    except NotAGraph:
        assert not isinstance(document, dict) or not isinstance(document.get("nodes"), list)
    else:
        assert verdict.ok == (not verdict.errors)
        assert verdict.as_json()["ok"] == verdict.ok


def errors(*nodes: Any) -> str:
    verdict = read_graph({"nodes": list(nodes)})
    assert verdict.graph is None
    return " | ".join(verdict.errors)


@pytest.mark.parametrize("value", ["0.5", True, float("nan"), float("inf"), [0.5], 10**400])
def test_a_metric_that_is_no_number_names_node_and_metric(value: Any) -> None:
    said = errors(node("a", "Claim", value={"credibility": 0.5, "method_rigor": value}))
    assert "'a'" in said
    assert "method_rigor" in said


def test_a_cycle_is_refused_however_long() -> None:
    count = 20_000
    assert "cycle" in errors(*(node(str(i), "Claim", [str((i + 1) % count)]) for i in range(count)))


def test_ids_are_compared_as_strings_without_outer_blanks() -> None:
    made = read_graph(
        {"nodes": [node("1", "Hypothesis"), {"id": 2.0, "role": "c", "parents": [1, " 1 ", "1", 1.0]}]}
    ).graph
    assert made is not None
    assert made.edges == [("1", "2")]
    assert np.isnan(made.metrics[1]).all()


@given(documents())
def test_lists_that_agree_give_the_same_edges_in_every_mode(document: Any) -> None:
    for one in document["nodes"]:
        one["children"] = [other["id"] for other in document["nodes"] if one["id"] in other["parents"]]
    found = [read_graph(document, mode) for mode in RECONCILE]
    assert {tuple(verdict.graph.edges) if verdict.graph else None for verdict in found} == {tuple(found[0].graph.edges)}  # type: ignore[union-attr]


def test_lists_that_disagree_are_reconciled_as_asked() -> None:
    document = {
        "nodes": [
            node("a", "Hypothesis") | {"children": ["b"]},
            node("b", "Claim"),
            node("c", "Conclusion", ["a"]),
        ]
    }
    expected = {
        "strict": None,
        "prefer_parents": [("a", "c")],
        "prefer_children": [("a", "b")],
        "union": [("a", "b"), ("a", "c")],
        "intersection": [],
    }
    for mode, edges in expected.items():
        made = read_graph(document, mode).graph  # type: ignore[arg-type]
        assert (made.edges if made else None) == edges
    assert any("a -> b" in warning for warning in read_graph(document).warnings)
