"""A council of liars over real HTTP: how many of their lies reach an answer, by kind, and who caught the others.

    python benchmarks/lying_council.py [--envelopes 10000] [--hard 1500]

Three members, the writer and the judge are liars on a loopback server that speaks the OpenAI protocol (the script is
tests/loopback/liar.py); the pipeline is the real one. A lie leaks when the answer rests on it. Every kind is first told
to a judge who grants everything; what code cannot decide is then told to the embedded lens, to a quorum of the two, and
to a quorum of two such judges. Takes some ten minutes on two busy cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.loopback.liar import ANSWER_LIES, DRAFT_LIES, FIELD_LIES, HARD_LIES, WRITER_LIES
from tests.loopback.lying_council import JUDGES, Fates, Judges, tell


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def _by_code(fates: Fates) -> None:
    print("\nWhat code decides, before a judge who grants everything:\n")
    print("| lie | told | fell at | leaked | leak rate |\n| --- | ---: | --- | ---: | ---: |")
    for kind, about in {**DRAFT_LIES, **FIELD_LIES, **ANSWER_LIES, **WRITER_LIES}.items():
        told, leaked = fates.told[kind], fates.leaked[kind]
        fell = {where: n for (k, where), n in fates.fell.items() if k == kind}
        if kind in FIELD_LIES:  # what is in the draft beside them is counted with its own kind
            fell = {"not read": told}
        elif kind in ANSWER_LIES:
            fell = {"schema": told}
        elif kind in WRITER_LIES:
            fell = {"I8 sentence": told - leaked}
        where = ", ".join(f"{w} {n}" for w, n in sorted(fell.items(), key=lambda item: -item[1]))
        print(f"| {kind}: {about} | {told} | {where} | {leaked} | {_share(leaked, told)} |")


def _by_judges(found: dict[Judges, Fates]) -> None:
    print("\nThe quote is real and the claim misstates it. Leak rate, by who judges:\n")
    print(f"| lie | {' | '.join(found)} |\n| --- | {' | '.join('---:' for _ in found)} |")
    for kind, about in {**HARD_LIES, "truth": "for comparison: what is true and reaches the answer"}.items():
        rates = [f"{_share(f.leaked[kind], f.told[kind])} of {f.told[kind]}" for f in found.values()]
        print(f"| {kind}: {about} | {' | '.join(rates)} |")
    sums = [(sum(f.leaked[k] for k in HARD_LIES), sum(f.told[k] for k in HARD_LIES)) for f in found.values()]
    print(f"| **all such lies** | {' | '.join(f'**{_share(a, b)}** of {b}' for a, b in sums)} |\n")
    for name in found:
        print(f"- *{name}*: {JUDGES[name]}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envelopes", type=int, default=10_000, help="fabricated envelopes before the lying judge")
    parser.add_argument("--hard", type=int, default=1_500, help="such envelopes before each other set of judges")
    given = parser.parse_args()
    only_hard = {**dict.fromkeys((*DRAFT_LIES, *FIELD_LIES, *ANSWER_LIES), 0.0)}
    found: dict[Judges, Fates] = {}
    with tempfile.TemporaryDirectory() as folder:
        for judges in JUDGES:
            start = perf_counter()
            rates, count = ({}, given.envelopes) if judges == "liar" else (only_hard, given.hard)
            fates = found[judges] = await tell(Path(folder) / judges.replace(" ", "-"), judges, count, rates)
            seconds = perf_counter() - start
            print(f"{judges}: {fates.lies} fabricated envelopes, {sum(fates.faults.values())} faults of the server "
                  f"({dict(sorted(fates.faults.items()))}), {fates.answered} answers, {seconds:.0f} s", flush=True)
            if fates.strangers:
                raise SystemExit(f"addresses of the liars' own stand in an answer or a citation: {fates.strangers[:5]}")
    _by_code(found["liar"])
    _by_judges(found)
    leaked = {k: n for f in found.values() for k, n in f.leaked.items() if k not in HARD_LIES and k != "truth"}
    if leaked:
        raise SystemExit(f"lies that code decides on leaked: {leaked}")


if __name__ == "__main__":
    asyncio.run(main())
