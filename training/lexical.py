"""Fits the weights of the lexical lens (`veritas/judging/lexical.py`): `python training/lexical.py --data FOLDER`.

FOLDER holds `claims/*.jsonl`, claims with a passage and a label, a file a set, and `judge/pairs.jsonl.gz`. Each set
weighs the same, and so does each label within one. Prints the weights as Python, and the accuracy by set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from veritas.judging.lexical import features

LABELS = ("supports", "refutes", "silent")
EDITED = ("own_docs", "own_sci", "negnli")
"""Sources of the judge's training in which sentences are denied or changed in a word."""
MOST = 1500
"""Pairs of a set that are read."""


def read(folder: Path) -> dict[str, list[tuple[str, str, str]]]:
    """Return claim, passage and label of each set's pairs."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for file in sorted((folder / "claims").glob("*.jsonl")):
        for row in map(json.loads, file.open(encoding="utf-8")):
            if row.get("label") in LABELS and "passage" in row:
                found[file.stem].append((row["claim"], row["passage"], row["label"]))
    with gzip.open(folder / "judge" / "pairs.jsonl.gz", "rt", encoding="utf-8") as pairs:
        for row in map(json.loads, pairs):
            if row["source"] in EDITED and row["label"] in LABELS and row["part"] == "train":
                found[row["source"]].append((row["claim"], row["passage"], row["label"]))
    chosen = random.Random(1)
    return {name: chosen.sample(rows, min(MOST, len(rows))) for name, rows in found.items()}


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    rows: list[list[float]] = []
    labels: list[int] = []
    weights: list[float] = []
    sources: list[str] = []
    for name, pairs in read(parser.parse_args().data).items():
        counts = {label: max(1, sum(p[2] == label for p in pairs)) for label in LABELS}
        for claim, passage, label in pairs:
            rows.append(features(claim, passage))
            labels.append(LABELS.index(label))
            weights.append(1 / counts[label])
            sources.append(name)
    x, y, w = np.array(rows), np.array(labels), np.array(weights)
    model = LogisticRegression(max_iter=5000, C=10.0).fit(x, y, sample_weight=w / w.mean())
    for name in sorted(set(sources)):
        here = np.array([s == name for s in sources])
        print(f"{name}: {100 * (model.predict(x[here]) == y[here]).mean():.0f} % of {here.sum()}")
    for coefficients, bias in zip(model.coef_, model.intercept_, strict=True):
        print("    (" + ", ".join(f"{value:.3f}" for value in (*coefficients, bias)) + "),")


if __name__ == "__main__":
    main()
