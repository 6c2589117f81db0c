"""A judge by words alone: a logistic regression on eight lexical features, which knows nothing of meaning.

It is the lens of another mechanism beside the learned judge, and stands in for it where that is not installed.
`training/lexical.py` fits its weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from veritas.judging.learned import Chances
from veritas.text import lexicon
from veritas.text.tokens import Token, tokens

WEIGHTS: Sequence[Sequence[float]] = (
    (3.157, -1.067, -0.851, 0.456, -0.099, -0.513, 0.054, -0.093, -1.343),
    (-1.020, 0.171, 0.640, -0.087, 0.052, 1.020, 0.056, 0.186, 0.134),
    (-2.137, 0.896, 0.211, -0.369, 0.047, -0.507, -0.110, -0.092, 1.209),
)
"""For supports, refutes and silent: a weight for each feature, in the order of `features`, and a bias."""


def features(claim: str, passage: str) -> list[float]:
    """Return, of the claim: the share of its words that the passage has; of all words, those of both; the longest
    common subsequence; numbers met; whether one alone denies, and that among the same words; the ratio of lengths
    (log); names met."""
    mine, theirs = tokens(claim), tokens(passage)
    first, second = [t.stem for t in mine], [t.stem for t in theirs]
    there = set(second)
    turned = float(_negated(mine) != _negated(theirs))
    common = _common(first, second) / max(1, len(first))
    return [
        _share(set(first), there),
        len(set(first) & there) / max(1, len(set(first) | there)),
        common,
        _share({t.stem for t in mine if t.is_number}, there),
        turned,
        turned * common**2,
        math.log((1 + len(first)) / (1 + len(second))),
        _share({t.stem for t in mine if t.is_name}, there),
    ]


def chances(claim: str, passage: str) -> Chances:
    """Return the probabilities of the three labels by words alone."""
    found = [*features(claim, passage), 1.0]
    scores = [sum(w * x for w, x in zip(row, found, strict=True)) for row in WEIGHTS]
    top = max(scores)
    parts = [math.exp(score - top) for score in scores]
    return Chances(*(part / sum(parts) for part in parts))


def _share(wanted: set[str], there: set[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 1.0


def _negated(words: Sequence[Token]) -> bool:
    return any(t.lower in lexicon.NEGATION for t in words)


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    previous = [0] * (len(second) + 1)
    for word in first:
        current = [0]
        for at, other in enumerate(second):
            current.append(previous[at] + 1 if word == other else max(previous[at + 1], current[at]))
        previous = current
    return previous[-1]
