"""Make papers whose labels follow a planted relation, or none, to test what a calibration finds with so many."""

from __future__ import annotations

from typing import Any

import numpy as np

from veritas.scoring.roles import METRICS

_LAYERS = (("Hypothesis",), ("Claim", "Context", "Assumption"), ("Method", "Evidence"), ("Result",), ("Conclusion",))
_TELLING = ("credibility", "evidence_strength", "method_rigor")
"""The metrics that show quality, in every node; all others are noise."""


def planted_papers(
    count: int, strength: float = 1.0, seed: int = 0, nodes: int = 16
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Return lines `{paper, graph}` as `veritas calibrate` reads them, and a label 0 or 1 by paper.

    Every paper has a quality of its own, which shows in three metrics of its nodes. `strength` (0: not at all) sets how
    closely the label follows it.
    """
    random = np.random.default_rng(seed)
    quality = random.normal(0.0, 1.0, count)
    leaning = strength * quality + random.normal(0.0, 1.0, count)
    labels = {f"paper-{number}": int(leaning[number] > np.median(leaning)) for number in range(count)}
    lines = [
        {"paper": f"paper-{number}", "graph": {"nodes": _nodes(int(random.integers(nodes - 3, nodes + 1)), q, random)}}
        for number, q in enumerate(quality.tolist())
    ]
    return lines, labels


def _nodes(count: int, quality: float, random: np.random.Generator) -> list[dict[str, Any]]:
    layers: list[list[str]] = [[] for _ in _LAYERS]
    made: list[dict[str, Any]] = []
    telling = [METRICS.index(metric) for metric in _TELLING]
    sizes = [1, *np.bincount(random.integers(0, 3, count - 5), minlength=3) + 1, 1]
    for depth, role in ((d, str(random.choice(_LAYERS[d]))) for d, size in enumerate(sizes) for _ in range(int(size))):
        above = [name for layer in layers[max(0, depth - 2) : depth] for name in layer]
        parents: list[str] = []
        if above:
            parents = random.choice(above, min(len(above), int(random.integers(1, 4))), replace=False).tolist()
        layers[depth].append(f"n{len(made)}")
        metrics = random.normal(0.6, 0.15, len(METRICS))
        metrics[telling] += 0.15 * quality
        made.append(
            {
                "id": layers[depth][-1],
                "role": role,
                "text": " ".join(f"word{number}" for number in random.integers(0, 200, int(random.integers(5, 20)))),
                "parents": sorted(parents),
                "metrics": dict(zip(METRICS, np.clip(metrics, 0.0, 1.0).round(3).tolist(), strict=True)),
            }
        )
    return made
