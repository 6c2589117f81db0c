"""Exclusion by one difference: two sentences that align in everything but a number, a negation or an opposite."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning._sentence_parts import (
    CLAUSE_ENDS,
    CONDITIONS,
    NEGATORS,
    SUBORDINATE,
    Apart,
    proper_names,
    take_apart,
)
from veritas.meaning.one_difference import LIMITING, ROOM, asserted, conditional, told
from veritas.meaning.relation import Difference

_CLOSED = CLAUSE_ENDS | CONDITIONS | SUBORDINATE | NEGATORS | frozenset({"by", "and", "or", "default", "automatically"})
"""Words before which an opposite is said of the subject, and is no name of one of two things ("the first argument")."""


def excluding(
    first: str, second: str, there: Sequence[Difference], back: Sequence[Difference], *, known: bool
) -> Difference | None:
    """Return the one difference by which two sentences cannot both be true; None where that does not show.

    `there` and `back` are the differences from the first to the second and from the second to the first: there is one
    alone, decisive, of the same kind both ways, so that all else aligns. Unless it is `known` that both speak of the
    same thing, they share a proper name. A word that leaves room for both, a clause that says when or of what, or a
    sentence about its own document rules an exclusion out.
    """
    if len(there) != 1 or len(back) != 1 or there[0].kind != back[0].kind or not there[0].decisive:
        return None
    one, other = take_apart(first), take_apart(second)
    if one is None or other is None or not (known or proper_names(first) & proper_names(second)):
        return None
    found = there[0]
    plain = one.plain | other.plain
    if found.kind == "number":
        holds = not plain & ROOM and _measured(one, found.first)
    elif found.kind == "opposite":
        holds = not plain & ((ROOM - {"also"}) | (LIMITING - {"all", "both"})) and _said_of_subject(one, found.first)
    elif found.kind == "polarity":
        # "Not all" denies "all", and "can not" denies "can".
        holds = not plain & ((ROOM - {"can", "also"}) | (LIMITING - {"all", "every", "both"})) and _negated(one, other)
    else:
        holds = False
    return found if holds else None


def _place(sentence: Apart, words: str) -> int | None:
    """Return the place of the first of some words in a sentence."""
    wanted = words.casefold().split()
    for at, word in enumerate(sentence.words):
        if word.text.casefold().split()[:1] == wanted[:1]:
            return at
    return None


def _measured(sentence: Apart, number: str) -> bool:
    at = _place(sentence, number)
    return at is not None and told(sentence, at) and asserted(sentence, at) and not conditional(sentence, at)


def _said_of_subject(sentence: Apart, word: str) -> bool:
    at = _place(sentence, word.split()[-1]) if word else None
    if not at or not asserted(sentence, at - (sentence.words[at - 1].form == "to")):
        return False
    return at + 1 == len(sentence.words) or sentence.words[at + 1].form in _CLOSED


def _negated(one: Apart, other: Apart) -> bool:
    """Return whether one sentence has one negation more, in a clause that asserts."""
    places = [[at for at, word in enumerate(each.words) if word.form == "not"] for each in (one, other)]
    longer = one if len(places[0]) > len(places[1]) else other
    more = max(places, key=len)
    return abs(len(places[0]) - len(places[1])) == 1 and all(asserted(longer, at) for at in more)
