"""What a sentence says beside a claim's words: as whose word, of which group, and with what narrows it."""

from __future__ import annotations

from collections.abc import Callable

from veritas.meaning.bound_figures import misbound
from veritas.meaning.displaced import displaced
from veritas.meaning.narrowing import narrowed
from veritas.meaning.overdrawn import overdrawn
from veritas.meaning.relation import Difference
from veritas.meaning.set_values import default_of_another, not_so_yet
from veritas.meaning.sides import one_sided
from veritas.text.sentences import split_sentences
from veritas.text.tokens import tokens

AS_NEAR = 0.9
"""Least share of the nearest sentence's words at which another sentence can say a claim in its stead."""


def as_told(sentence: str, claim: str) -> Difference | None:
    """Return how a sentence tells a claim as somebody's word, or gives its figure to another group; None if neither."""
    side = one_sided(sentence, claim)
    return Difference("attribution", side, "", False) if side else misbound(sentence, claim)


def first_difference(sentence: str, claim: str) -> Difference | None:
    """Return the first difference of a claim from a sentence that has most of its words: whose word it is, which group
    a figure is of, that its words are said of something else, what narrows a word, what the claim adds, that it is only
    planned, or that something else has the default; None if there is none. It is a doubt or decides."""
    return (
        as_told(sentence, claim)
        or displaced(claim, sentence)
        or narrowed(claim, sentence)
        or overdrawn(claim, sentence)
        or not_so_yet(claim, sentence)
        or default_of_another(claim, sentence)
    )


def of_nearest(
    passage: str, claim: str, rule: Callable[[str, str], Difference | None] = first_difference
) -> Difference | None:
    """Return the first difference, by a `rule` for a sentence and the claim, of a claim from the sentence of a passage
    that has most of its words, None if that or one as near has none, or no sentence has half of them."""
    wanted = _stems(claim)
    told = [passage[start:end] for start, end in split_sentences(passage)] or [passage]
    shares = [len(wanted & _stems(sentence)) for sentence in told]
    if 2 * max(shares) < len(wanted):
        return None
    near = [sentence for sentence, share in zip(told, shares, strict=True) if share >= AS_NEAR * max(shares)]
    found = [rule(sentence, claim) for sentence in near]
    return None if None in found else found[0]


def _stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text))
