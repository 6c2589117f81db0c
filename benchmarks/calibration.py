"""How long a calibration takes, and whether it tells a planted relation from noise.

    python benchmarks/calibration.py [--settings 100000] [--papers 100] [--nodes 16] [--repetitions 10]

speed       one whole calibration: three stages for all papers and for each fold's training papers
honesty     many small ones (60 papers of 10 nodes, 300 settings): what is reported where labels are noise, and where
            they follow the papers' quality
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.papers.calibration.paper_labels import Labels, labelled
from veritas.papers.calibration.study import Choices, calibrate
from veritas.policy.yaml_file import read_yaml_model
from veritas.scoring.graph import read_graph
from veritas.scoring.roles import METRICS
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.scoring.uncertainty import GraphSamples
from veritas.settings import policy_file

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


def papers_of(count: int, strength: float, seed: int, nodes: int = 8) -> tuple[list[CachedPaper], Labels]:
    """Planted papers and their labels."""
    lines, labels = planted_papers(count, strength, seed, nodes)
    papers = []
    for line in lines:
        graph = read_graph(line["graph"]).graph
        assert graph is not None
        papers.append(CachedPaper((line["paper"],), (GraphSamples(graph, graph.metrics[None]),), line["paper"]))
    chosen, known, _ = labelled(papers, {name.casefold(): float(label) for name, label in labels.items()})
    return chosen, known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", type=int, default=100_000)
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=16)
    parser.add_argument("--repetitions", type=int, default=10)
    given = parser.parse_args()
    policy = read_yaml_model(policy_file("scorer.yaml"), ScorerPolicy)

    papers, labels = papers_of(given.papers, 1.0, 0, given.nodes)
    began = time.perf_counter()
    report = calibrate(papers, labels, policy, Choices(settings=given.settings))
    seconds = time.perf_counter() - began
    print(
        f"{report.settings_tried:,} settings over {given.papers} papers of up to {given.nodes} nodes: {seconds:.0f} s, "
        f"{seconds / report.settings_tried / given.papers * 1e6:.1f} microseconds a paper and setting. "
        f"{report.verdict}."
    )
    sys.stdout.flush()
    print(f"{'strength':>8} {'held out':>9} {'initial':>8} {'same papers':>12} {'above chance':>13} {'changed':>8}")
    for strength in (0.0, 1.0, 2.0, 4.0):
        rows = []
        for seed in range(given.repetitions):
            papers, labels = papers_of(60, strength, seed, 10)
            found = calibrate(papers, labels, policy, Choices(settings=300, seed=seed))
            stages = {each.stage: each for each in found.stages}
            rows.append((
                found.headline.value, stages["default"].held_out_auroc.value, stages["refine"].same_papers_auroc,
                float(found.beats_chance), float(found.chosen_stage == "refine"),
            ))  # fmt: skip
        mean = np.array(rows, dtype=np.float64).mean(axis=0)
        print(f"{strength:>8} {mean[0]:>9.3f} {mean[1]:>8.3f} {mean[2]:>12.3f} {mean[3]:>13.0%} {mean[4]:>8.0%}")


if __name__ == "__main__":
    main()
