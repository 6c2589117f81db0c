"""A corpus of ten thousand claims: how fast it is made, what a query costs, how large it is.

    python benchmarks/corpus.py [--claims 10000] [--dimensions 1024]

Papers are synthetic: 80 sentences each, words drawn by Zipf's law from 20,000, with numbers and headings.
Embeddings are random unit vectors of the dimensions of a hosted model: their ranking means nothing, their cost does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from veritas.documents.document import Document, document_id
from veritas.reviews.add_papers import add
from veritas.reviews.check_corpus import check
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import Filters
from veritas.reviews.drafts import Candidate, Offer, record_of
from veritas.reviews.embedded_claim_extractor import EmbeddedExtractor

A_PAPER = 80
SECTIONS = ("1 Introduction", "2 Methods", "3 Results", "4 Discussion")


class Points:
    """Random unit vectors."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions, self.model = dimensions, f"points:{dimensions}"

    async def embed(self, texts: Sequence[str], kind: str) -> list[list[float]]:
        import numpy as np

        made = np.random.default_rng(len(texts)).normal(size=(len(texts), self.dimensions)).astype(np.float32)
        found: list[list[float]] = (made / np.linalg.norm(made, axis=1, keepdims=True)).tolist()
        return found


def _words(count: int, rng: random.Random) -> list[str]:
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    return ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(count)]


def papers(claims: int) -> list[Candidate]:
    rng = random.Random(7)
    vocabulary = _words(20_000, rng)
    weights = [1 / (rank + 2) for rank in range(len(vocabulary))]
    made = []
    for number in range(-(-claims // A_PAPER)):
        parts = []
        for section in SECTIONS:
            said = [
                f"The {' '.join(rng.choices(vocabulary, weights, k=rng.randint(8, 18)))} was "
                f"{rng.randint(1, 999) / 10} mg in {rng.randint(2, 400)} samples."
                for _ in range(A_PAPER // len(SECTIONS))
            ]
            parts.append(f"{section}\n\n" + " ".join(said))
        text = "\n\n".join(parts)
        paper = Document(
            document_id=document_id(text), url=f"corpus://bench/{number}", title=f"Paper {number}", text=text,
            fetched_at=date(2026, 1, 1), published_at=date(1990 + number % 36, 1, 1), authors=(f"Ada Author{number}",),
        )  # fmt: skip
        made.append(Candidate(source=str(number), document=paper, record=record_of(paper)))
    return made


def queries(corpus: Corpus) -> list[str]:
    rng = random.Random(11)
    return [" ".join(rng.sample(claim.text.split()[1:-6], 5)) for claim in rng.sample(corpus.claims(), 200)]


async def measure(home: Path, claims: int, dimensions: int | None) -> dict[str, object]:
    offer = Offer(root="bench", candidates=tuple(papers(claims)))
    corpus = Corpus.create("bench", embedder=Points(dimensions) if dimensions else None, home_folder=home)
    start = time.perf_counter()
    await add(corpus, offer, EmbeddedExtractor())
    seconds = time.perf_counter() - start
    held = len(corpus.claims())
    start = time.perf_counter()
    await corpus.search("a first query")
    first = time.perf_counter() - start
    asked = queries(corpus)
    found: dict[str, object] = {
        "claims": held, "papers": len(corpus.papers()), "added in s": round(seconds, 1),
        "claims a second": round(held / seconds), "file in MB": round(corpus.path.stat().st_size / 1e6, 1),
        "index built in ms": round(first * 1000),
    }  # fmt: skip
    for name, filters in (
        ("query", None),
        ("query with filters", Filters(claim_types=frozenset({"finding"}), year_from=2000)),
    ):
        times = []
        for query in asked:
            start = time.perf_counter()
            await corpus.search(query, filters)
            times.append(1000 * (time.perf_counter() - start))
        found[f"{name}, median ms"] = round(statistics.median(times), 2)
        found[f"{name}, best ms"] = round(min(times), 2)
        found[f"{name}, 95% ms"] = round(sorted(times)[int(0.95 * len(times))], 2)
    start = time.perf_counter()
    checked = check(corpus)
    found["check in s"] = round(time.perf_counter() - start, 1)
    found["breaches"] = len(checked.breaches)
    again = time.perf_counter()
    await add(corpus, offer, EmbeddedExtractor())
    found["added again in s"] = round(time.perf_counter() - again, 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--dimensions", type=int, default=1024, help="of the embeddings")
    parser.add_argument("--one", choices=("bm25", "both"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is None:
        # Each in a process of its own, so that memory is its own.
        for one in ("bm25", "both"):
            command = [sys.executable, __file__, "--claims", str(given.claims), "--dimensions", str(given.dimensions)]
            subprocess.run([*command, "--one", one], check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERITAS_HOME"] = folder
        found = asyncio.run(measure(Path(folder), given.claims, given.dimensions if given.one == "both" else None))
        found["most memory in MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        print(given.one, json.dumps(found))


if __name__ == "__main__":
    main()
