"""Nominalisations told as verbs: "the removal of X by Y" as "Y removed X", "led to a reduction in" as "reduced".

A noun that names what a verb of the other sentence tells has the verb's parts around it: an owner, words before it,
phrases behind it. Each may be a few parts of the verb ("of" what is done or who does it, "by" who does it alone); of
those, the part that the other sentence gives it is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from veritas.meaning._alignment import match
from veritas.meaning._function_words import LINKS, SAID
from veritas.meaning._rearrangement import SOMEBODY, Words, clause_start, phrase_end
from veritas.meaning._vocabulary import broader, derived, kinds, names_what, synonyms
from veritas.meaning._word import Verb, Word, finite

_Part = Literal["doer", "done", "beside"]
_LIGHT = frozenset(
    "make do conduct perform give take have cause achieve provide produce undertake bring reach complete deliver"
    " execute issue offer pay lay put place mount stage launch hold exert show express enter file lodge commit draw"
    " cast raise set pose exercise effect render accomplish bear sign possess impose lend exhibit".split()
)
"""Verbs by which their subject does what the noun behind them names."""
_HAPPENS = frozenset("occur happen begin start come date last be take cost".split())
_PHASES = frozenset("begin start stop cease continue resume".split())
"""Verbs by which an event goes on or not, as who does it goes on to do it."""
_WHEN = frozenset({"time", "cause", "concession"})
_FORESEEN = frozenset(
    "announce promise plan propose predict expect demand order urge recommend approve suggest".split()
)
"""Verbs behind which an event need not have happened."""
_UNDERGOES = frozenset("show see experience undergo record register report suffer enjoy sustain receive get".split())
_OF_DONE = frozenset("on over against to upon towards toward".split())
"""Prepositions before what is done to, beside which "of" may stand before who does it: "the attack of A on B"."""
_BEHIND_LIGHT = frozenset("out up forward on down in".split())
"""Particles of those verbs: "carried out", "put forward"."""
_AGENT = ("er", "or", "ist", "ant")
_DONE_TO = frozenset("to on over against for with into from at in upon about towards toward".split())
"""Prepositions behind a noun that may stand before what is done, beside "of": "damage to", "an attack on"."""
_OF, _BY, _IN, _FOR = (Word(p, p, "grammar", frozenset({p}), "preposition") for p in ("of", "by", "in", "for"))


@dataclass(frozen=True, slots=True)
class _Event:
    """A noun with what stands around it. `start` and `end` bound the words of all of it."""

    start: int
    end: int
    owner: Words
    before: Words
    behind: tuple[tuple[Word, Words], ...]


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of the verb that the words around a noun are; `beside` goes behind the verb and what is done."""

    doer: Words
    done: Words
    beside: Words


def verbal(words: Words, other: Words, *, of_claim: bool = False) -> Iterator[Words]:
    """Yield the sentence with a noun told as the verb of the other sentence that names the same. `of_claim`: the
    sentence is the claim, in which a cause may not stand for what happened at the same time."""
    for at, word in enumerate(words):
        if word.kind != "content" or word.verb is not None or word.degree:
            continue
        if "n" not in kinds(word.low) and not (word.low.endswith("ing") and at and words[at - 1].cls == "article"):
            continue
        for there, rival in enumerate(other):
            if rival.kind != "content" or rival.low in ("be", "have", "do"):
                continue
            same = bool(word.bases & rival.bases)
            if not same and not any(names_what(word.low, base) for base in rival.bases):
                continue
            if rival.verb is not None and rival.bases & LINKS:
                yield from _between(words, at, rival)
            if rival.verb is not None:
                yield from _told(words, at, other, there)
                yield from _as_clause(words, at, other, there, of_claim)
            elif rival.low.endswith("ing") and (
                word.low != rival.low or other[there + 1 : there + 2] != words[at + 1 : at + 2]
            ):
                yield from _gerund(words, at, rival, other)
            elif "a" in kinds(rival.low) and not same:
                yield from _measured(words, at, rival)
                yield from _having(words, at, rival)


