"""Marks that accuse: each that is printed over folders of documentation and papers, with the sentences it is about.

    python benchmarks/marks.py --documentation docs/ --questions questions.txt --tier deep
    python benchmarks/marks.py --documentation docs/ --headings 20
    python benchmarks/marks.py --papers papers/ paper.tex paper.xml --corpus library/

Documentation is asked the questions, a line each, or as many questions made of its own headings; what is listed are
contradictions, dissent and footnotes that say "challenged". Of papers, the specific flaws and the referee's findings:
what can be shown to be false. What an audit leaves open is counted by kind and not listed. In a folder every paper is
taken: `.xml`, `.pdf`, `.docx`, `paper.md`, and LaTeX with a document class. Each mark is a JSON line with an empty
`right`, for a person to fill in; the counts are on stderr. Without a language model and without the network.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from veritas import VeritasError, aio

Mark = dict[str, object]

HEADING = re.compile(r"(?m)^(?:#{1,3} +(\S[^\n]{8,70}?)(?: *\{[^\n]*\})?|(\S[^\n]{8,70})\n([=~^*-])\3{7,})$")
SUFFIXES = (".xml", ".pdf", ".docx", ".tex", ".md")


def questions_of(folder: Path, count: int) -> list[str]:
    """Questions made of the headings of a folder's texts, evenly taken."""
    found: dict[str, None] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".rst", ".txt"):
            for match in HEADING.finditer(path.read_text(encoding="utf-8", errors="replace")):
                heading = re.sub(r"[`*_:<>\[\]()|]+", " ", match[1] or match[2]).strip()
                if len(heading.split()) > 1:
                    found[f"What is said of {heading}?"] = None
    step = max(1, len(found) // max(count, 1))
    return list(found)[::step][:count]


async def of_documentation(folder: Path, questions: Sequence[str], tier: str) -> Iterator[Mark]:
    """The marks of the answers to the questions."""


    found: dict[str, Mark] = {}
    for question in questions:
        graph = await aio.research(question, corpus=(folder,), tier=tier)
        claims = {c.claim_id: c for c in graph.claims}
        spoken = {s.sentence_id: s for s in graph.answer.sentences}
        for sentence in spoken.values():
            against = [s.text for s in spoken.values() if "contradicted" in s.badges and s is not sentence]
            for kind, here in (
                ("contradicted", "contradicted" in sentence.badges),
                ("dissent", sentence.kind == "dissent"),
                ("challenged", "asserted the contrary" in (sentence.footnote or "")),
            ):
                if here:
                    about = [claims[i].claim for i in sentence.claim_ids] if kind == "dissent" else against
                    mark: Mark = {
                        "where": folder.name, "kind": kind, "question": question, "sentence": sentence.text,
                        "against": about[:4], "note": sentence.footnote, "right": None,
                    }  # fmt: skip
                    found.setdefault(f"{kind} {sentence.text}", mark)
        print(f"  {question}: {graph.answer.status}, {len(spoken)} sentences", file=sys.stderr)
    return iter(found.values())


def papers_in(paths: Sequence[Path]) -> list[Path]:
    """The papers among files and folders, in order."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        for each in sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES):
            if each.suffix == ".md" and each.name != "paper.md":
                continue
            if each.suffix == ".tex" and "\\documentclass" not in each.read_text(encoding="utf-8", errors="replace"):
                continue
            found.append(each)
    return found


async def of_paper(path: Path, corpus: Sequence[Path], graphs: int, left: Counter[str]) -> Iterator[Mark]:
    """What a reader is told to be wrong with a paper. `left` counts what is left open."""

    audit = await aio.audit_paper(str(path), corpus=corpus, graphs=graphs)
    nodes = {node.id: node.text for node in audit.nodes}
    found: list[Mark] = []

    def say(kind: str, sentence: str, why: str, against: Sequence[str] = ()) -> None:
        mark: Mark = {"where": str(path), "kind": kind, "sentence": sentence, "note": why, "right": None}
        found.append(mark | ({"against": list(against)} if against else {}))

    for flaw in audit.flaws:
        refuting = [e for e in audit.evidence if (e.node, e.label) == (flaw.subject, "refutes")]
        against = [f"{e.source}: {e.text[:400]}" for e in refuting]
        say(flaw.kind, nodes.get(flaw.subject, flaw.subject), flaw.why, against)
    for each in audit.findings:
        note = f"{each.says}; recomputed {each.recomputed}: {each.calculation}"
        say(f"{each.check} ({each.severity})", each.quote, note)
    left.update(point.kind for point in audit.open_points)
    cited = sum(r.cited > 0 for r in audit.references)
    seen = f"{len(audit.references)} references, {cited} cited, {len(audit.markers)} citations, {len(nodes)} statements"
    print(f"  {path}: {seen}, {len(found)} marks", file=sys.stderr)
    return iter(found)


async def measured(options: argparse.Namespace) -> list[Mark]:
    """All marks over what the command line names."""
    marks: list[Mark] = []
    for folder in options.documentation:
        asked = options.questions.read_text(encoding="utf-8").splitlines() if options.questions else []
        asked = [line for line in asked if line.strip()] or questions_of(folder, options.headings)
        marks += await of_documentation(folder, asked, options.tier)
    left: Counter[str] = Counter()
    for path in papers_in(options.papers):
        try:
            marks += await of_paper(path, options.corpus, options.graphs, left)
        except VeritasError as error:
            print(f"  {path}: {error}", file=sys.stderr)
    for kind, count in sorted(left.items()):
        print(f"left open, {kind}: {count}", file=sys.stderr)
    return marks


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documentation", type=Path, nargs="*", default=[])
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--headings", type=int, default=10)
    parser.add_argument("--tier", default="deep")
    parser.add_argument("--papers", type=Path, nargs="*", default=[])
    parser.add_argument("--corpus", type=Path, nargs="*", default=[])
    parser.add_argument("--graphs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("VERITAS_HOME", home)
        marks = asyncio.run(measured(options))
    for mark in marks:
        print(json.dumps(mark, ensure_ascii=False))
    for kind, count in sorted(Counter(str(m["kind"]) for m in marks).items()):
        print(f"{kind}: {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
