"""How sure a score is: variance between graphs and within them, intervals, and what is unknown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.papers.paper_graphs import chain, graph, node
from veritas import InputError
from veritas.scoring.parameters import COMPONENTS
from veritas.scoring.roles import METRICS
from veritas.scoring.score import score
from veritas.scoring.uncertainty import (
    GraphSamples,
    propagate_uncertainty,
    samples_of,
    student_quantile,
    variances,
)

ROUTE = chain(0.8, 0.8, 0.8)
LONG = chain(0.8, 0.5, 0.4, 0.8, roles=("Context", "Assumption"))


def noisy(base, count: int, spread: float, seed: int) -> GraphSamples:
    random = np.random.default_rng(seed)
    metrics = np.clip(base.metrics + random.normal(0, spread, (count, *base.metrics.shape)), 0, 1)
    return GraphSamples(base, metrics)


def test_variances_are_unbiased_for_groups_of_unequal_sizes() -> None:
    random = np.random.default_rng(0)
    found = []
    for _ in range(4000):
        groups = [random.normal(random.normal(0, 2.0), 3.0, size) for size in (2, 3, 9, 4)]
        found.append(variances(groups))
    between, within = np.mean(np.array(found), axis=0)
    assert between == pytest.approx(4.0, abs=0.25)
    assert within == pytest.approx(9.0, abs=0.2)


def test_the_quantiles_of_students_t_are_those_of_the_tables() -> None:
    table = {(0.95, 1): 6.3138, (0.975, 2): 4.3027, (0.95, 7): 1.8946, (0.975, 30): 2.0423, (0.5, 4): 0.0}
    for (probability, freedom), value in table.items():
        assert student_quantile(probability, freedom) == pytest.approx(value, abs=1e-4)


def test_where_graphs_differ_more_than_samples_it_says_to_sample_more_graphs() -> None:
    found = propagate_uncertainty([noisy(ROUTE, 8, 0.01, 0), noisy(LONG, 8, 0.01, 1), noisy(ROUTE, 8, 0.01, 2)])
    assert found.score.between_share is not None
    assert found.score.between_share > 0.9
    assert any("sample more graphs" in said for said in found.warnings)


def test_every_component_has_its_spread_and_the_means_are_those_of_the_scores() -> None:
    given_samples = [noisy(ROUTE, 4, 0.1, 0), noisy(LONG, 6, 0.1, 1)]
    found = propagate_uncertainty(given_samples, rules="paper")
    assert found.trials == (4, 6)
    assert found.graphs == 2
    assert set(found.components) == set(COMPONENTS)
    by_hand = [
        np.mean([score(each.graph.with_metrics(sample)).score for sample in each.metrics]) for each in given_samples
    ]
    assert found.graph_scores == pytest.approx(by_hand, abs=1e-12)
    assert found.score.mean == pytest.approx(np.mean(by_hand), abs=1e-12)
    assert found.components["coherence"].within == 0.0  # no metric changes it
    assert type(found).model_validate_json(found.model_dump_json()) == found


def test_a_single_trial_has_no_interval_but_a_score() -> None:
    found = propagate_uncertainty([GraphSamples(ROUTE, ROUTE.metrics[None])])
    assert found.score.mean_low is None
    assert found.score.within is None
    assert found.score.standard_error is None
    assert found.score.mean == pytest.approx(score(ROUTE, rules="veritas").score)


def test_unverified_nodes_open_the_interval_by_exactly_what_they_could_be() -> None:
    nodes = node("h", "Hypothesis", value=0.8), node("e", "Evidence", ["h"], None), node("c", "Conclusion", ["e"], 0.8)
    unverified = graph(*nodes)
    found = propagate_uncertainty([GraphSamples(unverified, unverified.metrics[None])])
    ends = score(unverified, rules="veritas").interval
    assert (found.score.low, found.score.high) == pytest.approx(ends)
    assert found.score.unknown == pytest.approx(ends[1] - ends[0])
    assert any("could not be verified" in said for said in found.warnings)


def test_a_metric_between_two_values_gives_a_narrower_interval_than_an_unknown_one() -> None:
    values = dict.fromkeys(METRICS, 0.7)
    nodes = {name: [values] for name in ROUTE.ids}
    known = samples_of(ROUTE, nodes)
    between = samples_of(ROUTE, nodes | {"n1": [values | {"evidence_strength": (0.5, 0.8)}]})
    unknown = samples_of(ROUTE, nodes | {"n1": [values | {"evidence_strength": None}]})
    widths = [propagate_uncertainty([each]).score.unknown for each in (known, between, unknown)]
    assert widths[0] == 0.0 < widths[1] < widths[2]


def test_a_node_nobody_verified_is_unknown_and_an_unknown_id_is_refused() -> None:
    assert np.isnan(samples_of(ROUTE, {"n0": [], "n1": [{}]}).metrics).all()
    with pytest.raises(InputError, match="no node 'q'"):
        samples_of(ROUTE, {"q": [{}]})
    with pytest.raises(InputError, match="at least one"):
        propagate_uncertainty([])
    with pytest.raises(InputError, match="level"):
        propagate_uncertainty([GraphSamples(ROUTE, ROUTE.metrics[None])], level=1.0)


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 10_000))
def test_the_mean_lies_in_its_interval_and_every_trial_in_the_unit_interval(k: int, m: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    samples = []
    for _ in range(k):
        metrics = random.random((m, 3, 6))
        metrics[random.random(metrics.shape) < 0.2] = np.nan
        samples.append(GraphSamples(ROUTE, metrics))
    found = propagate_uncertainty(samples)
    for spread in (found.score, *found.components.values()):
        assert 0.0 <= spread.low <= spread.high <= 1.0
        if spread.mean_low is not None and spread.mean_high is not None:
            assert spread.mean_low <= spread.mean + 1e-12
            assert spread.mean <= spread.mean_high + 1e-12
        if spread.between_share is not None:
            assert 0.0 <= spread.between_share <= 1.0
