"""How long the quick commands take as whole processes, beside a Python that does nothing (ratio in the same run).

    python benchmarks/startup.py [--runs 7]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from time import perf_counter

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "veritas --help": ["-m", "veritas", "--help"],
    "veritas tier --help": ["-m", "veritas", "tier", "--help"],
    "veritas tier URL": ["-m", "veritas", "tier", "https://www.nature.com/articles/x"],
    "veritas runs": ["-m", "veritas", "runs"],
}


def seconds(arguments: list[str]) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for turn in range(given.runs + 1):
        for name, arguments in COMMANDS.items():  # in turn, so that a drifting machine drifts for all
            taken = seconds(arguments)
            if turn:
                times[name].append(taken)
    base = statistics.median(times["python -c pass"])
    print("| command | median ms | min ms | times a bare Python |\n| --- | ---: | ---: | ---: |")
    for name, found in times.items():
        median = statistics.median(found)
        print(f"| `{name}` | {1e3 * median:.0f} | {1e3 * min(found):.0f} | {median / base:.1f} |")


if __name__ == "__main__":
    main()
