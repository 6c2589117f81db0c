"""What must hold of every graph: order does not matter, better metrics do not hurt, and every way to compute agrees."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.papers.paper_graphs import documents, metric_value, read
from veritas.scoring.batch import score_batch
from veritas.scoring.evaluation import RULES
from veritas.scoring.graph_structure import Structure
from veritas.scoring.max_flow import WORTH_ALL_CUTS
from veritas.scoring.parameters import AGGREGATIONS, Parameters, read_parameters, stacked
from veritas.scoring.roles import METRICS
from veritas.scoring.score import Scoring, score
from veritas.scoring.streaming import Session

BASE = read_parameters()
EXACT = 1e-12
unhurried = settings(deadline=None, max_examples=30)


@st.composite
def parameter_sets(draw: st.DrawFn) -> Parameters:
    weight = st.floats(0, 1)
    return BASE.varied(
        metric_weights=draw(st.lists(st.floats(0, 2), min_size=6, max_size=6)),
        edge_weights=draw(st.lists(weight, min_size=5, max_size=5)),
        agg=draw(st.sampled_from(AGGREGATIONS)),
        alpha=draw(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])),
        eta=draw(st.sampled_from([-0.5, 0.0, 0.5, 0.9, 1.5])),
        softmin_beta=draw(st.sampled_from([-2.0, 0.0, 6.0, 25.0])),
        dampmin_lambda=draw(st.sampled_from([-0.5, 0.0, 0.35, 2.0])),
        enabled=float(draw(st.booleans())),
        graph_weights=[
            *draw(st.lists(weight, min_size=3, max_size=3)),
            -draw(weight),
            *draw(st.lists(weight, min_size=2, max_size=2)),
        ],
    )


def by_name(found: Scoring) -> dict[Any, Any]:
    """The result without the order of nodes and edges."""
    nodes = {name: (found.quality[i], found.trust[i]) for i, name in enumerate(found.graph.ids)}
    edges = {edge: (found.raw[i], found.confidence[i]) for i, edge in enumerate(found.graph.edges)}
    return {
        "nodes": nodes,
        "edges": edges,
        "components": found.components,
        "score": found.score,
        "ends": found.interval,
    }


def assert_same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    else:
        assert np.asarray(one) == pytest.approx(np.asarray(other), abs=EXACT, nan_ok=True)


@unhurried
@given(documents(verified=False), parameter_sets(), st.randoms(use_true_random=False), st.sampled_from(RULES))
def test_the_order_of_nodes_parents_and_names_does_not_matter(
    document: Any, parameters: Parameters, random: Any, rules: Any
) -> None:
    nodes = [{**node, "parents": random.sample(node["parents"], len(node["parents"]))} for node in document["nodes"]]
    random.shuffle(nodes)
    assert_same(
        by_name(score(read(document), parameters, rules)), by_name(score(read({"nodes": nodes}), parameters, rules))
    )


@unhurried
@given(
    documents(verified=False, most=7),
    st.lists(parameter_sets(), min_size=1, max_size=4),
    st.sampled_from(RULES),
    st.data(),
)
def test_a_batch_is_each_setting_and_sample_by_itself(
    document: Any, sets: list[Parameters], rules: Any, data: Any
) -> None:
    graph = read(document)
    unknown = np.isnan(graph.metrics)
    shape = (2, *graph.metrics.shape)
    drawn = np.array(data.draw(st.lists(metric_value, min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))))
    samples = np.where(unknown, np.nan, drawn.reshape(shape))
    found = score_batch(graph, stacked(sets), samples, rules)
    for (s, sample), (k, one) in itertools.product(enumerate(samples), enumerate(sets)):
        alone = score(graph.with_metrics(sample), one, rules)
        assert found.score[s, k] == pytest.approx(alone.score, abs=EXACT)
        assert (found.low[s, k], found.high[s, k]) == pytest.approx(alone.interval, abs=EXACT)
        assert found.components[s, k] == pytest.approx(list(alone.components.values()), abs=EXACT)


@unhurried
@given(documents(verified=False), parameter_sets(), st.sampled_from(["paper", "reference", "veritas"]), st.data())
def test_a_session_gives_what_scoring_from_scratch_gives(
    document: Any, parameters: Parameters, rules: Any, data: Any
) -> None:
    graph = read(document)
    session = Session(graph, parameters, rules)
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.integers(0, len(graph.ids) - 1))
        values = data.draw(st.lists(st.none() | metric_value, min_size=6, max_size=6))
        update = session.update(graph.ids[place], dict(zip(METRICS, values, strict=True)))
        metrics = graph.metrics.copy()
        metrics[place] = [np.nan if value is None else value for value in values]
        graph = graph.with_metrics(metrics)
        fresh = score(graph, parameters, rules)
        assert update.score == pytest.approx(fresh.score, abs=EXACT)
        assert update.components == pytest.approx(fresh.components, abs=EXACT)
        assert update.interval == pytest.approx(fresh.interval, abs=EXACT)
        if rules == "veritas":
            known = [c for c in fresh.confidence.tolist() if not np.isnan(c)]
            assert len(session.edges_below(graph.ids[place])) <= len(known)
            kept = [c for (_, _, c), f in zip(session.confidences(), fresh.confidence, strict=True) if not np.isnan(f)]
            assert kept == pytest.approx(known, abs=EXACT)
            below = {(tail, head) for tail, head, _ in session.edges_below(graph.ids[place])}
            assert {(tail, head) for tail, head, _ in update.edges} <= below
            continue
        given_half = np.where(np.isnan(fresh.confidence), 0.5, fresh.confidence)
        assert [c for _, _, c in session.confidences()] == pytest.approx(given_half, abs=EXACT)
        below = {(tail, head) for tail, head, _ in session.edges_below(graph.ids[place])}
        assert {(tail, head) for tail, head, _ in update.edges} <= below


@unhurried
@given(documents(verified=False), parameter_sets(), st.data())
def test_raising_a_metric_never_lowers_a_score_under_veritas_but_of_counterevidence_never_raises_it(
    document: Any, parameters: Parameters, data: Any
) -> None:
    graph = read(document)
    place = data.draw(st.integers(0, len(graph.ids) - 1))
    metric = data.draw(st.integers(0, 5))
    metrics = graph.metrics.copy()
    metrics[place, metric] = np.nanmax([metrics[place, metric], data.draw(metric_value)])
    if np.isnan(graph.metrics[place, metric]):
        return
    before, after = score(graph, parameters, "veritas"), score(graph.with_metrics(metrics), parameters, "veritas")
    for was, now in zip(before.interval, after.interval, strict=True):
        if document["nodes"][place]["role"] == "Counterevidence":
            assert now <= was + EXACT
        else:
            assert now >= was - EXACT


@unhurried
@given(documents(roles=("Evidence", "Method", "Claim", "Result", "Conclusion")), parameter_sets(), st.data())
def test_raising_a_metric_never_lowers_trust_or_confidence_under_the_papers_rules(
    document: Any, parameters: Parameters, data: Any
) -> None:
    if int(parameters.agg) == AGGREGATIONS.index("softmin"):
        parameters = parameters.varied(agg="min")  # formula 9's softmin is not monotone: see docs/scoring.md
    graph = read(document)
    metrics = graph.metrics.copy()
    place, metric = data.draw(st.integers(0, len(graph.ids) - 1)), data.draw(st.integers(0, 5))
    metrics[place, metric] = max(metrics[place, metric], data.draw(metric_value))
    before, after = score(graph, parameters), score(graph.with_metrics(metrics), parameters)
    assert (after.trust >= before.trust - EXACT).all()
    assert (after.confidence >= before.confidence - EXACT).all()
    for name in before.components:
        sign = -1 if name == "fragility" else 1
        if name != "best_path":  # formula 11 may change to a path of larger product and smaller mean
            assert sign * after.components[name] >= sign * before.components[name] - EXACT


@unhurried
@given(documents(verified=False), parameter_sets())
def test_the_interval_holds_the_score_of_every_completion(document: Any, parameters: Parameters) -> None:
    graph = read(document)
    low, high = score(graph, parameters, "veritas").interval
    random = np.random.default_rng(0)
    for _ in range(3):
        filled = np.where(np.isnan(graph.metrics), random.integers(0, 2, graph.metrics.shape), graph.metrics)
        whole = score(graph.with_metrics(filled.astype(float)), parameters, "veritas")
        assert whole.interval[0] == whole.interval[1]
        assert low - EXACT <= whole.score <= high + EXACT


@unhurried
@given(documents(verified=False), parameter_sets(), st.sampled_from(RULES))
def test_every_number_lies_in_its_range(document: Any, parameters: Parameters, rules: Any) -> None:
    found = score(read(document), parameters, rules)
    assert 0.0 < found.score < 1.0
    for array in (found.quality, found.trust, found.raw, found.confidence, np.array(list(found.components.values()))):
        known = array[~np.isnan(array)]
        assert ((known >= 0.0) & (known <= 1.0)).all()


@unhurried
@given(documents(most=8), st.data())
def test_the_flow_is_the_smallest_cut(document: Any, data: Any) -> None:
    graph = read(document)
    bridge = Structure(graph).bridge
    one = st.sampled_from([0.0, 1e-6, 0.1, 0.3, 1.0]) | st.floats(1e-6, 1)
    columns = data.draw(st.sampled_from([1, 2, 7]))
    size = bridge.edges * columns
    capacity = np.array(data.draw(st.lists(one, min_size=size, max_size=size))).reshape(bridge.edges, columns)
    free = np.flatnonzero(~(bridge.is_source | bridge.is_sink))
    cuts = []
    for chosen in itertools.product((False, True), repeat=len(free)):
        near = bridge.is_source.copy()
        near[free] = chosen
        cuts.append(capacity[near[bridge.tail] & ~near[bridge.head]].sum(axis=0))
    flow = bridge.flow_graph.largest(capacity)
    least = np.min(cuts, axis=0)
    assert flow == pytest.approx(least, abs=1e-11)
    assert (bridge.flow_graph.largest(capacity, enough=0.25) >= np.minimum(0.25, flow) - 1e-11).all()
    many = np.tile(capacity, WORTH_ALL_CUTS)
    assert bridge.flow_graph.largest(many) == pytest.approx(np.tile(least, WORTH_ALL_CUTS), abs=1e-11)
    assert bridge.disjoint_paths(3) == min(3, round(min_unit_cut(bridge)))
    assert bridge.disjoint_paths(3, by_node=True) == min(3, fewest_that_separate(bridge))


def fewest_that_separate(bridge: Any) -> int:
    """Menger: as many paths share no inner node as it takes inner nodes, and direct edges, to part the two ends."""
    direct = bridge.is_source[bridge.tail] & bridge.is_sink[bridge.head]
    free = np.flatnonzero(~(bridge.is_source | bridge.is_sink)).tolist()
    for count in range(len(free) + 1):
        for gone in itertools.combinations(free, count):
            reached = bridge.is_source.copy()
            for u, v in zip(bridge.tail[~direct].tolist(), bridge.head[~direct].tolist(), strict=True):
                if reached[u] and u not in gone and not bridge.is_sink[u]:
                    reached[v] = True
            if not (reached & bridge.is_sink).any():
                return count + int(direct.sum())
    raise AssertionError("without inner nodes only direct edges are left")


def min_unit_cut(bridge: Any) -> float:
    return float(bridge.flow_graph.largest(np.ones((bridge.edges, 1)))[0])
