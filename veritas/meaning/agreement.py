"""Which of several sentences say the same, and which exclude each other: for merging, the agreement meter and marks.

Only mutual entailment makes two claims one; claims that merely resemble each other stay apart, each with its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veritas.meaning.compare import compare
from veritas.meaning.relation import NOWHERE, Setting
from veritas.text.same_words import said
from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import tokenise

ALIKE = 0.5
"""Least share of the longer sentence's words that both have, for them to be compared at all: it saves comparisons of
sentences that have nothing to do with each other, and decides nothing else."""


def same(first: str, second: str, *, of_first: Setting = NOWHERE, of_second: Setting = NOWHERE) -> bool:
    """Return whether each of two sentences is true wherever the other is."""
    found = compare(first, second, of_first=of_first, of_second=of_second)
    if found.relation != "entails":
        return found.relation == "same"
    return compare(second, first, of_first=of_second, of_second=of_first).entailed


def cluster(claims: Sequence[str], settings: Sequence[Setting] = ()) -> list[list[int]]:
    """Return the indices of claims that say the same, grouped: each with every other of its group. Groups are in the
    order of their first claim, indices ascending. `settings` are the claims', none or one each."""
    where = settings or [NOWHERE] * len(claims)
    worded: dict[tuple[str, ...], list[int]] = {}
    for i, text in enumerate(claims):
        worded.setdefault(said(text) or (text,), []).append(i)
    stems = {indices[0]: _stems(claims[indices[0]]) for indices in worded.values()}

    def one(first: int, second: int) -> bool:
        return _near(stems[first], stems[second]) and same(
            claims[first], claims[second], of_first=where[first], of_second=where[second]
        )

    groups: list[list[list[int]]] = []
    for indices in worded.values():
        home = next((group for group in groups if all(one(each[0], indices[0]) for each in group)), None)
        if home is None:
            groups.append([indices])
        else:
            home.append(indices)
    return sorted(sorted(i for indices in group for i in indices) for group in groups)


def contradictions(
    texts: Sequence[str], settings: Sequence[Setting], comparable: Callable[[int, int], bool]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of indices, the lower first, of comparable texts that exclude each other."""
    stems = [_stems(text) for text in texts]
    for i, one in enumerate(texts):
        for j in range(i + 1, len(texts)):
            if _near(stems[i], stems[j]) and comparable(i, j):
                found = compare(one, texts[j], of_first=settings[i], of_second=settings[j])
                if found.relation == "excludes":
                    yield i, j


def _near(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * max(len(one), len(other))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(token) for token in tokenise(text) if token not in STOP_WORDS)
