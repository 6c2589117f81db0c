"""Measures the embedded lenses on labelled claims: `python benchmarks/lenses.py CLAIMS_FOLDER`; Markdown on stdout.

The learned lens is measured on parts it was not fitted on: five folds within the sets, no document, table, article or
claim on both sides; and each set in turn by a model fitted on the other three. The hand-set lenses have nothing to fit.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from train_lens import FORMS, Record, align, fit, folds, groups, load

from veritas.gate.lens_accuracy import accuracy_of
from veritas.meaning.embedded import CoverageLens, NumericLens
from veritas.meaning.embedded.entailment import REFUTE_THRESHOLD, SUPPORT_THRESHOLD, EmbeddedLens, decide, plain
from veritas.meaning.embedded.features import features
from veritas.meaning.embedded.model import VERDICTS, Chances, Model
from veritas.meaning.embedded.retraction import standing

SUPPORT_THRESHOLDS = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
Answers = list[tuple[str, float]]
"""Label and score of each record."""


def measure(truth: Sequence[str], answers: Sequence[tuple[str, float]]) -> dict[str, float]:
    """What `LensAccuracy` has; NaN where there is nothing to divide by."""
    found = accuracy_of(truth, answers).model_dump()
    return {name: np.nan if value is None else value for name, value in found.items()}


def unseen(records: Sequence[Record], splits: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Chances]:
    """The learned lens's probabilities of each record by a model that was fitted without it."""
    aligned = [align(r) for r in records]
    rows = [features(a) for a in aligned]
    found: list[Chances] = [{} for _ in records]
    for train, test in splits:
        model = Model(fit([rows[i] for i in train], [records[i]["label"] for i in train],
                          [records[i]["source_dataset"] for i in train]))
        lens = EmbeddedLens(model=model)
        for i in test:
            if standing(records[i]["claim"], records[i]["passage"]) == "stated":
                found[i] = {"supports": 0.99, "refutes": 0.005, "silent": 0.005}
            else:
                found[i] = lens.chances(aligned[i], plain(aligned[i]))
    return found


def judged(chances: Sequence[Chances], support: float = SUPPORT_THRESHOLD, refute: float = REFUTE_THRESHOLD) -> Answers:
    """Labels and scores under the given thresholds."""
    labels = [decide(c, support, refute) for c in chances]
    return [(label, c[label]) for label, c in zip(labels, chances, strict=True)]


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


def sweep(records: Sequence[Record], chances: Sequence[Chances]) -> None:
    """Accuracy / macro-F1 / false supports of each set as the support threshold rises."""
    print("\n| support threshold | " + " | ".join(FORMS) + " |\n| --- |" + " --- |" * len(FORMS))
    for threshold in SUPPORT_THRESHOLDS:
        answers, cells = judged(chances, support=threshold), []
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
    within = unseen(records, folds(labels, sets, groups(records), chosen.seed))
    table("`embedded`, five folds by group", records, judged(within))
    sweep(records, within)
    order = list(range(len(records)))
    apart = [([i for i in order if sets[i] != s], [i for i in order if sets[i] == s]) for s in FORMS]
    across = unseen(records, apart)
    table("`embedded`, each set by a model fitted on the other three", records, judged(across))
    sweep(records, across)
    answers: dict[str, Answers] = {EmbeddedLens.name: judged(within)}
    for lens in (CoverageLens(), NumericLens()):
        answers[lens.name] = [lens.find(r["claim"], r["passage"])[:2] for r in records]
        table(f"`{lens.name}`, nothing fitted", records, answers[lens.name])
    quorum(records, answers)
    print("\n| lens | pairs a second |\n| --- | --- |")
    for each in (EmbeddedLens(), CoverageLens(), NumericLens()):
        print(f"| `{each.name}` | {timed(each.find, records):.0f} |")


if __name__ == "__main__":
    warnings.simplefilter("ignore", category=UserWarning)
    main()
