"""What a sentence says beside its main clause: relative clauses, appositions, participles, and what it begins with.

Each is told as a statement of its own, with the noun that it belongs to as its subject.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veritas.meaning._rearrangement import Words, clause_start
from veritas.meaning._vocabulary import bases, group, kinds, person
from veritas.meaning._word import Verb, Word, finite, past_form

_CLOSING = {",": (",", ";"), "(": (")",), "-": ("-",), "--": ("--",)}
_BEGINS_CLAUSE = frozenset({"relative", "that", "condition", "time", "cause", "concession", "but", "than"})
COPULA = Word("is", "be", "content", frozenset({"be"}), "", None, Verb(form="is"))
"""A copula of any tense."""
_HAS = Word("has", "have", "content", frozenset({"have"}), "", None, Verb(form="has"))
_OWNER = Word("'s", "'s", "grammar", frozenset({"'s"}), "possessive")
_IN = Word("in", "in", "grammar", frozenset({"in"}), "preposition")
_MOST = 4
"""Insertions that are taken out of one sentence."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A sentence without what it says beside. `beside` has the statements of each insertion, one for each noun that it
    may belong to, the likeliest first."""

    main: Words
    beside: tuple[tuple[Words, ...], ...] = ()


def parted(words: Words) -> Parted:
    """Take relative clauses, appositions and participles between marks out of a sentence, and what it begins with."""
    beside: list[tuple[Words, ...]] = []
    words, front = _of_front(words)
    if front:
        beside.append(front)
    at, taken = 1, 0
    while at < len(words) - 1 and taken < _MOST:
        found = _at(words, at)
        if found is None:
            at += 1
            continue
        told, close = found
        beside.append(told)
        taken += 1
        goes = close < len(words) and (words[at].low != "," or _goes_on(words, close))
        words = (*words[:at], *words[close + goes :])
    words, of_predicate = _of_predicate(words)
    return Parted(words, (*beside, *of_predicate))


def _of_predicate(words: Words) -> tuple[Words, tuple[tuple[Words, ...], ...]]:
    """Return "she is a printer who lived in Ulm" as "she is a printer" and "she lived in Ulm"."""
    at = next((k for k, w in enumerate(words) if finite(w)), None)
    verb = words[at].verb if at is not None else None
    if at is None or verb is None or words[at].low != "be" or verb.not_ or verb.modal:
        return words, ()
    for k in range(at + 2, len(words) - 1):
        if words[k].cls in ("relative", "that") and words[k].low in ("who", "which", "that") and _goes_on(words, k):
            if words[k - 1].content and noun_phrase(words[at + 1 : k]) and words[at + 1].low != "the":
                return words[:k], ((_joined(words[clause_start(words, at) : at], words[k + 1 :]),),)
            break
        if words[k].kind == "mark" or finite(words[k]):
            break
    return words, ()


def restricting(words: Words) -> Iterator[Words]:
    """Yield what the relative clauses without comma say of one thing, or of a number of things, that the sentence tells
    of: "the village where she was born is small". Of things in general they say nothing: "students who slept"."""
    for at in range(2, len(words) - 2):
        if words[at].cls not in ("relative", "that"):
            continue
        end = at - (words[at - 1].cls == "preposition" and words[at].cls == "relative")  # "on whose banks"
        noun = _one_noun(words, end)
        verb = next((k for k in range(at + 1, len(words)) if finite(words[k])), None)
        if not noun or verb is None or (words[at].low == "that" and verb > at + 1 and not _object_free(words, verb)):
            continue
        ends = (k for k in range(verb + 1, len(words)) if finite(words[k]) or words[k].low in (",", ";"))
        yield from _said_of(noun, words[at], words[at + 1 : next(ends, len(words))], words[end:at])


def _object_free(words: Words, verb: int) -> bool:
    """Return whether a verb has no object behind it: "the vines that the monks had planted"."""
    behind = words[verb + 1] if verb + 1 < len(words) else None
    return behind is None or behind.kind == "mark" or finite(behind) or behind.cls in ("preposition", "time", "and")


def _one_noun(words: Words, end: int) -> Words:
    """Return the noun phrase that ends at a place, if it tells of one thing or of a number of things, else nothing."""
    if end < 1 or not words[end - 1].content or words[end - 1].verb is not None:
        return ()
    if words[end - 1].down or any(_open(w) for w in words[:end]):
        return ()
    start = end - 1
    while start > 0 and words[start - 1].content and words[start - 1].verb is None:
        start -= 1
    single = words[start].kind == "number" or words[start].kind == "name"
    if start and not single:
        single = words[start - 1].cls in ("article", "possessive", "demonstrative")
        start -= single
    return words[start:end] if single and words[start].low != "any" else ()


def _said_of(noun: Words, opening: Word, clause: Words, before: Words = ()) -> Iterator[Words]:
    """Yield what a relative clause says of a noun. `opening` is its first word, `before` the preposition before it."""
    verb = next((k for k, w in enumerate(clause) if finite(w)), None)
    if verb is None:
        return
    if opening.low == "whose":
        end = next((k for k, w in enumerate(clause) if w.cls in ("article", "possessive") or k == verb), verb)
        if before and end:  # "on whose banks the town was built"
            yield (*clause[end:], *before, *noun, _OWNER, *clause[:end])
        elif not before:
            yield _joined((*noun, _OWNER), clause)
    elif before or opening.low == "where":
        yield (*clause, *(before or (_IN,)), *noun)
    elif verb == 0 or all(w.low.endswith("ly") or w.cls in ("change", "hedge", "discourse", "only", "quantifier")
                          for w in clause[:verb]):  # fmt: skip
        yield _joined(noun, clause)
    else:
        yield (*clause[: verb + 1], *noun, *clause[verb + 1 :])


def _open(word: Word) -> bool:
    """Return whether a word leaves open whether what stands behind it is there."""
    return word.cls == "condition" or (word.verb is not None and bool(word.verb.not_ or word.verb.modal))


def _at(words: Words, at: int) -> tuple[tuple[Words, ...], int] | None:
    """Return what the insertion whose mark stands at `at` says, and where it closes."""
    if words[at].kind != "mark" or words[at].low not in _CLOSING:
        return None
    for close in _closings(words, at):
        told = tuple(_told(words, at, close))
        if told:
            return told, close
    return None


def _closings(words: Words, at: int) -> Iterator[int]:
    """Yield where the insertion that begins at `at` may close, the likeliest first."""
    marks = [k for k in range(at + 1, len(words)) if words[k].low in _CLOSING[words[at].low]]
    if words[at].low != ",":
        yield from marks[:1]
        return
    begun = next((k for k in range(at - 1, -1, -1) if words[k].low == ";"), -1)
    if not any(finite(w) for w in words[begun + 1 : at]):
        if words[0].cls in ("preposition", "time"):  # "Under the treaty, signed in May, …"
            yield from (k for k in marks[:1] if not _in_list(words, k))
        yield from (k for k in marks if words[k].low == "," and _goes_on(words, k))
        return
    relative = words[at + 1].cls == "relative"
    for k in marks:
        listed = _in_list(words, k) and not _clause_behind(words, k)
        if words[k].low == ";" or not (listed or (words[k].low == "," and not relative and _leans(words, k + 1))):
            yield k
            return
    yield len(words)


def _leans(words: Words, at: int) -> bool:
    """Return whether a relative clause or an apposition begins at a place."""
    end = next((k for k in range(at, len(words)) if words[k].kind == "mark"), len(words))
    return at < end and (words[at].cls == "relative" or (_definite(words[at:end]) and noun_phrase(words[at:end])))


def _goes_on(words: Words, comma: int) -> bool:
    """Return whether the verb of the main clause stands behind a comma."""
    k = comma + 1
    while k < len(words) and (words[k].low.endswith("ly") or words[k].cls in ("change", "hedge", "quantifier", "only",
                                                                            "discourse")):  # fmt: skip
        k += 1
    return k < len(words) and finite(words[k])


def _in_list(words: Words, comma: int) -> bool:
    """Return whether a comma parts things of one list."""
    for word in words[comma + 1 :]:
        if word.cls in ("and", "or"):
            return True
        if word.kind == "mark" and word.low != ",":
            return False
        if word.verb is not None or word.cls in _BEGINS_CLAUSE:
            return False
    return False


def _clause_behind(words: Words, comma: int) -> bool:
    """Return whether "and" and a clause follow a comma: ", and later she ran a mill"."""
    ends = (k for k in range(comma + 1, len(words)) if words[k].kind == "mark")
    return comma + 1 < len(words) and words[comma + 1].cls == "and" and any(
        finite(w) for w in words[comma + 1 : next(ends, len(words))]
    )  # fmt: skip


def _told(words: Words, at: int, close: int) -> Iterator[Words]:
    inside = _bare(words[at + 1 : close])
    if not inside or inside[0].cls in ("and", "or", "but"):
        return
    opening = inside[0]
    if len(inside) > 2 and opening.cls == "preposition" and inside[1].low in ("which", "whom"):
        yield from ((*inside[2:], opening, *noun) for noun in _nouns(words, at, inside[1].low))
        return
    if opening.cls == "relative":
        yield from _of_relative(words, at, inside)
        return
    if opening.low == "as" and len(inside) > 1 and past_form(inside[1].low):
        opening = replace(inside[1], verb=None)
        inside = (opening, *inside[2:])
    subject = not any(finite(w) for w in words[:at])
    behind = words[close + 1].cls if close + 1 < len(words) else ""
    if behind in ("and", "or") and words[at].low == "," and not any(finite(w) for w in words[close + 2 :]):
        return
    participle = opening.kind == "content" and opening.verb is None
    if participle and _is_ing(opening):
        main = next((w.verb for w in words if w.verb is not None and finite(w)), Verb())
        told = replace(opening, verb=Verb(tense=main.tense, form=opening.low))
        if subject:
            yield from (_joined(noun, (told, *inside[1:])) for noun in _nouns(words, at))
        else:
            verb = next((k for k in range(at - 1, -1, -1) if finite(words[k])), 0)
            yield _joined(words[clause_start(words, verb) : verb], (told, *inside[1:]))
        return
    if participle and past_form(opening.low) and not noun_phrase(inside):
        told = replace(opening, verb=Verb(passive=True, form=opening.low))
        yield from (_joined(noun, (told, *inside[1:])) for noun in _nouns(words, at))
        return
    if opening.low == "with" and subject and len(inside) > 1 and not any(finite(w) for w in inside):
        yield from (_joined(noun, (_HAS, *inside[1:])) for noun in _nouns(words, at))
        return
    sized = opening.kind == "number" and inside[-1].kind == "content" and "a" in kinds(inside[-1].low)
    if sized and len(inside) < 4:  # "the strait, 12 km wide, …"
        yield from (_joined(noun, (COPULA, *inside)) for noun in _nouns(words, at))
        return
    if opening.kind == "content" and (opening.degree or kinds(opening.low) == {"a"}) and not noun_phrase(inside) and (
        not any(finite(w) for w in inside)
    ):  # fmt: skip
        yield from (_joined(noun, (COPULA, *inside)) for noun in _nouns(words, at))
        return
    if not noun_phrase(inside) or _in_list(words, at) or (words[at].low == "(" and len(inside) == 1):
        return
    nouns = list(_nouns(words, at))
    if nouns and nouns[0][-1].kind == "name" and all(w.kind == "name" for w in inside):
        return  # "in Lyon, France, …"
    if words[at].low == "," and not (subject or _definite(inside) or (nouns and nouns[0][-1].kind == "name")):
        return
    for noun in nouns:
        if _one_kind(noun, inside):
            yield _joined(noun, (COPULA, *inside))


def _of_relative(words: Words, at: int, inside: Words) -> Iterator[Words]:
    for noun in _nouns(words, at, inside[0].low):
        if not _of_clause(words, at, noun, inside):
            yield from _said_of(noun, inside[0], inside[1:])


def _of_clause(words: Words, at: int, noun: Words, inside: Words) -> bool:
    """Return whether "which" may stand for the whole clause: "he fell near Pskov, which ended the revolt"."""
    verb = inside[1].verb if len(inside) > 2 else None
    if inside[0].low != "which" or verb is None or verb.tense != "past" or verb.passive or noun[0].kind != "name":
        return False
    start = at - len(noun)
    placed = start > 0 and words[start - 1].cls == "preposition" and words[start - 1].low != "of"
    happened = any(finite(w) and w.verb is not None and w.verb.tense == "past" for w in words[:at])
    return placed and happened and inside[1].low not in ("be", "have") and (
        inside[2].content or inside[2].cls in ("article", "possessive")
    )


def _joined(subject: Words, predicate: Words) -> Words:
    """Return a clause of a subject and a predicate; both are of the predicate's clause then."""
    verb = next((w for w in predicate if finite(w)), predicate[0])
    return (*(replace(w, clause=verb.clause) for w in subject), *predicate)


