"""Answers to labelled questions about documentation: is the answering passage shown first, shown at all, or refused?

    python benchmarks/answers.py --docs FOLDER [questions/dev.jsonl] [--tiers quick,deep] [--package httpx] [--show]

`FOLDER` holds a folder for each package, with the documentation as its source distribution carries it (the version is
in the questions). A question is a JSON line: the question in a user's words, its type, the document and the heading
that answer it, and the core, a regular expression that matches the text of a passage that answers. Before anything is
asked, every core is looked for in its document; a label that does not hold ends the run. Measured are, for each tier:

- **first**, **anywhere**: the first passage shown holds the core, or any one does.
- **passages**, **characters**: how many are shown, and how long the first of them is: what is long holds much.
- **off the subject**: passages shown of a document that is neither the labelled one nor holds the core anywhere.
- **other section**: passages shown that do not hold the core, from a section in which no core stands either.
- **refused**: questions without an answer in the documentation that are not called answered; a false premise counts as
  **corrected** if the passage shown first is one that says otherwise.
- **false refusals**: the same for questions that have an answer; **shown all the same**: those of them whose closest
  passages hold the core.
- **calibration**: the error of the stated chance that the first passage answers, in five bins, over all questions.
- **s**, **s of processor**: of one run on a corpus that is read, from the question to the answer.

A passage shown is one of the brief, or, where an answer has none, what a sentence of it says. Nothing is asked of a
language model.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time

from veritas import ClaimGraph, Document, VeritasError
from veritas.reading.corpus import Corpus
from veritas.text.blocks import blocks
from veritas.use_cases.runs import make_request, read_documents, start

QUESTIONS = Path(__file__).resolve().parent / "questions"
KINDS = ("how-to", "value", "which", "list", "yes/no", "why", "difference", "definition", "when", "who")


@dataclass(frozen=True)
class Asked:
    """A labelled question. `core` is None, and `document` too, if nothing in the documentation is on it; with a false
    `premise` they name the passage that says otherwise, where there is one. `elsewhere` counts the other documents that
    hold it."""

    id: str
    package: str
    version: str
    type: str
    question: str
    answerable: bool
    document: str | None
    heading: str | None
    core: str | None
    premise: str | None = None
    elsewhere: int = 0


@dataclass(frozen=True)
class Shown:
    """A passage as the reader sees it, and where in the documents it begins."""

    text: str
    url: str
    start: int


class Read:
    """The documents of a package by their path, and the sections of each."""

    def __init__(self, documents: Sequence[Document], folder: Path) -> None:
        self.documents = {document.url.partition(f"//{folder.name}/")[2]: document for document in documents}
        self._paths = {document.url: path for path, document in self.documents.items()}
        self._sections: dict[str, list[int]] = {}

    def path(self, url: str) -> str:
        """Return the path of a document that a run cites."""
        return self._paths[url]

    def section(self, path: str, at: int) -> int:
        """Return the number of the section that a place is in."""
        if path not in self._sections:
            found = blocks(self.documents[path].text)
            self._sections[path] = [block.start for block in found if block.kind == "heading"]
        return bisect.bisect_right(self._sections[path], at)

    def cores(self, asked: Asked) -> dict[str, set[int]]:
        """Return the sections that hold the core, by document."""
        places = {
            path: {self.section(path, m.start()) for m in re.finditer(asked.core or "(?!)", document.text)}
            for path, document in self.documents.items()
        }
        return {path: sections for path, sections in places.items() if sections}

    def fault(self, asked: Asked) -> str | None:
        """Return why a label does not hold in these documents; None if it does."""
        if asked.document is None:
            return None
        if asked.document not in self.documents:
            return f"{asked.document} is not there"
        return None if asked.document in self.cores(asked) else f"nothing in {asked.document} matches its core"


@dataclass
class Counts:
    """What was measured over some of the questions."""

    first: list[bool] = field(default_factory=list)
    anywhere: list[bool] = field(default_factory=list)
    false_refusals: list[bool] = field(default_factory=list)
    shown_all_the_same: list[bool] = field(default_factory=list)
    chances: list[tuple[float, bool]] = field(default_factory=list)
    refused: list[bool] = field(default_factory=list)
    corrected: list[bool] = field(default_factory=list)
    off: list[bool] = field(default_factory=list)
    aside: list[bool] = field(default_factory=list)
    passages: list[int] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def add(self, asked: Asked, graph: ClaimGraph, read: Read, taken: tuple[float, float]) -> None:
        """Count one answer."""
        shown = passages(graph)
        refused = graph.answer.status != "answered"
        holds = [re.search(asked.core or "(?!)", passage.text) is not None for passage in shown]
        self.seconds.append(taken[0])
        self.processor.append(taken[1])
        self.chances.append((graph.answer.chance or 0.0, asked.answerable and bool(holds) and holds[0]))
        if not asked.answerable:
            self.refused.append(refused)
            if asked.premise == "false":
                self.corrected.append(refused or (bool(holds) and holds[0]))
            return
        cores = read.cores(asked)
        self.first.append(bool(holds) and holds[0])
        self.anywhere.append(any(holds))
        self.false_refusals.append(refused)
        if refused:
            self.shown_all_the_same.append(any(holds))
        self.passages.append(len(shown))
        self.characters += [len(passage.text) for passage in shown[:1]]
        for passage, held in zip(shown, holds, strict=True):
            path = read.path(passage.url)
            self.off.append(path != asked.document and path not in cores)
            self.aside.append(not held and read.section(path, passage.start) not in cores.get(path, set()))


def passages(graph: ClaimGraph) -> list[Shown]:
    """Return the passages that an answer shows, in its order; sentences in a row of one passage are one."""
    urls = {reference.number: reference.url for reference in graph.answer.bibliography}
    if brief := getattr(graph.answer, "brief", None):
        return [Shown(passage.text, urls[passage.reference], passage.start) for passage in brief.passages]
    claims = {claim.claim_id: claim for claim in graph.claims}
    shown: list[Shown] = []
    last = None
    for sentence in graph.answer.sentences:
        if sentence.kind != "claim":
            continue
        claim = claims[sentence.claim_ids[0]]
        span, url = claim.spans[0], claim.citations[0].url
        if last == (span.document_id, span.start, span.end):
            shown[-1] = Shown(f"{shown[-1].text}\n{sentence.text}", url, span.start)
        else:
            shown.append(Shown(sentence.text, url, span.start))
        last = (span.document_id, span.start, span.end)
    return shown


def labelled(path: Path) -> list[Asked]:
    """Return the questions of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Asked(**json.loads(line)) for line in lines if line.strip()]


