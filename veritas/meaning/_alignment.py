"""The alignment of two readings: which word of the second says the same as which word of the first, in order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from veritas.meaning._function_words import ALIKE, FALLING, OPPOSED, REPORTED, RISING
from veritas.meaning._tokens import ORDINALS
from veritas.meaning._vocabulary import antonyms
from veritas.meaning._word import Word
from veritas.meaning.relation import How
from veritas.text.quantities import Quantity
from veritas.text.quantity_relation import relation

Opposition = Literal["opposite", "number", "unit", "grammar", "degree"]


class Match(NamedTuple):
    """What two words have in common: `how` they say the same, or how they are `opposed`; `weight` from 0 to 1."""

    weight: float
    how: How | None = None
    opposed: Opposition | None = None


class Pair(NamedTuple):
    """Words at `first` and `second` that are aligned."""

    first: int
    second: int
    match: Match


def match(a: Word, b: Word) -> Match | None:
    """Return what two words have in common, or None."""
    if a.quantity is not None and b.quantity is not None:
        return _quantities(a.quantity, b.quantity)
    if a.kind == "grammar" or b.kind == "grammar":
        return _grammar(a.low, b.low, a.cls, b.cls) if a.kind == b.kind else None
    if (a.quantity is None) != (b.quantity is None):
        return None
    if a.kind == "name" and b.kind == "name":
        return _names(a.low, b.low, a.bases, b.bases)
    found = _words(a.low, b.low, a.bases, b.bases)
    # A name is no synonym of a common word: "Turkey" is no bird, though "the Pump" is a pump.
    return found if found is None or a.kind == b.kind or found.how in ("same", "inflected") else None


def _quantities(a: Quantity, b: Quantity) -> Match:
    told = relation(a, b)
    if told == "same":
        return Match(1.0, "number")
    bounded = b.about or b.bound != "="
    if told == "close" and not a.about and a.low == a.high and bounded and (a.bound == "=" or a.bound[0] == b.bound[0]):
        return Match(0.9, "number")
    return Match(0.45, None, "number" if a.unit == b.unit else "unit")


def conflicting(a: Quantity, b: Quantity) -> bool:
    """Return whether two aligned quantities cannot both be true of one measure."""
    return relation(a, b) == "different"


@lru_cache(maxsize=1 << 15)
def _grammar(a: str, b: str, of_a: str, of_b: str) -> Match | None:
    if a == b:
        return Match(0.35 if of_a in ("article", "preposition", "possessive", "and", "that") else 0.6, "same")
    if any(a in group and b in group for group in ALIKE):
        return Match(0.3, "synonym")
    if frozenset((a, b)) in OPPOSED:
        return Match(0.3, None, "grammar")
    if of_a == of_b:
        return Match(0.2, "same") if of_a in ("article", "discourse") else Match(0.15, None, "degree")
    return None


def _names(a: str, b: str, of_a: frozenset[str], of_b: frozenset[str]) -> Match | None:
    if a == b or of_a & of_b:
        return Match(1.0, "same")
    if len(a) > 3 and len(b) > 3 and a.replace("-", "").replace(".", "") == b.replace("-", "").replace(".", ""):
        return Match(1.0, "same")
    return None


@lru_cache(maxsize=1 << 16)
def _words(a: str, b: str, of_a: frozenset[str], of_b: frozenset[str]) -> Match | None:
    if a == b:
        return Match(1.0, "same")
    if of_a & of_b:
        return Match(0.95, "inflected")
    if of_a & REPORTED and of_b & REPORTED:
        return Match(0.7, "synonym")
    up, down = (bool(of_a & RISING), bool(of_b & RISING)), (bool(of_a & FALLING), bool(of_b & FALLING))
    if all(up) or all(down):
        return Match(0.8, "synonym")
    opposite = (up[0] and down[1]) or (down[0] and up[1]) or antonyms(a, b) or (a in ORDINALS and b in ORDINALS)
    return Match(0.5, None, "opposite") if opposite else None


def aligned(first: Sequence[Word], second: Sequence[Word]) -> list[Pair]:
    """Return the pairs of the heaviest alignment in order. Words of grammar weigh a little more before the same word,
    and two verbs a little more than a verb and a noun."""
    rows, columns = len(first), len(second)
    before = [_followed(first, i) for i in range(rows)], [_followed(second, j) for j in range(columns)]
    gained: dict[tuple[int, int], tuple[float, Match]] = {}
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            found = match(first[i], second[j])
            if found is None:
                continue
            if first[i].kind == "grammar":
                near = 0.1 if before[0][i] is not None and before[0][i] == before[1][j] else 0.0
            else:
                same_kind = (first[i].verb is None) == (second[j].verb is None)
                near = 0.05 if same_kind and found.how is not None else 0.0
            gain = found.weight + near + best[i + 1][j + 1]
            gained[i, j] = gain, found
            best[i][j] = max(best[i][j], gain)
    pairs: list[Pair] = []
    i = j = 0
    while i < rows and j < columns:
        here = gained.get((i, j))
        if here is not None and abs(best[i][j] - here[0]) < 1e-9:
            pairs.append(Pair(i, j, here[1]))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _followed(words: Sequence[Word], at: int) -> str | None:
    """Return the first content word of the three behind a place."""
    return next((w.low for w in words[at + 1 : at + 4] if w.content), None)
