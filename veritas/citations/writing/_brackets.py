"""What words in square brackets, set into a quotation, may stand for."""

from __future__ import annotations

import re

from veritas.text.lexicon import ANTONYMS, CONTRACTED, DOWN, HEDGE, NEGATION, PARTIAL, UNIVERSAL, UP
from veritas.text.stems import fold, stem

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PHRASE = 3
"""Least words of what is a phrase: a name may stand for it whose words say less."""
_MOST = 12
"""Most words that brackets stand for; whoever leaves out more says so by an ellipsis."""


def may_stand_for(put_in: str, replaced: str) -> bool:
    """Return whether words that were put into a quotation may stand where the source has `replaced`.

    They may name what it means, but neither deny it, nor give another number, amount or direction.
    """
    words, others = replaced.split(), put_in.split()
    if not words:
        return len(others) >= _PHRASE or not _denies(put_in)
    if len(words) > _MOST or _denies(put_in) != _denies(replaced):
        return False
    phrase = len(words) >= _PHRASE
    numbers, given = set(_NUMBER.findall(replaced)), set(_NUMBER.findall(put_in))
    if numbers - given and (given or not phrase):
        return False
    ours, theirs = _stems(put_in), _stems(replaced)
    if any(ANTONYMS.get(each, frozenset()) & (ours - theirs) for each in theirs - ours):
        return False
    if (theirs & UP and ours & DOWN) or (theirs & DOWN and ours & UP):
        return False
    return phrase or all(ours & amount or not theirs & amount for amount in (UNIVERSAL, PARTIAL, HEDGE))


def only_denies(left_out: str) -> bool:
    """Return whether words that were left out of a quotation are a negation and little else."""
    return len(left_out.split()) < _PHRASE and _denies(left_out)


def may_deny(put_in: str) -> bool:
    """Return whether words that were put in are a negation."""
    return _denies(put_in)


def _denies(text: str) -> bool:
    return any(fold(word) in NEGATION or word.lower().endswith(CONTRACTED) for word in _WORD.findall(text))


def _stems(text: str) -> set[str]:
    return {stem(fold(word)) for word in _WORD.findall(text)}
