"""Which of several sentences say the same, and which exclude each other: for merging, the agreement meter and marks.

Only mutual support makes two claims one; claims that merely resemble each other stay apart, each with its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veritas.judging.verdict import STRICT, Question, Verdict, judge_all
from veritas.meaning.relation import NOWHERE, Setting
from veritas.text.quantities import quantities
from veritas.text.same_words import said
from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import tokenise

ALIKE = 0.5
"""Least share of the longer sentence's words that both have, for them to be compared at all: it saves comparisons of
sentences that have nothing to do with each other, and decides nothing else."""


EXCLUDED = 0.8
"""Least probability of `refutes`, in both directions, for two sentences about one thing to exclude each other."""


def same(first: str, second: str, *, of_first: Setting = NOWHERE, of_second: Setting = NOWHERE) -> bool:
    """Return whether each of two sentences is true wherever the other is."""
    if said(first) == said(second) and said(first):
        return True
    there, back = _both(first, second, of_first, of_second, STRICT)
    return there.label == back.label == "supports"


def exclusion(
    first: str, second: str, *, of_first: Setting = NOWHERE, of_second: Setting = NOWHERE, one_thing: bool = False
) -> Verdict | None:
    """Return what makes two sentences exclude each other, the verdict of the first on the second; None if nothing does.

    Excluding needs the same referent: two documents that speak of their own studies do not contradict each other.
    Sentences of one document, or with `one_thing`, speak of the same; others only where all that both have of exact
    terms is alike but for what differs.
    """
    known = one_thing or (bool(of_first.document) and of_first.document == of_second.document)
    if not (known or _one_referent(first, second)):
        return None
    there, back = _both(first, second, of_first, of_second, STRICT)
    return there if min(there.chances.refutes, back.chances.refutes) >= EXCLUDED else None


def other_value(first: str, second: str, where: Setting) -> bool:
    """Return whether two sentences of one document give different values of one quantity: one is refuted by the value
    in the other."""
    if not (quantities(first) and quantities(second) and _near(_stems(first), _stems(second), min)):
        return False
    told = [v for v in _both(first, second, where, where, STRICT) if v.chances.refutes >= EXCLUDED]
    return any(v.difference is not None and v.difference.kind == "number" and v.difference.first for v in told)


def _one_referent(first: str, second: str) -> bool:
    """Return whether two sentences have the same content words, but for one of each."""
    one, other = _stems(first), _stems(second)
    return len(one - other) <= 1 and len(other - one) <= 1 and len(one & other) > 1


def _both(first: str, second: str, of_first: Setting, of_second: Setting, threshold: float) -> tuple[Verdict, Verdict]:
    asked = [Question(second, first, of_first), Question(first, second, of_second)]
    there, back = judge_all(asked, threshold=threshold)
    return there, back


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
            near = _near(stems[i], stems[j]) and comparable(i, j)
            if near and exclusion(one, texts[j], of_first=settings[i], of_second=settings[j]) is not None:
                yield i, j


def _near(one: frozenset[str], other: frozenset[str], of: Callable[[int, int], int] = max) -> bool:
    return len(one & other) >= ALIKE * of(len(one), len(other))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(token) for token in tokenise(text) if token not in STOP_WORDS)
