"""The comparison of two sentences, and of a claim with a passage: the one place where a meaning is decided."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning.equivalence import equivalent
from veritas.meaning.one_difference import excludes, one_difference
from veritas.meaning.relation import NOWHERE, Comparison, Difference, Setting
from veritas.text.sentences import split_sentences


def compare(first: str, second: str, *, of_first: Setting = NOWHERE, of_second: Setting = NOWHERE) -> Comparison:
    """Return the relation of a first sentence to a second one. Deterministic; what cannot be told is `cannot tell`."""
    if equivalent(first, second):
        return Comparison("same")
    known = bool(of_first.document) and of_first.document == of_second.document
    if why := (one_difference if known else excludes)(first, second):
        return Comparison("excludes", differences=(Difference("number", why, "", True),))
    return Comparison("cannot tell")


def compare_passage(passage: str, claim: str, *, setting: Setting = NOWHERE) -> Comparison:
    """Return the relation of a passage to a claim: that of the sentence (or of the neighbouring ones together) that
    comes nearest to entailing it. Claim and passage are taken to speak of the same thing."""
    found: list[Comparison] = [
        compare(sentence, claim, of_first=setting, of_second=setting) for sentence in sentences_of(passage)
    ]
    entailing = (c for c in found if c.entailed)
    excluding = (c for c in found if c.relation == "excludes")
    return next(entailing, None) or next(excluding, None) or Comparison("cannot tell")


def sentences_of(passage: str) -> Sequence[str]:
    """Return the sentences of a passage."""
    return [passage[start:end] for start, end in split_sentences(passage)]