def _nouns(words: Words, at: int, relative: str = "") -> Iterator[Words]:
    """Yield the noun phrases before `at` that an insertion may belong to: the whole one, and one behind a preposition
    in it. With `relative`, persons alone are "who", and things "which"."""
    start = at
    while start > 0 and not (
        words[start - 1].kind == "mark" or words[start - 1].verb is not None or words[start - 1].cls in _BEGINS_CLAUSE
    ):
        start -= 1
    if start and words[start - 1].low == "be" and finite(words[start - 1]):
        subject = words[clause_start(words, start - 1) : start - 1]
        if any(w.content or w.cls == "pronoun" for w in subject):
            yield subject
    while start < at - 1 and words[start].cls in ("and", "or", "but", "discourse"):
        start += 1
    starts = [start, *(k + 1 for k in range(start, at) if words[k].cls == "preposition")]
    if words[start].cls == "preposition":
        starts = starts[1:]
    placed = [k for k in starts if k > start and words[k - 1].low != "of"]
    order = [*placed[::-1], *(k for k in starts if k not in placed)]
    for k in order:
        noun = words[k:at]
        if noun and any(w.content for w in noun) and _fits(noun, relative):
            yield noun
            head = _head(noun)
            if relative and head is not None and _is_person(head):
                return


def _head(noun: Sequence[Word]) -> Word | None:
    """Return the head of a noun phrase: its last content word before a preposition."""
    head = None
    for word in noun:
        if head is not None and (word.cls == "preposition" or word.kind == "mark"):
            break
        if word.content and word.kind != "number":
            head = word
    return head


