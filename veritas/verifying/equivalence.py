"""When two claims say the same: what clusters are made of, for the agreement meter and for corroboration.

Two claims are equivalent when most of their content words agree, none of their quantities conflict, each names the
same numbers, and their polarity is not opposed. Near-identical negations are disagreement, never agreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from veritas.text.polarity import opposed
from veritas.text.quantities import Quantity, conflicts, quantities
from veritas.text.tokens import terms
from veritas.verifying.one_difference import excludes

SIMILARITY = 0.75
"""Least share of content words two equivalent claims have in common (Dice: 2·|A∩B| / (|A|+|B|))."""
RARE_TERMS = 6
"""Two claims are compared at all if they share one of the rarest `RARE_TERMS` content words of either."""


@dataclass(frozen=True)
class _Profile:
    text: str
    terms: frozenset[str]
    quantities: tuple[Quantity, ...]


def _profile(text: str) -> _Profile:
    return _Profile(text, frozenset(terms(text)), tuple(quantities(text)))


def _same_numbers(a: _Profile, b: _Profile) -> bool:
    """Every quantity of either agrees with one of the other: a claim that adds a number says more, not the same."""

    def covered(one: _Profile, other: _Profile) -> bool:
        return all(any(q.agrees(r) for r in other.quantities) for q in one.quantities)

    return covered(a, b) and covered(b, a)


def _equivalent(a: _Profile, b: _Profile) -> bool:
    if a.text == b.text:
        return True
    size = len(a.terms) + len(b.terms)
    if not size or 2 * len(a.terms & b.terms) < SIMILARITY * size:
        return False
    return _same_numbers(a, b) and not opposed(a.text, b.text) and not conflicts(a.text, b.text)


def equivalent(a: str, b: str) -> bool:
    """Whether two claims say the same thing."""
    return _equivalent(_profile(a), _profile(b))


def contradictions(
    texts: Sequence[str], comparable: Callable[[int, int], bool] = lambda i, j: True
) -> Iterator[tuple[int, int]]:
    """The pairs of indices, the lower first, of texts that exclude each other on plain grounds (`one_difference`)."""
    for i, one in enumerate(texts):
        for j in range(i + 1, len(texts)):
            if comparable(i, j) and excludes(one, texts[j]):
                yield i, j


def cluster(claims: Sequence[str]) -> list[list[int]]:
    """Indices of equivalent claims, grouped; groups in the order of their first claim, indices ascending.

    A claim joins the earliest group whose *first* claim it is equivalent to, so a chain of small differences cannot
    tie two opposed claims together. Time grows about linearly: claims that share no rare word are never compared.
    """
    profiles = [_profile(text) for text in claims]
    frequency = Counter(term for p in profiles for term in p.terms)
    rare = [sorted(p.terms, key=lambda t: (frequency[t], t))[:RARE_TERMS] for p in profiles]
    groups: list[list[int]] = []
    by_text: dict[str, int] = {}
    by_term: dict[str, list[int]] = {}
    for i, profile in enumerate(profiles):
        home = by_text.get(profile.text)
        if home is None:
            candidates = sorted({g for term in rare[i] for g in by_term.get(term, ())})
            home = next((g for g in candidates if _equivalent(profiles[groups[g][0]], profile)), None)
        if home is None:
            home = len(groups)
            groups.append([])
            for term in rare[i]:
                by_term.setdefault(term, []).append(home)
        by_text.setdefault(profile.text, home)
        groups[home].append(i)
    return groups
