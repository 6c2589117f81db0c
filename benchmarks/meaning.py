"""How often the comparison of two sentences is right: `python benchmarks/meaning.py [--documents ABSTRACTS.jsonl]`.

The pairs of `benchmarks/meaning_pairs` are compared. For each kind: altered claims that are called entailed (they are
not), paraphrases that are kept, compatible claims that are marked as excluded, what the floor says of a judge that
supports everything, and what the embedded lens refutes. Then sentences that do not say the same and have half their
words in common: how many would be merged, because each is found to entail the other. Then pairs in a second of one
core, each sentence read once, and abstracts: those of a file of JSON lines with `title` and `text`, or synthetic
ones. Markdown on stdout. `--failing` lists what is judged wrongly.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.meaning_pairs.pairs import (  # noqa: E402
    ADVERSARIAL,
    ALTERED,
    FOLDER,
    FORMER,
    KEPT_APART,
    OPEN,
    PARAPHRASE,
    Pair,
    look_alikes,
    read,
)
from veritas.meaning.compare import compare, compare_passage  # noqa: E402
from veritas.meaning.embedded import EmbeddedLens  # noqa: E402
from veritas.meaning.floor import floor  # noqa: E402
from veritas.meaning.relation import Setting  # noqa: E402
from veritas.text.sentences import split_sentences  # noqa: E402

PARTS = (OPEN, FORMER, KEPT_APART, ADVERSARIAL)
"""The parts that are printed first, in this order."""
LENS = EmbeddedLens()
LISTED = (
    "passive", "converse", "fronting", "units", "number-words", "lists", "apposition", "nominalisation",
)  # fmt: skip
"""The constructions whose paraphrases are expected to be kept more often than the others."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair, the relation found, the floor's step on a judge's `supports`, the reason given, and the label of the
    embedded lens."""

    pair: Pair
    relation: str
    entailed: bool
    step: str
    reason: str
    label: str

    @property
    def wrong(self) -> bool:
        """Whether the comparison or the floor does not do what the label asks for."""
        if self.pair.label in ALTERED:
            return self.entailed or self.step == "pass"
        if self.pair.label in PARAPHRASE:
            return not self.entailed or self.step == "refuse"
        return self.entailed or self.relation == "excludes"


def parts_in(folder: Path) -> list[str]:
    """Return the parts of a folder: those of `PARTS` first, then the others by name."""
    there = {file.parent.name for file in folder.glob("*/*.yaml")}
    return [*(part for part in PARTS if part in there), *sorted(there.difference(PARTS))]


def settings(pair: Pair) -> tuple[Setting, Setting]:
    """Return where the source and the claim stand."""
    first = Setting("source", pair.subject)
    return first, Setting("another", pair.subject) if pair.two_documents else first


def judge(pair: Pair) -> Judged:
    """Compare one pair, and ask the floor. A source of several sentences is compared as a passage."""
    first, second = settings(pair)
    if len(split_sentences(pair.source)) > 1 and not pair.two_documents:
        found = compare_passage(pair.source, pair.claim, setting=first)
    else:
        found = compare(pair.source, pair.claim, of_first=first, of_second=second)
    ruled = floor(pair.claim, [pair.source], setting=first)
    label, _, _ = LENS.find(pair.claim, pair.source)
    return Judged(pair, found.relation, found.entailed, ruled.step, found.reason, label)


def share(of: Iterable[bool]) -> str:
    """Return the share of what is true, in percent with the number of all, or a dash."""
    told = list(of)
    return f"{100 * sum(told) / len(told):.1f} % of {len(told)}" if told else "–"


def merged(one: str, other: str) -> bool:
    """Return whether each of two sentences is found to entail the other."""
    at = Setting("source")
    return (
        compare(one, other, of_first=at, of_second=at).entailed
        and compare(other, one, of_first=at, of_second=at).entailed
    )


def over_all(judged: Sequence[Judged], alike: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the figures over all kinds."""
    altered = [j for j in judged if j.pair.label in ALTERED]
    kept = [j for j in judged if j.pair.label in PARAPHRASE]
    compatible = [j for j in judged if j.pair.label == "compatible"]
    said = [j for j in judged if j.relation == "excludes"]
    return [
        ("altered claims called supported", share(j.entailed for j in altered)),
        ("paraphrases kept", share(j.entailed for j in kept)),
        ("… that say the same, nothing left out", share(j.entailed for j in kept if j.pair.label == "same")),
        ("… of the listed constructions", share(j.entailed for j in kept if j.pair.kind in LISTED)),
        ("compatible claims marked as excluded", share(j.relation == "excludes" for j in compatible)),
        ("compatible claims called supported", share(j.entailed for j in compatible)),
        ("excluding claims found", share(j.relation == "excludes" for j in altered if j.pair.label == "excludes")),
        ("marked as excluded, and not the paraphrase of it or compatible", share(j in altered for j in said)),
        ("alike sentences merged", share(merged(*pair) for pair in alike)),
        ("behind a judge that supports everything: altered claims that pass", share(j.step == "pass" for j in altered)),
        ("… deferred", share(j.step == "defer" for j in altered)),
        ("… refused", share(j.step == "refuse" for j in altered)),
        ("paraphrases that pass", share(j.step == "pass" for j in kept)),
        ("… deferred", share(j.step == "defer" for j in kept)),
        ("… refused", share(j.step == "refuse" for j in kept)),
        ("the embedded lens: compatible claims refuted", share(j.label == "refutes" for j in compatible)),
        ("… paraphrases refuted", share(j.label == "refutes" for j in kept)),
        ("… altered claims refuted", share(j.label == "refutes" for j in altered)),
    ]


