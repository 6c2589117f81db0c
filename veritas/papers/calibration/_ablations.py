"""The calibrated score with one part taken away: metrics, roles, edge features, propagation, components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veritas.papers.calibration import surface
from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.scoring.graph import Floats
from veritas.scoring.parameters import AGGREGATIONS, COMPONENTS, EDGE_FEATURES
from veritas.scoring.roles import METRICS, ROLES

NO_OPINION = 0.5


def without_parts(point: Floats) -> dict[tuple[str, str], Floats]:
    """Return the point without each part: a metric counts as 0, edge features and components lose their weight."""
    made: dict[tuple[str, str], Floats] = {}

    def put(group: str, part: str, coordinate: int, value: float) -> None:
        changed = point.copy()
        changed[coordinate] = value
        made[group, part] = changed

    for group, names, place in (
        ("metric", METRICS, surface.METRIC),
        ("edge feature", EDGE_FEATURES, surface.EDGE),
        ("component", COMPONENTS, surface.GRAPH),
    ):
        for number, name in enumerate(names):
            put(group, name, place.start + number, 0.0)
    put("propagation", "without trust (quality in its place)", surface.ENABLED, 0.0)
    put("propagation", "without the gate (eta 1)", surface.ETA, 1.0)
    for number, name in enumerate(AGGREGATIONS):
        put("propagation", f"agg {name}", surface.AGG, float(number))
    return made


def roles_of(papers: Sequence[CachedPaper]) -> list[int]:
    """Return the roles that occur in the papers, by number."""
    present = {int(role) for paper in papers for each in paper.graphs for role in np.unique(each.graph.roles)}
    return sorted(present)


def without_role(papers: Sequence[CachedPaper], role: int) -> tuple[str, list[CachedPaper]]:
    """Return the role's name, and the papers with all metrics of its nodes at one half: verification then tells nothing
    of them, but the structure stays."""
    made = []
    for paper in papers:
        graphs = []
        for each in paper.graphs:
            metrics = each.metrics.copy()
            metrics[:, each.graph.roles == role] = NO_OPINION
            upper = None
            if each.upper is not None:
                upper = each.upper.copy()
                upper[:, each.graph.roles == role] = NO_OPINION
            graphs.append(replace(each, metrics=metrics, upper=upper))
        made.append(replace(paper, graphs=tuple(graphs)))
    return ROLES[role], made