def _is_person(word: Word) -> bool | None:
    """Return whether a noun is one of persons, None if that is not known."""
    if word.kind == "name" or "n" not in kinds(word.low):
        return None
    return person(word.low)


def _fits(noun: Words, relative: str) -> bool:
    head = _head(noun)
    if head is None or relative not in ("who", "whom", "which"):
        return head is not None
    known = _is_person(head)
    return known is None or known == (relative != "which") or (relative != "which" and group(head.low))


def _one_kind(noun: Words, inside: Words) -> bool:
    """Return whether an apposition may name what a noun phrase names: both a person or neither, both one or many."""
    one, other = _head(noun), _head(inside)
    if one is None or other is None:
        return False
    first, second = _is_person(one), _is_person(other)
    if first is not None and second is not None and first != second and not (group(one.low) or group(other.low)):
        return False
    single = inside[0].low in ("a", "an")
    return not (single and one.kind == "content" and one.low.endswith("s") and one.low not in bases_alone(one))


def bases_alone(word: Word) -> frozenset[str]:
    """Return a word if it is a base form itself ("glass"), nothing if it is a form of another ("rivers")."""
    return frozenset({word.low}) if bases(word.low) == {word.low} else frozenset()


def _definite(inside: Words) -> bool:
    return inside[0].cls in ("article", "possessive")


