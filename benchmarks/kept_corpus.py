"""A corpus that stays read: what the second opening, a new file and the memory cost beside the first reading.

    python benchmarks/kept_corpus.py [--documents 3000] [--folder FOLDER] [--home FOLDER]

Every step is a process of its own, its cost the processor time less that of `veritas tier URL`. Without `--folder`,
documents are made of a fixed vocabulary, about 600 words each. The hits are those of the three providers for thirty
questions: how many of their first ten are the same, in the same order, in the index of a corpus that grew file by file
and in one index of all documents in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from pipeline import PLACES, SUBJECTS, sentences

QUESTIONS = [f"Which {place} {subject} holds the pressure?" for place, subject in zip(PLACES, SUBJECTS, strict=False)]


def opened(folder: str) -> None:
    from veritas.reading.loading import load_corpus

    begun = perf_counter()
    corpus = load_corpus([folder])
    seconds = perf_counter() - begun
    asyncio.run(corpus.index.search(QUESTIONS[0], limit=10))
    print(json.dumps({"documents": len(corpus), "seconds": seconds, "segments": len(corpus.index.segments())}))


def compared(folder: str) -> None:
    from veritas.reading.loading import load_corpus
    from veritas.search.local import LocalIndex

    async def same() -> tuple[int, int]:
        corpus = load_corpus([folder])
        exact = LocalIndex(corpus.documents)
        found = [
            await corpus.index.search(question, limit=10) == await exact.search(question, limit=10)
            for question in QUESTIONS
        ]
        return sum(found), len(found)

    print(json.dumps(asyncio.run(same())))


def process(*arguments: str) -> tuple[str, float, float]:
    """Run a process. Return what it printed, its processor time in seconds, and its most memory in MB."""
    script = (
        "import resource, subprocess, sys; d = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True);"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN); sys.stdout.buffer.write(d.stdout);"
        "print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    )
    ended = subprocess.run([sys.executable, "-c", script, sys.executable, *arguments], capture_output=True, check=True)
    *said, cost = ended.stdout.decode().splitlines()
    seconds, megabytes = map(float, cost.split())
    return (said or [""])[-1], seconds, megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--folder", help="documents to read in place of made ones; nothing in it is changed")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        {"opened": opened, "compared": compared}[given.one[0]](given.one[1])
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as place:
        os.environ["VERITAS_HOME"] = f"{place}/home"
        folder = Path(given.folder or f"{place}/docs")
        if not given.folder:
            folder.mkdir()
            numbers = random.Random(7)
            for number in range(given.documents):
                text = sentences(numbers, 50)
                (folder / f"{number}.md").write_text(f"# Plant report {number}\n\n{text}", encoding="utf-8")
        base = min(process("-m", "veritas", "tier", "https://www.nature.com/articles/x")[1] for _ in range(3))
        rows = {"first": process(__file__, "--one", "opened", str(folder))}
        rows["again"] = process(__file__, "--one", "opened", str(folder))
        if not given.folder:
            (folder / "new.md").write_text("# A new report\n\nThe northern pump holds 9 bars.", encoding="utf-8")
            rows["one file more"] = process(__file__, "--one", "opened", str(folder))
            rows["again, grown"] = process(__file__, "--one", "opened", str(folder))
        first = rows["first"][1] - base
        print("| reading | documents | segments | processor s | of the first | s to open | peak MB |")
        print("| --- " + "| ---: " * 6 + "|")
        for name, (said, seconds, megabytes) in rows.items():
            found = json.loads(said)
            cost = max(0.0, seconds - base)
            print(f"| {name} | {found['documents']:,} | {found['segments']} | {cost:.2f} | {cost / first:.1%} "
                  f"| {found['seconds']:.2f} | {megabytes:.0f} |")  # fmt: skip
        same, of = json.loads(process(__file__, "--one", "compared", str(folder))[0])
        size = sum(file.stat().st_size for file in Path(f"{place}/home").rglob("*") if file.is_file()) / 1e6
        print(f"\nFirst ten hits as in one index in memory: {same} of {of}. Kept: {size:.0f} MB.")


if __name__ == "__main__":
    main()
