"""What a run comes to when one of three providers fails, and when three calls in ten do.

    python benchmarks/failover.py [--latency 0.3] [--tiers quick standard deep] [--random 200] [--share 0.3]

Three members of three houses on servers of their own on loopback; an answer takes `--latency` seconds. Each house fails
from the first call of each turn on, in each of eight ways; printed are who answered, the time against the healthy
run's, and how often the house was asked after it had failed. Then runs in which every call fails with the chance
`--share`, in any way.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.update({"DO_NOT_TRACK": "1", "LITELLM_LOCAL_MODEL_COST_MAP": "True"})

from tests.loopback.failing import WAYS, House, council, houses  # noqa: E402
from tests.loopback.scripted import answer, heard  # noqa: E402
from tests.loopback.server import Asked, Reply  # noqa: E402
from tests.pumps import QUESTION, write_disputed  # noqa: E402
from veritas import aio  # noqa: E402
from veritas.claims.graph import ClaimGraph  # noqa: E402

TURNS = ("decompose", "assert", "judge", "contest", "respond", "synthesize")


def lively(asked: Asked) -> Reply:
    """Honest, with an objection where two numbers differ, and a first sentence of the answer's own wording: so every
    turn is taken."""
    to = heard(asked)
    said = answer(to)
    if to.turn == "contest":
        tested = [(name, text) for name, text in to.under("passage") if "In our test" in text]
        said = {
            "objections": [
                {"claim_id": name, "objection": "A test found less.", "counter_claim": tested[0][1],
                 "quotes": [{"passage_id": tested[0][0], "quote": tested[0][1]}]}
                for name, text in to.under("claim") if tested and "40 litres" in text
            ]
        }  # fmt: skip
    return Reply(json.dumps(said))


async def once(folder: Path, file: Path, corpus: Path, tier: str) -> tuple[ClaimGraph, float]:
    start = perf_counter()
    graph = await aio.research(QUESTION, home=folder / "home", corpus=[str(corpus)], council=str(file), tier=tier)
    return graph, perf_counter() - start


def reset(made: dict[str, House]) -> None:
    for house in made.values():
        house.over.set()  # what still hangs there is let go
        house.way = house.turn = None
        house.share, house.failing = 0.0, False
        house.turns.clear()
        house.after.clear()
        house.over = type(house.over)()


async def matrix(given: argparse.Namespace, folder: Path) -> None:
    corpus = write_disputed(folder)
    with houses(given.latency) as (made, servers):
        for house in made.values():
            house.honest = lively
        file = council(folder, servers, timeout=given.timeout)
        await once(folder, file, corpus, "quick")  # imports
        for tier in given.tiers:
            healthy = statistics.median([(await once(folder, file, corpus, tier))[1] for _ in range(3)])
            print(f"\n{tier}: healthy {healthy:.2f} s")
            print("| turn | house | way | answer | wall | ratio | asked after |")
            print("| --- | --- | --- | --- | ---: | ---: | ---: |")
            ratios, lost = [], 0
            for turn in given.turns:
                for name in made:
                    for way in given.ways:
                        reset(made)
                        house = made[name]
                        house.way, house.turn = way, turn
                        graph, wall = await once(folder, file, corpus, tier)
                        if not house.failing:
                            continue
                        ratios.append(wall / healthy)
                        said = graph.answer.status
                        if said != "answered":
                            lost += 1
                        elif not graph.answer.missing:
                            said += ", names nobody"
                        if given.all or said != "answered" or wall > 1.3 * healthy:
                            print(f"| {turn} | {name} | {way} | {said} | {wall:.2f} | {wall / healthy:.2f} | "
                                  f"{sum(house.after.values())} |", flush=True)  # fmt: skip
            over = sum(ratio > 1.3 for ratio in ratios)
            print(f"{len(ratios)} runs, {lost} without an answer, ratio median {statistics.median(ratios):.2f}, "
                  f"longest {max(ratios):.2f}, {over} above 1.3", flush=True)  # fmt: skip
            reset(made)


async def at_random(given: argparse.Namespace, folder: Path) -> None:
    corpus = write_disputed(folder)
    ended: Counter[str] = Counter()
    latency = given.latency / 10
    with houses(latency) as (made, servers):
        file = council(folder, servers, given.more, timeout=given.timeout)
        for name, house in made.items():
            house.honest, house.share, house.chance = lively, given.share, random.Random(f"{name} {given.seed}")

        for number in range(1, given.random + 1):
            graph, _ = await once(folder, file, corpus, given.random_tier)
            ended[graph.answer.status] += 1
            if graph.answer.status != "answered":
                print(f"{graph.answer.status}: {graph.answer.reason}", flush=True)
            if number % 10 == 0 or number == given.random:
                calls = sum(sum(h.turns.values()) for h in made.values())
                failed = sum(sum(h.after.values()) for h in made.values())
                print(f"{number} runs, {failed} of {calls} calls failed: {dict(ended)}", flush=True)


async def main(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERITAS_HOME"] = str(Path(folder) / "home")
        if given.tiers:
            await matrix(given, Path(folder))
        if given.random:
            await at_random(given, Path(folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--timeout", type=float, default=6.0, help="seconds that a model is given for one answer")
    parser.add_argument("--tiers", nargs="*", default=["quick", "standard", "deep"])
    parser.add_argument("--turns", nargs="*", default=TURNS)
    parser.add_argument("--ways", nargs="*", default=list(WAYS))
    parser.add_argument("--all", action="store_true", help="print every run, not those alone that are worth a look")
    parser.add_argument("--random", type=int, default=200)
    parser.add_argument("--random-tier", default="standard")
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--more", nargs="*", default=[], help="verifiers after the three models")
    asyncio.run(main(parser.parse_args()))
