"""Sentences in other order that say the same: fronted phrases put last, passives made active.

Each function takes the words of a reading and returns words. What it cannot read it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from veritas.meaning._function_words import FOUND, LINKS, SAID
from veritas.meaning._vocabulary import group, kinds, period, person
from veritas.meaning._word import Verb, Word, finite, past_form
from veritas.text.wordlist import words as listed

Words = tuple[Word, ...]
SOMEBODY = Word("somebody", "<somebody>", "content", frozenset(("<somebody>",)))
"""Whoever does what a passive without "by" tells."""
_THAT = Word("that", "that", "grammar", frozenset({"that"}), "that")
_OF_THE_FUTURE = listed("expected hoped predicted promised feared recommended warned told")
_PARTICLES = listed("up down off out away back over on in apart aside")
"""Words that belong to a verb where no noun follows: "was switched off"."""
_COMMA = Word(",", ",", "mark", frozenset({","}))
_NOUN_STARTS = frozenset({"article", "possessive", "demonstrative", "pronoun", "quantifier"})
_ENDS = frozenset({"condition", "time", "cause", "concession", "relative", "but", "that", "than", "instead"})
_EARLY = listed("early late shortly soon just")
_WHICH_TIME = listed("last next this that every each")
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
    if word.text.casefold().startswith(("every ", "each ")):
        return False  # "farmers who grew maize every year lost"
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
        if words[at].kind != "content" or "n" not in kinds(words[at].low) or not period(noun.low):
            return False
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
        if word.low == "," and _listed_before(words, start, at):
            start -= 1
            continue
        if word.cls == "than" and _in_subject(words, start - 1):
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


def _in_subject(words: Sequence[Word], than: int) -> bool:
    """Return whether a comparison stands in a subject, with no verb before it: "files older than a week are"."""
    for word in reversed(words[:than]):
        if word.kind == "mark" or word.cls in _ENDS:
            return False
        if finite(word):
            return False
    return than > 1


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
        if word.cls in ("and", "or") and _of_predicate(words, at) and _subject_ahead(words, end):
            break
        if end > at and words[end - 1].content and _time_ahead(words, end):
            break
        end += 1
    return end


def _time_ahead(words: Sequence[Word], at: int) -> bool:
    """Return whether a phrase of time without preposition begins behind a noun: "by mites last winter"."""
    behind = words[at + 1] if at + 1 < len(words) else None
    if behind is not None and words[at].low in _EARLY and behind.cls in ("preposition", "time"):
        return True  # "by bees early in the morning"
    return words[at].low in _WHICH_TIME and behind is not None and behind.kind != "grammar" and _of_time(behind)


def _of_predicate(words: Sequence[Word], at: int) -> bool:
    """Return whether what begins at a place stands behind a verb."""
    return any(finite(w) for w in takewhile(lambda w: w.kind != "mark" and w.cls not in _ENDS, reversed(words[:at])))


def _subject_ahead(words: Sequence[Word], at: int) -> bool:
    """Return whether the subject of another verb follows: "by Ella and the music was composed"."""
    return any(finite(w) for w in takewhile(lambda w: w.kind != "mark" and w.cls not in _ENDS, words[at + 1 :]))


def subject_start(words: Sequence[Word], at: int) -> int:
    """Return where the subject of the verb at `at` begins, with the relative clause that may stand in it: "any job that
    exceeds the limit is killed"."""
    start = clause_start(words, at)
    opens = next((k for k in range(start - 1, 0, -1) if words[k].cls in ("relative", "that")), None)
    if opens is None or words[opens - 1].kind == "mark" or not _noun_before(words[opens - 1]) or not (
        finite(words[start - 1]) or opens == start - 1
    ):  # fmt: skip
        return start
    own = [k for k in range(opens + 1, at) if finite(words[k])]
    if len(own) != 1 or any(w.low in (";", ":") for w in words[opens:at]):
        return start
    before = clause_start(words, opens)
    return start if any(finite(w) for w in words[before:opens]) or words[opens - 1].verb is not None else before


