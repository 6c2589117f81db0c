"""What R2 leaves away of a member's passages, and whether what refutes a peer's claim is still among those it is sent.

    python benchmarks/contest_passages.py [--data ../shared/claims]

A member read eight abstracts on each of four questions. Each question is a claim of SciFact that an expert found
refuted by an abstract of the corpus; the first one's abstract is among those read. The claims of its peers are the
first claim and sentences of further abstracts on the four questions. Prints the share of runs in which the refuting
abstract is put before the member again, and the share of all characters that is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path

from veritas import Document
from veritas.answers.bearing import bearing
from veritas.claims.sources import Passage
from veritas.documents.passages import cut_passages
from veritas.reading.loading import load_corpus
from veritas.search.local import LocalIndex
from veritas.search.ranking import best
from veritas.text.sentences import split_sentences

READ, FURTHER, CLAIMS, PASSAGES = 8, 30, 6, 3
"""Abstracts read on a question, further ones that peers read, their claims on a question, passages of an abstract."""


async def measure(data: Path) -> None:
    rows = [json.loads(line) for line in (data / "scifact_retrieval.jsonl").read_text(encoding="utf-8").splitlines()]
    refuted = {
        str(row["claim"]): {d for d, label in row["labels"].items() if label == "refutes"} for row in rows
    }
    refuted = {claim: gold for claim, gold in refuted.items() if gold}
    corpus = load_corpus([data / "scifact_documents.jsonl"])
    documents = {d.url: d for d in corpus.documents}
    by_id = {d.url.rsplit("/", 1)[-1]: d for d in corpus.documents}
    provider = LocalIndex(corpus.documents)
    found: dict[str, list[Document]] = {}
    for claim in refuted:
        found[claim] = [documents[hit.url] for hit in await provider.search(claim, limit=FURTHER)]
    questions, dice = list(refuted), random.Random(1)
    kept = 0
    shares: list[float] = []
    for n, claim in enumerate(questions):
        gold = [by_id[d] for d in sorted(refuted[claim])]
        asked = [claim, *(questions[(n + k) % len(questions)] for k in (7, 19, 31))]
        claims = [claim]
        passages: dict[str, Passage] = {}
        for question in asked:
            mine = gold if question == claim else []
            others = [d for d in found[question] if d not in gold]
            for document in [*mine, *others][:READ]:
                passages.update((p.passage_id, p) for p in best(question, cut_passages(document), PASSAGES))
            claims += _claims(others[READ:], dice)
        read = tuple(passages.values())
        sent = bearing(claims, read)
        kept += any(p.document_id in {d.document_id for d in gold} for p in sent)
        shares.append(sum(len(p.text) for p in sent) / sum(len(p.text) for p in read))
    print("| runs | refuting abstract sent | share of the characters sent |\n| ---: | ---: | ---: |")
    print(f"| {len(questions)} | {kept / len(questions):.1%} | {sum(shares) / len(shares):.0%} |")


def _claims(documents: Sequence[Document], dice: random.Random) -> list[str]:
    """A sentence each of some of the documents, none of them a first one."""
    said = []
    for document in dice.sample(list(documents), min(CLAIMS, len(documents))):
        spans = split_sentences(document.text)
        start, end = spans[min(len(spans) - 1, dice.randrange(1, 5))]
        said.append(document.text[start:end])
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "claims")
    given = parser.parse_args()
    if not (given.data / "scifact_documents.jsonl").is_file():
        print(f"{given.data} holds no SciFact: nothing to measure")
        return
    asyncio.run(measure(given.data))


if __name__ == "__main__":
    main()