def _between(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield "A is associated with B" for "there is an association between A and B"."""
    event_start = at
    while event_start and (words[event_start - 1].cls == "article" or (
        words[event_start - 1].content and words[event_start - 1].verb is None)):  # fmt: skip
        event_start -= 1
    how = tuple(w for w in words[event_start:at] if w.content)
    lead = words[at + 1] if at + 1 < len(words) else None
    be = event_start - 1
    if lead is None or lead.low != "between" or be < 1 or words[be].low != "be" or words[be - 1].cls != "there":
        return
    end = phrase_end(words, at + 2)
    joint = next((k for k in range(at + 2, end) if words[k].cls == "and"), None)
    features = words[be].verb
    if joint is None or joint == at + 2 or joint + 1 >= end or features is None:
        return
    told = replace(rival, verb=replace(features, passive=rival.verb is not None and rival.verb.passive))
    with_ = Word("with", "with", "grammar", frozenset({"with"}), "preposition")
    yield (*words[: be - 1], *words[at + 2 : joint], told, *_adverbs(how, (rival,)), with_, *words[joint + 1 :])


def _event(words: Words, at: int) -> _Event:
    start = at
    while start > 0 and words[start - 1].kind in ("content", "number", "name") and words[start - 1].verb is None:
        start -= 1
    before = words[start:at]
    owner: Words = ()
    if start and words[start - 1].low == "'s":
        stop = start = start - 1
        while start > 0 and words[start - 1].verb is None and (
            words[start - 1].content or words[start - 1].cls in ("article", "possessive")
        ):  # fmt: skip
            start -= 1
        owner = words[start:stop]
    elif start and words[start - 1].cls in ("article", "quantifier", "possessive"):
        start -= 1
    end = at + 1
    behind: list[tuple[Word, Words]] = []
    while end < len(words) and words[end].cls == "preposition":
        until = phrase_end(words, end + 1)
        if until == end + 1:
            break
        behind.append((words[end], words[end + 1 : until]))
        end = until
    return _Event(start, end, owner, before, tuple(_single(behind)))


def _single(behind: Sequence[tuple[Word, Words]]) -> Iterator[tuple[Word, Words]]:
    """Part an amount from what it is of: "an increase of 12 % of exports"."""
    for lead, phrase in behind:
        of = next((k for k, w in enumerate(phrase) if w.low == "of"), None)
        if of and phrase[of - 1].kind == "number":
            yield lead, phrase[:of]
            yield phrase[of], phrase[of + 1 :]
        else:
            yield lead, phrase


def _place(phrase: Words, other: Words, there: int) -> tuple[_Part | None, Word | None]:
    """Return the part that a phrase is of the other sentence's verb at `there`, with its preposition; None without."""
    wanted = [w for w in phrase if w.content] or [w for w in phrase if w.cls == "pronoun"]
    for k, word in enumerate(other):
        if not wanted or not _alike(word, wanted[0]) or k == there:
            continue
        if k < there:
            return "doer", None
        lead = next((w for w in reversed(other[there + 1 : k]) if w.cls == "preposition" or finite(w)), None)
        return ("beside", lead) if lead is not None and lead.cls == "preposition" else ("done", None)
    return None, None


def _alike(a: Word, b: Word) -> bool:
    found = match(a, b) or match(b, a)
    return found is not None and found.how is not None


def _done_beside(event: _Event, other: Words, there: int) -> bool:
    """Return whether a phrase other than with "of" is what is done to, behind a preposition that does not leave "of" to
    who does it."""
    return any(
        lead.low in _DONE_TO and lead.low not in _OF_DONE and _place(phrase, other, there)[0] == "done"
        for lead, phrase in event.behind
    )


def _amount(phrase: Words) -> bool:
    return any(w.kind == "number" for w in phrase) and not any(w.kind in ("content", "name") for w in phrase)


def _parts(event: _Event, other: Words, there: int, subject: Words = ()) -> _Parts:
    """Return the parts of the verb, as far as each phrase may be the part that the other sentence gives it."""
    doer: Words = subject
    done: Words = ()
    beside: list[Word] = []
    by = any(lead.low == "by" for lead, _ in event.behind)
    if event.owner:
        if by or (_place(event.owner, other, there)[0] == "done" and not any(p.low == "of" for p, _ in event.behind)):
            done = event.owner
        else:
            doer = event.owner
    for lead, phrase in event.behind:
        part, prep = _place(phrase, other, there)
        if _amount(phrase):
            if part == "done" and not done and lead.low == "of":
                done = phrase
            else:
                beside += [*((prep,) if prep is not None else () if lead.low == "of" else (lead,)), *phrase]
        elif lead.low == "by" and part != "beside" and not phrase[0].low.endswith("ing"):
            doer = phrase
        elif lead.low == "of" and prep is not None and prep.low == "of":
            beside += [lead, *phrase]
        elif not done and (
            (part == "done" and (lead.low == "of" or lead.low in _DONE_TO))
            or (part == "doer" and lead.low == "of" and _done_beside(event, other, there))
        ):
            done = phrase
        elif part == "doer" and not doer and lead.low in ("of", "in", "among", "between") and not by:
            doer = phrase
        elif part == "doer" and doer and doer is not subject and lead.low != "of":
            doer = (*doer, lead, *phrase)
        elif lead.low == "of" and not done and (doer or by):
            done = phrase
        elif lead.low == "of" and not doer:
            doer = phrase
        else:
            beside += [lead, *phrase]
    modifiers: list[Word] = []
    for word in event.before:
        noun = word.kind == "name" or (
            word.kind == "content" and "n" in kinds(word.low) and next(_adverbs((word,), other)) is word
        )
        part, lead_to = _place((word,), other, there) if noun or word.kind == "number" else (None, None)
        if word.kind == "number" and lead_to is not None:
            beside += [lead_to, word]
        elif part == "done" and not done:
            done = (word,)
        elif part == "doer" and not doer:
            doer = (word,)
        else:
            modifiers.append(word)
    return _Parts(doer, done, (*_adverbs(modifiers, other), *beside))


def _adverbs(modifiers: Sequence[Word], other: Words) -> Iterator[Word]:
    """Yield what modifies a noun as the other sentence's adverbs, where those are formed from it."""
    for word in modifiers:
        yield next((w for w in other if w.low.endswith("ly") and word.content and derived(word.low, w.low)), word)


def _told(words: Words, at: int, other: Words, there: int) -> Iterator[Words]:
    event, rival = _event(words, at), other[there]
    start, end = event.start, event.end
    before = words[start - 1] if start else None
    if before is not None and before.low == "for" and start > 2 and words[start - 2].low == "responsible":
        start, before = start - 2, words[start - 3]
        yield from _behind_a_verb(words, at, start - 1, event, other, there, does=True)
    elif before is not None and before.low in _BEHIND_LIGHT and start > 1 and words[start - 2].bases & _LIGHT and (
        finite(words[start - 2])
    ):  # fmt: skip
        yield from _behind_a_verb((*words[: start - 1], *words[start:]), at - 1, start - 2, replace(
            event, start=start - 1, end=end - 1), other, there, does=True)  # fmt: skip
    elif before is not None and before.verb is not None:
        yield from _behind_a_verb(words, at, start - 1, event, other, there, does=bool(before.bases & _LIGHT))
    elif end < len(words) and finite(words[end]) and words[end].bases & _HAPPENS:
        verb, rest = words[end], words[end + 1 :]
        parts = _parts(event, other, there)
        if verb.low == "be" and rest and rest[0].low == "that" and any(b in SAID for b in rival.bases):
            yield (*words[:start], *(parts.doer or (SOMEBODY,)), _verb(rival, verb), *parts.beside, *rest)
            return
        if "last" in verb.bases and rest and rest[0].cls != "preposition":
            rest = (_FOR, *rest)
        elif "date" in verb.bases and rest and rest[0].low == "from":
            rest = (_IN, *rest[1:])
        elif "take" in verb.bases and rest and rest[0].kind == "number":
            rest = (_place(rest[:1], other, there)[1] or _IN, *rest)
        elif "cost" in verb.bases and rest and rest[0].kind == "number":
            rest = (_FOR, *rest)
        elif verb.low == "be" and rest and rest[0].kind == "number":
            prep = _place(rest[:1], other, there)[1]
            if prep is None and not parts.done:
                parts, rest = replace(parts, done=rest[:1]), rest[1:]
            elif prep is not None:
                rest = (prep, *rest)
        doer = parts.doer or ((SOMEBODY,) if parts.done else ())
        if doer:
            told = _verb(rival, verb)
            if "date" in verb.bases and rival.verb is not None:
                told = replace(told, verb=replace(rival.verb, passive=False))
            yield (*words[:start], *doer, told, *parts.done, *parts.beside, *_adverbs(rest[:1], other), *rest[1:])


def _behind_a_verb(
    words: Words, at: int, light: int, event: _Event, other: Words, there: int, *, does: bool
) -> Iterator[Words]:
    verb, rival, rest = words[light], other[there], words[event.end :]
    begin = clause_start(words, light)
    subject = words[begin:light]
    told = _verb(rival, verb)
    if any(w.cls == "there" for w in subject) and verb.low == "be":
        parts = _parts(event, other, there)
        yield (*words[:begin], *(parts.doer or (SOMEBODY,)), told, *parts.done, *parts.beside, *rest)
        return
    if does and verb.verb is not None and verb.verb.infinitive:
        parts = _parts(event, other, there, subject)
        told = replace(told, verb=replace(verb.verb, passive=False))
        yield (*words[:light], told, *parts.done, *parts.beside, *rest)
    elif does:
        parts = _parts(event, other, there, subject)
        yield (*words[:begin], *parts.doer, told, *parts.done, *parts.beside, *rest)
    elif verb.low == "be" and (words[at].low.rstrip("s").endswith(_AGENT) or words[at].bases & rival.bases):
        parts = _parts(event, other, there, subject)
        if parts.done:
            if verb.verb is not None and verb.verb.tense == "present" and any(_lasting(base) for base in rival.bases):
                told = _verb(rival, rival)  # who founded it once is its founder
            yield (*words[:begin], *subject, told, *parts.done, *parts.beside, *rest)
    if verb.bases & _UNDERGOES:
        undergone = _parts(event, other, there)
        if not undergone.done and not event.owner:
            if _place(subject, other, there)[0] == "done":
                doer = undergone.doer or (SOMEBODY,)
                yield (*words[:begin], *doer, told, *subject, *undergone.beside, *rest)
            elif not undergone.doer:
                yield (*words[:begin], *subject, told, *undergone.beside, *rest)
    if not does and there and rival.verb is not None and rival.verb.infinitive:
        # "plans the construction of" is "plans to construct": the same verb stands before both
        governor = next((w for w in reversed(other[:there]) if finite(w)), None)
        if governor is not None and _alike(governor, verb):
            parts = _parts(event, other, there, subject)
            yield (*words[: light + 1], rival, *parts.done, *parts.beside, *rest)


def _lasting(verb: str) -> bool:
    """Return whether who did once what a verb tells is called so ever after."""
    return any(synonyms(verb, of) or broader(verb, of) for of in ("create", "make", "discover", "found", "win"))


def _as_clause(words: Words, at: int, other: Words, there: int, of_claim: bool) -> Iterator[Words]:
    """Yield the sentence with a noun and its parts as the clause that the other sentence has."""
    opens = next((k for k in range(there - 1, -1, -1) if other[k].cls in (*_WHEN, "that") or finite(other[k])), None)
    features = other[there].verb
    if features is None or features.infinitive:
        if features is not None:
            yield from _phase(words, at, other, there)
        return
    if opens is None or finite(other[opens]):
        return
    event, opener = _event(words, at), other[opens]
    of_main = [(lead, phrase) for lead, phrase in event.behind if _main(phrase, other, opens)]
    event = replace(event, behind=tuple(each for each in event.behind if each not in of_main))
    beside = tuple(w for lead, phrase in of_main for w in (lead, *phrase))
    parts = _parts(event, other, there)
    if event.before and not parts.beside and not (parts.doer or parts.done):
        return
    told = replace(other[there], degree="", verb=replace(features, passive=False, not_=False, never=False))
    clause = (*(parts.doer or (SOMEBODY,)), told, *parts.done, *parts.beside)
    before = words[event.start - 1] if event.start else None
    if before is not None and before.cls in _WHEN and opener.cls in _WHEN and not before.content:
        yield (*words[: event.start], *clause, *beside, *words[event.end :])
        return
    if before is not None and before.verb is not None and opener.low == "that":
        if features.tense not in ("past", "perfect") or before.bases.isdisjoint(_FORESEEN):
            yield (*words[: event.start], *beside, opener, *clause, *words[event.end :])
        return
    verb = words[event.end] if event.end < len(words) else None
    begins = clause_start(words, event.end)
    if verb is None or not finite(verb) or begins != event.start or verb.bases & _HAPPENS:
        return
    if opener.low in ("because", "that") or (not of_claim and opener.low in ("when", "if")):
        yield (*words[:begins], SOMEBODY, *words[event.end :], *beside, opener, *clause)


def _main(phrase: Words, other: Words, opens: int) -> bool:
    """Return whether the other sentence has a phrase before its clause, and not in it."""
    wanted = [w for w in phrase if w.content]
    if not wanted:
        return False
    before = any(_alike(w, wanted[0]) for w in other[:opens])
    return before and not any(_alike(w, wanted[0]) for w in other[opens:])


def _phase(words: Words, at: int, other: Words, there: int) -> Iterator[Words]:
    """Yield "the geese begin to migrate" for "the migration of the geese begins"."""
    event = _event(words, at)
    if event.end == len(words) or not (words[event.end].bases & _PHASES) or not finite(words[event.end]):
        return
    parts = _parts(event, other, there)
    if parts.doer:
        yield (*words[: event.start], *parts.doer, words[event.end], other[there], *parts.done, *parts.beside,
               *words[event.end + 1 :])  # fmt: skip


def _gerund(words: Words, at: int, rival: Word, other: Words) -> Iterator[Words]:
    """Yield "by selling wool" for "by the sale of wool"."""
    event = _event(words, at)
    if not event.owner and event.behind and event.behind[0][0].low == "of":
        (_, done), more = event.behind[0], event.behind[1:]
        behind = [w for lead, phrase in more for w in (lead, *phrase)]
        how = _adverbs(event.before, other)
        yield (*words[: event.start], rival, *done, *how, *behind, *words[event.end :])


def _measured(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield "the canal is 6 km long" for "the length of the canal is 6 km" and "the canal has a length of 6 km"."""
    event = _event(words, at)
    of = [phrase for lead, phrase in event.behind if lead.low == "of"]
    beside = [w for lead, phrase in event.behind if lead.low != "of" for w in (lead, *phrase)]
    before = words[event.start - 1] if event.start else None
    if before is not None and before.verb is not None and before.low == "have" and of and _amount(of[0]):
        amount, subject = of[0], words[clause_start(words, event.start - 1) : event.start - 1]
        be = replace(before, low="be", bases=frozenset({"be"}))
        yield (*words[: event.start - 1 - len(subject)], *subject, be, *amount, rival, *beside, *words[event.end :])
    whose = event.owner or (of[0] if of else ())
    end = event.end
    is_much = end + 1 < len(words) and words[end].low == "be" and words[end + 1].kind == "number"
    if whose and is_much and finite(words[end]):
        yield (*words[: event.start], *whose, words[end], words[end + 1], rival, *beside, *words[end + 2 :])


def _having(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield "is responsible" for "bears responsibility"."""
    light = at - 1 - (words[at - 1].cls == "article") if at else -1
    if light > 0 and finite(words[light]) and words[light].bases & _LIGHT:
        be = replace(words[light], low="be", bases=frozenset({"be"}))
        yield (*words[:light], be, rival, *words[at + 1 :])


def _verb(rival: Word, light: Word) -> Word:
    features = light.verb or Verb()
    return replace(
        rival, text=f"{light.text} {rival.text}", degree="", verb=replace(features, passive=False, infinitive=False)
    )
