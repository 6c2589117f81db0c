"""Sentences in other order that say the same: fronted phrases put last, passives made active.

Each function takes the words of a reading and returns words. What it cannot read it leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from veritas.meaning._function_words import LINKS
from veritas.meaning._vocabulary import kinds, period
from veritas.meaning._word import Verb, Word, finite, past_form
from veritas.text.wordlist import words as listed

Words = tuple[Word, ...]
SOMEBODY = Word("somebody", "<somebody>", "content", frozenset(("<somebody>",)))
"""Whoever does what a passive without "by" tells."""
_COMMA = Word(",", ",", "mark", frozenset({","}))
_NOUN_STARTS = frozenset({"article", "possessive", "demonstrative", "pronoun", "quantifier"})
_ENDS = frozenset({"condition", "time", "cause", "concession", "relative", "but", "that", "than", "instead"})
_EARLY = listed("early late shortly soon just")
_SPANS = ("year", "day", "s", "month")
_FRONTED = frozenset({"default", "preposition", "condition", "time", "cause", "concession"})


def unfronted(words: Words) -> Words:
    """Put a phrase or clause that begins the sentence last."""
    if len(words) > 2 and words[0].cls == "default":
        return (*unfronted(words[1 + (words[1].low == ",") :]), words[0])
    purpose = bool(words) and words[0].verb is not None and words[0].verb.infinitive
    only = len(words) > 1 and words[0].cls == "only" and words[1].cls in _FRONTED
    early = len(words) > 1 and words[0].low in _EARLY and words[1].cls in ("preposition", "time")
    if not words or not (words[0].cls in _FRONTED or purpose or only or early or _when(words)) or words[0].low == "of":
        return words
    end = _front_end(words)
    if end is None:
        return words
    front, rest = words[:end], words[end:]
    if rest and rest[0].low == ",":
        rest = rest[1:]
    return (*unfronted(rest), _COMMA, *front) if any(finite(w) for w in rest) else words


def _when(words: Words) -> bool:
    """Return whether a noun phrase of time and a comma begin a sentence: "Last winter,", "Every ten seconds,"."""
    comma = _comma(words)
    front = words[:comma]
    if not front or comma == len(words) or front[0].cls in ("article", "possessive"):
        return False
    counted = front[-1].quantity
    whole = all(w.content or w.cls in ("quantifier", "demonstrative") for w in front)
    return whole and (comma == 1 or counted is None or counted.unit in _SPANS) and any(_of_time(w) for w in front[-2:])


def _of_time(word: Word) -> bool:
    return word.quantity.unit in _SPANS if word.quantity is not None else word.kind != "number" and period(word.low)


def _front_end(words: Words) -> int | None:
    clause = words[0].cls != "preposition" and any(finite(w) for w in words[: _comma(words)])
    for at in range(1, len(words)):
        word, before = words[at], words[at - 1]
        if word.low == ",":
            return _behind_insertion(words, at)
        if clause:
            continue
        year = before.quantity is not None and before.quantity.kind == "year" and words[at - 2].cls != "article"
        opens = word.cls in _NOUN_STARTS and word.low != "'s"
        named = (word.kind == "name" and before.quantity is not None) or _told_of(words, at)
        if at > 1 and before.content and (opens or named or (year and word.content)):
            return at
    return None


def _told_of(words: Words, at: int) -> bool:
    """Return whether names that begin at a place, behind a common noun, are the subject of the next verb: "In the 1960
    match Tal won"."""
    end = next((k for k in range(at, len(words)) if words[k].kind != "name"), len(words))
    noun = words[at - 1]
    placed = words[0].low in ("in", "at", "during", "after", "before", "on", "since") or words[0].low in _EARLY
    if end == at:  # "In winter otters eat"
        end = at + 1
    return placed and end < len(words) and finite(words[end]) and noun.kind == "content" and "n" in kinds(noun.low)


