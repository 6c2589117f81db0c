"""How well the embedded extractor tells the roles of sentences, on structured abstracts whose labels were taken out.

    python benchmarks/roles.py [--documents FILE] [--half development|unseen|both] [--show N]

The labels ("METHODS AND RESULTS") are people's, the authors' own; the extractor sees the text without them. FILE holds
`{id, title, text}` a line. Prints Markdown tables: a confusion matrix of sentences, accuracy and macro-F1 beside
trivial baselines, and what became of the graphs' hypotheses and conclusions.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from veritas.documents.abstract_labels import PARTS, Part, label_at
from veritas.documents.document import Document, document_id
from veritas.papers.extraction.embedded_graph_extractor import EmbeddedExtractor
from veritas.papers.extraction.main_statements import main_statements
from veritas.papers.extraction.modes import Mode, load_mode
from veritas.papers.extraction.node_pool import construct_embedded
from veritas.papers.extraction.proposal import Checked
from veritas.papers.reading import PaperText, paper_of
from veritas.text.sentences import split_sentences

DOCUMENTS = Path(__file__).resolve().parents[2] / "shared" / "claims" / "scifact_documents.jsonl"


@dataclass(frozen=True)
class Labelled:
    """An abstract without its labels, and what stood under which: offsets of `text`, and the parts its label names."""

    id: str
    title: str
    text: str
    sentences: tuple[tuple[int, int, frozenset[Part]], ...]
    original: str

    @property
    def aims_apart(self) -> bool:
        """Whether the abstract has a label for its aim, so that what is under another is background and no more."""
        return any(parts == {"objective"} for _, _, parts in self.sentences)

    def parts_at(self, position: int) -> frozenset[Part]:
        """The parts that are right for what begins there."""
        found = next((parts for start, end, parts in self.sentences if start <= position < end), frozenset[Part]())
        # Under "BACKGROUND" alone stands the aim as well, unless another label has it.
        return found | {"objective"} if "background" in found and not self.aims_apart else found

    def paper(self, text: str | None = None) -> PaperText:
        """Title and abstract as a paper; with the labels if `text` is the original."""
        whole = f"{self.title}\n\n{self.text if text is None else text}"
        document = Document(
            document_id=document_id(whole), url=f"corpus://abstracts/{self.id}", title=self.title, text=whole,
            fetched_at=date(2026, 1, 1), abstract_only=True,
        )  # fmt: skip
        return paper_of(document, asked=self.id, how="file")

    @property
    def offset(self) -> int:
        """Where the abstract begins in the paper."""
        return len(self.title) + 2


def labelled(record: dict[str, str]) -> Labelled | None:
    """A structured abstract, or None of one whose labels do not name an opening, methods, results and a conclusion."""
    text = record["text"]
    pieces: list[str] = []
    sentences: list[tuple[int, int, frozenset[Part]]] = []
    named: set[Part] = set()
    current: frozenset[Part] = frozenset()
    aside, at = False, 0
    for start, end in split_sentences(text):
        label = label_at(text, start, end)
        if label is not None:
            current, aside, start = frozenset(label.parts), label.aside, label.end
            named |= current
        words = text[start:end].strip()
        if aside or not words:
            continue
        sentences.append((at, at + len(words), current))
        pieces.append(words)
        at += len(words) + 1
    if not named >= {"methods", "results", "conclusions"} or not named & {"background", "objective"}:
        return None
    body = " ".join(pieces)
    return Labelled(record["id"], record["title"], body, tuple(sentences), text) if len(body) >= 400 else None


def read(path: Path) -> Iterator[Labelled]:
    """Every structured abstract of a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            found = labelled(json.loads(line))
            if found is not None:
                yield found


