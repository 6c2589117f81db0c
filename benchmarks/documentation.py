"""Answers about documentation, without a language model: what is printed, what is marked, and whether lists are whole.

    python benchmarks/documentation.py FOLDER... [--questions 100] [--dump answers.jsonl] [--conflicts 60]

A folder holds the documentation of one package, as its source distribution carries it. Questions are made of it by rule
(`documentation_questions`). Counted are: printed sentences that their reference does not say (a sentence that is taken
over must stand there whole, and not under a frame that is left out: a condition, an example, something deprecated;
another one must follow from its passage), marks that accuse, and lists of which items are missing. With `--conflicts`,
sentences of the documentation are put beside a second document that says otherwise, or that only looks as if it did
(`documentation_conflicts`). `--dump` writes every printed sentence with what stands around it, a JSON line each, for a
person to read. Without a folder it asks the documents of `examples/`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from documentation_conflicts import conflicts
from documentation_questions import Asked, questions

from veritas import ClaimGraph, Document, VeritasError
from veritas.judging import judge
from veritas.reading.loading import load_corpus
from veritas.text.sentences import split_sentences
from veritas.use_cases.runs import make_request, start

ROOT = Path(__file__).resolve().parents[1]
AROUND = 300
"""Characters of a document that are dumped before and after a sentence."""
FRAMES = re.compile(
    r"(?i)\b(?:deprecat\w+|removed|obsolete|unsupported|for example|e\.g\.|suppose|imagine|proposal|proposed|planned|"
    r"in the past|previously|formerly|used to|don't do|wrong way|instead of this|hypothetical\w*|"
    r"(?:if|when|unless|in case|until)\b[^.]*:)"
)
"""Words before a sentence, in its paragraph, its heading or the line above, that may change what it says."""
_MARKUP = re.compile(r"[*_`\\]+")


def plain(text: str) -> str:
    """The text without markup, white space folded."""
    return " ".join(_MARKUP.sub("", text).split())


class Read:
    """A document, and where sentences stand in it."""

    def __init__(self, document: Document) -> None:
        self.title, self.text = document.title, plain(document.text)
        spans = split_sentences(document.text)
        pieces = [plain(document.text[start:end]) for start, end in spans]
        self.begins = {piece[:40] for piece in pieces}
        self.ends = {piece[-40:] for piece in pieces}

    def whole(self, sentence: str) -> bool:
        """Whether the sentence stands here, from the beginning of a sentence to the end of one."""
        said = plain(sentence)
        if re.search(rf"(?<!\w){re.escape(said)}(?!\w)", self.text) is None:
            return False
        begins = any(said.startswith(piece) or piece.startswith(said) for piece in self.begins)
        return begins and any(said.endswith(piece) or piece.endswith(said) for piece in self.ends)

    def holds(self, sentence: str) -> bool:
        """Whether the words stand here."""
        return plain(sentence) in self.text

    def around(self, sentence: str) -> tuple[str, str]:
        """What stands before and after the first place of the sentence."""
        at = self.text.find(plain(sentence))
        end = at + len(plain(sentence))
        return (self.text[max(0, at - AROUND) : at], self.text[end : end + AROUND]) if at >= 0 else ("", "")


class Counts:
    """What was counted over all answers, and where its details are dumped."""

    def __init__(self, dump: TextIO | None = None) -> None:
        self.number: Counter[str] = Counter()
        self._dump = dump

    def keep(self, line: dict[str, object]) -> None:
        """Write a line of the dump."""
        if self._dump is not None:
            print(json.dumps(line, ensure_ascii=False), file=self._dump, flush=True)

    def references(self, graph: ClaimGraph, asked: Asked, read: dict[str, Read]) -> None:
        """Count the references of one answer's sentences."""
        urls = {r.number: r.url for r in graph.answer.bibliography}
        claims = {c.claim_id: c for c in graph.claims}
        for sentence in graph.answer.sentences:
            if sentence.kind not in ("claim", "dissent"):
                continue
            said = sentence.text.partition("“")[2].rstrip("”") if sentence.kind == "dissent" else sentence.text
            for number in sentence.references:
                url = urls[number]
                self.number["references"] += 1
                taken = read[url].holds(said)
                self.number["word for word" if taken else "restated"] += 1
                if taken:
                    fault = None if read[url].whole(said) else "a part of a sentence"
                else:
                    told = [
                        passage
                        for i in sentence.claim_ids
                        for passage, span in zip(claims[i].source_passages, claims[i].spans, strict=True)
                        if any(c.url == url and c.document_id == span.document_id for c in claims[i].citations)
                    ]
                    held = any(judge(said, p).label == "supports" for p in told)
                    fault = None if held else "its passage does not entail it"
                before, after = read[url].around(said)
                frame = FRAMES.search(before[-120:]) if taken else None
                self.number["faults"] += fault is not None
                self.number["framed?"] += frame is not None
                self.keep({
                    "question": asked.question, "sentence": said, "kind": sentence.kind, "url": url, "before": before,
                    "after": after, "fault": fault, "frame": frame and frame[0], "badges": sentence.badges,
                    "footnote": sentence.footnote,
                })  # fmt: skip

    def marks(self, graph: ClaimGraph) -> None:
        """Count the marks that accuse."""
        for sentence in graph.answer.sentences:
            self.number["contradicted"] += "contradicted" in sentence.badges
            self.number["dissent"] += sentence.kind == "dissent"
            self.number["challenged"] += "asserted the contrary" in (sentence.footnote or "")

    def listed(self, graph: ClaimGraph, asked: Asked) -> None:
        """Count the items of the asked list in the answer."""
        if not asked.items:
            return
        shown = graph.answer.brief.passages if graph.answer.brief is not None else ()
        told = " ".join((*(plain(s.text) for s in graph.answer.sentences), *(plain(p.text) for p in shown)))
        given = [plain(item) in told for item in asked.items]
        self.number["lists"] += 1
        self.number["lists whole"] += all(given)
        self.number["lists in part"] += any(given) and not all(given)
        if not all(given):
            self.keep({
                "question": asked.question, "url": asked.url, "list": asked.items, "given": given,
                "answer": [s.text for s in graph.answer.sentences],
            })  # fmt: skip


