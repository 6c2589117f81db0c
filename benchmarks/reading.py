"""Times for corpora and conversion: `python benchmarks/reading.py [--largest 50000] [FILE…]` prints one JSON line each.

Corpora of 100 to 50,000 made-up records of about 1,500 characters are loaded, cut into passages and searched for
quotes; memory is the growth of the resident set in a process of its own. Each FILE is converted without the cache.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = (
    "measured effect group increase placebo trial patients cohort decline response model baseline estimate river soil "
    "protein membrane interval significant reduced observed annual sample density transport cache server memory query"
).split()


def corpus_file(folder: Path, count: int) -> Path:
    """A `.jsonl` of `count` records, the same in each run."""
    draw = random.Random(count)
    path = folder / f"made-up-{count}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            sentences = (" ".join(draw.choices(WORDS, k=14)).capitalize() + f" {draw.random():.3f}." for _ in range(14))
            record = {"id": number, "title": f"Record {number}", "text": " ".join(sentences), "published_at": "2020"}
            file.write(json.dumps(record) + "\n")
    return path


def load_once(path: Path) -> dict[str, float]:
    """Loads a corpus in this process."""
    from veritas.documents.passages import cut_passages
    from veritas.documents.verbatim import is_verbatim
    from veritas.reading.loading import load_corpus
    from veritas.search.ranking import best

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    corpus = load_corpus([path])
    loaded = time.perf_counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    fingerprint = time.perf_counter()
    corpus.fingerprint  # noqa: B018
    fingerprinted = time.perf_counter()
    part = corpus.documents[:1000]
    passages = sum(len(cut_passages(document)) for document in part)
    cut = time.perf_counter()
    for document in part:
        best("decline of the annual response in the placebo group", cut_passages(document), 3)
    ranked = time.perf_counter()
    assert all(is_verbatim(document.text[100:300], document.text) for document in part)
    return {
        "load_s": round(loaded - begun, 3),
        "rss_mb": round(memory / 1024, 1),
        "text_mb": round(sum(len(document.text) for document in corpus.documents) / 1e6, 1),
        "fingerprint_s": round(fingerprinted - fingerprint, 3),
        "cut_us_per_document": round(1e6 * (cut - fingerprinted) / len(part), 1),
        "passages_per_document": round(passages / len(part), 2),
        "best_passages_us": round(1e6 * (ranked - cut) / len(part), 1),
        "verbatim_us": round(1e6 * (time.perf_counter() - ranked) / len(part), 1),
    }


def convert_once(path: Path) -> dict[str, object]:
    """Converts a file in this process."""
    from veritas.reading.formats import convert, kind_of

    kind = kind_of(path)
    if kind is None:
        raise SystemExit(f"{path} is of no kind that is read")
    data = path.read_bytes()
    begun = time.perf_counter()
    converted = convert(data, kind)
    seconds = time.perf_counter() - begun
    pages = len(converted.page_starts)
    return {
        "file": path.name,
        "kind": kind,
        "kb": len(data) // 1024,
        "pages": pages,
        "characters": len(converted.text),
        "seconds": round(seconds, 3),
        "ms_per_page": round(1000 * seconds / pages, 1) if pages else None,
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=50_000)
    parser.add_argument("--load", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    if options.load:
        print(json.dumps(load_once(options.load)))
        return
    with tempfile.TemporaryDirectory() as folder:
        for count in (100, 1_000, 10_000, 50_000):
            if count <= options.largest:
                path = corpus_file(Path(folder), count)
                # A process of its own: memory once taken is not given back.
                run = subprocess.run(
                    [sys.executable, __file__, "--load", str(path)], check=True, capture_output=True, text=True
                )
                print(json.dumps({"documents": count, **json.loads(run.stdout)}), flush=True)
    for path in options.files:
        print(json.dumps(convert_once(path)), flush=True)


if __name__ == "__main__":
    main()
