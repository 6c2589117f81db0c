"""The stage `propagate`: trust through every sampled graph under each rule set, and the uncertainty of the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veritas.frozen import Frozen
from veritas.papers.audit import AuditNode, GraphScoring, PaperAudit, PaperEvent, SampledGraph
from veritas.scoring.evaluation import RULES, Rules
from veritas.scoring.graph import PaperGraph, read_graph
from veritas.scoring.parameters import Parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.score import score

SETTINGS = 8
"""Resampled settings of the scorer's weights for each sample of the metrics, as in the paper's evaluation."""


class Propagation(Frozen):
    """Output of the stage: every sound graph under the headline's rules, the primary one under all rules."""

    scorings: tuple[GraphScoring, ...] = ()
    uncertainty: dict[str, Any] | None = None
    events: tuple[PaperEvent, ...] = ()


def graph_of(audit: PaperAudit, index: int) -> PaperGraph:
    """Return the scorer's graph. Every sound graph of an audit is one; raises `ValueError` if it is not."""
    verdict = read_graph(audit.graph_document(index))
    if verdict.graph is None:
        raise ValueError(f"graph {index} cannot be scored: {'; '.join(verdict.errors)}")
    return verdict.graph


def propagate(
    audit: PaperAudit, parameters: Parameters, rules: Rules, seed: int, settings: int = SETTINGS
) -> Propagation:
    """Score all sound graphs. `audit` holds nodes, graphs and metrics; nothing else of it is used."""
    sound = [g for g in audit.graphs if g.ok and g.nodes]
    graphs = {g.index: graph_of(audit, g.index) for g in sound}
    scorings = []
    for sampled in sound:
        for named in RULES if sampled.index == audit.primary else (rules,):
            made = score(graphs[sampled.index], parameters, named)
            scorings.append(
                GraphScoring(
                    graph=sampled.index,
                    rules=named,
                    nodes=made.graph.ids,
                    edges=tuple(made.graph.edges),
                    values=made.as_json(),
                )
            )
    uncertainty = _uncertainty(audit.nodes, sound, graphs, parameters, rules, seed, settings)
    return Propagation(scorings=tuple(scorings), uncertainty=uncertainty)


def _uncertainty(
    nodes: Sequence[AuditNode],
    sound: Sequence[SampledGraph],
    graphs: dict[int, PaperGraph],
    parameters: Parameters,
    rules: Rules,
    seed: int,
    settings: int,
) -> dict[str, Any] | None:
    from veritas.scoring.uncertainty import propagate_uncertainty, resampled, samples_of

    if not sound:
        return None
    by_id = {node.id: node for node in nodes}
    made = [
        samples_of(graphs[g.index], {name: _trials(by_id[name]) for name in g.nodes}, seed=seed + g.index)
        for g in sound
    ]
    report = propagate_uncertainty(made, resampled(parameters, settings, seed), rules)
    return report.model_dump(mode="json")


def _trials(node: AuditNode) -> list[dict[str, float | None]]:
    """Return the node's metrics, once for each time it was assessed."""
    count = max((len(m.samples) for m in node.metrics.values()), default=0) or 1
    return [{name: _sample(node, name, trial) for name in METRICS} for trial in range(count)]


def _sample(node: AuditNode, name: str, trial: int) -> float | None:
    metric = node.metrics.get(name)
    if metric is None:
        return None
    return metric.samples[trial % len(metric.samples)] if metric.samples else metric.value
