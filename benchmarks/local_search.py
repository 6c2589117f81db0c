"""Local search and the embedded members on real text: how often the right document is found and asserted, how fast.

    python benchmarks/local_search.py --documents FILE.jsonl --questions FILE.jsonl [--times 10] [--members] [--json]

Documents: `{id, title, text}` a line. Questions: `{claim, labels: {document id: label}}` a line; those with a document
labelled other than `silent` count. `--times N` indexes N copies of the corpus (with other titles) to measure growth.
`--members` asks the embedded members too, each with two providers as at the standard tier: the share of questions for
which a gold document is among those their claims rest on, and how many claims they make on questions that the corpus
cannot answer (there should be none).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from veritas.claims.graph import SubQuery
from veritas.council.embedded import LeadMember, NumericMember, SalienceMember
from veritas.documents.document import Document, document_id
from veritas.documents.passages import cut_passages
from veritas.search.local import LocalIndex
from veritas.search.provider import SearchProvider
from veritas.search.ranking import best

SHARED = Path(__file__).resolve().parents[2] / "shared" / "claims"


def load_documents(path: Path, times: int = 1) -> list[Document]:
    """The corpus; copies beyond the first differ in URL, title and text, so that nothing is folded together."""
    documents = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for copy in range(times):
            mark = f" Copy {copy}." if copy else ""
            text = row["text"] + mark
            documents.append(
                Document(
                    document_id=document_id(text),
                    url=f"corpus://benchmark/{row['id']}{f'-{copy}' if copy else ''}",
                    title=row["title"] + mark,
                    text=text,
                    fetched_at=date(2026, 1, 1),
                )
            )
    return documents


def load_questions(path: Path) -> list[tuple[str, set[str]]]:
    """Each question with the URLs of its gold documents."""
    questions = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = {f"corpus://benchmark/{key}" for key, label in row["labels"].items() if label != "silent"}
        if gold:
            questions.append((row["claim"], gold))
    return questions


async def recall(provider: SearchProvider, questions: Sequence[tuple[str, set[str]]]) -> dict[str, Any]:
    """Share of questions with a gold document among the first 5 and 10 hits, and milliseconds a query."""
    found = {5: 0, 10: 0}
    started = time.perf_counter()
    for question, gold in questions:
        urls = [hit.url for hit in await provider.search(question, limit=10)]
        for depth in found:
            found[depth] += bool(gold & set(urls[:depth]))
    seconds = time.perf_counter() - started
    return {
        "provider": provider.name,
        "recall@5": round(found[5] / len(questions), 3),
        "recall@10": round(found[10] / len(questions), 3),
        "ms_a_query": round(1000 * seconds / len(questions), 1),
    }


UNANSWERABLE = (
    "What is the capital of France?", "How do I bake sourdough bread?", "Which lock does DuckDB take?",
    "Who won the 1998 football world cup?", "What is the best programming language?", "How tall is Mount Everest?",
    "What are the rules of chess?", "Does caching improve web server latency?", "Who invented the telephone?",
    "What is the effect of interest rates on inflation?", "How are violins made?", "When was the Eiffel Tower built?",
)  # fmt: skip


async def asserted(index: LocalIndex, documents: Sequence[Document], question: str) -> dict[str, set[str]]:
    """For each embedded member the URLs its claims rest on, at five hits and four passages each."""
    by_url = {document.url: document for document in documents}
    found: dict[str, set[str]] = {}
    for member in (LeadMember(), SalienceMember(), NumericMember()):
        hits = dict.fromkeys(hit.url for hit in await index.search(question, limit=5))
        passages = {p.passage_id: (url, p) for url in hits for p in best(question, cut_passages(by_url[url]), 4)}
        drafts = await member.assert_claims(
            SubQuery(sub_query_id="q", text=question), [passage for _, passage in passages.values()]
        )
        found[member.name] = {passages[quote.passage_id][0] for draft in drafts for quote in draft.quotes}
    return found


async def members(
    index: LocalIndex, documents: Sequence[Document], questions: Sequence[tuple[str, set[str]]]
) -> dict[str, Any]:
    """Share of questions with a gold document among those the claims rest on, by member and together."""
    hits: dict[str, int] = {"together": 0, "answered": 0}
    started = time.perf_counter()
    for question, gold in questions:
        found = await asserted(index, documents, question)
        for name, urls in found.items():
            hits[name] = hits.get(name, 0) + bool(urls & gold)
        hits["together"] += any(urls & gold for urls in found.values())
        hits["answered"] += any(found.values())
    seconds = time.perf_counter() - started
    wrong = [question for question in UNANSWERABLE if any((await asserted(index, documents, question)).values())]
    return {
        **{name: round(count / len(questions), 3) for name, count in hits.items()},
        "ms_a_question": round(1000 * seconds / len(questions), 1),
        "unanswerable": len(UNANSWERABLE),
        "answered_wrongly": wrong,
    }


def rss() -> int:
    """Most memory the process held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--documents", type=Path, default=SHARED / "scifact_documents.jsonl")
    parser.add_argument("--questions", type=Path, default=SHARED / "scifact_retrieval.jsonl")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--members", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not (options.documents.is_file() and options.questions.is_file()):
        print(f"{options.documents} or {options.questions} is not there: nothing to measure")
        return

    documents = load_documents(options.documents, options.times)
    questions = load_questions(options.questions)
    before = rss()
    index = LocalIndex(documents)
    started = time.perf_counter()
    index.segments()
    built = round(time.perf_counter() - started, 2)
    result: dict[str, Any] = {"documents": len(documents), "questions": len(questions), "build_seconds": built}
    result["providers"] = [await recall(index, questions)]
    result["rss_mb"] = {"documents": before, "with index": rss()}
    if options.members:
        result["members"] = await members(index, documents, questions)
    if options.json:
        json.dump(result, sys.stdout)
        print()
    else:
        for row in result["providers"]:
            print("  ".join(f"{key} {value}" for key, value in row.items()))
        if options.members:
            print("  ".join(f"{key} {value}" for key, value in result["members"].items()))
        print(f"{len(documents)} documents, {len(questions)} questions, RSS {before} -> {rss()} MB")


if __name__ == "__main__":
    asyncio.run(main())
