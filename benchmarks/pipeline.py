"""How a run grows: with the number of documents in the corpus, and with the number of claims.

    python benchmarks/pipeline.py [--documents 100,1000,10000,50000] [--claims 10,100,1000,10000]

Each size runs in a process of its own, so that peak memory is its own. Documents are made of a fixed vocabulary, about
120 words each; claims come from scripted members, so that the stages and not the extraction are measured. Prints two
Markdown tables and, for each step of size, by what power the time grew (1 = linear).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from veritas import ClaimGraph, Document
from veritas.answers.request import Request
from veritas.policy.cost_tiers import CostTier
from veritas.reading.corpus import Corpus
from veritas.testing import FakeLens, FakeMember, FakePolicy, FakeProvider, document, fake_runtime
from veritas.use_cases import runs

QUESTION = "Which flow rate does the valve of the northern pump reach under pressure?"
SUBJECTS = "pump valve turbine boiler filter gauge rotor piston nozzle bearing seal flange shaft casing".split()
PLACES = "northern southern eastern western central upper lower inner outer coastal alpine urban rural".split()
VERBS = "reaches holds exceeds loses gains needs shows keeps".split()
UNITS = "litres watts bars degrees metres grams volts cycles".split()


def sentences(random_: random.Random, count: int) -> str:
    """Prose with numbers, about twelve words a sentence."""
    made = []
    for _ in range(count):
        made.append(
            f"The {random_.choice(PLACES)} {random_.choice(SUBJECTS)} of plant {random_.randint(1, 9999)} "
            f"{random_.choice(VERBS)} {random_.randint(2, 9000)} {random_.choice(UNITS)} under the pressure of a "
            f"{random_.choice(PLACES)} {random_.choice(SUBJECTS)}."
        )
    return "\n\n".join(made)


def by_documents(count: int) -> dict[str, float]:
    random_ = random.Random(7)
    corpus = Corpus(document(f"corpus://bench/{i}", sentences(random_, 6), f"Plant report {i}") for i in range(count))
    with tempfile.TemporaryDirectory() as home:
        times = []
        graph: ClaimGraph | None = None
        for _ in range(2):  # the first run builds the indexes, the second finds them built
            start = perf_counter()
            request = Request(question=QUESTION, corpus=("bench",))
            graph = asyncio.run(runs.start(request, home=Path(home), corpus=corpus))
            times.append(perf_counter() - start)
    return {"first": times[0], "again": times[1], "claims": len(graph.claims) if graph else 0, "mb": peak()}


def by_claims(count: int) -> dict[str, float]:
    random_ = random.Random(7)
    documents: list[Document] = [
        document(f"https://good.example/{i}", sentences(random_, 1)) for i in range(math.ceil(count / 3))
    ]
    members = [FakeMember(f"m{i}", f"f{i}") for i in range(3)]
    tier = CostTier(
        rounds=2,
        providers_per_member=1,
        verifier="dedicated",
        hits_per_search=100,
        sources_per_search=50,
        claims_per_turn=50,
    ).model_copy(update={"hits_per_search": count, "sources_per_search": count, "claims_per_turn": count})
    runtime = fake_runtime(
        documents,
        members=members,
        verifiers=[FakeLens()],
        providers=[FakeProvider("all", documents)],
        policy=FakePolicy({"https://good.example/": 1}),
        tier=tier,
        request=Request(question=QUESTION),
    )
    from veritas.answers.pipeline import Pipeline
    from veritas.claims import Run
    from veritas.engine.progress import Silent
    from veritas.engine.units import in_process
    from veritas.report import render_markdown
    from veritas.store import RunStore
    from veritas.testing import FETCHED

    with tempfile.TemporaryDirectory() as home:
        begun = f"{FETCHED}T00:00:00Z"
        row = Run(run_id="bench", question=QUESTION, tier="standard", seed=0, started_at=begun, version="bench")
        start = perf_counter()
        with RunStore.create(Path(home), row) as store:
            graph = asyncio.run(Pipeline(store, runtime, in_process, render=render_markdown, progress=Silent()).run())
        seconds = perf_counter() - start
        size = (Path(home) / "runs" / "bench.duckdb").stat().st_size / 1e6
    stages = {t.stage: t.seconds for t in graph.run.timings}
    return {"all": seconds, "claims": len(graph.claims), **stages, "file_mb": size, "mb": peak()}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(kind: str, size: int) -> dict[str, float]:
    """One size in a process of its own."""
    command = [sys.executable, __file__, "--one", kind, str(size)]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return found


def growth(sizes: list[int], times: list[float]) -> str:
    points = list(zip(sizes, times, strict=True))
    powers = [f"{math.log(b / a) / math.log(m / n):.2f}" for (n, a), (m, b) in pairwise(points)]
    return "grows by the power " + ", ".join(powers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", default="100,1000,10000,50000")
    parser.add_argument("--claims", default="10,100,1000,10000")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps({"documents": by_documents, "claims": by_claims}[given.one[0]](int(given.one[1]))))
        return
    sizes = [int(n) for n in given.documents.split(",")]
    rows = [measured("documents", n) for n in sizes]
    print("| documents | first question, s | next question, s | claims | peak MB |")
    print("| ---: " * 5 + "|")
    for n, row in zip(sizes, rows, strict=True):
        print(f"| {n:,} | {row['first']:.2f} | {row['again']:.2f} | {row['claims']:.0f} | {row['mb']:.0f} |")
    print(f"\nfirst question {growth(sizes, [r['first'] for r in rows])}")
    print(f"next question {growth(sizes, [r['again'] for r in rows])}\n")
    sizes = [int(n) for n in given.claims.split(",")]
    rows = [measured("claims", n) for n in sizes]
    stages = ["research", "extract", "verify", "debate", "synthesize", "render"]
    print(f"| claims | all, s | {' | '.join(stages)} | run file MB | peak MB |")
    print("| ---: " * (len(stages) + 4) + "|")
    for row in rows:
        cells = " | ".join(f"{row[s]:.2f}" for s in stages)
        print(f"| {row['claims']:,.0f} | {row['all']:.2f} | {cells} | {row['file_mb']:.1f} | {row['mb']:.0f} |")
    print(f"\nthe whole {growth([int(r['claims']) for r in rows], [r['all'] for r in rows])}")


if __name__ == "__main__":
    main()