def is_development(name: str) -> bool:
    """Which half a document is in: that which weights and cues were made on, or the unseen one."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


PART_OF_ROLE: dict[str, Part] = {
    "Context": "background", "Hypothesis": "objective", "Method": "methods", "Assumption": "methods",
    "Result": "results", "Evidence": "results", "Counterevidence": "results",
    "Conclusion": "conclusions", "Claim": "conclusions", "Limitation": "conclusions",
}  # fmt: skip
"""The label under which a sentence in a role belongs."""
PART_OF_MAIN: dict[str, Part] = {
    "aim": "objective", "test": "methods", "result": "results", "conclusion": "conclusions",
}  # fmt: skip
SIZE = 16
"""Nodes of a graph at most."""


@dataclass
class Measured:
    """What came out for some abstracts: of sentences pairs of (parts that are right, part that was said)."""

    chosen: list[tuple[frozenset[Part], Part]]
    placed: list[tuple[frozenset[Part], float]]
    """The same sentences with their place in the abstract, 0 to 1, for the baselines."""
    hypotheses: Counter[str]
    conclusions: Counter[str]
    nodes: Counter[bool]
    with_labels: Counter[str]
    mains: Counter[tuple[str, str]]
    """Main statements by kind: right, wrong or silent."""


def measure(abstracts: Sequence[Labelled], show: int = 0) -> Measured:
    """Roles and graphs of all `abstracts`; prints the first `show` graphs."""
    mode = load_mode("academic")
    found = Measured([], [], Counter(), Counter(), Counter(), Counter(), Counter())
    for number, each in enumerate(abstracts):
        paper = each.paper()
        extractor = EmbeddedExtractor(paper, mode)
        for taken in extractor.roles():
            at = taken.statement.place.start - each.offset
            right = each.parts_at(at)
            if right:
                found.chosen.append((right, PART_OF_ROLE[taken.base]))
                found.placed.append((right, at / len(each.text)))
        checked = construct_embedded(extractor, paper, mode, limit=SIZE, seed=0, index=0).checked
        if number < show:
            _print(each, checked)
        kinds = {node.base_role: each.parts_at(node.place.start - each.offset) for node in checked.nodes}
        for role, counter in (("Hypothesis", found.hypotheses), ("Conclusion", found.conclusions)):
            # An aim is told from background only where another label has it.
            if role == "Conclusion" or each.aims_apart:
                counter[_kind(kinds[role]) if checked.ok else "no graph"] += 1
        if checked.ok:
            found.nodes.update(
                PART_OF_ROLE[node.base_role] in each.parts_at(node.place.start - each.offset) for node in checked.nodes
            )
        _with_labels(each, mode, found.with_labels)
        for main in main_statements(paper):
            parts = each.parts_at(main.place.start - each.offset) if main.place else frozenset[Part]()
            if main.kind != "aim" or each.aims_apart:
                said = "right" if PART_OF_MAIN[main.kind] in parts else "wrong" if main.place else "silent"
                found.mains[main.kind, said] += 1
    return found


def _kind(parts: frozenset[Part]) -> str:
    return next(iter(parts)) if len(parts) == 1 else "under a label of two parts" if parts else "no label"


def _with_labels(each: Labelled, mode: Mode, counter: Counter[str]) -> None:
    """The same abstract with its labels: whether one got into a node, and whether they were heeded."""
    paper = each.paper(each.original)
    extractor = EmbeddedExtractor(paper, mode)
    checked = construct_embedded(extractor, paper, mode, limit=SIZE, seed=0, index=0).checked
    counter["graphs"] += checked.ok
    counter["nodes"] += len(checked.nodes)
    counter["nodes with a label"] += sum(label_at(n.text, 0, len(n.text)) is not None for n in checked.nodes)
    texts = {" ".join(each.text[start:end].split()): parts for start, end, parts in each.sentences}
    for taken in extractor.roles():
        parts = texts.get(taken.statement.text)
        if parts:
            right = parts | ({"objective"} if "background" in parts and not each.aims_apart else set())
            counter["right"] += PART_OF_ROLE[taken.base] in right
            counter["sentences"] += 1


def _print(each: Labelled, checked: Checked) -> None:
    print(f"\n{each.title}\n  {'; '.join(checked.errors) or 'sound'}")
    for node in checked.nodes:
        parents = " ".join(edge.parent for edge in checked.edges if edge.child == node.id)
        label = "+".join(sorted(each.parts_at(node.place.start - each.offset)))
        print(f"  {node.id} {node.role} ({label}) <- {parents or '-'}: {node.text}")


def scores(chosen: Sequence[tuple[frozenset[Part], Part]]) -> tuple[float, float]:
    """Accuracy over all sentences, and macro-F1 over those of which one part alone is right."""
    sure = [(next(iter(right)), said) for right, said in chosen if len(right) == 1]
    every = []
    for part in PARTS:
        hits = sum(right == said == part for right, said in sure)
        every.append(2 * hits / max(1, sum(right == part for right, _ in sure) + sum(said == part for _, said in sure)))
    return sum(said in right for right, said in chosen) / max(1, len(chosen)), sum(every) / len(PARTS)


def by_place(learned: Measured, judged: Measured) -> list[tuple[frozenset[Part], Part]]:
    """The baseline that looks at a sentence's place alone: in each tenth, what is most frequent there in `learned`."""
    counts: dict[int, Counter[Part]] = {tenth: Counter() for tenth in range(11)}
    for right, at in learned.placed:
        counts[int(10 * at)].update(right)
    return [(right, max(PARTS, key=lambda part: counts[int(10 * at)][part])) for right, at in judged.placed]


