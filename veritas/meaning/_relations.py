"""Relations of two things that are told from either side: "A precedes B" and "B comes after A"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.meaning._rearrangement import Words, attached_end, phrase_end, subject_start
from veritas.meaning._vocabulary import broader, kinds, synonyms
from veritas.meaning._word import Word, finite

_TOLD = """
precede = come before = predate = be before = go before ~ follow = succeed = come after = postdate = be after
own = possess = have = be owner of ~ belong to = be property of = be in possession of
be part of = belong to = be in = be inside = be component of = be member of = be one of = form part of
    ~ contain = include = comprise = have
defeat = beat = win against = win over = triumph over = prevail over ~ lose to = lose against = succumb to
cause = produce = be cause of = be reason for = create = trigger
    ~ result from = stem from = arise from = be because-of = be result of = come from = be consequence of = follow from
employ = be employer of ~ work for = work at = be employee of
exceed = surpass = be great than = be high than = be large than = be more than = be above = be over = outnumber
    ~ be low than = be small than = be less than = be below = be under = fall below = fall short of
command = lead = supervise = manage = oversee = be superior of
    ~ serve under = report to = work under = answer to = be subordinate of
outrank = rank above = finish before = finish ahead of = come before = be before = be ahead of = lead
    ~ rank below = finish behind = come behind = be behind = come after = finish after = trail
require = need = depend on = rely on = presuppose
    ~ be necessary for = be essential for = be prerequisite for = be prerequisite of
supersede = replace = succeed = take place of ~ give way to = make way for
teach = be teacher of = instruct ~ study under = learn from = be student of = be pupil of
outlive = survive ~ die before = predecease
imply = entail ~ follow from = be consequence of
win ~ go to = be award to
comprise ~ make up = form = constitute
account for = make up ~ come from = originate from
outpace = outrun = overtake = grow fast than = rise fast than ~ lag behind = trail = trail behind = fall behind
prey on = hunt ~ fall prey to = be prey of
frighten = scare ~ fear = be afraid of
support = carry = hold up ~ rest on = stand on = be on
be parent of = give birth to = bear = father ~ be child of
be grandparent of ~ be grandchild of
be uncle of = be aunt of ~ be nephew of = be niece of
be ancestor of ~ be descendant of = descend from
be husband of ~ be wife of
be parent of = be parent company of = be mother company of = own ~ be subsidiary of = be branch of = be daughter of
be superset of ~ be subset of
be generalization of ~ be special case of
be host of ~ be guest of
be predator of ~ be prey of
outweigh = be great than = be large than ~ be small than = be less than
be owner of = be landlord of ~ be tenant of
be creditor of ~ be debtor of = owe money to
be predecessor of ~ be successor of
be teacher of ~ be student of = be pupil of
be capital of ~ have as capital
be north of = be to north of ~ be south of = be to south of
be east of = be to east of ~ be west of = be to west of
be above = be over = be on top of ~ be below = be under = be beneath = be underneath
be before ~ be behind
be upstream of ~ be downstream of
be left of = be to left of ~ be right of = be to right of
be older than = be senior to = be elder than ~ be younger than = be junior to
give name to = lend name to ~ take name from = get name from = have name from
"""
"""Relations, one a line (or two): what the one side is to the other, and what the other is to the one.

