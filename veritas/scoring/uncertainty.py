"""The uncertainty of a paper's score, from K sampled graphs and M samples of the metrics on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.scoring.batch import BatchScores, score_batch
from veritas.scoring.evaluation import Rules
from veritas.scoring.graph import Floats, PaperGraph
from veritas.scoring.parameters import COMPONENTS, Parameters, read_parameters
from veritas.scoring.roles import METRICS

LEVEL = 0.9
_NOTHING = 1e-12
"""Variance below which it counts as rounding."""

Metric = float | None | tuple[float, float]
"""A verified value, unknown, or known to lie between two values."""


@dataclass(frozen=True, eq=False)
class GraphSamples:
    """A sampled graph with M samples of its metrics, (M, N, 6), NaN for unknown.

    With `upper`, of the same shape, a metric lies somewhere between `metrics` and `upper`.
    """

    graph: PaperGraph
    metrics: Floats
    upper: Floats | None = None


class Spread(Frozen):
    """A number over all trials of all graphs; graphs count alike, however many trials each has.

    `low` and `high`: the middle `level` of the trials lies between them, intervals from unknown metrics included.
    `mean_low` and `mean_high`: the confidence interval of the mean at that level (Student's t over graphs; over trials,
    if there is one graph), None for a single trial. `between` and `within`: variance between graphs and within a graph,
    estimated without bias by analysis of variance; so `between` may be negative, which means none was seen. None if it
    cannot be estimated (K or M is 1). `between_share`: share of `between` in both together, in [0, 1]. `unknown`:
    average width that unverified metrics leave a trial.
    """

    mean: float
    low: float
    high: float
    mean_low: float | None
    mean_high: float | None
    standard_error: float | None
    between: float | None
    within: float | None
    between_share: float | None
    unknown: float


class UncertaintyReport(Frozen):
    """The score and its six components with their spreads; `graph_scores` are the means of the K graphs."""

    rules: Rules
    level: float
    graphs: int
    trials: tuple[int, ...]
    score: Spread
    components: dict[str, Spread]
    graph_scores: tuple[float, ...]
    warnings: tuple[str, ...]


def propagate_uncertainty(
    samples: Sequence[GraphSamples],
    parameters: Parameters | None = None,
    rules: Rules = "veritas",
    level: float = LEVEL,
) -> UncertaintyReport:
    """Score every trial (graph x metric sample x setting of `parameters`) and attribute the differences to their
    sources.

    Give `resampled(...)` parameters to vary the weights too, as the paper does; their differences count as within a
    graph. Raises `InputError` if there is no trial, or `level` is not between 0 and 1.
    """
    if not samples or any(not len(each.metrics) for each in samples):
        raise InputError("uncertainty needs at least one graph, and for each graph at least one sample of its metrics")
    if not 0.0 < level < 1.0:
        raise InputError(f"the level of an interval is {level}, not between 0 and 1")
    parameters = parameters or read_parameters()
    scored = [score_batch(each.graph, parameters, each.metrics, rules, upper=each.upper) for each in samples]
    middle = [_trials(found, "score", "components") for found in scored]
    low = [_trials(found, "low", "components_low") for found in scored]
    high = [_trials(found, "high", "components_high") for found in scored]
    spreads = [
        _spread([m[:, i] for m in middle], [one[:, i] for one in low], [other[:, i] for other in high], level)
        for i in range(1 + len(COMPONENTS))
    ]
    trials = tuple(len(each) for each in middle)
    return UncertaintyReport(
        rules=rules,
        level=level,
        graphs=len(samples),
        trials=trials,
        score=spreads[0],
        components=dict(zip(COMPONENTS, spreads[1:], strict=True)),
        graph_scores=tuple(float(each[:, 0].mean()) for each in middle),
        warnings=tuple(_warnings(spreads[0], trials)),
    )


def samples_of(
    graph: PaperGraph, nodes: Mapping[str, Sequence[Mapping[str, Metric]]], trials: int | None = None, seed: int = 0
) -> GraphSamples:
    """Return the M trials of a graph whose nodes, by id, were verified several times each; a node not named is unknown.

    If every node has M samples (or one, or none), trial m takes the m-th of each. If the numbers differ, or `trials` is
    given, each trial draws one sample of every node at random, since verifications of different nodes are independent.
    Raises `InputError` for an unknown id.
    """
    place = {name: number for number, name in enumerate(graph.ids)}
    unknown = sorted(set(nodes) - set(place))
    if unknown:
        raise InputError(f"the graph has no node {unknown[0]!r}")
    counts = {len(given) for given in nodes.values()} - {0, 1}
    drawn = trials is not None or len(counts) > 1
    count = trials or max(counts, default=1)
    random = np.random.default_rng(seed)
    ends = np.full((2, count, len(graph.ids), len(METRICS)), np.nan)
    for name in sorted(nodes):
        given = nodes[name]
        if not given:
            continue
        rows = np.array([[_ends(metrics.get(metric)) for metric in METRICS] for metrics in given])
        which = random.integers(0, len(rows), count) if drawn else np.arange(count) % len(rows)
        ends[:, :, place[name]] = np.moveaxis(rows[which], 2, 0)
    same = np.array_equal(ends[0], ends[1], equal_nan=True)
    return GraphSamples(graph, ends[0], None if same else ends[1])


def resampled(parameters: Parameters, count: int, seed: int = 0) -> Parameters:
    """Return `count` settings around one: every weight times a log-normal factor (sigma 0.1), signs and zeros kept."""
    random = np.random.default_rng(seed)
    names = ("metric_weights", "role_weights", "edge_weights", "graph_weights")
    arrays = {name: getattr(parameters, name)[..., None] for name in names}
    return parameters.varied(
        **{name: a * np.exp(random.normal(0.0, 0.1, (*a.shape[:-1], count))) for name, a in arrays.items()}
    )


def _ends(value: Metric) -> tuple[float, float]:
    if value is None:
        return np.nan, np.nan
    if isinstance(value, tuple):
        return min(value), max(value)
    return value, value


def _trials(found: BatchScores, score: str, components: str) -> Floats:
    """Return score and components, (M, 7), of every trial of a graph."""
    joined: Floats = np.concatenate(
        (getattr(found, score).reshape(-1, 1), getattr(found, components).reshape(-1, len(COMPONENTS))), axis=1
    )
    return joined


def _spread(middle: Sequence[Floats], low: Sequence[Floats], high: Sequence[Floats], level: float) -> Spread:
    means = np.array([graph.mean() for graph in middle])
    mean = float(means.mean())
    tail = (1.0 - level) / 2
    between, within = variances(middle)
    error, freedom = _standard_error(middle)
    margin = None if error is None else student_quantile(1.0 - tail, freedom) * error
    unknown = float(np.mean([(h - one).mean() for one, h in zip(low, high, strict=True)]))
    share = None
    if between is not None and within is not None:
        seen = max(between, 0.0)
        share = seen / (seen + within) if seen + within > _NOTHING else 0.0
    return Spread(
        mean=mean,
        low=_quantile(low, tail),
        high=_quantile(high, 1.0 - tail),
        mean_low=None if margin is None else max(0.0, mean - margin - unknown / 2),
        mean_high=None if margin is None else min(1.0, mean + margin + unknown / 2),
        standard_error=error,
        between=between,
        within=within,
        between_share=share,
        unknown=unknown,
    )


def variances(groups: Sequence[Floats]) -> tuple[float | None, float | None]:
    """Return the variances between and within groups, unbiased also for groups of unequal sizes; None if not estimable.

    One-way analysis of variance with random groups: by the law of total variance a trial varies by their sum.
    """
    sizes = np.array([len(group) for group in groups], dtype=np.float64)
    total, count = sizes.sum(), len(groups)
    within = None
    if total > count:
        within = float(sum(((group - group.mean()) ** 2).sum() for group in groups) / (total - count))
    if count == 1 or within is None:
        return None, within
    means = np.array([group.mean() for group in groups])
    overall = float((sizes * means).sum() / total)
    mean_square = float((sizes * (means - overall) ** 2).sum() / (count - 1))
    size = (total - (sizes**2).sum() / total) / (count - 1)
    return float((mean_square - within) / size), within


def _standard_error(groups: Sequence[Floats]) -> tuple[float | None, int]:
    """Return the standard error of the mean over groups (or over one group's trials), and its degrees of freedom."""
    values = np.array([group.mean() for group in groups]) if len(groups) > 1 else groups[0]
    if len(values) < 2:
        return None, 0
    return float(np.sqrt(values.var(ddof=1) / len(values))), len(values) - 1


@lru_cache(maxsize=256)
def student_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t, to about 1e-6. With t = sqrt(freedom) tan(angle) its density is a power of a
    cosine, which is integrated over the angle."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 200_001)
    density = np.cos(angle) ** (freedom - 1)
    rising = np.concatenate(([0.0], np.cumsum((density[1:] + density[:-1]) / 2)))
    at = np.interp(probability, rising / rising[-1], angle)
    return float(np.sqrt(freedom) * np.tan(at))


def _quantile(groups: Sequence[Floats], at: float) -> float:
    """Return the quantile of all trials, each graph having the same weight."""
    values = np.concatenate(groups)
    weights = np.concatenate([np.full(len(group), 1.0 / len(group)) for group in groups])
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    middle = (np.cumsum(weights) - weights / 2) / weights.sum()
    return float(np.interp(at, middle, values))


def _warnings(score: Spread, trials: tuple[int, ...]) -> list[str]:
    said = []
    graphs, most = len(trials), max(trials)
    if graphs == 1:
        said.append(
            "one graph was sampled: how much the score depends on how the paper was read as a graph is not known, and "
            "the intervals leave it out"
        )
    if most == 1:
        said.append("one sample of the metrics a graph: how much the verification varies is not known")
    elif min(trials) == 1:
        said.append("some graphs have a single sample of their metrics; the others alone say how much those vary")
    share, between = score.between_share, score.between
    if share is not None and between is not None and share > 0.5 and between > _NOTHING:
        each = sum(trials) / graphs
        now, graphs_doubled, trials_doubled = (
            np.sqrt((between + (score.within or 0.0) / m) / k)
            for k, m in ((graphs, each), (2 * graphs, each), (graphs, 2 * each))
        )
        said.append(
            f"sample more graphs, not more metrics: {share:.0%} of the variance lies between graphs. Twice the graphs "
            f"bring the standard error of the score from {now:.3f} to about {graphs_doubled:.3f}, twice the samples on "
            f"each to {trials_doubled:.3f}"
        )
    if score.unknown > _NOTHING and score.unknown >= (score.high - score.low) / 2:
        said.append(
            f"most of the interval comes from what could not be verified: that alone leaves the score open by "
            f"{score.unknown:.3f}"
        )
    return said
