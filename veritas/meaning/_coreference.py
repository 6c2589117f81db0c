"""Pronouns and left-out subjects inside one sentence: "when it is heated, the powder melts", "when heated, …"."""

from __future__ import annotations

from dataclasses import replace

from veritas.meaning._rearrangement import Words, clause_start
from veritas.meaning._vocabulary import bases, group, person
from veritas.meaning._word import Verb, Word, finite, past_form

_ONE = frozenset({"it", "its"})
_MANY = frozenset({"they", "their", "them"})
_PERSON = frozenset({"he", "she", "his", "her", "him"})
_POSSESSIVE = frozenset({"its", "their", "his", "her"})
_OWNER = Word("'s", "'s", "grammar", frozenset({"'s"}), "possessive")
_OPENS = frozenset({"condition", "time", "concession"})


def elliptic(words: Words) -> Words:
    """Write "when it is heated" and "when heated" in one form."""
    for at in range(len(words) - 1):
        if words[at].cls not in _OPENS or words[at].low in ("since", "before", "after", "without", "despite"):
            continue
        behind = words[at + 1]
        if behind.cls == "pronoun" and behind.low in _ONE | _MANY and at + 2 < len(words):
            verb = words[at + 2].verb
            if verb is not None and verb.passive and not (verb.not_ or verb.modal) and not verb.infinitive:
                told = replace(words[at + 2], verb=Verb(form=words[at + 2].low))
                return (*words[: at + 1], told, *words[at + 3 :])
        elif behind.kind == "content" and past_form(behind.low) and not behind.degree:
            return (*words[: at + 1], replace(behind, verb=Verb(form=behind.low)), *words[at + 2 :])
    return words


def referred(words: Words) -> Words:
    """Put the one noun phrase that it can stand for in the place of a pronoun of the sentence; leave it if there is
    another."""
    for at, word in enumerate(words):
        if word.low not in _ONE | _MANY | _PERSON or word.cls not in ("pronoun", "possessive"):
            continue
        noun = _subject(words, at)
        if not noun:
            return words
        owner = (_OWNER,) if word.low in _POSSESSIVE and not (word.low == "her" and word.cls == "pronoun") else ()
        placed = tuple(replace(w, clause=word.clause) for w in noun)
        return referred((*words[:at], *placed, *owner, *words[at + 1 :]))
    return words


def _subject(words: Words, at: int) -> Words:
    """Return the subject that a pronoun stands for, empty if it is none or may be another."""
    found: Words = ()
    for k, word in enumerate(words):
        if not finite(word):
            continue
        start = clause_start(words, k)
        noun = words[start:k]
        if start <= at < k or not noun or not any(w.content for w in noun) or any(
            w.cls == "pronoun" or w.low in _POSSESSIVE for w in noun
        ):
            continue
        if any(w.kind == "mark" or w.cls in ("and", "or", "quantifier", "preposition", "relative") for w in noun):
            continue
        if not _agrees(words[at].low, noun):
            continue
        if found and noun != found:
            return ()
        found = noun
    return found


def _agrees(pronoun: str, noun: Words) -> bool:
    head = noun[-1]
    if head.kind == "number" or not head.content:
        return False
    many = head.kind == "content" and head.low.endswith("s") and bases(head.low) != {head.low}
    if pronoun in _MANY:
        return many or group(head.low)
    if many:
        return False
    if head.kind == "name":
        return True
    return person(head.low) if pronoun in _PERSON else not person(head.low) or head.low.endswith(("er", "or"))


def owned_by(subject: Words, clause: Words) -> Words:
    """Return a clause whose subject begins with "its" with the owner's name."""
    if len(clause) > 1 and clause[0].low in _POSSESSIVE and subject and _agrees(clause[0].low, subject):
        return (*(replace(w, clause=clause[0].clause) for w in subject), _OWNER, *clause[1:])
    return clause