def _noun_before(word: Word) -> bool:
    """Return whether a relative clause may belong to a word: "a job that", "anyone who"."""
    return word.content or (word.cls == "quantifier" and word.low.endswith(("one", "body", "thing")))


def noun_end(words: Sequence[Word], at: int) -> int:
    """Return where the noun phrase that begins at `at` ends, with the relative clause right behind it."""
    end = phrase_end(words, at)
    if end >= len(words) - 1 or end == at or words[end].cls not in ("relative", "that") or (
        not _noun_before(words[end - 1])
    ):  # fmt: skip
        return end
    if words[end].low == "that" and not finite(words[end + 1]):
        return end  # "it was found by the team that"
    verbs = 0
    for k in range(end + 1, len(words)):
        verbs += finite(words[k])
        if verbs > 1 or words[k].kind == "mark" or words[k].cls in _ENDS or (verbs and words[k].cls in ("and", "or")):
            return k if verbs == 1 else end
    return len(words) if verbs == 1 else end


def active(words: Words, other: Words = ()) -> Words:
    """Make every passive active; one without "by" gets `SOMEBODY` as its subject, and what a reader is asked to do too.
    Phrases that stand right behind the same noun in the other sentence stay with it."""
    at = len(words) - 1
    while at >= 0:
        verb = words[at].verb
        if verb is not None and verb.passive and not verb.infinitive and not words[at].bases & LINKS:
            words = _active(words, at, verb, other)
        elif verb is not None and verb.modal == "asked" and not (at and words[at - 1].low == "<somebody>"):
            words = (*words[:at], SOMEBODY, *words[at:])
        at -= 1
    return words


def _active(words: Words, at: int, verb: Verb, other: Words) -> Words:
    start = subject_start(words, at)
    subject = words[start:at]
    if not any(w.content or w.cls in ("pronoun", "relative", "demonstrative") for w in subject):
        return words
    told = replace(words[at], verb=replace(verb, passive=False))
    by = _agent(words, at, other)
    agent: Words = (SOMEBODY,)
    rest = words[at + 1 :]
    if by is not None:
        end = attached_end(words, noun_end(words, by + 1), other)
        agent, rest = words[by + 1 : end], (*words[at + 1 : by], *words[end:])
        if any(w.low == "," for w in agent[:-1]) and agent[-1].low != "," and not any(w.cls == "and" for w in agent):
            agent = (*agent, _COMMA)
        rest = _than_by(rest)
    if [w.low for w in subject] == ["it"] and any(
        w.low in ("that", "whether") for w in takewhile(lambda w: not finite(w) and w.kind != "mark", rest)
    ):  # fmt: skip
        subject = ()  # "it was reported that": it stands for what follows
    elif rest and _stranded(rest):
        return (*words[:start], *agent, told, rest[0], *subject, *rest[1:])
    elif (raised := _raised(subject, told, rest)) is not None:
        said_so = (*words[:start], *agent, *raised)
        inner = start + len(agent) + 2 + len(subject)
        features = said_so[inner].verb
        return _active(said_so, inner, features, other) if features is not None and features.passive else said_so
    return (*words[:start], *agent, told, *subject, *rest)


def _than_by(rest: Words) -> Words:
    """Write "than by the old boiler" as "than the old boiler" behind a passive made active."""
    for k in range(len(rest) - 1):
        if rest[k].cls == "than" and rest[k + 1].low == "by":
            return (*rest[: k + 1], *rest[k + 2 :])
    return rest


def _stranded(rest: Words) -> bool:
    """Return whether a particle, or a preposition without its noun, stands right behind a passive: "was switched off",
    "were looked after"."""
    alone = len(rest) == 1 or not _opens_noun(rest[1])
    return alone and (rest[0].low in _PARTICLES or rest[0].cls == "preposition" or rest[0].low == "after")


def _opens_noun(word: Word) -> bool:
    return word.content or word.cls in _NOUN_STARTS


