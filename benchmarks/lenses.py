"""Measures the embedded lenses on labelled claims: `python benchmarks/lenses.py CLAIMS_FOLDER`; Markdown on stdout.

The learned lens is measured on parts it was not fitted on: five folds within the sets, no document, table, article or
claim on both sides; and each set in turn by a model fitted on the others, beside a baseline of seven lexical features
fitted in the same way. Strict mode takes its threshold from the other sets as well. The hand-set lenses have nothing to
fit.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from lexical_baseline import lexical, predicted
from train_lens import FORMS, Record, align, fit, folds, groups, load, strangers

from veritas.gate.lens_accuracy import accuracy_of
from veritas.meaning.embedded import CoverageLens, NumericLens
from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.entailment import (
    REFUTE_THRESHOLD,
    SUPPORT_THRESHOLD,
    EmbeddedLens,
    Plain,
    certainty,
    decide,
    plain,
)
from veritas.meaning.embedded.features import features
from veritas.meaning.embedded.model import VERDICTS, Chances, Model
from veritas.meaning.embedded.retraction import standing
from veritas.meaning.floor import Standing
from veritas.meaning.strict import stop

SUPPORT_THRESHOLDS = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
STRICT_MOST = 0.10
"""Most false supports of strict mode, as a share of the pairs that are not supported, on the mean of the sets that a
threshold is chosen on."""
Answers = list[tuple[str, float]]
"""Label and score of each record."""


def measure(truth: Sequence[str], answers: Sequence[tuple[str, float]]) -> dict[str, float]:
    """What `LensAccuracy` has; NaN where there is nothing to divide by."""
    found = accuracy_of(truth, answers).model_dump()
    return {name: np.nan if value is None else value for name, value in found.items()}


class Read:
    """What judging needs of the records, whatever was fitted: features, findings, and what strict mode stops."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.apart = strangers(records)
        self.rows: list[dict[str, float]] = []
        self.seen: list[Plain] = []
        self.stated: list[bool] = []
        self.stopped: list[bool] = []
        self.aligned: list[Alignment] = []
        for record in records:
            alignment = align(record)
            self.aligned.append(alignment)
            self.rows.append(features(alignment))
            self.seen.append(plain(alignment))
            self.stated.append(standing(record["claim"], record["passage"]) == "stated")
            self.stopped.append(stop(record["claim"], [Standing(record["passage"])]) is not None)
        self.rows += [features(align(record)) for record in self.apart]


def unseen(read: Read, splits: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Chances]:
    """The learned lens's probabilities of each record by a model that was fitted without it."""
    records, apart, rows = read.records, read.apart, read.rows
    every = [*records, *apart]
    found: list[Chances] = [{} for _ in records]
    for train, test in splits:
        known = set(train)
        fitted = [*train, *(len(records) + i for i, r in enumerate(apart) if known.issuperset(r["extra"]["from"]))]
        model = Model(fit([rows[i] for i in fitted], [every[i]["label"] for i in fitted],
                          [every[i]["source_dataset"] for i in fitted]))
        lens = EmbeddedLens(model=model)
        for i in test:
            if read.stated[i]:
                found[i] = {"supports": 0.99, "refutes": 0.005, "silent": 0.005}
            else:
                found[i] = lens.chances(read.aligned[i], read.seen[i])
    return found


def judged(read: Read, chances: Sequence[Chances], support: float = SUPPORT_THRESHOLD) -> Answers:
    """Labels and scores under the given threshold."""
    labels = [decide(c, support, REFUTE_THRESHOLD) for c in chances]
    return [(label, certainty(label, c, seen)) for label, c, seen in zip(labels, chances, read.seen, strict=True)]


