"""How long the paper scorer takes: from scratch, one update, and per setting in a batch; by size and shape of graph.

    python benchmarks/scoring.py [--sizes 16,64,256,1024,4096] [--clock wall|cpu] [--json]

Graphs: node 0 is a Hypothesis, the last a Conclusion, the others take any of the ten roles; each has one to three
parents, drawn from all earlier nodes ("any") or from the 32 before it ("near"), six random metrics and twelve words.

read     a graph's JSON to a checked graph
scratch  a checked graph to everything a score is made of, by every node and edge: layout, words, path included
update   one node's new metrics in a running session to the new score (mean over twenty nodes)
batch    one of many settings that differ in every number the policy file weighs, over a graph laid out before

The reference, on the same sizes, took 0.8, 3.4, 16, 85 and 850 ms from scratch (mean of both shapes).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from veritas.scoring.batch import score_batch
from veritas.scoring.graph import read_graph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import AGGREGATIONS, Parameters, read_parameters
from veritas.scoring.roles import METRICS, ROLES
from veritas.scoring.score import score
from veritas.scoring.streaming import Session

REFERENCE_MS = {16: 0.8, 64: 3.4, 256: 16.0, 1024: 85.0, 4096: 850.0}


def document(nodes: int, near: bool, seed: int = 0) -> dict[str, Any]:
    """A random graph as JSON."""
    random = np.random.default_rng(seed)
    made: list[dict[str, Any]] = []
    for place in range(nodes):
        first = max(0, place - 32) if near else 0
        count = min(place, int(random.integers(1, 4)))
        parents = sorted(random.choice(np.arange(first, place), min(count, place - first), replace=False).tolist())
        role = "Hypothesis" if place == 0 else "Conclusion" if place == nodes - 1 else ROLES[int(random.integers(10))]
        words = " ".join(f"word{number}" for number in random.integers(0, 400, 12))
        metrics = dict(zip(METRICS, random.random(6).round(3).tolist(), strict=True))
        made.append({"id": f"n{place}", "role": role, "text": words, "parents": [f"n{p}" for p in parents]})
        made[-1] |= {"children": [], "metrics": metrics}
        for parent in parents:
            made[parent]["children"].append(f"n{place}")
    return {"nodes": made}


def settings(count: int, seed: int = 1) -> Parameters:
    """Settings that differ in everything."""
    random = np.random.default_rng(seed)
    edge = random.random((5, count))
    return read_parameters().varied(
        metric_weights=random.uniform(0.5, 1.5, (6, count)),
        edge_weights=edge / edge.sum(axis=0),
        agg=[AGGREGATIONS[number] for number in random.integers(0, 4, count)],
        alpha=random.uniform(0.0, 2.0, count),
        eta=random.random(count),
        softmin_beta=random.uniform(0.0, 12.0, count),
        dampmin_lambda=random.random(count),
        graph_weights=random.uniform(-0.1, 0.5, (6, count)),
    )


def fastest(work: Callable[[], Any], clock: Callable[[], float], seconds: float = 1.0, least: int = 3) -> float:
    """Milliseconds of the fastest of at least `least` runs within about that time."""
    times: list[float] = []
    began = time.perf_counter()
    while len(times) < least or (time.perf_counter() - began < seconds and len(times) < 200):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times) * 1e3


def measure(nodes: int, near: bool, clock: Callable[[], float]) -> dict[str, Any]:
    """One row."""
    made = document(nodes, near)
    graph = read_graph(made).graph
    assert graph is not None
    parameters = read_parameters()
    session = Session(graph, parameters)
    random = np.random.default_rng(2)

    def updates() -> None:
        for place in random.integers(0, nodes, 20).tolist():
            session.update(graph.ids[place], dict(zip(METRICS, random.random(6).tolist(), strict=True)))

    count = max(32, min(512, 131_072 // nodes))
    many = settings(count)
    structure = Structure(graph)
    score_batch(graph, many, layout=structure)
    return {
        "nodes": nodes,
        "shape": "near" if near else "any",
        "edges": len(graph.tail),
        "levels": len(structure.levels) + 1,
        "bridge_edges": structure.bridge.edges,
        "read_ms": fastest(lambda: read_graph(made), clock),
        "scratch_ms": fastest(lambda: score(graph, parameters), clock),
        "update_ms": fastest(updates, clock) / 20,
        "settings": count,
        "batch_ms": fastest(lambda: score_batch(graph, many, layout=structure), clock, least=2) / count,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="16,64,256,1024,4096")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu is steadier on a busy machine")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    clock = time.perf_counter if given.clock == "wall" else time.process_time
    rows = [measure(int(size), near, clock) for size in given.sizes.split(",") for near in (False, True)]
    if given.json:
        print(json.dumps(rows))
        return
    print(f"{'nodes':>6} {'shape':>5} {'edges':>6} {'read':>8} {'scratch':>8} {'update':>8} {'batch':>9} milliseconds")
    for row in rows:
        print(
            f"{row['nodes']:>6} {row['shape']:>5} {row['edges']:>6} {row['read_ms']:>8.3f} {row['scratch_ms']:>8.3f} "
            f"{row['update_ms']:>8.3f} {row['batch_ms']:>9.4f}"
        )
    for any_row, near_row in zip(rows[::2], rows[1::2], strict=True):
        reference = REFERENCE_MS.get(any_row["nodes"])
        if reference:
            scratch = (any_row["scratch_ms"] + near_row["scratch_ms"]) / 2
            whole = scratch + (any_row["read_ms"] + near_row["read_ms"]) / 2
            batch = (any_row["batch_ms"] + near_row["batch_ms"]) / 2
            print(
                f"{any_row['nodes']:>6} nodes, of the reference's {reference} ms: {reference / scratch:.0f} times as "
                f"fast from scratch ({reference / whole:.0f} with reading), {reference / batch:.0f} times in a batch"
            )


if __name__ == "__main__":
    main()
