"""Sentences in other order that say the same: fronted phrases put last, passives made active.

Each function takes the words of a reading and returns words. What it cannot read it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veritas.meaning._function_words import FOUND, LINKS, SAID
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import Verb, Word, finite, past_form
from veritas.text.wordlist import words as listed

Words = tuple[Word, ...]
SOMEBODY = Word("somebody", "<somebody>", "content", frozenset(("<somebody>",)))
"""Whoever does what a passive without "by" tells."""
_THAT = Word("that", "that", "grammar", frozenset({"that"}), "that")
_HOLDS = frozenset({"contain", "include", "comprise"})
"""Verbs whose passive has "in" before what does it: "is contained in"."""
_OF_THE_FUTURE = listed("expected hoped predicted promised feared recommended warned")
_PARTICLES = listed("up down off out away back over on in apart aside")
"""Words that belong to a verb where no noun follows: "was switched off"."""
_COMMA = Word(",", ",", "mark", frozenset({","}))
_NOUN_STARTS = frozenset({"article", "possessive", "demonstrative", "pronoun", "quantifier"})
_ENDS = frozenset({"condition", "time", "cause", "concession", "relative", "but", "that", "than", "instead"})
_FRONTED = frozenset({"default", "preposition", "condition", "time", "cause", "concession"})
_WHEN = ("year", "day", "s", "month")


def unfronted(words: Words) -> Words:
    """Put a phrase or clause that begins the sentence last."""
    if len(words) > 2 and words[0].cls == "default":
        return (*unfronted(words[1 + (words[1].low == ",") :]), words[0])
    purpose = bool(words) and words[0].verb is not None and words[0].verb.infinitive
    only = len(words) > 1 and words[0].cls == "only" and words[1].cls in _FRONTED
    if not words or not (words[0].cls in _FRONTED or purpose or only) or words[0].low == "of":
        return words
    end = _front_end(words)
    if end is None:
        return words
    front, rest = words[:end], words[end:]
    if rest and rest[0].low == ",":
        rest = rest[1:]
    return (*unfronted(rest), _COMMA, *front) if any(finite(w) for w in rest) else words


def adverbs_behind(words: Words) -> Words:
    """Put the adverbs before a verb right behind it, where they stand in "is often seen" too."""
    at = 0
    while at < len(words):
        start = at
        while start > 0 and not finite(words[start - 1]) and _adverb(words[start - 1]):
            start -= 1
        if start < at and words[at].verb is not None:
            words = (*words[:start], words[at], *words[start:at], *words[at + 1 :])
        at += 1
    return words


def _adverb(word: Word) -> bool:
    of = kinds(word.low)
    return word.verb is None and (
        (word.kind == "content" and (of == {"r"} or (word.low.endswith("ly") and "r" in of)))
        or (word.cls in ("quantifier", "change", "hedge", "discourse") and of == {"r"})
    )


def _front_end(words: Words) -> int | None:
    clause = words[0].cls != "preposition" and any(finite(w) for w in words[: _comma(words)])
    for at in range(1, len(words)):
        word, before = words[at], words[at - 1]
        if word.low == ",":
            return _behind_insertion(words, at)
        if clause:
            continue
        if finite(word):
            return None
        year = before.quantity is not None and before.quantity.kind == "year"
        opens = word.cls in _NOUN_STARTS and word.low != "'s"
        named = word.kind == "name" and before.quantity is not None
        if at > 1 and before.content and (opens or named or (year and word.content)):
            return at
    return None


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
        if word.low == "," and _listed_before(words, start, at):
            start -= 1
            continue
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


def _listed_before(words: Sequence[Word], start: int, at: int) -> bool:
    """Return whether the comma before `start` parts things of one list: "A, B and C were"."""
    if not any(w.cls in ("and", "or") for w in words[start:at]):
        return False
    item = start - 1
    while item > 0 and start - item < 7 and words[item - 1].kind != "mark" and not (
        finite(words[item - 1]) or words[item - 1].cls in _ENDS
    ):
        item -= 1
    held = words[item : start - 1]
    return 0 < len(held) < 6 and not any(w.cls in _ENDS or w.cls == "preposition" or w.verb is not None for w in held)


def phrase_end(words: Sequence[Word], at: int) -> int:
    """Return where the noun phrase that begins at `at` ends; "of" and what it governs belong to it."""
    end = at
    while end < len(words):
        word = words[end]
        if word.kind == "mark" or word.cls in _ENDS or (word.cls == "preposition" and word.low != "of"):
            break
        if word.verb is not None and end > at:
            break
        if word.cls in ("and", "or") and end + 1 < len(words) and (
            words[end + 1].verb is not None or words[end + 1].cls == "preposition"
        ):  # fmt: skip
            break
        if word.cls in ("change", "hedge", "only") and end > at:
            break
        end += 1
    return end


def active(words: Words, other: Words = ()) -> Words:
    """Make every passive active; one without "by" gets `SOMEBODY` as its subject, and what a reader is asked to do too.
    Phrases that stand right behind the same noun in the other sentence stay with it."""
    at = len(words) - 1
    while at >= 0:
        verb = words[at].verb
        if verb is not None and verb.passive and not verb.infinitive and not words[at].bases & LINKS:
            words = _active(words, at, verb, other)
        elif verb is not None and verb.modal == "asked":
            words = (*words[:at], SOMEBODY, *words[at:])
        at -= 1
    return words


def _active(words: Words, at: int, verb: Verb, other: Words) -> Words:
    start = clause_start(words, at)
    subject = words[start:at]
    if not any(w.content or w.cls in ("pronoun", "relative", "demonstrative") for w in subject):
        return words
    told = replace(words[at], verb=replace(verb, passive=False))
    by = _agent(words, at)
    agent: Words = (SOMEBODY,)
    rest = words[at + 1 :]
    if by is not None:
        end = attached_end(words, phrase_end(words, by + 1), other)
        agent, rest = words[by + 1 : end], (*words[at + 1 : by], *words[end:])
        if any(w.low == "," for w in agent[:-1]) and agent[-1].low != "," and not any(w.cls == "and" for w in agent):
            agent = (*agent, _COMMA)
    said = next((w for w in rest if not _adverb(w)), None)
    if [w.low for w in subject] == ["it"] and said is not None and said.low in ("that", "whether"):
        subject = ()  # "it was reported that": it stands for what follows
    elif rest and rest[0].low in _PARTICLES and (len(rest) == 1 or not _opens_noun(rest[1])):
        return (*words[:start], *agent, told, rest[0], *subject, *rest[1:])
    elif (raised := _raised(subject, told, rest)) is not None:
        return (*words[:start], *agent, *raised)
    return (*words[:start], *agent, told, *subject, *rest)


def _opens_noun(word: Word) -> bool:
    return word.content or word.cls in _NOUN_STARTS


def _agent(words: Words, at: int) -> int | None:
    """Return where the "by" stands that tells who did what the passive at `at` tells."""
    marks = ("by", "in") if words[at].bases & _HOLDS else ("by",)
    for k in range(at + 1, len(words)):
        if finite(words[k]) or words[k].low in (";", "(") or words[k].cls in _ENDS - {"than"}:
            return None
        if words[k].low not in marks:
            continue
        agent = words[k + 1 : phrase_end(words, k + 1)]
        first = agent[0] if agent else None
        means = first is None or first.low.endswith("ing") or (
            first.quantity is not None and (first.quantity.kind in ("percent", "year", "measure") or len(agent) == 1)
        )  # fmt: skip
        if not means:
            return k
    return None


def attached_end(words: Words, end: int, other: Words) -> int:
    """Return where a noun phrase that ends at `end` ends with the phrases that follow the same noun in the other
    sentence: "by the band from Graz on Friday" where the other has "the band from Graz"."""
    beside = False
    while end < len(words) and other:
        behind = end + (words[end].low == ",")
        stop = phrase_end(words, behind + 1)
        last, phrase = words[end - 1], [w for w in words[behind:stop] if w.kind != "mark" and w.cls != "article"]
        if not phrase or any(finite(w) for w in phrase) or not any(
            _follows(other, k, phrase) for k, w in enumerate(other) if w.bases & last.bases
        ):  # fmt: skip
            break
        beside = beside or behind > end
        end = stop
    return end + (beside and end < len(words) and words[end].low == ",")


def _follows(words: Words, at: int, phrase: Sequence[Word]) -> bool:
    """Return whether the words of a phrase stand right behind the word at `at`, marks and articles aside."""
    behind = [w for w in words[at + 1 : at + 2 + 2 * len(phrase)] if w.kind != "mark" and w.cls != "article"]
    return len(behind) >= len(phrase) and all(a.bases & b.bases for a, b in zip(behind, phrase, strict=False))


def _raised(subject: Words, told: Word, rest: Words) -> Words | None:
    """Return what "Ann is said to have won" tells as "say that Ann won"."""
    if told.low not in SAID | FOUND or told.low in _OF_THE_FUTURE or not rest:
        return None
    at = 1 if rest[0].low == "to" else 0
    features = rest[at].verb if at < len(rest) else None
    if features is None or (not at and not features.infinitive) or told.verb is None:
        return None
    tense = "past" if features.tense == "perfect" else told.verb.tense
    verb = replace(rest[at], verb=replace(features, tense=tense, infinitive=False))
    return (told, _THAT, *subject, verb, *rest[at + 1 :])
