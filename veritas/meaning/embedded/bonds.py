"""Bonds: whether words that stand together in the claim stand together in its best sentence, and which part is unmet.

Two texts may share all their words and say different things ("a black helmet" against "a white helmet and a black
car"). These features look at the places of the shared words, not at how many they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from veritas.meaning.embedded.claim_evidence import Alignment, Statement, weight
from veritas.text import lexicon

CLOSE = 3
"""Most places between two words that stand together."""
_IDLE = frozenset("a an the be have do this that it they he she we".split())
"""Stems of function words whose absence says nothing."""

Place = int | None


def bonds(alignment: Alignment) -> dict[str, float]:
    """Return the features of bonds by name, 0 to 1."""
    claim, best = alignment.claim, alignment.best
    assert best is not None
    row = alignment.per_sentence[alignment.order[0]]
    words = alignment.words
    places = _places([t.stem for t in words], best)
    return {
        **_kept(words, places, best),
        **_parts(alignment, row),
        **_replaced([t.stem for t in words], places, best),
        **_closed(claim, best, [p for p in places if p is not None]),
    }


def _places(stems: Sequence[str], best: Statement) -> list[Place]:
    """Return where each word of the claim stands in the sentence: of several places, the one nearest behind the word
    before."""
    found: list[Place] = []
    last = -1
    for each in stems:
        there = [i for i, s in enumerate(best.stems) if s == each]
        place = min(there, key=lambda i: (abs(i - last - 1), i)) if there else None
        found.append(place)
        last = last if place is None else place
    return found


def _kept(words: Sequence[object], places: Sequence[Place], best: Statement) -> dict[str, float]:
    pairs = [(a, b) for a, b in itertools.pairwise(places) if a is not None and b is not None]
    total = max(1, len(words) - 1)
    near = sum(0 < b - a <= CLOSE for a, b in pairs)
    turned = sum(b < a for a, b in pairs)
    parted = sum(
        1 for a, b in pairs
        if any(best.stems[i] not in lexicon.STOP for i in range(min(a, b) + 1, max(a, b)))
    )
    met = [p for p in places if p is not None]
    spread = (max(met) - min(met) + 1) if met else 0
    return {
        "bonds_near": near / total,
        "bonds_turned": turned / total,
        "bonds_parted": parted / total,
        "bonds_lost": 1 - len(pairs) / total,
        "spread": min(spread / max(1, len(words)), 6) / 6,
    }


def _parts(alignment: Alignment, row: Sequence[float]) -> dict[str, float]:
    """Return how much is met of the claim's beginning and end: a sentence often names its subject by "it"."""
    words, weights = alignment.words, alignment.weights
    first = next((i for i, t in enumerate(words) if not t.is_name), len(words))
    rest = range(first, len(words)) if first < len(words) else range(len(words))
    half = range(len(words) // 2, len(words))
    absent = [weights[i] for i in rest if not row[i]]
    return {
        "cover_rest": _share(row, weights, rest),
        "cover_half": _share(row, weights, half),
        "rest_absent": max(absent, default=0.0) / 7.5,
        "rest_words_absent": min(len(absent), 5) / 5,
        "last_absent": float(not row[-1]),
        "opening_absent": float(not any(row[:1])),
    }


def _share(row: Sequence[float], weights: Sequence[float], part: range) -> float:
    return sum(row[i] * weights[i] for i in part) / (sum(weights[i] for i in part) or 1.0)


def _replaced(stems: Sequence[str], places: Sequence[Place], best: Statement) -> dict[str, float]:
    """Return the weight of the words that the claim has in place of others: unmet, next to a met word, where the
    sentence has a content word of its own."""
    wanted = set(stems)
    heaviest = 0.0
    for i, place in enumerate(places):
        if place is not None:
            continue
        for neighbour, step in ((i - 1, 1), (i + 1, -1)):
            if not 0 <= neighbour < len(places) or (at := places[neighbour]) is None:
                continue
            beside = next(
                (
                    best.stems[j] for j in range(at + step, at + step * (CLOSE + 1), step)
                    if 0 <= j < len(best.stems) and best.stems[j] not in lexicon.STOP
                ),
                None,
            )
            if beside is not None and beside not in wanted:
                heaviest = max(heaviest, min(weight(stems[i]), weight(beside)))
    return {"replaced": heaviest / 7.5}


def _closed(claim: Statement, best: Statement, met: Sequence[int]) -> dict[str, float]:
    """Return the share of the claim's function words that the sentence does not have, and of the sentence's, between
    the words it shares, that the claim does not have."""
    closed = lexicon.STOP - _IDLE
    mine = [s for s in claim.stems if s in closed]
    theirs = set(best.stems)
    span = best.stems[min(met) : max(met) + 1] if met else []
    between = [s for s in span if s in closed]
    own = set(claim.stems)
    return {
        "closed_absent": sum(s not in theirs for s in mine) / max(1, len(mine)),
        "closed_absent_count": min(sum(s not in theirs for s in mine), 4) / 4,
        "closed_between": min(sum(s not in own for s in between), 6) / 6,
    }
