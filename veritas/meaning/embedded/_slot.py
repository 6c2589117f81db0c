"""One value in the place of another: a claim that says of the same subject one thing that its sentence does not say."""

from __future__ import annotations

from itertools import pairwise

from veritas.meaning._reading import read
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import Comparison, DifferenceKind
from veritas.text.quantity_relation import conflicts

_NO_VALUE: frozenset[DifferenceKind] = frozenset(
    ("role", "order", "causality", "modality", "tense", "quantifier", "scope", "condition", "addition")
)
"""Kinds of differences of words that are no value in a place of the sentence."""


def one_value(found: Comparison, claim: str, sentence: str) -> bool:
    """Return whether all that a claim says and its sentence does not is one word, or one phrase without a verb, from
    the claim's verb on, against words of its class: subject and relation are the sentence's."""
    said = [d for d in found.differences if d.second]
    if not said or len({d.kind for d in said}) > 1 or said[0].kind in _NO_VALUE:
        return False
    if any(c.isdigit() for d in said for c in d.first + d.second) and not conflicts(sentence, claim):
        return False  # amounts that may be one, such as a range and an amount in it
    words, beside = read(claim).words, {w.text: w for w in read(sentence).words}
    verb = next((k for k, w in enumerate(words) if finite(w)), len(words))
    at = sorted({next((k for k, w in enumerate(words) if w.text == d.second), -1) for d in said})
    if at[0] < verb or len(at) < len(said):
        return False
    if len(at) > 1 and (any(finite(words[k]) for k in at) or any(b > a + 1 for a, b in pairwise(at))):
        return False
    by_text = {words[k].text: words[k] for k in at}
    return all(not d.first or (d.first in beside and _alike(beside[d.first], by_text[d.second])) for d in said)


def _alike(one: Word, other: Word) -> bool:
    """Return whether two words can stand in one place: two verbs, or two words of a part of speech."""
    if finite(one) or finite(other) or one.kind != "content" or other.kind != "content":
        return finite(one) == finite(other)
    return bool(kinds(one.low) & kinds(other.low))
