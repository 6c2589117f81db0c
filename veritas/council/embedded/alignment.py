"""Whether a sentence says what a claim says."""

from __future__ import annotations

from functools import lru_cache

from veritas.judging import STRICT, judge
from veritas.text.same_words import said
from veritas.text.tokens import terms

SAME_SUBJECT = 0.55
"""Least share of a claim's content words in a sentence that is judged at all."""


@lru_cache(maxsize=16384)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the content words of a sentence."""
    return frozenset(terms(text))


def repeats(claim: str, sentence: str) -> bool:
    """Return whether a sentence says what the claim says. Only one with most of the claim's words is judged."""
    if said(claim) == said(sentence):
        return True
    mine = stems_of(claim)
    near = len(mine & stems_of(sentence)) >= SAME_SUBJECT * len(mine)
    return near and judge(claim, sentence, threshold=STRICT).label == "supports"
