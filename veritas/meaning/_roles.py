"""Who does what to whom: the heads of the phrases before and behind a verb, and whether two verbs have the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from veritas.meaning._alignment import Pair
from veritas.meaning._function_words import FOUND
from veritas.meaning._rearrangement import clause_start
from veritas.meaning._vocabulary import frequency, kinds, period
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import Difference

_STOPS = frozenset(
    {"condition", "time", "cause", "concession", "relative", "but", "that", "than", "instead", "preposition"}
)
_TRANSPARENT = frozenset(
    "group groups number pair set kind type sort variety couple lot series list crowd team bunch piece range all some"
    " one most many each both".split()
)
"""Nouns that stand for what "of" puts behind them."""


def heads(words: Sequence[Word], start: int, end: int) -> list[int]:
    """Return where the heads of the noun phrase, or of the listed ones, that begins at `start` stand."""
    found: list[int] = []
    last = -1
    at = start
    while at < end:
        word = words[at]
        if word.low == "of" and last >= 0 and (words[last].low in _TRANSPARENT or words[last].kind == "number"):
            last = -1
        elif word.cls == "preposition" and last >= 0 and (joint := _beside(words, at, end)) is not None:
            found.append(last)
            last, at = -1, joint
        elif word.cls in _STOPS or word.low in (";", ":", "(", ")", "--") or (finite(word) and at > start):
            break
        elif word.low == "," or word.cls in ("and", "or"):
            if last >= 0:
                found.append(last)
            last = -1
        elif word.low == "'s":
            last = -1
        elif word.kind == "number" and ((last >= 0 and words[at - 1].content) or ((found or last >= 0) and _how_often(
            words, at))):  # fmt: skip
            break  # "a galaxy 36 parsecs away", "retries tasks three times", "every ten seconds"
        elif (word.content or word.cls == "pronoun") and not (word.low.endswith("ly") and word.kind == "content"):
            plain = last >= 0 and word.kind == "content" and (
                "n" not in kinds(word.low) or ("a" in kinds(word.low) and not frequency(word.low, "n"))
            )  # fmt: skip
            last = last if plain and "n" in kinds(words[last].low) else at
        at += 1
    return [*found, last] if last >= 0 else found


def _how_often(words: Sequence[Word], at: int) -> bool:
    quantity = words[at].quantity
    return words[at - 1].cls == "quantifier" and quantity is not None and quantity.unit in ("s", "day", "month", "year")


def _beside(words: Sequence[Word], at: int, end: int) -> int | None:
    """Return where the "and" stands behind which the preposition at `at` comes again: "20 euros for adults and 12 euros
    for children"."""
    for k in range(at + 1, end):
        if words[k].kind == "mark" or finite(words[k]) or words[k].cls in _STOPS - {"preposition"}:
            return None
        if words[k].cls in ("and", "or"):
            rest = words[k + 1 : end]
            again = next((j for j, w in enumerate(rest) if w.cls == "preposition"), None)
            return k if again and rest[again].low == words[at].low else None
    return None


def subject_heads(words: Sequence[Word], at: int) -> list[int]:
    """Return where the heads of the subject of the verb at `at` stand."""
    start = clause_start(words, at)
    end = at
    if start and finite(words[start - 1]):
        # "the pump that feeds the boiler failed": the subject stands before the relative clause
        relative = next(
            (k for k in range(start - 1, -1, -1) if words[k].cls == "relative" or words[k].low == "that"), None
        )
        if relative is not None and relative and not any(finite(w) for w in words[relative + 1 : start - 1]):
            start, end = clause_start(words, relative), relative
    if start == at and start > 1 and _relative(words, at):
        return _antecedents(words, start - 1 - (words[start - 2].low == ","))
    if start == at and start > 1 and words[start - 1].low == ",":
        # "the mass, measured at four places, is": the subject stands before the insertion
        opened = next((k for k in range(start - 2, -1, -1) if words[k].low == ","), None)
        if opened:
            return heads(words, clause_start(words, opened), opened)
    return heads(words, start, end)


