"""The baseline of `lenses.py`: a logistic regression on seven lexical features, which knows nothing of meaning."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veritas.meaning.embedded.model import VERDICTS
from veritas.text import lexicon
from veritas.text.tokens import Token, tokens


def lexical(claim: str, passage: str) -> list[float]:
    """Coverage of the claim's stems, Jaccard, longest common subsequence, numbers met, difference of negation, ratio of
    lengths (log), coverage of the claim's names."""
    mine, theirs = tokens(claim), tokens(passage)
    a, b = [t.stem for t in mine], [t.stem for t in theirs]
    numbers = {t.stem for t in mine if t.is_number}
    names = {t.stem for t in mine if t.is_name}
    there = set(b)
    return [
        _share(set(a), there),
        len(set(a) & there) / max(1, len(set(a) | there)),
        _common(a, b) / max(1, len(a)),
        _share(numbers, there),
        float(_negated(mine) != _negated(theirs)),
        math.log((1 + len(a)) / (1 + len(b))),
        _share(names, there),
    ]


def _share(wanted: set[str], there: set[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 1.0


def _negated(words: Sequence[Token]) -> bool:
    return any(t.lower in lexicon.NEGATION for t in words)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    previous = [0] * (len(b) + 1)
    for x in a:
        current = [0]
        for j, y in enumerate(b):
            current.append(previous[j] + 1 if x == y else max(previous[j + 1], current[j]))
        previous = current
    return previous[-1]


def predicted(
    rows: Sequence[Sequence[float]], labels: Sequence[str], sets: Sequence[str],
    splits: Sequence[tuple[Sequence[int], Sequence[int]]],
) -> list[tuple[str, float]]:
    """Label and probability of each record, fitted without it; the sets weigh the same, and the labels of a set."""
    x, y = np.array(rows), np.array([VERDICTS.index(v) for v in labels])  # type: ignore[arg-type]
    origin = np.array(sets)
    weights = np.zeros(len(y))
    for each in set(sets):
        here = origin == each
        weights[here] = 1 / np.bincount(y[here], minlength=3)[y[here]]
        weights[here] /= weights[here].sum()
    found: list[tuple[str, float]] = [("silent", 0.0)] * len(y)
    for train, test in splits:
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
        model.fit(x[train], y[train], logisticregression__sample_weight=weights[train] * len(y))
        shares = model.predict_proba(x[test])
        for i, row in zip(test, shares, strict=True):
            best = int(row.argmax())
            found[i] = (VERDICTS[int(model.classes_[best])], float(row[best]))
    return found