A verb stands for its synonyms, and a noun for those and for its kinds; "be" with a place stands for standing and lying
there."""
_SCORE = re.compile(r"\d+[-–:]\d+")
_PLACED = frozenset({"be", "lie", "stand", "sit", "rest", "rise"})
_PLACES = frozenset(
    "above over below under beneath underneath before behind north south east west to left right".split()
)


@dataclass(frozen=True, slots=True)
class _Form:
    """How a side is told: the verb, the words behind it, and which relation and side it is."""

    verb: str
    behind: tuple[str, ...]
    relation: int
    side: int


@dataclass(frozen=True, slots=True)
class _Told:
    """A form that a sentence has: its verb stands at `at`, and what it governs begins at `end`."""

    at: int
    end: int
    relation: int
    side: int


def _read() -> dict[str, list[_Form]]:
    found: dict[str, list[_Form]] = {}
    lines = _TOLD.replace("\n    ", " ").strip().splitlines()
    for number, line in enumerate(lines):
        for side, forms in enumerate(line.split("~")):
            for form in forms.split("="):
                verb, *behind = form.split()
                found.setdefault(verb, []).append(_Form(verb, tuple(behind), number, side))
    return found


_FORMS = _read()
_RELATIONS: dict[str, set[int]] = {}
for _form in (form for forms in _FORMS.values() for form in forms):
    for _word in {_form.verb, *_form.behind} - {"be", "have", "come", "go", "give", "make", "take", "get"}:
        _RELATIONS.setdefault(_word, set()).add(_form.relation)


def of_one_relation(a: Word, b: Word) -> bool:
    """Return whether two words may tell one relation from its two sides: "parent", "subsidiary"."""
    return not _relations(a.bases).isdisjoint(_relations(b.bases))


@lru_cache(maxsize=1 << 14)
def _relations(bases: frozenset[str]) -> frozenset[int]:
    return frozenset(number for base in bases for number in _RELATIONS.get(base, ()))


@lru_cache(maxsize=1 << 14)
def _verbs_like(base: str) -> tuple[str, ...]:
    """Return the verbs of the forms that a verb may stand for."""
    if base in _FORMS:
        return (base, "be") if base in _PLACED and base != "be" else (base,)
    if base in _PLACED:
        return ("be",)
    return tuple(verb for verb in _FORMS if verb != "be" and "v" in kinds(base) and synonyms(base, verb))


@lru_cache(maxsize=4096)
def _told(words: Words) -> tuple[_Told, ...]:
    """Return the forms of relations that a sentence has."""
    found: dict[tuple[int, int, int], _Told] = {}
    for at, word in enumerate(words):
        if not finite(word):
            continue
        for base in word.bases:
            for verb in _verbs_like(base):
                for form in _FORMS[verb]:
                    if base != "be" and verb == "be" and not (form.behind and form.behind[0] in _PLACES):
                        continue
                    start = at + 1 + (bool(form.behind) and _measure(words, at + 1))
                    end = _behind(words, start, form.behind)
                    key = at, form.relation, form.side
                    if end and (key not in found or found[key].end < end):
                        found[key] = _Told(at, end, form.relation, form.side)
    return tuple(found.values())


def _measure(words: Words, at: int) -> bool:
    """Return whether a measure or a score stands at a place: "lies 12 miles east of", "lost 3-1 to"."""
    if at + 1 >= len(words):
        return False
    quantity = words[at].quantity
    return (quantity is not None and quantity.measured) or bool(_SCORE.fullmatch(words[at].text))


def _behind(words: Words, at: int, wanted: Sequence[str]) -> int:
    """Return where the words wanted behind a verb end, 0 if they do not stand there."""
    for low in wanted:
        while at < len(words) and words[at].cls == "article":
            at += 1
        if at == len(words) or not _is(words[at], low):
            return 0
        at += 1
    return at if at < len(words) and words[at].kind != "mark" and words[at].cls not in ("preposition", "that") else 0


@lru_cache(maxsize=1 << 14)
def _is(word: Word, low: str) -> bool:
    if word.low == low or low in word.bases:
        return True
    return word.kind == "content" and not word.degree and "n" in kinds(low) and (
        synonyms(word.low, low) or broader(word.low, low)
    )  # fmt: skip


def side_end(words: Words, at: int, other: Words) -> int:
    """Return where a side of a relation ends that begins at `at`: "beat the Kestrels 3-1". What follows the same noun
    in the other sentence belongs to it."""
    end = attached_end(words, phrase_end(words, at), other)
    for k in range(at + 1, end):
        if words[k].kind == "number" and words[k - 1].content and words[k - 1].kind != "number":
            return k
    return end


def _unmeasured(words: Words, told: _Told) -> Words:
    """Return the words behind the verb of a relation, without its measure."""
    return words[told.at + 1 + _measure(words, told.at + 1) : told.end]


def _measured(words: Words, told: _Told, behind: Words) -> Words:
    """Return the words behind the verb of a relation with the measure that a sentence has there."""
    return (*words[told.at + 1 : told.at + 1 + _measure(words, told.at + 1)], *behind)


def other_side(words: Words, other: Words) -> Iterator[Words]:
    """Yield the words told as the other sentence tells the same relation, from whichever side."""
    for mine in _told(words):
        for theirs in _told(other):
            if mine.relation != theirs.relation or (
                mine.side == theirs.side and words[mine.at : mine.end] == other[theirs.at : theirs.end]
            ):
                continue
            features, rival = words[mine.at].verb, other[theirs.at]
            score = mine.at + 1 < mine.end and bool(_SCORE.fullmatch(words[mine.at + 1].text))
            behind = _unmeasured(other, theirs)
            form = (replace(rival, verb=features), *(behind if score else _measured(words, mine, behind)))
            if mine.side == theirs.side:
                yield (*words[: mine.at], *form, *words[mine.end :])
                continue
            start, end = subject_start(words, mine.at), side_end(words, mine.end, other)
            yield (*words[:start], *words[mine.end : end], *form, *words[start : mine.at],
                   *words[mine.at + 1 : mine.at + 1 + score], *words[end:])  # fmt: skip