def _relative(words: Sequence[Word], at: int) -> bool:
    """Return whether a verb stands behind "who" or "that"."""
    return at > 0 and words[at - 1].cls in ("relative", "that")


def _antecedents(words: Sequence[Word], end: int) -> list[int]:
    """Return where the heads of the noun phrases before a relative clause stand, each of which it may belong to."""
    start = clause_start(words, end)
    starts = [start, *(k + 1 for k in range(start, end) if words[k].cls == "preposition" and words[k].low != "of")]
    return [head for each in starts for head in heads(words, each, end)]


def object_heads(words: Sequence[Word], at: int) -> list[int]:
    """Return where the heads of the object, or of what a subject is said to be, stand."""
    end = next((k for k in range(at + 1, len(words)) if finite(words[k])), len(words))
    return heads(words, at + 1, end)


def of_roles(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    """Return the differences of subjects and objects of aligned verbs."""
    met = {(p.first, p.second) for p in pairs}
    found: list[Difference] = []
    for p in pairs:
        a, b = first[p.first], second[p.second]
        if b.cls == a.cls == "preposition" and b.low != "of":
            mine, theirs = heads(first, p.first + 1, len(first)), heads(second, p.second + 1, len(second))
            held = next((i for i, j in met if theirs and j == theirs[0]), None)
            if mine and held is not None and held not in mine and not _one_phrase(first, p.first, held):
                found.append(Difference("role", first[mine[0]].text, second[theirs[0]].text, False))
        if not finite(b) or not finite(a) or b.bases & FOUND:
            continue
        for side in (subject_heads, object_heads):
            mine, theirs = side(first, p.first), side(second, p.second)
            if not mine or not theirs:
                continue
            met_once = any((i, j) in met for i in mine for j in theirs)
            if met_once and side is subject_heads and _relative(second, p.second):
                continue  # which noun "who" stands for is not known
            other = next((j for j in theirs if second[j].content and not any((i, j) in met for i in mine)), None)
            held = other is not None and any(j == other for _, j in met)
            if other is not None and held:
                found.append(Difference("role", first[mine[0]].text, second[other].text, False))
    return found


def _one_phrase(words: Sequence[Word], preposition: int, at: int) -> bool:
    """Return whether a word stands behind a preposition, and no mark and no other preposition between them."""
    between = words[preposition + 1 : at]
    return preposition < at and not any(w.kind == "mark" or w.cls in ("preposition", "and", "or") for w in between)


def of_neighbours(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    """Return the differences of words that stand together in the claim and belong to two phrases of the source."""
    found: list[Difference] = []
    for one, other in pairwise(pairs):
        a, b = second[one.second], second[other.second]
        if other.second != one.second + 1 or not (a.content and b.content) or a.verb is not None or b.verb is not None:
            continue
        between = first[one.first + 1 : other.first]
        if any(period(w.low) for w in second[other.second : other.second + 2] if w.content):
            continue  # "its centre in Nevada next year"
        apart = a.kind == "content" and b.kind == "name" and any(w.kind == "mark" for w in between)  # no title of it
        if apart or any(w.cls in ("preposition", "relative") or finite(w) for w in between):
            found.append(Difference("role", first[one.first].text, f"{a.text} {b.text}", False))
    return found


def of_partners(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    """Return the differences of what stands behind "than": another partner is another comparison."""
    at = {p.second: p.first for p in pairs}
    found: list[Difference] = []
    for j, word in enumerate(second):
        if word.cls != "than" or j not in at:
            continue
        mine, theirs = _partner(first, at[j]), _partner(second, j)
        met = [k for k in theirs if k in at]
        if mine and met and not any(at[k] in mine for k in met):
            found.append(Difference("comparison", first[mine[0]].text, second[met[0]].text, False))
    return found


def _partner(words: Sequence[Word], than: int) -> list[int]:
    """Return where the content words of the first phrase behind "than" stand."""
    found: list[int] = []
    for k in range(than + 1, len(words)):
        if words[k].kind == "mark" or finite(words[k]) or (found and words[k].cls == "preposition"):
            break
        if words[k].content:
            found.append(k)
    return found
