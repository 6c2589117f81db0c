"""What words in square brackets, set into a quotation, may stand for, and which words deny."""

from __future__ import annotations

import re

from veritas.text.lexicon import ANTONYMS, CONTRACTED, DOWN, HEDGE, NEGATION, PARTIAL, STOP, UNIVERSAL, UP
from veritas.text.stems import fold, stem

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PHRASE = 3
"""Least words of what is a phrase: a name may stand for it whose words say less."""
_MOST = 12
"""Most words that brackets stand for; whoever leaves out more says so by an ellipsis."""
_REMARK = re.compile(
    r"(?:sic|!|\?|(?:our |my |original )?(?:emphasis|italics?|bold|underlining)"
    r"(?: (?:added|mine|ours|in (?:the )?original))?)\.?",
    re.IGNORECASE,
)
_ENDING = re.compile(r"[b-df-hj-np-tv-z]?(?:e?d|e?s|ing|e?n|e|y|ies|ied|['’]s?|s['’])|", re.IGNORECASE)
_REVERSES = frozenset((
    "unlikely", "improbable", "impossible", "doubt", "doubtful", "doubts", "doubted", "untrue", "false", "incorrect",
    "wrong", "wrongly", "deny", "denies", "denied", "refute", "refutes", "refuted", "reject", "rejects", "rejected",
    "contrary", "without", "except", "unless", "unclear", "unproven", "against", "disprove", "disproved", "disproven",
))  # fmt: skip
_WRITERS = frozenset(stem(fold(word)) for word in (
    "author", "authors", "researchers", "investigators", "study", "paper", "trial", "article", "writers", "others",
))  # fmt: skip


def may_stand_for(put_in: str, replaced: str, known: frozenset[str]) -> bool | None:
    """Return whether words that were put into a quotation may stand where the source has `replaced`; None if that
    cannot be told.

    They may name what it means, but neither deny it, nor give another number, amount or direction. They surely mean
    the same only if they say nothing of their own, or name something that the source speaks of (`known` are its stems)
    where it has a pronoun, or nothing.
    """
    words, others = replaced.split(), put_in.split()
    if _REMARK.fullmatch(put_in.strip()) and not words:
        return True
    if put_in.strip(" []").casefold() == replaced.strip(" []").casefold():
        return True
    if not words:
        return False if len(others) < _PHRASE and denies(put_in) else _names_only(put_in, known)
    if len(words) > _MOST or denies(put_in) != denies(replaced):
        return False
    phrase = len(words) >= _PHRASE
    numbers, given = set(_NUMBER.findall(replaced)), set(_NUMBER.findall(put_in))
    if numbers - given and (given or not phrase):
        return False
    ours, theirs = stems(put_in), stems(replaced)
    if any(ANTONYMS.get(each, frozenset()) & (ours - theirs) for each in theirs - ours):
        return False
    if (theirs & UP and ours & DOWN) or (theirs & DOWN and ours & UP):
        return False
    if not phrase and any(theirs & amount and not ours & amount for amount in (UNIVERSAL, PARTIAL, HEDGE)):
        return False
    if numbers != given or reverses(put_in) != reverses(replaced):
        return None
    if denies(put_in) or theirs - ours <= STOP:
        return True if ours - theirs <= STOP | _WRITERS else _names_only(put_in, known | theirs)
    return None


def _names_only(put_in: str, known: frozenset[str]) -> bool | None:
    """Return True for words that put no number, amount, denial or word of their own into a quotation, None for
    others."""
    own = stems(put_in)
    if reverses(put_in) or _NUMBER.search(put_in) or own & (UNIVERSAL | PARTIAL | HEDGE):
        return None
    return True if own - STOP <= known | _WRITERS else None


def may_end_otherwise(put_in: str, replaced: str) -> bool | None:
    """Return whether a word may end in `put_in` where the source's ends in `replaced`: another form of it."""
    if not _ENDING.fullmatch(replaced):
        return False
    return True if _ENDING.fullmatch(put_in) else None


def only_denies(left_out: str) -> bool:
    """Return whether words that were left out of a quotation are a negation and little else."""
    return len(left_out.split()) < _PHRASE and denies(left_out)


def denies(text: str) -> bool:
    """Return whether a text has a word of negation."""
    return any(fold(word) in NEGATION or word.lower().endswith(CONTRACTED) for word in _WORD.findall(text))


def reverses(text: str) -> bool:
    """Return whether a text has a word that may turn what stands beside it into its opposite."""
    return denies(text) or any(fold(word) in _REVERSES for word in _WORD.findall(text))


def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words."""
    return frozenset(stem(fold(word)) for word in _WORD.findall(text))