def _behind_insertion(words: Words, at: int) -> int:
    """Return the next comma where a participle or a relative clause follows: "Under the pact, signed in May,"."""
    close = next((k for k in range(at + 1, len(words)) if words[k].low == ","), None)
    inside = words[at + 1 : close] if close is not None else ()
    participle = bool(inside) and inside[0].kind == "content" and past_form(inside[0].low) and inside[0].verb is None
    relative = bool(inside) and inside[0].cls == "relative"
    return close if close is not None and (participle or relative) else at


def _comma(words: Words) -> int:
    return next((k for k, w in enumerate(words) if w.low == ","), len(words))


def clause_start(words: Sequence[Word], at: int) -> int:
    """Return where the subject of the verb at `at` begins."""
    start = _before_insertion(words, at)
    while start > 0:
        word = words[start - 1]
        if word.cls in _ENDS or word.low in (";", ":", ",", "(", ")") or finite(word):
            break
        if word.cls in ("and", "or") and any(finite(w) for w in words[:start - 1]) and words[start - 1].clause != (
            words[start - 2].clause if start > 1 else -1
        ):  # fmt: skip
            break
        start -= 1
    return start


def _before_insertion(words: Sequence[Word], at: int) -> int:
    """Return where an insertion begins that ends before the verb at `at`: "the pump, an old one, was"; `at` without."""
    if at < 4 or words[at - 1].low != ",":
        return at
    opened = next((k for k in range(at - 2, 0, -1) if words[k].low == "," or finite(words[k])), None)
    if opened is None or words[opened].low != "," or words[opened + 1].cls not in ("article", "possessive"):
        return at
    return opened if words[opened - 1].content and words[opened - 1].verb is None else at


def phrase_end(words: Sequence[Word], at: int) -> int:
    """Return where the noun phrase that begins at `at` ends; "of" and what it governs belong to it."""
    end = at
    while end < len(words):
        word = words[end]
        if word.kind == "mark" or word.cls in _ENDS or (word.cls == "preposition" and word.low != "of"):
            break
        if word.verb is not None and end > at:
            break
        end += 1
    return end


def active(words: Words) -> Words:
    """Make every passive active; one without "by" gets `SOMEBODY` as its subject, and what a reader is asked too."""
    at = len(words) - 1
    while at >= 0:
        verb = words[at].verb
        if verb is not None and verb.passive and not verb.infinitive and not words[at].bases & LINKS:
            words = _active(words, at, verb)
        elif verb is not None and verb.modal == "asked" and not (at and words[at - 1].low == "<somebody>"):
            words = (*words[:at], SOMEBODY, *words[at:])
        at -= 1
    return words


def _active(words: Words, at: int, verb: Verb) -> Words:
    start = clause_start(words, at)
    subject = words[start:at]
    told = replace(words[at], verb=replace(verb, passive=False))
    by = _agent(words, at)
    agent: Words = (SOMEBODY,)
    rest = words[at + 1 :]
    if by is not None:
        end = phrase_end(words, by + 1)
        agent, rest = words[by + 1 : end], (*words[at + 1 : by], *words[end:])
    if [w.low for w in subject] == ["it"] and any(
        w.low in ("that", "whether") for w in takewhile(lambda w: not finite(w) and w.kind != "mark", rest)
    ):  # fmt: skip
        subject = ()  # "it was reported that": it stands for what follows
    return (*words[:start], *agent, told, *subject, *rest)


def _agent(words: Words, at: int) -> int | None:
    """Return where the "by" stands that tells who did what the passive at `at` tells."""
    for k in range(at + 1, len(words)):
        if words[k].cls != "preposition":
            continue
        agent = words[k + 1 : phrase_end(words, k + 1)]
        first = agent[0] if agent else None
        means = first is None or (
            first.quantity is not None and (first.quantity.kind in ("percent", "year", "measure") or len(agent) == 1)
        )
        if words[k].low == "by" and not means:
            return k
    return None


@lru_cache(maxsize=256)
def normal(words: Words) -> Words:
    """Return a sentence in the one order that its variants share."""
    return active(unfronted(words))


def orders(first: Words, second: Words) -> Iterator[tuple[Words, Words]]:
    """Yield a source's and a claim's words in orders that say the same, or that follow from the source."""
    yield first, second
    yield normal(first), normal(second)