async def asked_of(folder: Path, count: int, tier: str, counts: Counts) -> None:
    """Ask `count` questions of one folder."""
    corpus = load_corpus([folder])
    documents = corpus.documents
    read = {document.url: Read(document) for document in documents}
    for asked in questions(documents, count):
        graph = await start(make_request(question=asked.question, corpus=(folder,), tier=tier), corpus=corpus)
        counts.number["questions"] += 1
        counts.number[f"asked: {asked.kind}"] += 1
        counts.number[f"answered: {asked.kind}"] += graph.answer.status == "answered"
        counts.references(graph, asked, read)
        counts.marks(graph)
        counts.listed(graph, asked)
        if counts.number["questions"] % 10 == 0:
            print(f"  {counts.number['questions']} questions: {dict(counts.number)}", file=sys.stderr, flush=True)
    print(f"  {folder}: {len(documents)} documents, {counts.number['questions']} questions so far", file=sys.stderr)


def rows(number: Counter[str]) -> Iterator[str]:
    """The table."""
    yield "| measured | of | count |\n| --- | ---: | ---: |"
    for kind in ("heading", "default", "how", "list", "yes/no"):
        yield f"| answered: {kind} | {number[f'asked: {kind}']} | {number[f'answered: {kind}']} |"
    yield f"| references, word for word | {number['references']} | {number['word for word']} |"
    yield f"| not whole, or not entailed | {number['references']} | {number['faults']} |"
    yield f"| frame words before it, to be read | {number['references']} | {number['framed?']} |"
    for mark in ("contradicted", "dissent", "challenged"):
        yield f"| marked: {mark} | {number['questions']} | {number[mark]} |"
    yield f"| lists given whole | {number['lists']} | {number['lists whole']} |"
    yield f"| lists given in part | {number['lists']} | {number['lists in part']} |"
    for name in sorted(key for key in number if key.startswith("planted")):
        yield f"| {name} | {number[f'of {name}']} | {number[name]} |"


async def measured(folders: Sequence[Path], options: argparse.Namespace, dump: TextIO | None) -> Counts:
    """Everything that is counted."""
    counts = Counts(dump)
    for folder in folders:
        await asked_of(folder, options.questions, options.tier, counts)
        if options.conflicts:
            async for kind, found, line in conflicts(load_corpus([folder]).documents, options.conflicts, options.tier):
                counts.number[f"of planted {kind}"] += 1
                counts.number[f"planted {kind}"] += found
                counts.keep(line)
    return counts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--conflicts", type=int, default=0)
    parser.add_argument("--tier", default="deep")
    parser.add_argument("--dump", type=Path)
    options = parser.parse_args()
    with contextlib.ExitStack() as opened:
        home = opened.enter_context(tempfile.TemporaryDirectory())
        dump = opened.enter_context(options.dump.open("w", encoding="utf-8")) if options.dump else None
        os.environ.setdefault("VERITAS_HOME", home)
        try:
            counts = asyncio.run(measured(options.folders or [ROOT / "examples" / "documents"], options, dump))
        except VeritasError as error:
            sys.exit(f"documentation: {error}")
    print("\n".join(rows(counts.number)))


if __name__ == "__main__":
    main()
