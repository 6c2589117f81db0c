"""The formulas of Appendix C on graphs small enough to compute by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.papers.paper_graphs import chain, graph, node
from veritas.scoring.evaluation import Rules
from veritas.scoring.parameters import read_parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.score import score

ETA = 2 ** (-1 / 8)


def test_a_pair_of_perfect_nodes() -> None:
    found = score(chain(1.0, 1.0))
    # prior 0.25 of 0.30, both qualities and the synergy full, no words in common
    raw = 0.30 * 0.25 + 0.20 + 0.20 + 0.20
    assert found.quality == pytest.approx([1, 1])
    assert found.raw == pytest.approx([raw])
    assert found.confidence == pytest.approx([raw])
    assert found.trust == pytest.approx([1, raw])
    parts = {"bridge_coverage": 1, "best_path": raw, "redundancy": 1 / 3, "fragility": 1 - raw, "coherence": 0}
    assert found.components == pytest.approx({**parts, "coverage": 0})
    total = 0.25 + 0.25 * raw + 0.15 / 3 - 0.15 * (1 - raw)
    assert found.score_raw == pytest.approx(total)
    assert found.score == pytest.approx(1e-9 + (1 - 2e-9) * (total + 0.15), abs=1e-15)
    assert found.best_path == ("n0", "n1")


def test_quality_mixes_the_metrics_of_the_role() -> None:
    values = dict(zip(METRICS, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), strict=True))
    found = score(graph(node("m", "Method", value=values), node("e", "Evidence", value=values)))
    assert found.quality == pytest.approx([0.1 * 0.1 + 0.6 * 0.4 + 0.3 * 0.5, 0.2 * 0.1 + 0.5 * 0.3 + 0.3 * 0.6])


def test_synergy_takes_the_mix_of_the_pair_of_roles() -> None:
    values = dict(zip(METRICS, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), strict=True))
    parameters = read_parameters().varied(edge_weights=[0, 0, 0, 0, 1])
    found = score(graph(node("m", "Method", value=values), node("r", "Result", ["m"], values)), parameters)
    assert found.raw == pytest.approx([0.5 * (0.6 * 0.4 + 0.3 * 0.5 + 0.1 * 0.1) + 0.5 * (0.6 * 0.1 + 0.4 * 0.2)])
    plain = score(graph(node("m", "Context", value=values), node("r", "Result", ["m"], values)), parameters)
    assert plain.raw == pytest.approx([0.35])


def test_alignment_is_the_share_of_words_in_common_without_stop_words_or_case() -> None:
    parameters = read_parameters().varied(edge_weights=[0, 0, 0, 1, 0])
    found = score(
        graph(
            node("a", "Hypothesis", text="The DOSE of a drug-42."), node("b", "Claim", ["a"], text="dose: drug, é cure")
        ),
        parameters,
    )
    assert found.raw == pytest.approx([2 / 4])  # dose, drug of dose, drug, 42, cure


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


def test_the_path_of_largest_product_wins_under_the_paper_and_of_largest_mean_per_conclusion_under_the_reference() -> (
    None
):
    parameters = read_parameters().varied(priors=np.full((10, 10), 0.5), edge_weights=[0, 1, 0, 0, 0], eta=1.0)
    # To c: one edge of 0.5. To d: three edges of 0.7, product 0.343, mean 0.7.
    made = graph(
        node("h", "Hypothesis", value=0.5),
        node("c", "Conclusion", ["h"]),
        node("k", "Hypothesis", value=0.7),
        node("x", "Claim", ["k"], 0.7),
        node("y", "Claim", ["x"], 0.7),
        node("d", "Conclusion", ["y"]),
    )
    paper, reference = score(made, parameters), score(made, parameters, "reference")
    assert (paper.best_path, paper.components["best_path"]) == (("h", "c"), pytest.approx(0.5))
    assert (reference.best_path, reference.components["best_path"]) == (("k", "x", "y", "d"), pytest.approx(0.7))
    assert reference.overall_path == ("h", "c")


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


def test_equal_paths_are_called_not_unique() -> None:
    made = graph(
        node("h", "Hypothesis"),
        node("a", "Claim", ["h"]),
        node("b", "Claim", ["h"]),
        node("c", "Conclusion", ["a", "b"]),
    )
    assert not score(made).best_path_unique


def test_a_disconnected_paper_scores_what_an_empty_bridge_scores() -> None:
    found = score(graph(node("h", "Hypothesis"), node("c", "Conclusion")))
    assert set(found.components.values()) == {0.0}
    assert found.score == pytest.approx(0.15, abs=1e-8)


def test_a_paper_without_nodes_scores_one_half() -> None:
    assert score(graph()).score == 0.5


def test_edges_at_unverified_nodes_count_one_half_and_have_no_value() -> None:
    made = graph(node("h", "Hypothesis"), node("e", "Evidence", ["h"], None), node("c", "Conclusion", ["e"]))
    found = score(made)
    assert np.isnan(found.raw).all()
    assert np.isnan(found.quality).tolist() == [False, True, False]
    assert found.components["best_path"] == pytest.approx(0.5)


def test_a_chain_of_ten_thousand_nodes_is_scored_under_all_rules() -> None:
    values = [0.9] * 10_000
    for rules in ("paper", "reference", "veritas"):
        found = score(chain(*values), rules=rules)  # type: ignore[arg-type]
        assert len(found.best_path) == 10_000
        # under our rules a statement covers as much as it is trusted, here all 0.9
        assert found.components["bridge_coverage"] == pytest.approx(0.9 if rules == "veritas" else 1.0)
        assert 0.0 < found.components["best_path"] < 1.0


def test_a_node_with_four_thousand_parents() -> None:
    parents = [node(str(i), "Hypothesis", value=0.5) for i in range(4000)]
    found = score(graph(*parents, node("c", "Conclusion", [str(i) for i in range(4000)])))
    assert found.components["redundancy"] == 1.0
    assert found.components["fragility"] == pytest.approx(1 - found.confidence[0])
