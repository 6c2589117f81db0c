"""The alignment of two readings: which word of the second says the same as which word of the first.

Words are aligned in order. Adverbs, and phrases of place, time or manner at an end of their clause, may stand
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from veritas.meaning._function_words import ALIKE, FALLING, OPPOSED, REPORTED, RISING
from veritas.meaning._tokens import ORDINALS
from veritas.meaning._vocabulary import (
    antonyms,
    broader,
    derived,
    kinds,
    period,
    synonyms,
)
from veritas.meaning._word import Word
from veritas.meaning.relation import How
from veritas.text.quantities import Quantity
from veritas.text.quantity_relation import relation
from veritas.text.wordnet import far

Opposition = Literal["opposite", "entity", "number", "unit", "grammar", "specific", "degree"]
_ANYONE = frozenset({"one", "you", "someone", "somebody", "people", "they", "we"})
"""Who does what nobody in particular does."""
_SOMEONE = frozenset({"someone", "somebody"})
_STANDS_FOR = frozenset({"one", "<somebody>", "something", *_SOMEONE})
_WHICH_TIME = frozenset({"every", "each", "last", "next", "this", "that"})
_FOR_OTHERS = _STANDS_FOR | _ANYONE | {"anyone", "anybody"}


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
    if a.kind == "content" == b.kind and a.quantity is None is b.quantity and (
        a.low not in _FOR_OTHERS and b.low not in _FOR_OTHERS
    ):  # fmt: skip
        more = a.degree == b.degree == "more"
        return _contents(a.low, b.low, a.bases, b.bases, a.verb is not None, b.verb is not None, more)
    if a.quantity is not None and b.quantity is not None:
        return _quantities(a.quantity, b.quantity)
    if a.low == "<somebody>" and b.low in _ANYONE:
        return Match(0.4, "same")
    if b.low in _SOMEONE and a.kind in ("content", "name") and a.verb is None:
        return Match(0.4, "narrower") if a.kind == "name" or broader(a.low, "person") else None
    if b.low == "something" and a.kind == "content" and a.verb is None and "n" in kinds(a.low):
        return Match(0.3, "narrower")
    if a.kind == "grammar" or b.kind == "grammar":
        return _grammar(a.low, b.low, a.cls, b.cls) if a.kind == b.kind else None
    if (a.quantity is None) != (b.quantity is None):
        return None
    if a.kind == "name" and b.kind == "name":
        return _names(a.low, b.low, a.bases, b.bases, a.text, b.text)
    found = _words(a.low, b.low, a.bases, b.bases)
    # A name is no synonym of a common word: "Turkey" is no bird, though "the Pump" is a pump.
    return found if found is None or a.kind == b.kind or found.how in ("same", "inflected") else None


@lru_cache(maxsize=1 << 16)
def _contents(
    a: str, b: str, of_a: frozenset[str], of_b: frozenset[str], verb_a: bool, verb_b: bool, more: bool
) -> Match | None:
    """Return what two content words have in common. `verb_a`, `verb_b`: it is a verb where it stands; `more`: both are
    comparatives."""
    found = _words(a, b, of_a, of_b)
    return found


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


def _names(a: str, b: str, of_a: frozenset[str], of_b: frozenset[str], text: str, other: str) -> Match | None:
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
    way, other_way = _way(of_a), _way(of_b)
    if way and other_way:
        return Match(0.8, "synonym") if way == other_way else Match(0.5, None, "opposite")
    if far(a, b):  # most words are: the lexicon relates them in no way but by their form
        return Match(0.7, "derived") if derived(a, b) else None
    if antonyms(a, b) or (a in ORDINALS and b in ORDINALS):
        return Match(0.5, None, "opposite")
    if synonyms(a, b):
        return Match(0.85, "synonym")
    if broader(b, a):
        return Match(0.5, None, "specific")
    return None


@lru_cache(maxsize=1 << 15)
def _way(of: frozenset[str]) -> str:
    """Return the ways in which a word says that something goes, up and down; most words tell of none."""
    return "up" * (not of.isdisjoint(RISING)) + "down" * (not of.isdisjoint(FALLING))


class Matches:
    """What words have in common, by what tells of it: the orders of two sentences are made of the same words, some of
    them with other marks. It is outlived by the words, whose identities it holds."""

    def __init__(self) -> None:
        self._kinds: dict[int, int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._sorts: list[int] = []
        self._told: list[dict[int, Match | None]] = []

    def _kind(self, word: Word) -> int:
        """Return the number of the words of which the same is told as of this one."""
        more, noun = word.degree == "more", word.verb is None
        told = (word.low, word.text, word.kind, word.cls, word.bases, word.quantity, noun, more)
        number = self._numbers.get(told)
        if number is None:
            number = self._numbers[told] = len(self._numbers)
            self._sorts.append(_sort(word))
            self._told.append({})
        self._kinds[id(word)] = number
        return number

    def kinds(self, words: Sequence[Word]) -> list[int]:
        """Return the number of each word."""
        known = self._kinds
        return [known[id(w)] if id(w) in known else self._kind(w) for w in words]

    def table(self, first: Sequence[Word], second: Sequence[Word]) -> list[dict[int, Match]]:
        """Return for each word of the first where in the second it has something in common, and what."""
        keys = self.kinds(second)
        with_sort = {sort: [j for j, key in enumerate(keys) if sort & self._sorts[key]] for sort in (1, 2, 4, 6)}
        found: list[dict[int, Match]] = []
        rows: dict[int, dict[int, Match]] = {}
        for a, kind in zip(first, self.kinds(first), strict=True):
            row = rows.get(kind)
            if row is None:
                row = rows[kind] = {}
                told = self._told[kind]
                for j in with_sort[self._sorts[kind]]:
                    one = told.get(keys[j], _UNKNOWN)
                    if one is _UNKNOWN:
                        one = told[keys[j]] = match(a, second[j])
                    if one is not None:
                        row[j] = one
            found.append(row)
        return found


_UNKNOWN = Match(0.0)


def aligned(first: Sequence[Word], second: Sequence[Word], known: Matches | None = None) -> list[Pair]:
    """Return the pairs of the heaviest alignment in order. `known` is filled."""
    rows, columns = len(first), len(second)
    matches = (Matches() if known is None else known).table(first, second)
    best = [[0.0] * (columns + 1)] * (rows + 1)
    gained: list[dict[int, float]] = [{}] * rows
    nouns = _followed(second)
    for i in range(rows - 1, -1, -1):
        below = best[i] = best[i + 1]
        row = matches[i]
        if not row:
            continue
        at, gain = list(below), {}
        word = first[i]
        grammar, verb = word.kind == "grammar", word.verb is None
        noun = next((w.low for w in first[i + 1 : i + 4] if w.content), None) if grammar else None
        for j in reversed(row):
            found = row[j]
            # a small weight for words of grammar before the same word, and for two verbs
            if grammar:
                near = 0.1 if noun is not None and noun == nouns[j] else 0.0
            else:
                near = 0.05 if verb == (second[j].verb is None) and found.how is not None else 0.0
            gain[j] = told = found.weight + below[j + 1] + near
            while j >= 0 and at[j] < told:  # a row never grows from left to right
                at[j] = told
                j -= 1
        best[i], gained[i] = at, gain
    pairs: list[Pair] = []
    i = j = 0
    while i < rows and j < columns:
        if j in gained[i] and abs(best[i][j] - gained[i][j]) < 1e-9:
            pairs.append(Pair(i, j, matches[i][j]))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _followed(words: Sequence[Word]) -> list[str | None]:
    """Return for each word of grammar, or that stands for somebody, the first content word of the three behind it."""
    return [
        next((w.low for w in words[k + 1 : k + 4] if w.content), None) if _sort(word) & 2 else None
        for k, word in enumerate(words)
    ]


def _sort(word: Word) -> int:
    """Return the sorts of a word, as bits: marks, words of grammar, words with a meaning.

    Words that have none in common never match; those that stand for a number or for somebody have the last two.
    """
    if word.low in _STANDS_FOR or (word.kind == "grammar" and word.quantity is not None):
        return 6
    return 2 if word.kind == "grammar" else 4


def leftover(size: int, taken: set[int]) -> list[tuple[int, int]]:
    """Return the runs `[start, end)` of the numbers below `size` that are not taken."""
    runs: list[tuple[int, int]] = []
    for at in range(size):
        if at in taken:
            continue
        if runs and runs[-1][1] == at:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((at, at + 1))
    return runs


def moved(first: Sequence[Word], second: Sequence[Word], pairs: list[Pair]) -> list[Pair]:
    """Add the pairs of adverbs and of phrases that stand elsewhere in the same clause."""
    mine, theirs = {p.first for p in pairs}, {p.second for p in pairs}
    for start, end in leftover(len(second), theirs):
        for j, until in _phrases(second, start, end):
            for begin, stop in leftover(len(first), mine):
                found = _same_phrase(first, second, begin, stop, j, until)
                if found:
                    pairs = [*pairs, *found]
                    mine |= {p.first for p in found}
                    theirs |= {p.second for p in found}
                    break
    return sorted(pairs, key=lambda p: p.second)


def _phrases(words: Sequence[Word], start: int, end: int) -> list[tuple[int, int]]:
    """Return the movable phrases of a run: adverbs, and prepositions (but "of") with what they govern."""
    found: list[tuple[int, int]] = []
    at = start
    while at < end:
        word = words[at]
        if word.cls in ("preposition", "time", "cause", "condition", "concession") and word.low != "of":
            until = at + 1
            while (
                until < end
                and not (words[until].cls == "preposition" and words[until].low != "of")
                and words[until].kind != "mark"
            ):
                until += 1
            found.append((at, until))
            at = until
        elif word.low in _WHICH_TIME and at + 1 < end and words[at + 1].kind == "content" and period(words[at + 1].low):
            found.append((at, at + 2))  # "every month"
            at += 2
        else:
            at += 1
    return found


def _same_phrase(
    first: Sequence[Word], second: Sequence[Word], begin: int, stop: int, j: int, until: int
) -> list[Pair]:
    wanted = [k for k in range(j, until) if second[k].kind != "mark" and second[k].cls != "article"]
    for at in range(begin, stop):
        held = [k for k in range(at, stop) if first[k].kind != "mark" and first[k].cls != "article"][: len(wanted)]
        if len(held) < len(wanted):
            return []
        found = [match(first[a], second[b]) for a, b in zip(held, wanted, strict=True)]
        if all(m is not None and m.how is not None for m in found):
            return [Pair(a, b, m) for a, b, m in zip(held, wanted, found, strict=True) if m is not None]
    return []
