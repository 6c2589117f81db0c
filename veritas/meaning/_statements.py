"""The statements of a sentence: what it says side by side and beside its main clause, each with a subject of its own.

A source says each of its statements. A claim is said where each of its statements is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from veritas.meaning._asides import parted, restricting
from veritas.meaning._coreference import owned_by
from veritas.meaning._function_words import SAID, UNSURE
from veritas.meaning._listings import TOGETHER
from veritas.meaning._rearrangement import Words, clause_start
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import Word, finite

_ASIDE = frozenset({"although", "though", "whereas", "but", "yet", "while"})
_TAKES_BACK = frozenset(
    "significant significance evidence proof confirm prove true believe withdraw retract refute doubt deny reject"
    " correct accurate real support replicate reproduce wrong false"
    .split()
)  # fmt: skip
_OPENS_FRONT = frozenset({"preposition", "condition", "time", "cause", "concession", "according"})
_ENDS_CLAUSE = frozenset({"but", "relative", "that", "condition", "time"})
_DEEPEST = 3


@lru_cache(maxsize=4096)
def statements(words: Words) -> tuple[Words, ...]:
    """Return the statements that a source makes, without the sentence itself."""
    whole = parted(words)
    found = [
        *(one for told in _taken_apart(words, 0) for one in told),
        *(one for told in ((whole.main,), *whole.beside) for one in told),
        *restricting(words),
    ]
    return tuple(one for one in dict.fromkeys(found) if one != words)


@lru_cache(maxsize=4096)
def parts(words: Words) -> tuple[tuple[Words, ...], ...]:
    """Return the statements that together say what a claim says, each in the ways in which it may be read; none if the
    claim is one statement."""
    found = tuple(_taken_apart(words, 0))
    return found if len(found) > 1 else ()


def _taken_apart(words: Words, depth: int) -> Iterator[tuple[Words, ...]]:
    """Yield what a sentence says, each statement in the ways in which it may be read."""
    whole = parted(words)
    clauses = _clauses(whole.main)
    yield from ((clause,) for clause in clauses)
    for ways in whole.beside:
        if depth == _DEEPEST:
            yield ways
            continue
        apart = [list(_taken_apart(way, depth + 1)) for way in ways]
        if len({len(each) for each in apart}) == 1:
            yield from (tuple(chain.from_iterable(same)) for same in zip(*apart, strict=True))
        else:
            yield from apart[0]


def _clauses(words: Words) -> list[Words]:
    """Return the clauses that a sentence says beside each other, the sentence alone if it is one or if one takes
    another back.

    A clause without subject has the one before it; what a sentence begins with (a place, a time, a condition, a source)
    belongs to all, and so does a condition behind the last.
    """
    cuts = _cuts(words)
    if not cuts:
        return aside(words) or [words]
    front, cuts = _front(words, cuts)
    made: list[Words] = []
    subject: Words = ()
    shared: list[bool] = []
    for start, end in zip([len(front), *cuts], [*cuts, len(words)], strict=True):
        part = _bare(words[start:end])
        if not any(finite(w) for w in part):
            if made:
                made[-1] = (*made[-1], *words[start:end])
            continue
        if taken_back(words[start:end]):
            return [words]
        at = next(k for k, w in enumerate(part) if finite(w))
        own = part[:at]
        if not any((w.content and not w.low.endswith("ly")) or w.cls in ("pronoun", "relative") for w in own):
            if any(w.low in TOGETHER or w.cls == "only" for w in subject):
                return [words]
            part = (*_of_clause(subject, part[at]), *own, *part[at:])
        elif subject and own[-1].low in ("it", "they", "he", "she") and all(_adverb(w) for w in own[:-1]):
            part = (*_of_clause(subject, part[at]), *own[:-1], *part[at:])
        else:
            if subject and (named := owned_by(subject, part)) is not part:
                part, at = named, at + len(named) - len(part)
            begun = clause_start(part, at)
            subject = tuple(w for w in part[begun:at] if not (w.kind == "content" and w.low.endswith("ly")))
        made.append(part)
        shared.append(start > 0 and words[start].low == "and" and words[start - 1].low != ",")
    if len(made) < 2:
        return [words]
    made = _conditioned(made, shared)
    if front and front[0].low in _ASIDE:
        return [_bare(front), *made]
    return [part if part[0].cls in _OPENS_FRONT and _own_front(part) else (*_bare_front(front), *part) for part in made]


def _adverb(word: Word) -> bool:
    return word.cls in ("change", "discourse", "hedge") or (word.content and kinds(word.low) <= {"r", "a"})


def _of_clause(subject: Words, verb: Word) -> Words:
    return tuple(replace(w, clause=verb.clause) for w in subject)


def _conditioned(made: list[Words], shared: Sequence[bool]) -> list[Words]:
    """Give the condition behind the last of several clauses to those that no comma parts from it."""
    found = [made[-1]]
    behind = next((k for k, w in enumerate(made[-1]) if k and (w.cls == "condition" or w.low == "when")), None)
    condition = made[-1][behind:] if behind is not None else ()
    if condition and condition[0].low != "except" and not any(finite(w) for w in condition):
        condition = ()
    if condition and condition[0].low == "except" and any(w.verb and w.verb.not_ for w in made[-1][:behind]):
        condition = ()  # an exception to what is denied
    for part, joined in zip(made[-2::-1], shared[:0:-1], strict=True):
        if not joined:
            condition = ()
        found.append((*part, *condition))
    return found[::-1]


def taken_back(part: Sequence[Word]) -> bool:
    """Return whether a clause says of the others that they may not be so."""
    if not part or part[0].low not in (*_ASIDE, "however", ";", "and"):
        return False
    unsure = any(w.low in UNSURE and w.verb is None for w in part)
    denied = unsure or any(w.verb is not None and w.verb.not_ for w in part)
    return denied and (unsure or any(w.bases & _TAKES_BACK for w in part))


def _cuts(words: Words) -> list[int]:
    """Return where clauses begin that stand beside the ones before."""
    found: list[int] = []
    said = next((k for k, w in enumerate(words) if _opens_speech(words, k)), len(words))
    for at, word in enumerate(words):
        if not at:
            continue
        if word.low in (";", "--"):
            if _verb_ahead(words, at, lists=True):
                found.append(at)
                said = next((k for k in range(at + 1, len(words)) if _opens_speech(words, k)), len(words))
            continue
        if not any(finite(w) for w in words[(found[-1] if found else 0) : at]):
            continue
        if word.low in _ASIDE and (word.low != "while" or words[at - 1].low == ","):
            if _verb_ahead(words, at, lists=True):
                found.append(at)
                said = len(words)
        elif at < said and (
            (word.cls == "and" and at + 1 < len(words) and words[at + 1].cls not in ("relative", "condition", "that")
             and _verb_ahead(words, at, lists=words[at - 1].low == ","))
            or (word.low == "," and _predicate(words, at + 1) and any(w.cls == "and" for w in words[at:]))
        ):  # fmt: skip
            found.append(at)
    return found


def _opens_speech(words: Words, at: int) -> bool:
    """Return whether what follows a word may be what somebody says or thinks."""
    word, behind = words[at], words[at + 1] if at + 1 < len(words) else None
    if not word.content or behind is None:
        return False
    if behind.low == "that":
        return finite(word) or word.low in SAID or word.low in UNSURE
    if word.low in UNSURE:
        return behind.cls in ("condition", "relative", "time")
    return word.low in SAID and word.verb is not None and any(finite(w) for w in words[at + 1 :])


def _predicate(words: Words, at: int) -> bool:
    """Return whether a finite verb stands at a place, or behind the adverbs there."""
    while at < len(words) and (words[at].low.endswith("ly") or words[at].cls in ("change", "discourse", "hedge")):
        at += 1
    return at < len(words) and finite(words[at])


def _verb_ahead(words: Words, at: int, *, lists: bool) -> bool:
    """Return whether a verb follows in the clause that begins here; with `lists`, behind an "and" too."""
    opening = words[at + 1] if at + 1 < len(words) else words[at]
    own_front = opening.low == "," or opening.cls in _OPENS_FRONT or opening.cls == "discourse"
    relative = False
    for k in range(at + 1, len(words)):
        word, inside = words[k], k > at + 1
        if finite(word) and not relative:
            return True
        if finite(word):
            relative = False
        elif word.cls == "relative" and inside and not relative:
            relative = True
        elif _ends_search(word, inside=inside, lists=lists, own_front=own_front):
            return False
    return False


def _ends_search(word: Word, *, inside: bool, lists: bool, own_front: bool) -> bool:
    """Return whether a word ends the clause in which a verb is looked for."""
    if word.low in (";", ":") or (inside and word.cls in _ENDS_CLAUSE):
        return True
    return not lists and (word.cls in ("and", "or") or (word.low == "," and inside and not own_front))


def _front(words: Words, cuts: list[int]) -> tuple[Words, list[int]]:
    """Return what a sentence begins with, up to its comma, and the cuts behind it."""
    comma = next((k for k, w in enumerate(words) if w.low == ","), None)
    if comma is None or words[0].cls not in _OPENS_FRONT:
        return (), cuts
    clause = any(finite(w) for w in words[:comma])
    if (words[0].low in _ASIDE and not clause) or (words[0].cls == "preposition" and clause):
        return (), cuts
    return words[: comma + 1], [c for c in cuts if c > comma]


def _own_front(part: Words) -> bool:
    return any(w.low == "," for w in part[: next((k for k, w in enumerate(part) if finite(w)), 0)]) or (
        part[0].cls != "preposition"
    )  # fmt: skip


def _bare(part: Words) -> Words:
    """Return a clause without the marks and conjunctions around it."""
    start, end = 0, len(part)
    while start < end and (
        part[start].kind == "mark" or part[start].low in _ASIDE or part[start].cls in ("and", "but", "discourse")
    ):
        start += 1
    while end > start and part[end - 1].kind == "mark":
        end -= 1
    return part[start:end]


def _bare_front(front: Words) -> Words:
    return () if front and front[0].low in _ASIDE else front


def aside(words: Words) -> list[Words]:
    """Return the clauses of a sentence that begins with "although": what it concedes, and what it says."""
    front, _ = _front(words, [])
    if front and front[0].low in _ASIDE and not taken_back(front):
        rest = words[len(front) :]
        if any(finite(w) for w in rest) and not taken_back(rest):
            return [_bare(front), _named(rest, _bare(front))]
    return []


def _named(clause: Words, before: Words) -> Words:
    """Return a clause with the subject of the one before it where it has a pronoun."""
    verb = next((k for k, w in enumerate(before) if finite(w)), 0)
    subject = before[clause_start(before, verb) : verb]
    if subject and len(clause) > 1 and clause[0].low in ("it", "they", "he", "she") and finite(clause[1]):
        return (*_of_clause(subject, clause[1]), *clause[1:])
    return clause
