"""Research over real abstracts: expert claims as questions, the abstracts as corpus, gold documents as the measure.

    python benchmarks/research_scifact.py [--claims 50] [--tiers quick,deep] [--data ../shared/claims]

Prints a Markdown table: share of questions with a gold document among the cited sources, share answered "insufficient
evidence", claims and sentences an answer, verbatim failures (must be 0), seconds a question, peak memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from veritas import ClaimGraph
from veritas.documents.verbatim import is_verbatim
from veritas.reading.loading import load_corpus
from veritas.use_cases import runs


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=50)
    parser.add_argument("--tiers", default="quick,deep")
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "claims")
    parser.add_argument("--show", type=int, default=0, help="print so many answers")
    given = parser.parse_args()
    documents = given.data / "scifact_documents.jsonl"
    if not documents.is_file():
        print(f"{documents} is not there: nothing to measure")
        return
    asked = [
        (str(row["claim"]), {d for d, label in dict(row["labels"]).items() if label != "silent"})  # type: ignore[call-overload]
        for row in read(given.data / "scifact_retrieval.jsonl")
    ]
    asked = [(claim, gold) for claim, gold in asked if gold][: given.claims]
    start = perf_counter()
    corpus = load_corpus([documents])
    texts = {d.url: d.text for d in corpus.documents}
    print(f"{len(corpus)} documents loaded in {perf_counter() - start:.1f} s", file=sys.stderr)

    print("| tier | questions | gold cited | gold read | insufficient | claims | sentences | verbatim failures |"
          " s a question (median, max) | peak MB |")  # fmt: skip
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for tier in given.tiers.split(","):
        cited = reached = insufficient = failures = 0
        seconds, claims, sentences = [], [], []
        with tempfile.TemporaryDirectory() as home:
            for number, (claim, gold) in enumerate(asked):
                start = perf_counter()
                request = runs.make_request(question=claim, tier=tier, corpus=[documents])
                graph: ClaimGraph = asyncio.run(runs.start(request, home=Path(home), corpus=corpus))
                seconds.append(perf_counter() - start)
                urls = {r.url.rsplit("/", 1)[1] for r in graph.answer.bibliography}
                cited += bool(urls & gold)
                reached += bool({s.url.rsplit("/", 1)[1] for s in graph.sources if s.status == "read"} & gold)
                insufficient += graph.answer.status == "insufficient_evidence"
                claims.append(len(graph.claims))
                sentences.append(sum(s.kind == "claim" for s in graph.answer.sentences))
                for made in graph.claims:
                    of = {c.document_id: texts[c.url] for c in made.citations}
                    failures += sum(
                        not is_verbatim(text, of[span.document_id])
                        for text, span in zip(made.source_passages, made.spans, strict=True)
                    )
                if number < given.show:
                    print(f"\n## {claim}\n", file=sys.stderr)
                    for s in graph.answer.sentences:
                        print(f"  [{s.kind}] {s.text} {list(s.references)}", file=sys.stderr)
                    print(f"  {graph.answer.status} {graph.answer.reason or ''}", file=sys.stderr)
        n = len(asked)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"| {tier} | {n} | {cited / n:.0%} | {reached / n:.0%} | {insufficient / n:.0%} | "
            f"{statistics.mean(claims):.1f} | {statistics.mean(sentences):.1f} | {failures} | "
            f"{statistics.median(seconds):.2f}, {max(seconds):.2f} | {peak:.0f} |"
        )


if __name__ == "__main__":
    main()
