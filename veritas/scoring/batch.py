"""Score one graph under many settings and metric samples in one call, or many graphs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veritas.scoring.evaluation import Rules, evaluate
from veritas.scoring.graph import Floats, Ints, PaperGraph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, Parameters, read_parameters
from veritas.scoring.support import Support, worst_and_best

BLOCK_CELLS = 400_000
"""Edges times columns computed together, so that a block's arrays fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class BatchScores:
    """Scores of S metric samples under K settings. Under rules `veritas` with unknown metrics, `low` and `high` are the
    ends of the interval and `score` is its middle; else both equal `score`."""

    score: Floats  # (S, K)
    score_raw: Floats  # (S, K)
    components: Floats  # (S, K, 6), in the order of COMPONENTS
    low: Floats  # (S, K)
    high: Floats  # (S, K)
    components_low: Floats  # (S, K, 6)
    components_high: Floats  # (S, K, 6)


def score_batch(
    graph: PaperGraph,
    parameters: Parameters | None = None,
    metrics: Floats | None = None,
    rules: Rules = "paper",
    layout: Structure | Support | None = None,
    upper: Floats | None = None,
) -> BatchScores:
    """Score one graph under all K settings and all S samples of its metrics.

    K is the trailing axis of `parameters`, 1 if it has none. `metrics` is (S, N, 6) in the order of the graph, NaN for
    unknown (default: the graph's own). With `upper`, (S, N, 6), a metric lies between `metrics` and it: rules `veritas`
    give the interval that follows, the others take the middle. `layout`, a `Structure` or for rules `veritas` a
    `Support` of the same graph, saves laying it out again. Raises `ValueError` for shapes that do not fit.
    """
    parameters = parameters or read_parameters()
    settings = parameters.settings or 1
    samples = graph.metrics[None] if metrics is None else np.asarray(metrics, dtype=np.float64)
    if samples.ndim != 3 or samples.shape[1:] != graph.metrics.shape:
        raise ValueError(f"metrics have shape {samples.shape}, not (samples, {len(graph.ids)}, 6)")
    if upper is not None and upper.shape != samples.shape:
        raise ValueError(f"the upper ends have shape {upper.shape}, the lower ones {samples.shape}")
    if upper is not None and rules != "veritas":
        samples, upper = (samples + upper) / 2, None
    columns = len(samples) * settings
    scores, raws = np.empty((2, columns)), np.empty((2, columns))
    components = np.empty((2, len(COMPONENTS), columns))
    if rules == "veritas":
        support = layout if isinstance(layout, Support) else Support(graph)
        structure = support.structure
    else:
        structure = layout if isinstance(layout, Structure) else Structure(graph)
    width = max(1, BLOCK_CELLS // max(structure.edges + structure.nodes, 1))
    for first in range(0, columns, width):
        block = slice(first, min(first + width, columns))
        which = np.arange(block.start, block.stop)
        of_sample, of_setting = np.divmod(which, settings)
        some = parameters.columns(of_setting)
        chosen = _chosen(samples, of_sample)
        if rules == "veritas":
            worst, best = worst_and_best(
                graph.with_metrics(chosen), None if upper is None else _chosen(upper, of_sample)
            )
            ends = [worst] if np.array_equal(worst, best) else [worst, best]
            for end, given in enumerate(ends):
                found = support.evaluate(given, some)
                scores[end:, block], raws[end:, block] = found.score, found.score_raw
                components[end:, :, block] = found.components
        else:
            one = evaluate(structure, chosen[structure.node_of], some, rules)
            scores[:, block], raws[:, block], components[:, :, block] = one.score, one.score_raw, one.components
    shape = (len(samples), settings)
    parts = np.moveaxis(components, 1, 2).reshape(2, *shape, len(COMPONENTS))
    return BatchScores(
        score=scores.mean(axis=0).reshape(shape),
        score_raw=raws.mean(axis=0).reshape(shape),
        components=parts.mean(axis=0),
        low=scores[0].reshape(shape),
        high=scores[1].reshape(shape),
        components_low=parts.min(axis=0),
        components_high=parts.max(axis=0),
    )


def _chosen(samples: Floats, which: Ints) -> Floats:
    """Return the samples for a block of columns: (N, 6) if all columns share one, else (N, 6, C)."""
    return samples[which[0]] if which[0] == which[-1] else np.moveaxis(samples, 0, 2).take(which, axis=2)