def particles_near(words: Words) -> Words:
    """Put a particle behind its verb where its object stands between them: "broke the sugar down"."""
    for at in range(2, len(words)):
        if words[at].low not in _PARTICLES:
            continue
        after = words[at + 1] if at + 1 < len(words) else None
        if after is not None and _opens_noun(after):
            continue
        verb = next((k for k in range(at - 1, -1, -1) if words[k].verb is not None), None)
        if verb is None or words[verb].low == "be" or verb == at - 1 or not all(
            w.content or w.cls in _NOUN_STARTS or w.low == "of" for w in words[verb + 1 : at]
        ) or _adverb(words[at - 1]) or words[at - 1].kind == "number":  # fmt: skip
            continue
        words = (*words[: verb + 1], words[at], *words[verb + 1 : at], *words[at + 1 :])
    return words


def _agent(words: Words, at: int, other: Words) -> int | None:
    """Return where the "by" stands that tells who did what the passive at `at` tells, or the preposition before what
    does it in the other sentence: "is housed in the chapel", "the chapel houses"."""
    placed: int | None = None
    for k in range(at + 1, len(words)):
        if finite(words[k]) or words[k].low in (";", "(") or (words[k].cls in _ENDS - {"than"} and _clause(words, k)):
            break
        if words[k].cls != "preposition":
            continue
        agent = words[k + 1 : phrase_end(words, k + 1)]
        first = agent[0] if agent else None
        means = first is None or _doing(first) or (
            first.quantity is not None and (first.quantity.kind in ("percent", "year", "measure") or len(agent) == 1)
            and not (first.quantity.kind == "percent" and _of_people(agent))
        )  # fmt: skip
        doer = not means or _does(other, words[at], agent)
        if words[k].low == "by" and doer and not _means(other, words[at], agent):
            return k
        if placed is None and words[k].low in ("in", "with", "on", "from", "under") and _does(other, words[at], agent):
            placed = k
    return placed


def _of_people(agent: Words) -> bool:
    """Return whether a phrase is a share of persons, who may do something: "by 75 % of respondents"."""
    of = next((k for k, w in enumerate(agent) if w.low == "of"), len(agent))
    return any(w.kind == "content" and (person(w.low) or group(w.low)) for w in agent[of:])


def _doing(word: Word) -> bool:
    """Return whether a word is a verb in "-ing", as "king" and "Spring" are not."""
    return word.kind == "content" and word.low.endswith("ing") and any(
        base != word.low and "v" in kinds(base) for base in word.bases
    )  # fmt: skip


def _means(words: Words, passive: Word, agent: Words) -> bool:
    """Return whether what a "by" governs is by what means it is done, in a sentence that tells it actively."""
    active = any(
        w.verb is not None and w.bases & passive.bases and not (w.verb.passive or w.verb.infinitive) for w in words
    )
    return active and any(
        words[k].low == "by" and words[k + 1].bases & agent[0].bases for k in range(len(words) - 1)
    )  # fmt: skip


def _does(words: Words, passive: Word, agent: Words) -> bool:
    """Return whether a thing that a phrase names is the subject of a verb in a sentence."""
    named = [w for w in agent if w.content]
    of = next((k for k, w in enumerate(agent) if w.low == "of"), len(agent))
    head = next((w for w in reversed(agent[:of]) if w.content), None)
    if head is None or person(head.low) or group(head.low) or head.text.istitle():
        return False
    for k, word in enumerate(words):
        if word.verb is not None and word.bases & passive.bases and not (word.verb.passive or word.verb.infinitive):
            subject = [w.low for w in words[clause_start(words, k) : k] if w.content and not _adverb(w)]
            return subject == [w.low for w in named]
    return False


def _clause(words: Words, at: int) -> bool:
    """Return whether a word opens a clause, and not a phrase: "after the war" is none."""
    if words[at].cls in ("relative", "that", "but"):
        return True
    return any(finite(w) for w in takewhile(lambda w: w.kind != "mark", words[at + 1 :]))


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
