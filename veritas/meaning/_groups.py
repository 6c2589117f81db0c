"""Groups of persons, animals or things that a sentence tells of: whom it holds of, and of how many."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning._vocabulary import bases, broader, kinds
from veritas.meaning._word import Word, past_form
from veritas.text.wordlist import words

PEOPLE = words(
    """
    patient patients participant participants volunteer volunteers adult adults child children infant infants newborn
    woman women man men girl girls boy boys people person mouse mice rat rats rabbit dog dogs monkey pig pigs animal
    animals cell cells vitro vivo smoker smokers elderly adolescent adolescents teenager student students pregnancy
    subject subjects population cohort respondents users members yeast zebrafish primates humans human
    """
)
_SOME_OF = ("make", "create", "have", "contain", "include", "get", "eat", "use", "need", "show")
"""Verbs whose bare object tells that there are such things, not what is done to each."""


def population(word: Word) -> bool:
    """Return whether a noun is one of persons or animals."""
    return word.kind == "content" and (
        word.low in PEOPLE or any(broader(word.low, group) for group in ("person", "animal"))
    )


def of_group(first: Sequence[Word], at: int) -> bool:
    """Return whether the words before a place end in persons or animals of whom nothing tells which or how many: "in
    patients", "for adults"."""
    if at < 2 or not population(first[at - 1]) or not first[at - 1].low.endswith(("s", "men", "people", "children")):
        return False
    start = at - 1
    while start > 0 and first[start - 1].kind == "content" and first[start - 1].verb is None:
        start -= 1
    return start > 0 and first[start - 1].low in ("in", "among", "amongst", "for", "to")


def generic(first: Sequence[Word], at: int) -> bool:
    """Return whether the words before a place end in things of which nothing tells which or how many."""
    if at < 1 or not first[at - 1].content or first[at - 1].verb is not None or not (
        many(first[at - 1]) or first[at - 1].low in PEOPLE
    ):  # fmt: skip
        return False
    start = at - 1
    while start > 0 and first[start - 1].kind == "content" and first[start - 1].verb is None:
        start -= 1
    return not start or first[start - 1].verb is not None or first[start - 1].cls in ("preposition", "and")


def bare_object(first: Sequence[Word], at: int, verb_at: int) -> bool:
    """Return whether the words before a place end in the object of the verb at `verb_at`, of which nothing tells which
    or how many and which the verb takes as it is: "deletes files" tells of all of them, "contains files" of some."""
    if not 0 <= verb_at < at - 1 or not generic(first, at):
        return False
    start = next((k for k in range(at - 1, -1, -1) if not first[k].content or first[k].verb is not None), -1)
    led = start == verb_at or (start > verb_at and first[start].low in ("to", "for"))
    return led and not any(verb == base or broader(base, verb) for base in first[verb_at].bases for verb in _SOME_OF)


def of_several(first: Sequence[Word], at: int) -> bool:
    """Return whether a number is one of several that "of" tells of: "three of its eight matches"."""
    behind = first[at + 1 : at + 3]
    return len(behind) == 2 and behind[0].low == "of" and (
        behind[1].cls in ("article", "possessive", "demonstrative") or behind[1].kind == "number"
    )


def many(word: Word) -> bool:
    """Return whether a noun is a plural."""
    formed = word.low.endswith("s") or not (past_form(word.low) or word.low.endswith(("ing", "er", "st")))
    return formed and any("n" in kinds(base) for base in bases(word.low) - {word.low})