def table(title: str, records: Sequence[Record], answers: Sequence[tuple[str, float]]) -> None:
    """One Markdown table, a row a set."""
    print(f"\n{title}\n")
    print("| set | accuracy | macro-F1 | balanced accuracy | false supports | precision of supports | ECE |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in FORMS:
        here = [i for i, r in enumerate(records) if r["source_dataset"] == name]
        m = measure([records[i]["label"] for i in here], [answers[i] for i in here])
        print(
            f"| {name} | {m['accuracy']:.1%} | {m['macro_f1']:.1%} | {m['balanced']:.1%} | {m['false_supports']:.1%} "
            f"| {m['precision']:.1%} | {m['calibration']:.3f} |"
        )


def sweep(read: Read, chances: Sequence[Chances]) -> None:
    """Accuracy / macro-F1 / false supports of each set as the support threshold rises."""
    records = read.records
    print("\n| support threshold | " + " | ".join(FORMS) + " |\n| --- |" + " --- |" * len(FORMS))
    for threshold in SUPPORT_THRESHOLDS:
        answers, cells = judged(read, chances, threshold), []
        for name in FORMS:
            here = [i for i, r in enumerate(records) if r["source_dataset"] == name]
            m = measure([records[i]["label"] for i in here], [answers[i] for i in here])
            cells.append(f"{100 * m['accuracy']:.1f} / {100 * m['macro_f1']:.1f} / {100 * m['false_supports']:.0f}")
        print(f"| {threshold} | " + " | ".join(cells) + " |")


def quorum(records: Sequence[Record], answers: dict[str, Answers]) -> None:
    """Supports that all of several lenses say: share of the pairs that are, and of those that are not."""
    print("\n| supports said by all of | " + " | ".join(FORMS) + " |\n| --- |" + " --- |" * len(FORMS))
    learned, coverage, numeric = answers
    panels = ((learned,), (learned, numeric), (learned, coverage), (coverage, numeric), (learned, coverage, numeric))
    for names in panels:
        cells = []
        for name in FORMS:
            here = [i for i, r in enumerate(records) if r["source_dataset"] == name]
            said = [i for i in here if all(answers[lens][i][0] == "supports" for lens in names)]
            true = [i for i in here if records[i]["label"] == "supports"]
            right = sum(records[i]["label"] == "supports" for i in said)
            cells.append(f"{right / len(true):.0%} / {(len(said) - right) / (len(here) - len(true)):.0%}")
        print("| " + " + ".join(f"`{n}`" for n in names) + " | " + " | ".join(cells) + " |")


def beside(records: Sequence[Record], rivals: dict[str, Answers]) -> None:
    """Macro-F1 of several lenses on each set, and on their mean."""
    print("\n| macro-F1, each set by what was fitted on the others | " + " | ".join(FORMS) + " | mean |")
    print("| --- |" + " --- |" * (len(FORMS) + 1))
    for name, answers in rivals.items():
        scores = []
        for each in FORMS:
            here = [i for i, r in enumerate(records) if r["source_dataset"] == each]
            scores.append(measure([records[i]["label"] for i in here], [answers[i] for i in here])["macro_f1"])
        print(f"| {name} | " + " | ".join(f"{100 * x:.1f}" for x in [*scores, sum(scores) / len(scores)]) + " |")


def strictly(read: Read, chances: Sequence[Chances]) -> None:
    """Strict mode: a threshold, and what the comparison stops. The threshold of each set is chosen on the other sets:
    the least at which no more than `STRICT_MOST` of what is not supported is called so, on their mean."""
    records = read.records
    passes = [not stopped for stopped in read.stopped]
    here = {s: [i for i, r in enumerate(records) if r["source_dataset"] == s] for s in FORMS}

    def share(name: str, threshold: float, labels: Sequence[str]) -> float:
        asked = [i for i in here[name] if records[i]["label"] in labels]
        said = [
            i for i in asked
            if passes[i] and chances[i]["supports"] >= threshold and decide(chances[i], threshold, 0) == "supports"
        ]
        return len(said) / len(asked) if asked else float("nan")

    def least(sets: Sequence[str]) -> float:
        for step in range(30, 99):
            if sum(share(s, step / 100, ("refutes", "silent")) for s in sets) <= STRICT_MOST * len(sets):
                return step / 100
        return 0.99

    print("\n| strict | threshold | supports kept | false supports | refuted called supported |")
    print("| --- | --- | --- | --- | --- |")
    for name in FORMS:
        threshold = least([s for s in FORMS if s != name])
        kept, wrong, refuted = (share(name, threshold, v) for v in (["supports"], ["refutes", "silent"], ["refutes"]))
        print(f"| {name} | {threshold:.2f} | {kept:.0%} | {wrong:.1%} | {refuted:.1%} |")
    print(f"\nThreshold on all sets: {least(list(FORMS)):.2f}")


def timed(find: Callable[[str, str], object], records: Sequence[Record]) -> float:
    """Pairs a second, one process."""
    start = time.perf_counter()
    for record in records:
        find(record["claim"], record["passage"])
    return len(records) / (time.perf_counter() - start)


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(__file__).resolve().parents[2] / "shared" / "claims"
    parser.add_argument("folder", type=Path, nargs="?", default=shared)
    parser.add_argument("--seed", type=int, default=0, help="of the folds")
    chosen = parser.parse_args()
    if not (chosen.folder / "scifact.jsonl").is_file():
        print(f"{chosen.folder} holds no labelled claims: nothing to measure")
        return
    records = load(chosen.folder)
    labels, sets = [r["label"] for r in records], [r["source_dataset"] for r in records]
    print(f"{len(records)} records; labels {', '.join(VERDICTS)}", file=sys.stderr)
    read = Read(records)
    within = unseen(read, folds(labels, sets, groups(records), chosen.seed))
    table("`embedded`, five folds by group", records, judged(read, within))
    sweep(read, within)
    strictly(read, within)
    order = list(range(len(records)))
    apart = [([i for i in order if sets[i] != s], [i for i in order if sets[i] == s]) for s in FORMS]
    across = unseen(read, apart)
    table("`embedded`, each set by a model fitted on the others", records, judged(read, across))
    lexically = predicted([lexical(r["claim"], r["passage"]) for r in records], labels, sets, apart)
    beside(records, {"seven lexical features": lexically, "`embedded`": judged(read, across)})
    sweep(read, across)
    strictly(read, across)
    answers: dict[str, Answers] = {EmbeddedLens.name: judged(read, within)}
    for lens in (CoverageLens(), NumericLens()):
        answers[lens.name] = [lens.find(r["claim"], r["passage"])[:2] for r in records]
        table(f"`{lens.name}`, nothing fitted", records, answers[lens.name])
    quorum(records, answers)
    print("\n| lens | pairs a second |\n| --- | --- |")
    for each in (EmbeddedLens(), CoverageLens(), NumericLens()):
        print(f"| `{each.name}` | {timed(each.find, records):.0f} |")


if __name__ == "__main__":
    warnings.simplefilter("ignore", category=UserWarning)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a table is seen when it is made
    main()