def by_kind(parts: Mapping[str, Sequence[Judged]], labels: Sequence[str], asked: str) -> list[str]:
    """Return one table with a row for each kind: for each part its pairs, the share that `asked` is true of, and what
    the floor defers and refuses."""
    heads = [head for name in parts for head in (f"{name}: pairs", asked, "deferred", "refused")]
    lines = [f"| kind | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(heads)]
    for kind in sorted({j.pair.kind for judged in parts.values() for j in judged if j.pair.label in labels}):
        cells = [cell for judged in parts.values() for cell in _cells(judged, kind, labels)]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return lines


def _cells(judged: Sequence[Judged], kind: str, labels: Sequence[str]) -> list[str]:
    of = [j for j in judged if j.pair.kind == kind and j.pair.label in labels]
    if not of:
        return ["–"] * 4
    yes = sum(j.relation == "excludes" if labels == ("compatible",) else j.entailed for j in of)
    steps = [sum(j.step == step for j in of) for step in ("defer", "refuse")]
    return [str(len(of)), *(f"{100 * number / len(of):.0f} %" for number in (yes, *steps))]


def pairs_a_second(pairs: Sequence[Pair]) -> float:
    """Return how many pairs are compared in a second of one core where no sentence was read before."""
    once = list({pair.source: pair for pair in pairs}.values())
    start = process_time()
    for pair in once:
        first, second = settings(pair)
        compare(pair.source, pair.claim, of_first=first, of_second=second)
    return len(once) / (process_time() - start)


def abstracts(file: Path | None, pairs: Sequence[Pair], number: int = 200) -> list[tuple[str, str]]:
    """Return titles and texts: those of a file, or ten sources of the pairs in a row."""
    if file is not None:
        with file.open(encoding="utf-8") as lines:
            told = [json.loads(line) for line, _ in zip(lines, range(number), strict=False)]
        return [(each["title"], each["text"]) for each in told]
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    claims = [pair.claim for pair in pairs]
    return [(claims[at], " ".join(sources[at : at + 10])) for at in range(0, len(sources) - 10, 2)]


def abstracts_a_second(told: Sequence[tuple[str, str]]) -> float:
    """Return how many texts are compared with a claim in a second of one core."""
    start = process_time()
    for title, text in told:
        compare_passage(text, title, setting=Setting("source"))
    return len(told) / (process_time() - start)


def described(name: str, pairs: Sequence[Pair]) -> str:
    """Return how many pairs and templates a part has."""
    single = sum(not pair.filled for pair in pairs)
    templates = len({pair.template for pair in pairs})
    return f"{name}: {len(pairs)} pairs of {templates} templates, {single} of them with one sentence only."


def told_wrongly(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield a line for each pair that is judged wrongly."""
    for j in judged:
        if j.wrong:
            yield (
                f"- {j.pair.kind} · {j.pair.label} · found: {j.relation}, floor: {j.step} · {j.pair.source}"
                f" → {j.pair.claim} ({j.reason})"
            )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--folder", type=Path, default=FOLDER, help="a folder with a folder for each part")
    reader.add_argument("--part", action="append", help="a part to measure, by name; without it, each one")
    reader.add_argument("--documents", type=Path, help="JSON lines with title and text")
    reader.add_argument("--alike", type=int, default=4000, help="how many pairs of alike sentences, at most")
    reader.add_argument("--failing", action="store_true", help="list the pairs that are judged wrongly")
    told = reader.parse_args()
    parts = parts_in(told.folder)
    if missing := [part for part in told.part or [] if part not in parts]:
        reader.error(f"{told.folder} has no part {missing[0]!r}, only: {', '.join(parts) or 'none'}")
    pairs = {part.replace("_", " "): read(part, told.folder) for part in told.part or parts}
    speeds = [f"{pairs_a_second(of):.0f}" for of in pairs.values()]
    texts = [f"{abstracts_a_second(abstracts(told.documents, of)):.0f}" for of in pairs.values()]
    judged = {name: [judge(pair) for pair in of] for name, of in pairs.items()}
    figures = [over_all(judged[name], look_alikes(of, told.alike)) for name, of in pairs.items()]
    print("\n".join(described(*part) for part in pairs.items()))
    print(f"\n| | {' | '.join(pairs)} |\n| --- |{' ---: |' * len(pairs)}")
    for row in zip(*figures, strict=True):
        print(f"| {row[0][0]} | {' | '.join(figure for _, figure in row)} |")
    print(f"| pairs in a second of one core | {' | '.join(speeds)} |")
    print(f"| abstracts in a second of one core | {' | '.join(texts)} |")
    print("\n## Altered claims\n", *by_kind(judged, ALTERED, "called supported"), sep="\n")
    print("\n## Paraphrases\n", *by_kind(judged, PARAPHRASE, "kept"), sep="\n")
    print("\n## Compatible claims\n", *by_kind(judged, ("compatible",), "marked as excluded"), sep="\n")
    if told.failing:
        for name, of in judged.items():
            print(f"\n## Judged wrongly: {name}\n", *told_wrongly(of), sep="\n")


if __name__ == "__main__":
    main()
