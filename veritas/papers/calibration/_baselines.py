"""Trivial scores that a calibrated one has to beat: length of the text, number of nodes, plain mean of the metrics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.scoring.graph import Floats


def baselines(papers: Sequence[CachedPaper]) -> dict[str, Floats]:
    """Return the baselines by name, one number for each paper."""
    return {
        "text length": np.array([paper.characters for paper in papers]),
        "node count": np.array([paper.nodes for paper in papers]),
        "edge count": np.array([paper.edges for paper in papers]),
        "mean metric": np.array([_mean(paper) for paper in papers]),
    }


def _mean(paper: CachedPaper) -> float:
    """Return the mean of all known metrics; one half if none is known."""
    known = np.concatenate([each.metrics[~np.isnan(each.metrics)] for each in paper.graphs])
    return float(known.mean()) if len(known) else 0.5
