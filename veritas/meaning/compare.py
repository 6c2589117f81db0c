"""The comparison of two sentences, and of a claim with a passage: the one place where a meaning is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from veritas.meaning.accounting import Account, account
from veritas.meaning.exclusion import excluding
from veritas.meaning.one_difference import excludes, one_difference
from veritas.meaning.orders import further, orders
from veritas.meaning.reading import Reading, Word, read
from veritas.meaning.relation import NOWHERE, Comparison, Difference, Setting
from veritas.text.same_words import said
from veritas.text.sentences import split_sentences

COVERED = 0.5
"""Least share of the claim's content words that the source has, for a difference of the two to decide: two sentences
with less in common may say one thing in other words."""

_PRONOUNS = frozenset({"it", "they", "he", "she", "its", "their", "his", "her"})
FOUND = 0.7
"""Least share of the claim's content words that are found anywhere in the source, for other orders to be tried."""


def compare(first: str, second: str, *, of_first: Setting = NOWHERE, of_second: Setting = NOWHERE) -> Comparison:
    """Return the relation of a first sentence to a second one. Deterministic; what cannot be told is `cannot tell`."""
    if (said(first) or first) == (said(second) or second):
        return Comparison("same")
    one, other = resolved(read(first), of_first), resolved(read(second), of_second)
    if one.hard or other.hard or not one.words or not other.words:
        return Comparison("cannot tell")
    there = _best(one, other, of_first, of_second)
    known = bool(of_first.document) and of_first.document == of_second.document
    if why := (one_difference if known else excludes)(first, second):
        decisive = tuple(d for d in there.differences if d.decisive)
        return Comparison("excludes", there.aligned(), decisive or (Difference("number", why, "", True),))
    if one.question != other.question:
        return Comparison("cannot tell", there.aligned(), (Difference("modality", first, second, True),))
    if not there.differences:
        back = _best(other, one, of_second, of_first)
        return Comparison("entails" if back.differences else "same", there.aligned())
    back = _best(other, one, of_second, of_first) if len(there.differences) == 1 else there
    if (opposed := excluding(first, second, there.differences, back.differences, known=known)) is not None:
        return Comparison("excludes", there.aligned(), (opposed,))
    differences = there.differences
    doubts = sum(not d.decisive for d in differences)
    if there.covered < COVERED or doubts > 1:
        differences = tuple(Difference(d.kind, d.first, d.second, False) for d in differences)
    if not there.covered:
        return Comparison("unrelated", (), differences)
    return Comparison("cannot tell", there.aligned(), differences)


def resolved(reading: Reading, setting: Setting) -> Reading:
    """Return a reading with the setting's subject where a pronoun stands for it: before every noun and verb."""
    if not setting.subject:
        return reading
    words = reading.words
    at = next((k for k, w in enumerate(words) if w.low in _PRONOUNS or w.content), None)
    if at is None or words[at].low not in _PRONOUNS:
        return reading
    subject = tuple(replace(w, clause=words[at].clause) for w in read(setting.subject).words)
    owner = (Word("'s", "'s", "grammar", frozenset({"'s"}), "possessive"),) if words[at].cls == "possessive" else ()
    return replace(reading, words=(*words[:at], *subject, *owner, *words[at + 1 :]))


def _best(one: Reading, other: Reading, of_first: Setting, of_second: Setting) -> Account:
    """Return the account with the fewest differences, over the orders in which both can be read."""
    known = frozenset(base for word in read(of_first.subject).words for base in word.bases) if of_first.subject else frozenset()
    best: Account | None = None
    seen: set[tuple[tuple[Word, ...], tuple[Word, ...]]] = set()
    for mine, theirs in chain(orders(one.words, other.words), further(one.words, other.words)):
        if (mine, theirs) in seen:
            continue
        if len(seen) > 1 and best is not None and best.found < FOUND:
            break
        seen.add((mine, theirs))
        found = account(mine, theirs, known)
        if best is None or found.cost < best.cost:
            best = found
        if not found.differences:
            break
    assert best is not None
    return best


def compare_passage(passage: str, claim: str, *, setting: Setting = NOWHERE) -> Comparison:
    """Return the relation of a passage to a claim: that of the sentence (or of the neighbouring ones together) that
    comes nearest to entailing it. Claim and passage are taken to speak of the same thing."""
    if _stands_whole(passage, claim):
        return Comparison("same")
    found: list[Comparison] = [
        compare(sentence, claim, of_first=setting, of_second=setting) for sentence in sentences_of(passage)
    ]
    entailing = (c for c in found if c.entailed)
    excluding = (c for c in found if c.relation == "excludes")
    if chosen := next(entailing, None) or next(excluding, None):
        return chosen
    return min(found, key=lambda c: (-len(c.aligned), len(c.differences)), default=Comparison("cannot tell"))


def _stands_whole(passage: str, claim: str) -> bool:
    """Return whether a claim of several sentences, as a list with its introduction, stands in the passage word for word,
    from the beginning of a sentence to the end of one."""
    wanted = " ".join(claim.split())
    if wanted not in " ".join(passage.split()):
        return False
    spans = split_sentences(passage)
    return any(
        " ".join(passage[start:end].split()) == wanted
        for at, (start, _) in enumerate(spans)
        if wanted.startswith(" ".join(passage[start : spans[at][1]].split()))
        for _, end in spans[at:]
    )


def sentences_of(passage: str) -> Sequence[str]:
    """Return the sentences of a passage."""
    return [passage[start:end] for start, end in split_sentences(passage)]
