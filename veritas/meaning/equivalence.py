"""Equivalence of claims, for their clusters, the agreement meter and corroboration.

Two claims are one only if they are the same words in the same order (`veritas.text.same_words`). Claims in other words
stay apart, each with its own reference, because similar words do not mean the same ("lasts 10 hours" and "lasts more
than 9 hours" share all but one word).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veritas.meaning.one_difference import excludes
from veritas.text.same_words import said


def equivalent(a: str, b: str) -> bool:
    """Return whether two claims say the same thing."""
    return _words(a) == _words(b)


def _words(text: str) -> tuple[str, ...]:
    return said(text) or (text,)


def contradictions(
    texts: Sequence[str], comparable: Callable[[int, int], bool] = lambda i, j: True
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of indices, the lower first, of texts that exclude each other on plain grounds
    (`one_difference`)."""
    for i, one in enumerate(texts):
        for j in range(i + 1, len(texts)):
            if comparable(i, j) and excludes(one, texts[j]):
                yield i, j


def cluster(claims: Sequence[str]) -> list[list[int]]:
    """Return the indices of equivalent claims, grouped; groups in the order of their first claim, indices ascending."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, text in enumerate(claims):
        groups.setdefault(_words(text), []).append(i)
    return list(groups.values())
