"""Fits what a page says of a statement: `python benchmarks/train_factcheck.py [--folds]`.

Writes veritas/factcheck/weights.json from the labelled statements of benchmarks/factcheck/dev and the recorded pages
that they cite. `--folds` measures by leaving each report's subject out in turn instead, and writes nothing. Needs
scikit-learn, which the library does not. Deterministic.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.factcheck_score import FOLDER, reports  # noqa: E402
from veritas.errors import Unavailable  # noqa: E402
from veritas.factcheck.judging import PLACES, signals_at  # noqa: E402
from veritas.factcheck.pages import ReadPage, nearest, read_page  # noqa: E402
from veritas.factcheck.sources import RecordedPages  # noqa: E402
from veritas.factcheck.weighing import CLASSES  # noqa: E402

WEIGHTS = ROOT / "veritas" / "factcheck" / "weights.json"
STRENGTH = 0.004
"""Inverse of the penalty on large weights (scikit-learn's C)."""

Example = tuple[str, str, dict[str, float]]
"""The subject of a report, the label, and the signals."""


def examples() -> list[Example]:
    """Return the signals of each labelled statement at the place of its first page that is nearest to it."""
    shelf, pages = RecordedPages(FOLDER / "dev" / "recorded"), dict[str, ReadPage | None]()
    seen: set[tuple[str, str]] = set()
    found = []
    for report in reports("dev"):
        for label in report.labels:
            if label.verdict not in CLASSES or (label.statement, label.verdict) in seen or not label.citations:
                continue
            seen.add((label.statement, label.verdict))
            page = next((read for url in label.citations if (read := _page(url, shelf, pages)) is not None), None)
            if page is None:
                continue
            places = [signals_at(label.statement, page, at) for at in nearest(page, label.statement, PLACES)]
            told = [place for place in places if place is not None]
            if told:
                best = max(told, key=lambda place: place.near_by)
                found.append((report.file.name.split("-")[0], label.verdict, dict(best.values)))
    return found


def _page(url: str, shelf: RecordedPages, pages: dict[str, ReadPage | None]) -> ReadPage | None:
    if url not in pages:
        try:
            document = asyncio.run(shelf.read(url, None))
        except Unavailable:
            document = None
        pages[url] = read_page(document) if document is not None else None
    return pages[url]


def main() -> None:
    """Fit and write, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", action="store_true", help="measure by subjects left out; write nothing")
    folds = parser.parse_args().folds
    given = examples()
    names = sorted(given[0][2])
    values = np.array([[each[2].get(name, 0.0) for name in names] for each in given])
    labels = np.array([each[1] for each in given])
    if folds:
        _measure(given, values, labels)
        return
    scaler = StandardScaler().fit(values)
    fit = LogisticRegression(C=STRENGTH, max_iter=5000).fit(scaler.transform(values), labels)
    order = [list(fit.classes_).index(name) for name in CLASSES]
    told = {
        "names": names, "means": scaler.mean_.round(5).tolist(), "scales": scaler.scale_.round(5).tolist(),
        "weights": fit.coef_[order].round(5).tolist(), "biases": fit.intercept_[order].round(5).tolist(),
    }  # fmt: skip
    WEIGHTS.write_text(json.dumps(told) + "\n", encoding="utf-8")
    print(f"{len(given)} statements: {dict(Counter(labels.tolist()))}")


def _measure(given: list[Example], values: np.ndarray, labels: np.ndarray) -> None:
    subjects = np.array([each[0] for each in given])
    chances = np.zeros((len(given), len(CLASSES)))
    for subject in sorted(set(subjects)):
        rest = subjects != subject
        scaler = StandardScaler().fit(values[rest])
        fit = LogisticRegression(C=STRENGTH, max_iter=5000).fit(scaler.transform(values[rest]), labels[rest])
        order = [list(fit.classes_).index(name) for name in CLASSES]
        chances[~rest] = fit.predict_proba(scaler.transform(values[~rest]))[:, order]
    print("| least | supported | contradicted called so | not in the source called so |\n| ---: | ---: | ---: | ---: |")
    for least in (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8):
        counts = Counter(labels[chances[:, CLASSES.index("supported")] >= least].tolist())
        print(f"| {least} | {counts['supported']} | {counts['contradicted']} | {counts['not_in_source']} |")


if __name__ == "__main__":
    main()
