"""How long a calibration takes, and whether it tells a planted relation from noise.

    python benchmarks/calibration.py [--settings 100000] [--papers 100] [--nodes 16] [--processes 2] [--repetitions 10]

speed       one whole calibration: three stages for every training set, nested cross-validation, baselines, ablations
honesty     many small ones (60 papers of 10 nodes, 300 settings): what is reported where labels are noise, and where
            they follow the papers' quality
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import numpy as np

from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.papers.calibration.paper_labels import Labels, labelled
from veritas.papers.calibration.study import Choices, calibrate
from veritas.papers.calibration.synthetic_papers import planted_papers
from veritas.policy.yaml_file import read_yaml_model
from veritas.scoring.graph import read_graph
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.scoring.uncertainty import GraphSamples
from veritas.settings import policy_file


def made(count: int, strength: float, seed: int, nodes: int) -> tuple[list[CachedPaper], Labels]:
    """Planted papers and their labels."""
    lines, labels = planted_papers(count, strength, seed, nodes)
    papers = []
    for line in lines:
        graph = read_graph(line["graph"]).graph
        assert graph is not None
        length = float(sum(map(len, graph.texts)))
        papers.append(CachedPaper((line["paper"],), (GraphSamples(graph, graph.metrics[None]),), length, line["paper"]))
    chosen, known, _ = labelled(papers, {name.casefold(): float(label) for name, label in labels.items()})
    return chosen, known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", type=int, default=100_000)
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=16)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=10)
    given = parser.parse_args()
    policy = read_yaml_model(policy_file("scorer.yaml"), ScorerPolicy)

    papers, labels = made(given.papers, 1.0, 0, given.nodes)
    began = time.perf_counter()
    report = calibrate(papers, labels, policy, Choices(settings=given.settings, processes=given.processes))
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(
        f"{report.settings_tried:,} settings over {given.papers} papers of up to {given.nodes} nodes, "
        f"{given.processes} processes: {seconds:.0f} s, "
        f"{seconds / report.settings_tried / given.papers * 1e6:.1f} microseconds a paper and setting; "
        f"main and largest other process {peak / 1024:.0f} MB. {report.verdict}."
    )
    sys.stdout.flush()
    heads = ("strength", "held out", "default", "sparse, held out", "same papers", "above chance")
    print("{:>8} {:>9} {:>8} {:>17} {:>12} {:>13}".format(*heads))
    for strength in (0.0, 1.0, 2.0, 4.0):
        rows = []
        for seed in range(given.repetitions):
            papers, labels = made(60, strength, seed, 10)
            found = calibrate(papers, labels, policy, Choices(settings=300, processes=1, seed=seed, draws=500))
            last = found.stages[-1]
            rows.append(
                (
                    found.headline.value,
                    found.stages[0].nested_auroc.value,
                    last.nested_auroc.value,
                    last.apparent_auroc,
                    float(found.beats_chance),
                )
            )
        mean = np.array(rows, dtype=np.float64).mean(axis=0)
        print(f"{strength:>8} {mean[0]:>9.3f} {mean[1]:>8.3f} {mean[2]:>17.3f} {mean[3]:>12.3f} {mean[4]:>12.0%}")


if __name__ == "__main__":
    main()
