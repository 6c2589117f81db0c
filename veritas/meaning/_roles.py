"""Who does what to whom: the heads of the phrases before and behind a verb, and whether two verbs have the same."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning._alignment import Pair
from veritas.meaning._function_words import FOUND
from veritas.meaning._rearrangement import clause_start
from veritas.meaning._vocabulary import frequency, kinds
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
    return None


def subject_heads(words: Sequence[Word], at: int) -> list[int]:
    """Return where the heads of the subject of the verb at `at` stand."""
    start = clause_start(words, at)
    end = at
    return heads(words, start, end)


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
            other = next((j for j in theirs if second[j].content and not any((i, j) in met for i in mine)), None)
            held = other is not None and any(j == other for _, j in met)
            if other is not None and held:
                found.append(Difference("role", first[mine[0]].text, second[other].text, False))
    return found


def _one_phrase(words: Sequence[Word], preposition: int, at: int) -> bool:
    """Return whether a word stands behind a preposition, and no mark and no other preposition between them."""
    between = words[preposition + 1 : at]
    return preposition < at and not any(w.kind == "mark" or w.cls in ("preposition", "and", "or") for w in between)
