"""The same run in process and through a real Prefect server on loopback, in one process, in turn.

    python benchmarks/orchestrated.py [--runs 3]

Prints seconds for each, the number of task runs, and what a task run costs on top.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
from pathlib import Path
from time import perf_counter

os.environ.update({"PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1", "PREFECT_LOGGING_LEVEL": "ERROR"})


async def compare(times: int, corpus: Path) -> None:
    from veritas import aio
    from veritas_flows.research import research

    question = "How is a claim verified, and what happens to a claim that is refuted?"
    here, there, units = [], [], 0
    for _ in range(times):
        start = perf_counter()
        plain = await aio.research(question, corpus=[corpus], tier="deep")
        here.append(perf_counter() - start)
        start = perf_counter()
        made = await research(question, tier="deep", corpus=[str(corpus)])
        there.append(perf_counter() - start)
        if made.content_hash() != plain.content_hash():
            raise SystemExit("the two runs found different things")
        units = sum(c.turn != "search" for c in made.calls) + 1
    a, b = statistics.median(here), statistics.median(there)
    print("| run | median s | |\n| --- | ---: | --- |")
    print(f"| in process | {a:.2f} | |")
    each = 1e3 * (b - a) / units
    print(f"| orchestrated | {b:.2f} | {b / a:.1f} times; about {units} task runs, {each:.0f} ms each |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    from prefect.testing.utilities import prefect_test_harness

    with tempfile.TemporaryDirectory() as home:
        os.environ["VERITAS_HOME"] = home
        with prefect_test_harness(server_startup_timeout=120):
            asyncio.run(compare(given.runs, Path(__file__).resolve().parents[1] / "docs"))


if __name__ == "__main__":
    main()