def report(name: str, count: int, found: Measured, development: Measured) -> None:
    """The tables of one half."""
    print(f"\n{name}: {count} abstracts, {len(found.chosen)} sentences\n")
    print("| label | " + " | ".join(PARTS) + " |\n| --- |" + " ---: |" * len(PARTS))
    confusion = Counter((label(right), said) for right, said in found.chosen)
    for row in (*PARTS, "background or objective", "methods or results"):
        print(f"| {row} | " + " | ".join(str(confusion[row, part]) for part in PARTS) + " |")
    most = Counter(part for right, _ in development.placed for part in right).most_common(1)[0][0]
    print("\n| | accuracy | macro-F1 |\n| --- | ---: | ---: |")
    for method, chosen in (
        ("the extractor", found.chosen), ("place alone", by_place(development, found)),
        (f"always {most}", [(right, most) for right, _ in found.chosen]),
    ):  # fmt: skip
        accuracy, f1 = scores(chosen)
        print(f"| {method} | {accuracy:.1%} | {f1:.1%} |")
    print("\n| graphs | " + " | ".join(PARTS) + " | other | no graph |\n| --- |" + " ---: |" * (len(PARTS) + 2))
    for what, counter in (("hypothesis from", found.hypotheses), ("conclusion from", found.conclusions)):
        other = sum(n for kind, n in counter.items() if kind not in (*PARTS, "no graph"))
        row = [*(counter[part] for part in PARTS), other, counter["no graph"]]
        print(f"| {what} | " + " | ".join(map(str, row)) + " |")
    print(f"\nNodes in a role that their label allows: {found.nodes[True] / max(1, found.nodes.total()):.1%}.")
    print("\n| main statement | right | wrong | silent |\n| --- | ---: | ---: | ---: |")
    for kind in PART_OF_MAIN:
        row = (found.mains[kind, said] for said in ("right", "wrong", "silent"))
        print(f"| {kind} | " + " | ".join(map(str, row)) + " |")
    kept = found.with_labels
    print(
        f"With the labels left in: {kept['right'] / max(1, kept['sentences']):.1%} of sentences right, "
        f"{kept['graphs']} sound graphs, {kept['nodes with a label']} of {kept['nodes']} nodes with a label in them."
    )


def label(right: frozenset[Part]) -> str:
    """A row of the confusion matrix."""
    return " or ".join(part for part in PARTS if part in right)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, default=DOCUMENTS)
    parser.add_argument("--half", choices=["development", "unseen", "both"], default="both")
    parser.add_argument("--show", type=int, default=0, help="print so many graphs of each half")
    given = parser.parse_args()
    if not given.documents.is_file():
        print(f"{given.documents} is not there: nothing to measure")
        return
    abstracts = list(read(given.documents))
    halves = [[a for a in abstracts if is_development(a.id) is first] for first in (True, False)]
    if not all(halves):
        print(f"{given.documents} has too few structured abstracts to measure on")
        return
    development = measure(halves[0], given.show if given.half != "unseen" else 0)
    if given.half != "unseen":
        report("Development half (the weights were fitted on it)", len(halves[0]), development, development)
    if given.half != "development":
        report("Unseen half", len(halves[1]), measure(halves[1], given.show), development)


if __name__ == "__main__":
    main()