def noun_phrase(words: Words) -> bool:
    """Return whether words are a noun phrase, with a relative clause at most."""
    relative = next((k for k, w in enumerate(words) if w.cls == "relative" or w.low == "that"), len(words))
    if 0 < relative < len(words):
        return noun_phrase(words[:relative])
    return (
        bool(words)
        and not any(finite(w) or w.cls in ("relative", "but", "condition") for w in words)
        and (words[0].cls in ("article", "possessive") or words[0].kind in ("name", "content"))
        and not (past_form(words[0].low) and words[0].kind == "content")
        and not (words[0].kind == "content" and (_is_ing(words[0]) or words[0].low.endswith("ly")))
        and any(w.kind == "name" or (w.kind == "content" and "n" in kinds(w.low)) for w in words)
    )


def _is_ing(word: Word) -> bool:
    return word.low.endswith("ing") and "v" in {kind for base in word.bases for kind in kinds(base)} and (
        len(word.bases) > 1 or "n" not in kinds(word.low)
    )  # fmt: skip


def _bare(part: Words) -> Words:
    return part[:-1] if part and part[-1].kind == "mark" else part


def _of_front(words: Words) -> tuple[Words, tuple[Words, ...]]:
    """Return a sentence without the participle, the noun or the adjective that it begins with, and what that says of
    its subject; of a phrase with "with" too, which stays in the sentence."""
    comma = next((k for k, w in enumerate(words) if w.low == ","), None)
    if comma is None or comma < 2 or not any(finite(w) for w in words[comma + 1 :]):
        return words, ()
    front, rest = words[:comma], words[comma + 1 :]
    verb = next(k for k, w in enumerate(rest) if finite(w))
    main, subject = rest[verb].verb, rest[:verb]
    if not any(w.content for w in subject) or any(w.low in (",", ";") or w.cls in _BEGINS_CLAUSE for w in subject):
        return words, ()
    opening = front[0]
    if opening.low == "with" and not any(finite(w) for w in front):
        return words, (_joined(subject, (_HAS, *front[1:])),)
    formed = opening.verb is None or (opening.verb.tense in ("past", "present", "") and not opening.verb.passive)
    if opening.kind != "content" and not _definite(front):
        return words, ()
    if formed and past_form(opening.low) and not opening.degree:
        certain = any(w.quantity is not None and w.quantity.kind == "year" for w in front) or any(
            a.low == "by" and b.kind in ("name", "grammar") for a, b in itertools.pairwise(front)
        )
        happened = main is not None and main.tense in ("past", "perfect") and not main.modal
        if certain or happened:
            told = replace(opening, low=opening.low, verb=Verb(passive=True, form=opening.low))
            return rest, (_joined(subject, (told, *front[1:])),)
        return words, ()
    if any(finite(w) for w in front):
        return words, ()
    if noun_phrase(front) and (opening.low in ("a", "an") or opening.kind == "content") and (
        not any(w.cls in ("and", "or") for w in front)
    ):  # fmt: skip
        return rest, (_joined(subject, (COPULA, *front)),)
    return words, ()
