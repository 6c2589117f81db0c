"""Marks that accuse: each that is printed over folders of documentation and papers, with the sentences it is about.

    python benchmarks/marks.py --documentation docs/ --questions questions.txt --tier deep
    python benchmarks/marks.py --documentation docs/ --headings 20
    python benchmarks/marks.py --papers paper.tex paper.xml paper.pdf

Documentation is asked the questions, a line each, or as many questions made of its own headings; what is listed are
contradictions, dissent and footnotes that say "challenged". Of papers, what a reader is told to be wrong or missing.
Each mark is a JSON line with an empty `right`, for a person to fill in; the counts are on stderr. Without a language
model and without the network.
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
KINDS = ("contradicted", "dangling", "missing-part", "unsupported")
ACCUSING = ("cites nobody", "no reference list", "fit no", "fits no", "circular")


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
                ("challenged", "Challenged by" in (sentence.footnote or "")),
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


async def of_paper(path: Path) -> Iterator[Mark]:
    """What a reader is told to be wrong with a paper, or missing."""

    audit = await aio.audit_paper(str(path), graphs=1)
    nodes = {node.id: node.text for node in audit.nodes}
    found: list[Mark] = []

    def say(kind: str, subject: str, why: str) -> None:
        text = nodes.get(subject, subject)
        found.append({"where": str(path), "kind": kind, "sentence": text, "note": why, "right": None})

    for flaw in audit.flaws:
        if flaw.kind in KINDS and (flaw.kind != "unsupported" or any(a in flaw.why for a in ACCUSING)):
            say(flaw.kind, flaw.subject, flaw.why)
    for node in audit.nodes:
        why = node.metrics["citation_support"].why
        if "cites nobody" in why:
            say("uncited", node.id, why)
        if node.grounding is not None and node.grounding.decision == "contradicted":
            say("grounding", node.id, node.grounding.reason)
    for piece in audit.evidence:
        if piece.label == "refutes":
            say("refutes", piece.node, f"{piece.source}: {piece.text[:400]} ({piece.rationale})")
    cited = sum(r.cited > 0 for r in audit.references)
    seen = f"{len(audit.references)} references, {cited} cited, {len(audit.markers)} citations, {len(nodes)} statements"
    print(f"  {path}: {seen}", file=sys.stderr)
    return iter(found)


async def measured(options: argparse.Namespace) -> list[Mark]:
    """All marks over what the command line names."""
    marks: list[Mark] = []
    for folder in options.documentation:
        asked = options.questions.read_text(encoding="utf-8").splitlines() if options.questions else []
        asked = [line for line in asked if line.strip()] or questions_of(folder, options.headings)
        marks += await of_documentation(folder, asked, options.tier)
    for path in options.papers:
        try:
            marks += await of_paper(path)
        except VeritasError as error:
            print(f"  {path}: {error}", file=sys.stderr)
    return marks


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documentation", type=Path, nargs="*", default=[])
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--headings", type=int, default=10)
    parser.add_argument("--tier", default="deep")
    parser.add_argument("--papers", type=Path, nargs="*", default=[])
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