async def measure(
    questions: Sequence[Asked], options: argparse.Namespace, read: dict[str, tuple[Corpus, Read]]
) -> dict[str, dict[str, Counts]]:
    """Ask every question in every tier. Return the counts by tier, and in it of all, of each package and each type."""
    counts: dict[str, dict[str, Counts]] = {tier: {} for tier in options.tiers}
    with tempfile.TemporaryDirectory() as home:
        for asked in questions:
            corpus, known = read[asked.package]
            for tier in options.tiers:
                request = make_request(question=asked.question, tier=tier, corpus=[options.docs / asked.package])
                began = perf_counter(), process_time()
                graph = await start(request, home=Path(home), corpus=corpus)
                taken = perf_counter() - began[0], process_time() - began[1]
                for of in ("all", asked.package, asked.type):
                    counts[tier].setdefault(of, Counts()).add(asked, graph, known, taken)
                if options.show:
                    print(_shown(asked, tier, graph), flush=True)
    return counts


def table(counts: dict[str, dict[str, Counts]]) -> Iterator[str]:
    """Yield the lines of a Markdown table: a row for all questions of a tier, then by package and by type."""
    yield (
        "| tier | questions | first | anywhere | passages | characters, median | off the subject |"
        " other section | unanswerable refused | premise refused or corrected |"
        " false refusals | shown all the same | calibration | s, median | s, slowest | s of processor, median |\n"
        "| --- | --- " + "| ---: " * 14 + "|"
    )
    for tier, parts in counts.items():
        for of in sorted(parts, key=lambda of: (of != "all", of in KINDS, KINDS.index(of) if of in KINDS else 0, of)):
            yield f"| {tier} | {of} | {' | '.join(_row(parts[of]))} |"


def _row(counts: Counts) -> Iterator[str]:
    for values in (counts.first, counts.anywhere):
        yield _share(values)
    yield f"{statistics.mean(counts.passages or [0]):.1f}"
    yield f"{statistics.median(counts.characters or [0]):.0f}"
    for values in (counts.off, counts.aside, counts.refused, counts.corrected, counts.false_refusals):
        yield _share(values)
    yield _share(counts.shown_all_the_same)
    yield f"{_error(counts.chances):.2f}"
    yield f"{statistics.median(counts.seconds):.2f}"
    yield f"{max(counts.seconds):.2f}"
    yield f"{statistics.median(counts.processor):.2f}"


def _error(chances: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error in five bins."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for chance, right in chances:
        bins.setdefault(min(4, int(5 * chance)), []).append((chance, right))
    apart = (abs(sum(chance for chance, _ in each) - sum(right for _, right in each)) for each in bins.values())
    return sum(apart) / max(1, len(chances))


def _share(values: Sequence[bool]) -> str:
    return f"{sum(values) / len(values):.0%} of {len(values)}" if values else "–"


def _shown(asked: Asked, tier: str, graph: ClaimGraph) -> str:
    answer = graph.answer
    lines = [f"\n## {asked.id} [{asked.type}, {tier}] {asked.question}", f"{answer.status} {answer.reason or ''}"]
    for passage in passages(graph):
        held = asked.core is not None and re.search(asked.core, passage.text)
        lines.append(f"{'+' if held else '-'} {passage.url}: {' '.join(passage.text.split())[:400]}")
    return "\n".join(lines)


def main() -> None:
    """Print the table for a file of questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="*", default=[QUESTIONS / "dev.jsonl"])
    parser.add_argument("--docs", type=Path, help="a folder of documentation for each package")
    parser.add_argument("--tiers", type=lambda given: given.split(","), default=["quick", "standard", "deep"])
    parser.add_argument("--package", help="only the questions on this package")
    parser.add_argument("--type", help="only the questions of this type")
    parser.add_argument("--show", action="store_true", help="print every answer")
    options = parser.parse_args()
    if options.docs is None or not options.docs.is_dir():
        print("answers: the documentation of the packages is not there (--docs): nothing to measure")
        return
    questions = [
        asked
        for path in options.questions
        for asked in labelled(path)
        if options.package in (None, asked.package) and options.type in (None, asked.type)
    ]
    try:
        read = {}
        for package in sorted({asked.package for asked in questions}):
            corpus = read_documents([options.docs / package])
            read[package] = (corpus, Read(corpus.documents, options.docs / package))
        if faults := [f"{q.id}: {fault}" for q in questions if (fault := read[q.package][1].fault(q))]:
            sys.exit("answers: the labels do not hold in these documents\n" + "\n".join(faults))
        counts = asyncio.run(measure(questions, options, read))
    except VeritasError as error:
        sys.exit(f"answers: {error}")
    print("\n".join(table(counts)))


if __name__ == "__main__":
    main()
