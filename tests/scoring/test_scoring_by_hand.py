"""The formulas of Appendix C on graphs small enough to compute by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.papers.paper_graphs import chain, graph, node
from veritas.scoring.evaluation import Rules
from veritas.scoring.parameters import read_parameters
from veritas.scoring.score import score

ETA = 2 ** (-1 / 8)


@pytest.mark.parametrize(
    ("agg", "support"),
    [
        ("min", 0.2),
        ("mean", (0.2 + 0.5 + 0.8) / 3),
        ("dampmin", 0.65 * 0.2 + 0.35 * 0.5),
        (
            "softmin",
            (0.2 + 0.5 * math.exp(-3) + 0.8 * math.exp(-6)) / (1 + math.exp(-3) + math.exp(-6)),
        ),
    ],
)
def test_trust_aggregates_parents_four_ways(agg: str, support: float) -> None:
    # With raw confidence 1 everywhere, the contributions are the parents' qualities.
    parameters = read_parameters().varied(agg=agg, priors=np.ones((10, 10)), edge_weights=[1, 0, 0, 0, 0])
    parents = [node(str(i), "Hypothesis", value=value) for i, value in enumerate((0.5, 0.2, 0.8))]
    found = score(graph(*parents, node("c", "Conclusion", ["0", "1", "2"], 0.5)), parameters)
    assert found.trust[3] == pytest.approx(0.5 * support)


def test_a_distrusted_parent_lowers_an_edge_to_eta_at_worst() -> None:
    found = score(graph(node("h", "Hypothesis", value=0.0), node("c", "Conclusion", ["h"])))
    assert found.confidence == pytest.approx(found.raw * ETA)
    open_gate = score(
        graph(node("h", "Hypothesis", value=0.0), node("c", "Conclusion", ["h"])), read_parameters().varied(eta=0.0)
    )
    assert open_gate.confidence == pytest.approx([0.0])
    assert open_gate.components["best_path"] == 0.0
    assert open_gate.best_path == ()


def test_a_parent_trusted_by_half_opens_the_gate_by_half_of_what_eta_leaves() -> None:
    found = score(graph(node("h", "Hypothesis", value=0.5), node("c", "Conclusion", ["h"])))
    assert found.confidence == pytest.approx(found.raw * (ETA + (1 - ETA) * 0.5))


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("rules", ["paper", "reference", "veritas"])
def test_trust_counts_by_its_power_alpha_in_what_rests_on_it_and_at_the_gate(rules: Rules, alpha: float) -> None:
    whole = {"agg": "min", "priors": np.ones((10, 10)), "edge_weights": [1, 0, 0, 0, 0], "eta": 0.0}
    parameters = read_parameters().varied(alpha=alpha, **whole)
    found = score(graph(node("h", "Hypothesis", value=0.5), node("c", "Conclusion", ["h"])), parameters, rules)
    assert found.raw == pytest.approx([1.0])
    assert found.trust == pytest.approx([0.5, 0.5**alpha])
    assert found.confidence == pytest.approx([0.5**alpha])


def test_a_diamond_has_two_disjoint_paths_and_the_cut_of_its_doubts() -> None:
    made = graph(
        node("h", "Hypothesis"),
        node("a", "Evidence", ["h"]),
        node("b", "Method", ["h"]),
        node("c", "Conclusion", ["a", "b"]),
    )
    found = score(made)
    assert found.components["redundancy"] == pytest.approx(2 / 3)
    assert found.components["coverage"] == pytest.approx(2 / 3)
    doubt = 1 - found.confidence
    assert found.components["fragility"] == pytest.approx((min(doubt[0], doubt[2]) + min(doubt[1], doubt[3])) / 4)
    assert found.best_path_unique


def test_a_chain_of_thousands_of_nodes_is_scored_under_all_rules() -> None:
    values = [0.9] * 3_000
    for rules in ("paper", "reference", "veritas"):
        found = score(chain(*values), rules=rules)  # type: ignore[arg-type]
        assert len(found.best_path) == 3_000
        # under our rules a statement covers as much as it is trusted, here all 0.9
        assert found.components["bridge_coverage"] == pytest.approx(0.9 if rules == "veritas" else 1.0)
        assert 0.0 < found.components["best_path"] < 1.0
